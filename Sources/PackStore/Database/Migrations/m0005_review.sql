CREATE TABLE review_submissions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  app_id TEXT NOT NULL REFERENCES apps (id),
  track TEXT NOT NULL CHECK (track IN ('beta', 'production')),
  -- In the packaging manifest's spelling; NULL for all.
  platform TEXT,
  state TEXT NOT NULL CHECK (
    state IN ('READY_FOR_REVIEW', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'UNRESOLVED_ISSUES', 'CANCELING', 'COMPLETING',
              'COMPLETE')),
  -- Identifiers of packs that may disappear from a manifest, with spaces between.
  confirmed_removals TEXT NOT NULL DEFAULT '',
  -- How many in a hundred get it when it is approved; NULL for everybody at once.
  rollout_percent INTEGER CHECK (rollout_percent BETWEEN 0 AND 100),
  -- Who submitted it last, and when.
  submitter TEXT,
  submitter_token TEXT,
  submitted INTEGER,
  created INTEGER NOT NULL,
  -- When it came into its state.
  changed INTEGER NOT NULL
) STRICT;

CREATE INDEX review_submissions_by_app ON review_submissions (app_id, state);

CREATE TABLE review_items (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  submission_id TEXT NOT NULL REFERENCES review_submissions (id),
  version_id TEXT NOT NULL REFERENCES versions (id),
  -- The submission's.
  track TEXT NOT NULL CHECK (track IN ('beta', 'production')),
  state TEXT NOT NULL CHECK (state IN ('READY_FOR_REVIEW', 'ACCEPTED', 'APPROVED', 'REJECTED', 'REMOVED')),
  -- What the last verdict said.
  reason TEXT,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL
) STRICT;

CREATE INDEX review_items_by_submission ON review_items (submission_id);

-- A version is in one open review of a track at most.
CREATE UNIQUE INDEX review_items_open ON review_items (version_id, track)
WHERE state IN ('READY_FOR_REVIEW', 'ACCEPTED', 'REJECTED');

CREATE TABLE review_decisions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  submission_id TEXT NOT NULL REFERENCES review_submissions (id),
  -- NULL when it was on the whole submission.
  item_id TEXT REFERENCES review_items (id),
  decision TEXT NOT NULL CHECK (decision IN ('begin', 'approve', 'reject')),
  reason TEXT,
  actor TEXT NOT NULL,
  token_id TEXT,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX review_decisions_by_submission ON review_decisions (submission_id, seq);

-- What was told to sit in its state for too long: once for each stay.
CREATE TABLE stuck_states (
  kind TEXT NOT NULL CHECK (kind IN ('version', 'release', 'submission', 'item', 'rollout')),
  id TEXT NOT NULL,
  state TEXT NOT NULL,
  -- When it came into the state.
  since INTEGER NOT NULL,
  told INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- The versions whose bytes must stay, now with those of reviews.
DROP VIEW IF EXISTS needed_versions;
CREATE VIEW needed_versions AS
SELECT n.version_id FROM (
  -- Live, or under way in a review.
  SELECT version_id FROM releases
  WHERE state NOT IN ('SUPERSEDED', 'PREPARE_FOR_SUBMISSION', 'READY_FOR_BETA_SUBMISSION')
  UNION
  -- Listed in a manifest that was kept because it would have become empty.
  SELECT v.id FROM manifest_entries e JOIN packs p ON p.app_id = e.app_id AND p.identifier = e.identifier
  JOIN versions v ON v.pack_id = p.id AND v.number = e.number
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
