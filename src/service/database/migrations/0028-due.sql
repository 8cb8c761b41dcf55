-- One list of due work: a shipment's row says when it is next reconciled, its tracking read, its label
-- requested and its personal data erased; null if not automatically. It replaces the read models `timers`
-- and `tracking`, the tables `polls`, `label_requests` and `follow_progress`, and the rows of `claims` for
-- each piece of work: a shipment's row also has the owner of its lease.
CREATE TABLE due (
  shipment_id         text COLLATE "C" PRIMARY KEY,
  workspace_id        text COLLATE "C" NOT NULL,
  livemode            boolean NOT NULL,
  reconcile_at        timestamptz,
  check_at            timestamptz,
  label_at            timestamptz,
  erase_at            timestamptz,
  first_at            timestamptz GENERATED ALWAYS AS
                        (least(reconcile_at, check_at, label_at, erase_at)) STORED,
  owner               uuid,
  -- No other worker takes it before this time. Without an owner, it is a cool-down.
  leased_until        timestamptz,
  -- The followed guide.
  guide_number        text COLLATE "C",
  last_checked_at     timestamptz,
  -- Failed reads in a row.
  failures            int NOT NULL DEFAULT 0,
  -- It already has a slot in its connection's budget and does not take a second one.
  has_slot            boolean NOT NULL DEFAULT false,
  label_requested_at  timestamptz
) WITH (fillfactor = 70);

INSERT INTO due (shipment_id, workspace_id, livemode, check_at, guide_number, last_checked_at,
                 failures, has_slot)
SELECT shipment_id, workspace_id, livemode,
  -- Shipments not to be read again were planned for the end of time.
  CASE WHEN next_check_at < '9999-12-31T00:00:00Z' THEN next_check_at END,
  guide_number, last_checked_at, failures, has_slot
FROM polls;
INSERT INTO due AS d (shipment_id, workspace_id, livemode, label_at, label_requested_at)
SELECT shipment_id, workspace_id, livemode, next_at, requested_at FROM label_requests
ON CONFLICT (shipment_id) DO UPDATE
SET label_at = excluded.label_at, label_requested_at = excluded.label_requested_at;
INSERT INTO due AS d (shipment_id, workspace_id, livemode, erase_at)
SELECT shipment_id, workspace_id, livemode, due_at FROM erasures WHERE due_at IS NOT NULL
ON CONFLICT (shipment_id) DO UPDATE SET erase_at = excluded.erase_at;

-- The list continues from the position of the former read models. One of an older form, or that the
-- tables' owner may not read, is not used: due work is then derived from the beginning of the ledger.
DO $$
BEGIN
  INSERT INTO due AS d (shipment_id, workspace_id, livemode, reconcile_at)
  SELECT shipment_id, workspace_id, livemode, due_at FROM projections.timers WHERE due_at IS NOT NULL
  ON CONFLICT (shipment_id) DO UPDATE SET reconcile_at = excluded.reconcile_at;
  INSERT INTO due AS d (shipment_id, workspace_id, livemode, guide_number, check_at, label_at)
  SELECT shipment_id, workspace_id, livemode, guide_number, first_check_at,
    followed_from + interval '10 seconds'
  FROM projections.tracking
  WHERE is_followed AND position > (SELECT position FROM follow_progress)
  ON CONFLICT (shipment_id) DO UPDATE
  SET guide_number = excluded.guide_number, check_at = excluded.check_at,
    label_at = excluded.label_at,
    last_checked_at = CASE WHEN d.guide_number = excluded.guide_number THEN d.last_checked_at END,
    failures = 0, has_slot = false
  WHERE d.guide_number IS DISTINCT FROM excluded.guide_number OR d.check_at IS NULL;
  -- One that was read before it was taken up still gets its label.
  UPDATE due d SET label_at = t.followed_from + interval '10 seconds'
  FROM projections.tracking t
  WHERE t.shipment_id = d.shipment_id AND t.is_followed
    AND t.position > (SELECT position FROM follow_progress)
    AND d.label_at IS NULL AND d.label_requested_at IS NULL;
  INSERT INTO projections (name, generation, version, position, active)
  SELECT 'due', 1, 1, nullif(min(coalesce(position, '')), ''), true FROM projections
  WHERE active AND name IN ('shipments', 'operations', 'tracking') HAVING count(*) > 0;
EXCEPTION WHEN undefined_table OR undefined_column OR insufficient_privilege THEN NULL;
END $$;

CREATE INDEX due_reconcile ON due (reconcile_at) WHERE reconcile_at IS NOT NULL;
CREATE INDEX due_check ON due (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX due_label ON due (label_at) WHERE label_at IS NOT NULL;
CREATE INDEX due_erase ON due (erase_at) WHERE erase_at IS NOT NULL;
CREATE INDEX due_by_workspace ON due (workspace_id, first_at)
  WHERE NOT livemode AND first_at IS NOT NULL;

DROP TABLE polls, label_requests, follow_progress;
DO $$
DECLARE
  v_table regclass;
BEGIN
  DROP VIEW IF EXISTS projections.timers, projections.tracking;
  FOR v_table IN
    SELECT oid::regclass FROM pg_class
    WHERE relnamespace = to_regnamespace('projections') AND relkind = 'r'
      AND relname ~ '^(timers|tracking)_g[0-9]+$'
  LOOP
    EXECUTE format('DROP TABLE %s', v_table);
  END LOOP;
END $$;
ALTER TABLE erasures DROP COLUMN due_at;
CREATE INDEX erasures_pending ON erasures (created_at) WHERE ended_at IS NULL;

-- The shipments that a worker holds, which are released when it dies.
ALTER TABLE claims ADD COLUMN held text[];
DELETE FROM claims WHERE work ~ '^(reconcile|track|label|erase):';

-- A creation registers at its workspace's clock by its vault row. A registration that is withdrawn because
-- of an advance is marked.
ALTER TABLE sandbox_attempts ADD COLUMN is_withdrawn boolean NOT NULL DEFAULT false;

-- The consequences of events are written by statements with fixed text.
DROP FUNCTION projection_apply(text, integer, boolean, text, text, text[], json[]);
DROP FUNCTION projection_apply(text, integer, boolean, text, text, text[], json[], text[]);
