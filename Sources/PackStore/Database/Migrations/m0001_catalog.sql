-- Times are seconds since 1970, UTC. Ids are UUIDs in text form. `seq` orders lists.

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE apps (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  bundle_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  review_policy TEXT NOT NULL CHECK (review_policy IN ('none', 'required', 'fourEyes')),
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE app_domains (
  app_id TEXT NOT NULL REFERENCES apps (id),
  position INTEGER NOT NULL,
  pattern TEXT NOT NULL,
  PRIMARY KEY (app_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE packs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  app_id TEXT NOT NULL REFERENCES apps (id),
  identifier TEXT NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
  -- The highest number ever given to a version of the pack.
  last_version INTEGER NOT NULL DEFAULT 0 CHECK (last_version >= 0),
  created INTEGER NOT NULL,
  UNIQUE (app_id, identifier)
) STRICT;

-- A number that devices have seen must never come back with other bytes.
CREATE TRIGGER packs_number_never_falls BEFORE UPDATE OF last_version ON packs
WHEN NEW.last_version < OLD.last_version
BEGIN
  SELECT RAISE(ABORT, 'the version counter of a pack never falls');
END;

CREATE TRIGGER packs_stay BEFORE DELETE ON packs
BEGIN
  SELECT RAISE(ABORT, 'a pack keeps its version numbers for ever');
END;

CREATE TABLE blobs (
  sha256 TEXT PRIMARY KEY CHECK (length(sha256) = 64),
  size INTEGER NOT NULL CHECK (size >= 0),
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  pack_id TEXT NOT NULL REFERENCES packs (id),
  number INTEGER NOT NULL CHECK (number > 0),
  state TEXT NOT NULL CHECK (state IN ('AWAITING_UPLOAD', 'PROCESSING', 'FAILED', 'COMPLETE')),
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  -- What processing found out; all of it is there once the version is complete.
  sha256 TEXT REFERENCES blobs (sha256),
  size INTEGER,
  install_size INTEGER,
  platforms TEXT,
  language TEXT,
  policy TEXT,
  user_info TEXT,
  UNIQUE (pack_id, number),
  CHECK (
    state <> 'COMPLETE'
    OR (sha256 IS NOT NULL AND size IS NOT NULL AND install_size IS NOT NULL AND platforms IS NOT NULL
        AND policy IS NOT NULL))
) STRICT;

CREATE INDEX versions_by_state ON versions (state);
CREATE INDEX versions_by_sha256 ON versions (sha256);

CREATE TABLE version_messages (
  version_id TEXT NOT NULL REFERENCES versions (id),
  position INTEGER NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('error', 'warning', 'info')),
  code TEXT NOT NULL,
  description TEXT NOT NULL,
  PRIMARY KEY (version_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE upload_files (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  version_id TEXT NOT NULL REFERENCES versions (id),
  asset_type TEXT NOT NULL CHECK (asset_type IN ('ASSET', 'MANIFEST')),
  file_name TEXT NOT NULL,
  size INTEGER NOT NULL CHECK (size > 0),
  part_size INTEGER NOT NULL CHECK (part_size > 0),
  state TEXT NOT NULL CHECK (state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE', 'COMPLETE', 'FAILED')),
  -- What the client says, and what was found in the bytes before they became a blob.
  declared_sha256 TEXT,
  found_sha256 TEXT,
  created INTEGER NOT NULL,
  committed INTEGER,
  UNIQUE (version_id, asset_type)
) STRICT;

CREATE INDEX upload_files_by_state ON upload_files (state);

CREATE TABLE upload_parts (
  upload_id TEXT NOT NULL REFERENCES upload_files (id),
  number INTEGER NOT NULL CHECK (number > 0),
  etag TEXT NOT NULL,
  received INTEGER NOT NULL,
  PRIMARY KEY (upload_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE releases (
  id TEXT PRIMARY KEY,
  version_id TEXT NOT NULL REFERENCES versions (id),
  pack_id TEXT NOT NULL REFERENCES packs (id),
  track TEXT NOT NULL CHECK (track IN ('internal', 'beta', 'production')),
  state TEXT NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  went_live INTEGER,
  UNIQUE (version_id, track)
) STRICT;

-- A pack has at most one live version on each track; which states are live is said by the state itself.
CREATE UNIQUE INDEX releases_live_slot ON releases (pack_id, track)
WHERE state IN ('READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION');

CREATE TABLE manifests (
  app_id TEXT NOT NULL REFERENCES apps (id),
  track TEXT NOT NULL,
  -- 'all' or a platform in the packaging manifest's spelling.
  platform TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation > 0),
  bytes BLOB NOT NULL,
  sha256 TEXT NOT NULL,
  -- What the links in it begin with.
  base_url TEXT NOT NULL,
  published INTEGER NOT NULL,
  PRIMARY KEY (app_id, track, platform)
) STRICT, WITHOUT ROWID;

-- What each manifest lists, so that a guard does not have to read JSON back.
CREATE TABLE manifest_entries (
  app_id TEXT NOT NULL,
  track TEXT NOT NULL,
  platform TEXT NOT NULL,
  identifier TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (app_id, track, platform, identifier),
  FOREIGN KEY (app_id, track, platform) REFERENCES manifests (app_id, track, platform)
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'publisher', 'reviewer', 'admin')),
  app_id TEXT REFERENCES apps (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created INTEGER NOT NULL,
  expires INTEGER,
  last_used INTEGER,
  revoked INTEGER
) STRICT;

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token_id TEXT,
  action TEXT NOT NULL,
  app_id TEXT,
  subject TEXT NOT NULL,
  before TEXT,
  after TEXT,
  reason TEXT
) STRICT;

CREATE INDEX audit_by_app ON audit (app_id, seq);

CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
