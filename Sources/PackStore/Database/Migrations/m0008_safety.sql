-- Blobs whose bytes are not what their name says, or are not there: refused until they are put right.
CREATE TABLE damaged_blobs (
  sha256 TEXT PRIMARY KEY REFERENCES blobs (sha256),
  since INTEGER NOT NULL,
  fault TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER served_blob_damaged AFTER INSERT ON damaged_blobs
BEGIN
  UPDATE served_revisions SET revision = revision + 1
  WHERE app_id IN (SELECT p.app_id FROM versions v JOIN packs p ON p.id = v.pack_id WHERE v.sha256 = NEW.sha256);
END;

CREATE TRIGGER served_blob_repaired AFTER DELETE ON damaged_blobs
BEGIN
  UPDATE served_revisions SET revision = revision + 1
  WHERE app_id IN (SELECT p.app_id FROM versions v JOIN packs p ON p.id = v.pack_id WHERE v.sha256 = OLD.sha256);
END;
