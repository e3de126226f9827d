-- One table for all manifests: those of tracks, of their lanes, and of those whom a rollout has reached.
DROP VIEW needed_versions;

CREATE TABLE every_manifest (
  app_id TEXT NOT NULL REFERENCES apps (id),
  track TEXT NOT NULL,
  -- '' for the track itself.
  lane TEXT NOT NULL,
  -- 'new' for those whom a rollout has reached.
  side TEXT NOT NULL CHECK (side IN ('current', 'new')),
  -- 'all' or a platform in the packaging manifest's spelling.
  platform TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation > 0),
  bytes BLOB NOT NULL,
  sha256 TEXT NOT NULL,
  -- What the links in it begin with.
  base_url TEXT NOT NULL,
  published INTEGER NOT NULL,
  -- What it lists, as a JSON object of identifiers and version numbers, so that a guard does not have to read its bytes.
  listing TEXT NOT NULL,
  PRIMARY KEY (app_id, track, lane, side, platform)
) STRICT, WITHOUT ROWID;

INSERT INTO every_manifest
SELECT m.app_id, m.track, '', 'current', m.platform, m.generation, m.bytes, m.sha256, m.base_url, m.published, (
  SELECT json_group_object(e.identifier, e.number) FROM manifest_entries e
  WHERE e.app_id = m.app_id AND e.track = m.track AND e.platform = m.platform)
FROM manifests m;

-- A listing was a line 'identifier number' for each pack; identifiers have neither spaces nor quotes.
INSERT INTO every_manifest
SELECT app_id, track, lane, side, platform, generation, bytes, sha256, base_url, published,
  CASE WHEN listing = '' THEN '{}' ELSE
    '{"' || replace(replace(rtrim(listing, char(10)), ' ', '":'), char(10), ',"') || '}' END
FROM manifest_variants;

DROP TABLE manifest_entries;
DROP TABLE manifests;
DROP TABLE manifest_variants;
ALTER TABLE every_manifest RENAME TO manifests;

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

-- Manifests that are served: all but those of lanes that were removed, whose rows stay for the numbers in them.
CREATE VIEW served_manifests AS
SELECT m.* FROM manifests m WHERE NOT EXISTS (
  SELECT 1 FROM lanes l
  WHERE l.app_id = m.app_id AND l.track = m.track AND l.name = m.lane AND l.removed IS NOT NULL);

-- The versions that they list.
CREATE VIEW listed_versions AS
SELECT v.id AS version_id FROM served_manifests m, json_each(m.listing) e
JOIN packs p ON p.app_id = m.app_id AND p.identifier = e.key
JOIN versions v ON v.pack_id = p.id AND v.number = e.value;

-- The versions whose bytes must stay, whatever becomes of old ones. Those of archived packs count only while a manifest
-- lists them, which is asked for separately.
CREATE VIEW needed_versions AS
SELECT n.version_id FROM (
  -- Live, or under way in a review.
  SELECT version_id FROM releases
  WHERE state NOT IN ('SUPERSEDED', 'PREPARE_FOR_SUBMISSION', 'READY_FOR_BETA_SUBMISSION')
  UNION
  SELECT version_id FROM listed_versions
  UNION
  SELECT c.version_id FROM lane_pins c JOIN lanes l ON l.id = c.lane_id WHERE l.removed IS NULL
  UNION
  SELECT r.version_id FROM rollout_packs r JOIN rollouts o ON o.id = r.rollout_id
  WHERE o.state IN ('RUNNING', 'PAUSED')
  UNION
  SELECT r.previous_id FROM rollout_packs r JOIN rollouts o ON o.id = r.rollout_id
  WHERE o.state IN ('RUNNING', 'PAUSED')
  UNION
  -- In a draft for the beta, which leaves the release as it is.
  SELECT i.version_id FROM review_items i WHERE i.state IN ('READY_FOR_REVIEW', 'ACCEPTED', 'REJECTED')
) n JOIN versions v ON v.id = n.version_id JOIN packs p ON p.id = v.pack_id WHERE p.archived = 0;
