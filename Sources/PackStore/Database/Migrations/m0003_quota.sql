-- What an app may store, where that differs from the configuration.
CREATE TABLE app_quotas (
  app_id TEXT PRIMARY KEY REFERENCES apps (id),
  preset TEXT NOT NULL,
  maximum_bytes INTEGER NOT NULL CHECK (maximum_bytes >= 0),
  maximum_packs INTEGER NOT NULL CHECK (maximum_packs >= 0),
  maximum_pack_bytes INTEGER CHECK (maximum_pack_bytes > 0),
  enforced INTEGER NOT NULL CHECK (enforced IN (0, 1))
) STRICT, WITHOUT ROWID;

-- The quotas that are nearly full, so that each crossing is told once. The server's scope is empty.
CREATE TABLE quota_crossings (
  scope TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE packs ADD COLUMN archived_at INTEGER;

-- When a version was found to be past retention, and when its bytes were given up: the row stays, and so does its
-- number.
ALTER TABLE versions ADD COLUMN collectable INTEGER;
ALTER TABLE versions ADD COLUMN collected INTEGER;

-- Set before the file is removed, and when it is gone for certain. Both are empty while the file is there.
ALTER TABLE blobs ADD COLUMN collecting INTEGER;
ALTER TABLE blobs ADD COLUMN collected INTEGER;

CREATE INDEX upload_files_by_found_sha256 ON upload_files (found_sha256) WHERE found_sha256 IS NOT NULL;

CREATE TRIGGER versions_stay_collected BEFORE UPDATE OF collected ON versions
WHEN OLD.collected IS NOT NULL AND NEW.collected IS NOT OLD.collected
BEGIN
  SELECT RAISE(ABORT, 'a version whose bytes were collected stays so');
END;

-- Nothing goes live, and no new version is made, from bytes that are gone.
CREATE TRIGGER releases_need_bytes BEFORE UPDATE OF state ON releases
WHEN NEW.state IN ('READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION')
  AND (SELECT collected FROM versions WHERE id = NEW.version_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'the bytes of the version were collected');
END;

CREATE TRIGGER versions_need_bytes BEFORE INSERT ON versions
WHEN EXISTS (
  SELECT 1 FROM blobs WHERE sha256 = NEW.sha256 AND (collecting IS NOT NULL OR collected IS NOT NULL))
BEGIN
  SELECT RAISE(ABORT, 'the bytes of the version were collected');
END;

CREATE TRIGGER versions_take_bytes BEFORE UPDATE OF sha256 ON versions
WHEN EXISTS (
  SELECT 1 FROM blobs WHERE sha256 = NEW.sha256 AND (collecting IS NOT NULL OR collected IS NOT NULL))
BEGIN
  SELECT RAISE(ABORT, 'the bytes of the version were collected');
END;

-- The versions that must never be collected. Those of archived packs count only while a manifest lists them.
CREATE VIEW needed_versions AS
SELECT r.version_id AS version_id FROM releases r JOIN packs p ON p.id = r.pack_id
WHERE p.archived = 0 AND r.state IN (
  'READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION', 'READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'ACCEPTED',
  'PROCESSING_FOR_TESTING', 'PROCESSING_FOR_DISTRIBUTION')
UNION
SELECT v.id FROM manifest_entries e
JOIN packs p ON p.app_id = e.app_id AND p.identifier = e.identifier
JOIN versions v ON v.pack_id = p.id AND v.number = e.number;
