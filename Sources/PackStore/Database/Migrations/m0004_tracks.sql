-- Rollbacks, lanes, staged rollouts, and what a publish needs to know so that it does no more than what changed.

-- A version that has the bytes of an earlier one under a number of its own.
CREATE TABLE version_copies (
  version_id TEXT PRIMARY KEY REFERENCES versions (id),
  -- The version that the bytes were uploaded for; never a copy itself.
  source_id TEXT NOT NULL REFERENCES versions (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE rollouts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  app_id TEXT NOT NULL REFERENCES apps (id),
  track TEXT NOT NULL CHECK (track IN ('beta', 'production')),
  state TEXT NOT NULL CHECK (state IN ('RUNNING', 'PAUSED', 'FINISHED', 'STOPPED')),
  percent INTEGER NOT NULL CHECK (percent BETWEEN 0 AND 100),
  -- 64 bits, as a signed number; another one for each rollout, so that it is not always the same clients who go first.
  salt INTEGER NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX rollouts_one_at_a_time ON rollouts (app_id, track) WHERE state IN ('RUNNING', 'PAUSED');

-- Who got the new version would get a lower number.
CREATE TRIGGER rollouts_percent_never_falls BEFORE UPDATE OF percent ON rollouts
WHEN NEW.percent < OLD.percent
BEGIN
  SELECT RAISE(ABORT, 'the percentage of a rollout never falls');
END;

CREATE TABLE rollout_packs (
  rollout_id TEXT NOT NULL REFERENCES rollouts (id),
  pack_id TEXT NOT NULL REFERENCES packs (id),
  previous_id TEXT NOT NULL REFERENCES versions (id),
  version_id TEXT NOT NULL REFERENCES versions (id),
  PRIMARY KEY (rollout_id, pack_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX rollout_packs_by_pack ON rollout_packs (pack_id);

CREATE TABLE lanes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  app_id TEXT NOT NULL REFERENCES apps (id),
  track TEXT NOT NULL CHECK (track IN ('internal', 'beta', 'production')),
  name TEXT NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  -- Kept, with the numbers that it listed last, so that they never fall when it is made again.
  removed INTEGER,
  UNIQUE (app_id, track, name)
) STRICT;

CREATE TABLE lane_pins (
  lane_id TEXT NOT NULL REFERENCES lanes (id),
  pack_id TEXT NOT NULL REFERENCES packs (id),
  version_id TEXT NOT NULL REFERENCES versions (id),
  PRIMARY KEY (lane_id, pack_id)
) STRICT, WITHOUT ROWID;

-- Every version that a lane ever listed: devices keep manifests, so its bytes stay.
CREATE TABLE lane_versions (
  version_id TEXT PRIMARY KEY REFERENCES versions (id),
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Manifests beside the one of the track: of lanes, and of those who are in a rollout.
CREATE TABLE manifest_variants (
  app_id TEXT NOT NULL REFERENCES apps (id),
  track TEXT NOT NULL,
  -- '' for the track itself.
  lane TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('current', 'new')),
  -- 'all' or a platform in the packaging manifest's spelling.
  platform TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation > 0),
  bytes BLOB NOT NULL,
  sha256 TEXT NOT NULL,
  base_url TEXT NOT NULL,
  published INTEGER NOT NULL,
  -- What it lists: a line 'identifier number' for each pack.
  listing TEXT NOT NULL,
  PRIMARY KEY (app_id, track, lane, side, platform)
) STRICT, WITHOUT ROWID;

-- Rises with everything that changes what devices get of an app, whoever changes it.
CREATE TABLE served_revisions (
  app_id TEXT PRIMARY KEY REFERENCES apps (id),
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO served_revisions SELECT id, 1 FROM apps;

CREATE TRIGGER served_app AFTER INSERT ON apps
BEGIN
  INSERT INTO served_revisions VALUES (NEW.id, 1);
END;

CREATE TRIGGER served_domain_added AFTER INSERT ON app_domains
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_domain_removed AFTER DELETE ON app_domains
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = OLD.app_id;
END;

CREATE TRIGGER served_pack AFTER UPDATE OF archived ON packs
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_version AFTER UPDATE OF state, sha256, size, collected ON versions
BEGIN
  UPDATE served_revisions SET revision = revision + 1
  WHERE app_id = (SELECT app_id FROM packs WHERE id = NEW.pack_id);
END;

CREATE TRIGGER served_version_removed AFTER DELETE ON versions
BEGIN
  UPDATE served_revisions SET revision = revision + 1
  WHERE app_id = (SELECT app_id FROM packs WHERE id = OLD.pack_id);
END;

CREATE TRIGGER served_release AFTER UPDATE OF state, went_live ON releases
BEGIN
  UPDATE served_revisions SET revision = revision + 1
  WHERE app_id = (SELECT app_id FROM packs WHERE id = NEW.pack_id);
END;

CREATE TRIGGER served_release_added AFTER INSERT ON releases
BEGIN
  UPDATE served_revisions SET revision = revision + 1
  WHERE app_id = (SELECT app_id FROM packs WHERE id = NEW.pack_id);
END;

CREATE TRIGGER served_release_removed AFTER DELETE ON releases
BEGIN
  UPDATE served_revisions SET revision = revision + 1
  WHERE app_id = (SELECT app_id FROM packs WHERE id = OLD.pack_id);
END;

CREATE TRIGGER served_manifest_added AFTER INSERT ON manifests
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_manifest AFTER UPDATE ON manifests
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_manifest_removed AFTER DELETE ON manifests
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = OLD.app_id;
END;

CREATE TRIGGER served_variant_added AFTER INSERT ON manifest_variants
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_variant AFTER UPDATE ON manifest_variants
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_variant_removed AFTER DELETE ON manifest_variants
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = OLD.app_id;
END;

CREATE TRIGGER served_rollout_added AFTER INSERT ON rollouts
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_rollout AFTER UPDATE OF state, percent ON rollouts
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_lane_removed AFTER UPDATE OF removed ON lanes
BEGIN
  UPDATE served_revisions SET revision = revision + 1 WHERE app_id = NEW.app_id;
END;

CREATE TRIGGER served_lane_version AFTER INSERT ON lane_versions
BEGIN
  UPDATE served_revisions SET revision = revision + 1
  WHERE app_id = (SELECT p.app_id FROM versions v JOIN packs p ON p.id = v.pack_id WHERE v.id = NEW.version_id);
END;

-- Finding what is live, and what was, without looking at every release.
CREATE INDEX releases_went_live ON releases (pack_id, track, went_live);
CREATE INDEX releases_by_version ON releases (version_id, went_live);

-- The versions whose bytes must stay, whatever becomes of old ones. Those of archived packs count only while a manifest
-- lists them.
DROP VIEW IF EXISTS needed_versions;
CREATE VIEW needed_versions AS
-- Live, or under way in a review.
SELECT r.version_id FROM releases r JOIN packs p ON p.id = r.pack_id
WHERE p.archived = 0 AND r.state NOT IN ('SUPERSEDED', 'PREPARE_FOR_SUBMISSION', 'READY_FOR_BETA_SUBMISSION')
UNION
SELECT v.id FROM manifest_entries e JOIN packs p ON p.app_id = e.app_id AND p.identifier = e.identifier
JOIN versions v ON v.pack_id = p.id AND v.number = e.number
UNION
SELECT c.version_id FROM lane_pins c JOIN lanes l ON l.id = c.lane_id JOIN packs p ON p.id = c.pack_id
WHERE p.archived = 0 AND l.removed IS NULL
UNION
SELECT s.version_id FROM rollouts o
JOIN (
  SELECT rollout_id, pack_id, version_id FROM rollout_packs
  UNION
  SELECT rollout_id, pack_id, previous_id FROM rollout_packs
) s ON s.rollout_id = o.id JOIN packs p ON p.id = s.pack_id
WHERE p.archived = 0 AND o.state IN ('RUNNING', 'PAUSED');
