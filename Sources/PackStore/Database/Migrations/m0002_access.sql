-- Where a change came from: the client's address and what it calls itself. Empty for the daemon's own changes and for
-- the command line on the server.
ALTER TABLE audit ADD COLUMN address TEXT;
ALTER TABLE audit ADD COLUMN user_agent TEXT;

CREATE INDEX audit_by_actor ON audit (actor, seq);
CREATE INDEX audit_by_action ON audit (action, seq);

-- Secrets that a rotation has replaced; good until they expire.
CREATE TABLE token_former_secrets (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  token_id TEXT NOT NULL REFERENCES tokens (id),
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX token_former_secrets_by_token ON token_former_secrets (token_id);

-- Public keys whose owners sign their own short-lived tokens. The id is the `kid` of these.
CREATE TABLE api_keys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'publisher', 'reviewer', 'admin')),
  app_id TEXT REFERENCES apps (id),
  public_key TEXT NOT NULL,
  -- What `iss` of a token must be; NULL accepts any.
  issuer TEXT,
  created INTEGER NOT NULL,
  last_used INTEGER,
  revoked INTEGER
) STRICT;
