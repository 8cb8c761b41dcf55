-- The lists of the poller and the labeller say themselves what is due, so neither has to search all
-- followed shipments.
ALTER TABLE polls
  ADD COLUMN workspace_id text COLLATE "C",
  ADD COLUMN livemode boolean,
  -- The followed guide. A new guide of the same shipment is read at once.
  ADD COLUMN guide_number text COLLATE "C",
  -- It already has a slot in its connection's budget and does not take a second one.
  ADD COLUMN has_slot boolean NOT NULL DEFAULT false;
ALTER TABLE label_requests
  ADD COLUMN workspace_id text COLLATE "C",
  ADD COLUMN livemode boolean,
  -- The slot is planned before the read.
  ALTER COLUMN requested_at DROP NOT NULL;

DO $$
BEGIN
  IF to_regclass('projections.tracking') IS NOT NULL THEN
    UPDATE polls p
    SET workspace_id = t.workspace_id, livemode = t.livemode, guide_number = t.guide_number
    FROM projections.tracking t WHERE t.shipment_id = p.shipment_id;
    UPDATE label_requests l SET workspace_id = t.workspace_id, livemode = t.livemode
    FROM projections.tracking t WHERE t.shipment_id = l.shipment_id;
  END IF;
END $$;
DELETE FROM polls WHERE workspace_id IS NULL;
DELETE FROM label_requests WHERE workspace_id IS NULL;
ALTER TABLE polls
  ALTER COLUMN workspace_id SET NOT NULL,
  ALTER COLUMN livemode SET NOT NULL;
ALTER TABLE label_requests
  ALTER COLUMN workspace_id SET NOT NULL,
  ALTER COLUMN livemode SET NOT NULL;

CREATE INDEX polls_by_workspace ON polls (workspace_id, next_check_at);
CREATE INDEX label_requests_by_time ON label_requests (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX label_requests_by_workspace ON label_requests (workspace_id, next_at)
  WHERE next_at IS NOT NULL;
-- Clocks that may make something due before the wall clock does.
CREATE INDEX sandbox_clocks_ahead ON sandbox_clocks (workspace_id) WHERE offset_ms > 0;

-- Up to when the poll slots of a live connection are taken.
CREATE TABLE poll_budgets (
  courier_connection_id  text COLLATE "C" PRIMARY KEY,
  free_at                timestamptz NOT NULL
) WITH (fillfactor = 50);
