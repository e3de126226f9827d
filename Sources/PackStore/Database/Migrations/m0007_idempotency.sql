-- Requests with an Idempotency-Key whose work is done, kept for a day.
CREATE TABLE idempotency (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  token_id TEXT NOT NULL,
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  -- The method and the path.
  request TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  created INTEGER NOT NULL,
  -- What the work is about; written in the transaction of the work.
  subject TEXT,
  -- The answer; written after it.
  status INTEGER,
  location TEXT,
  body BLOB,
  UNIQUE (token_id, key)
) STRICT;

CREATE INDEX idempotency_by_age ON idempotency (created);
CREATE INDEX idempotency_with_body ON idempotency (seq) WHERE body IS NOT NULL;

-- Lists are read in the order in which things were made.
CREATE INDEX packs_in_order ON packs (app_id, seq);
CREATE INDEX versions_in_order ON versions (pack_id, seq);
