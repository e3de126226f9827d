-- What a line of the audit log is about, by ids, beside the sentence for people.
-- The kind is NULL in lines from before this migration only: their sentences are all there is.
ALTER TABLE audit ADD COLUMN subject_kind TEXT;
ALTER TABLE audit ADD COLUMN pack_id TEXT;
ALTER TABLE audit ADD COLUMN version_number INTEGER;
ALTER TABLE audit ADD COLUMN track TEXT;
ALTER TABLE audit ADD COLUMN submission_id TEXT;
-- All packs of a line that is about several, in their order: a JSON array of [pack id, version number or null]. The
-- columns pack_id and version_number are NULL then.
ALTER TABLE audit ADD COLUMN packs TEXT;
