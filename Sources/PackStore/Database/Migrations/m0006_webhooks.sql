CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  -- NULL tells of all apps.
  app_id TEXT REFERENCES apps (id),
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- Not a hash: signatures are made with it.
  secret TEXT NOT NULL,
  -- The names of the events that are wanted, with spaces between them.
  events TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- Why the daemon switched it off; NULL when it did not.
  disabled_reason TEXT,
  -- Every line of the audit log up to this one has become deliveries.
  cursor INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE webhook_deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('PENDING', 'SUCCEEDED', 'FAILED')),
  redelivery INTEGER NOT NULL CHECK (redelivery IN (0, 1)),
  created INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- The first attempt since the webhook was switched on, and the latest one.
  first_attempt INTEGER,
  last_attempt INTEGER,
  next_attempt INTEGER NOT NULL,
  response_status INTEGER,
  error TEXT
) STRICT;

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, seq);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, seq) WHERE state = 'PENDING';
