-- One list of what is due: a shipment's row says when it is next to be reconciled, its tracking read, its
-- label asked for and its personal data erased; null = not by itself. It takes the place of the read
-- models `timers` and `tracking`, of `polls`, `label_requests` and `follow_progress`, and of a row of
-- `claims` for each piece of work: who works on a shipment stands in its row.
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
  -- Nobody else takes it up before. Without an owner: it is left alone for so long.
  leased_until        timestamptz,
  -- The guide that is followed.
  guide_number        text COLLATE "C",
  last_checked_at     timestamptz,
  -- Reads in a row that failed.
  failures            int NOT NULL DEFAULT 0,
  -- Its turn in its connection's budget has come: it is not asked for a second one.
  has_slot            boolean NOT NULL DEFAULT false,
  label_requested_at  timestamptz
) WITH (fillfactor = 70);

INSERT INTO due (shipment_id, workspace_id, livemode, check_at, guide_number, last_checked_at,
                 failures, has_slot)
SELECT shipment_id, workspace_id, livemode,
  -- What was not to be read again was planned for the end of time.
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

-- The list goes on from where the read models of before are. One of an older form, or that the tables'
-- owner may not read, is not taken over: then what is due is worked out from the beginning of the ledger.
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

-- The shipments that a worker holds: when it dies, they are free.
ALTER TABLE claims ADD COLUMN held text[];
DELETE FROM claims WHERE work ~ '^(reconcile|track|label|erase):';

-- A creation registers at its workspace's clock by its vault row; what it saw an advance for and takes
-- back is marked.
ALTER TABLE sandbox_attempts ADD COLUMN is_withdrawn boolean NOT NULL DEFAULT false;

-- What follows of events is written by statements of fixed text.
DROP FUNCTION projection_apply(text, integer, boolean, text, text, text[], json[]);
DROP FUNCTION projection_apply(text, integer, boolean, text, text, text[], json[], text[]);
