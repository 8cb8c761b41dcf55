-- Erasures of personal data. A row is written before the event, worked on until every copy is gone, and
-- kept for as long as late data of the person could still arrive.
CREATE TABLE erasures (
  shipment_id   text COLLATE "C" PRIMARY KEY,
  workspace_id  text COLLATE "C" NOT NULL,
  livemode      boolean NOT NULL,
  -- Requested, or due by the workspace's retention; then no event is recorded yet.
  because       text NOT NULL CHECK (because IN ('request', 'retention')),
  -- On the workspace's clock; NULL if nothing is left to do.
  due_at        timestamptz,
  tries         int NOT NULL DEFAULT 0,
  -- Also written to a file outside the database. These times are on the wall clock.
  listed_at     timestamptz,
  ended_at      timestamptz,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((due_at IS NULL) = (ended_at IS NOT NULL))
);
CREATE INDEX erasures_due ON erasures (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX erasures_by_workspace ON erasures (workspace_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX erasures_by_end ON erasures (ended_at) WHERE ended_at IS NOT NULL;

-- A shipment has a row for each of its racing requests; all are erased.
CREATE INDEX vault_by_shipment ON vault (shipment_id);

CREATE INDEX workspaces_with_retention ON workspaces (id)
  WHERE personal_data_retention_days IS NOT NULL;
