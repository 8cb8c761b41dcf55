-- Conditions that webhooks of the family `alert` report: one row for each alert and what it is about, kept
-- after it is resolved, so that its version goes on. An alert of an operation follows from its events.
CREATE TABLE alerts (
  type          text COLLATE "C" NOT NULL,
  -- An endpoint or a connection; empty = the whole service.
  subject_id    text COLLATE "C" NOT NULL,
  -- Null = it is told in every workspace that subscribes.
  workspace_id  text COLLATE "C",
  is_firing     boolean NOT NULL,
  -- On the workspace's clock, if it has one.
  since         timestamptz NOT NULL,
  -- Wall clock.
  changed_at    timestamptz NOT NULL DEFAULT now(),
  version       int NOT NULL,
  PRIMARY KEY (type, subject_id)
);

-- Since when a projection has been stopped, if it is.
ALTER TABLE projections ADD COLUMN stopped_at timestamptz;
