-- Thresholds are their own to-do list: a worker enqueues the webhooks of each and marks it. Those
-- reached before have left a row in webhook_notices, whose webhook has the same id: a threshold that
-- a process of the version before notes during this migration is reported once too.
ALTER TABLE quota_thresholds ADD COLUMN enqueued_at timestamptz;
UPDATE quota_thresholds SET enqueued_at = reached_at;
CREATE INDEX quota_thresholds_to_enqueue ON quota_thresholds (reached_at)
  WHERE enqueued_at IS NULL;

CREATE OR REPLACE FUNCTION quota_note_thresholds(
  p_organizations text[], p_livemodes boolean[], p_months date[]
) RETURNS void LANGUAGE sql VOLATILE
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
  INSERT INTO quota_thresholds (organization_id, livemode, month, percent, used, quota, reached_at)
  SELECT m.organization_id, m.livemode, m.month, t.percent, m.used, p.shipments_per_month,
         clock_timestamp()
  FROM unnest(p_organizations, p_livemodes, p_months) AS c(organization_id, livemode, month)
  JOIN quota_months m USING (organization_id, livemode, month)
  JOIN organizations o ON o.id = m.organization_id
  JOIN plans p ON p.name = o.plan
  CROSS JOIN (VALUES (80), (100)) AS t(percent)
  WHERE p.shipments_per_month > 0
    AND m.used * 100::bigint >= p.shipments_per_month * t.percent::bigint
  ON CONFLICT DO NOTHING
$$;
