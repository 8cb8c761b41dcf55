-- Conditions that webhooks of the family `alert` report: one row per alert and subject, kept after it is
-- resolved so that its version continues. Alerts about operations follow from their events instead.
CREATE TABLE alerts (
  type          text COLLATE "C" NOT NULL,
  -- An endpoint or a connection; empty for the whole service.
  subject_id    text COLLATE "C" NOT NULL,
  -- Null if it is sent in every workspace that subscribes.
  workspace_id  text COLLATE "C",
  is_firing     boolean NOT NULL,
  -- On the workspace's clock, if the alert has a workspace.
  since         timestamptz NOT NULL,
  -- Wall clock.
  changed_at    timestamptz NOT NULL DEFAULT now(),
  version       int NOT NULL,
  PRIMARY KEY (type, subject_id)
);

-- When a projection stopped, if it is stopped.
ALTER TABLE projections ADD COLUMN stopped_at timestamptz;
