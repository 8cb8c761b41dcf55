-- What an organization may use. NULL = unlimited. Only the CLI creates and changes plans.
CREATE TABLE plans (
  name                 text COLLATE "C" PRIMARY KEY,
  shipments_per_month  int CHECK (shipments_per_month >= 0),
  requests_per_minute  int CHECK (requests_per_minute > 0),
  workspaces           int CHECK (workspaces >= 0),
  courier_connections  int CHECK (courier_connections >= 0),
  webhook_endpoints    int CHECK (webhook_endpoints >= 0),
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now()
);
-- Limits that nobody reaches on their own machine, but that are counted nevertheless.
INSERT INTO plans (name, shipments_per_month, requests_per_minute)
VALUES ('default', 100000000, 10000000);

ALTER TABLE organizations
  ADD COLUMN plan text COLLATE "C" NOT NULL DEFAULT 'default' REFERENCES plans,
  ADD COLUMN suspended_at timestamptz;

-- One counter per organization, mode and calendar month (UTC). Only the functions below change it and
-- the reservations; they lock the organization's row.
CREATE TABLE quota_months (
  organization_id  text COLLATE "C" NOT NULL REFERENCES organizations,
  livemode         boolean NOT NULL,
  month            date NOT NULL,
  used             int NOT NULL CHECK (used >= 0),
  PRIMARY KEY (organization_id, livemode, month)
) WITH (fillfactor = 50);

-- One row per shipment that was ever counted. Rows are marked, never deleted.
CREATE TABLE quota_reservations (
  -- In milliseconds, the precision at which the sweeper passes it back.
  reserved_at      timestamptz NOT NULL,
  -- The month in which it was taken, and to which it is released.
  month            date NOT NULL,
  -- Events of its stream known when the row was last decided on: a lower number is outdated.
  version          int NOT NULL,
  livemode         boolean NOT NULL,
  is_held          boolean NOT NULL,
  shipment_id      text COLLATE "C" PRIMARY KEY,
  organization_id  text COLLATE "C" NOT NULL
);
CREATE INDEX quota_reservations_by_time ON quota_reservations (reserved_at);

-- Thresholds to report by webhooks, once each per month and mode.
CREATE TABLE quota_thresholds (
  organization_id  text COLLATE "C" NOT NULL REFERENCES organizations,
  livemode         boolean NOT NULL,
  month            date NOT NULL,
  percent          int NOT NULL,
  used             int NOT NULL,
  quota            int NOT NULL,
  reached_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, livemode, month, percent)
);

-- How far outcomes are settled and reservations checked for orphans. One row.
CREATE TABLE quota_progress (
  is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  settled_to  text COLLATE "C" NOT NULL DEFAULT '',
  swept_to    timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO quota_progress DEFAULT VALUES;

-- Records the thresholds that a counter has reached; those recorded before do not change.
CREATE FUNCTION quota_note_thresholds(p_organizations text[], p_livemodes boolean[], p_months date[])
RETURNS void LANGUAGE sql VOLATILE SET enable_seqscan = off AS $$
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

-- Takes a place in the month's quota for each of many shipments, and returns for each: 'held' (taken
-- now, or before and still held), 'exceeded' or 'suspended'. Arrays of the same length: the shipments,
-- their organizations and modes, and how many events of each stream the caller has seen.
--
-- The lock on the organizations makes it exact for any number of processes: no other process changes
-- what this call reads after it, until it commits. Locks are taken in the order of the ids.
CREATE FUNCTION quota_reserve(
  p_shipments      text[],
  p_organizations  text[],
  p_livemodes      boolean[],
  p_versions       int[]
) RETURNS TABLE (shipment_id text, answer text)
LANGUAGE plpgsql VOLATILE
-- Planned on empty tables, the cached plan would scan them completely forever.
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  v_now   timestamptz;
  v_month date;
BEGIN
  IF cardinality(p_shipments) = 0 THEN RETURN; END IF;
  PERFORM FROM organizations o WHERE o.id = ANY (p_organizations) ORDER BY o.id FOR NO KEY UPDATE;
  v_now := date_trunc('milliseconds', clock_timestamp());
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;

  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT a.shipment, min(a.organization) AS organization, bool_or(a.livemode) AS livemode,
           max(a.version) AS version, min(a.n) AS n
    FROM unnest(p_shipments, p_organizations, p_livemodes, p_versions)
         WITH ORDINALITY AS a(shipment, organization, livemode, version, n)
    GROUP BY a.shipment
  ), known AS MATERIALIZED (
    SELECT a.*,
           -- Subqueries, not a join: each row is looked up at its one place by the index.
           coalesce((SELECT r.is_held FROM quota_reservations r
                     WHERE r.shipment_id = a.shipment), false) AS is_held,
           -- More is known of the stream than the caller has seen: his append will lose its race.
           coalesce((SELECT r.version > a.version FROM quota_reservations r
                     WHERE r.shipment_id = a.shipment), false) AS is_late
    FROM asked a
  ), accounts AS MATERIALIZED (
    SELECT o.id AS organization, k.livemode, o.suspended_at IS NOT NULL AS is_suspended,
           (SELECT p.shipments_per_month FROM plans p WHERE p.name = o.plan) AS quota,
           coalesce((SELECT m.used FROM quota_months m
                     WHERE m.organization_id = o.id AND m.livemode = k.livemode
                       AND m.month = v_month), 0) AS used
    FROM (SELECT DISTINCT organization, livemode FROM asked) k
    JOIN organizations o ON o.id = k.organization
  ), judged AS MATERIALIZED (
    SELECT k.*,
           CASE WHEN c.is_suspended THEN 'suspended'
                WHEN k.is_held OR k.is_late OR c.quota IS NULL THEN 'held'
                WHEN c.used + row_number() OVER (
                  PARTITION BY k.organization, k.livemode, k.is_held OR k.is_late ORDER BY k.n
                ) <= c.quota THEN 'held'
                ELSE 'exceeded' END AS answer
    FROM known k JOIN accounts c USING (organization, livemode)
  ), marked AS (
    INSERT INTO quota_reservations AS r
      (reserved_at, month, version, livemode, is_held, shipment_id, organization_id)
    SELECT v_now, v_month, j.version, j.livemode, true, j.shipment, j.organization
    FROM judged j
    WHERE j.answer = 'held' AND NOT j.is_late AND (NOT j.is_held OR j.version > 0)
    ORDER BY j.shipment
    ON CONFLICT (shipment_id) DO UPDATE SET
      reserved_at = excluded.reserved_at,
      version = excluded.version,
      month = CASE WHEN r.is_held THEN r.month ELSE excluded.month END,
      is_held = true
  ), counted AS (
    INSERT INTO quota_months AS m (organization_id, livemode, month, used)
    SELECT j.organization, j.livemode, v_month, count(*)
    FROM judged j WHERE j.answer = 'held' AND NOT j.is_held AND NOT j.is_late
    GROUP BY j.organization, j.livemode
    ON CONFLICT (organization_id, livemode, month) DO UPDATE SET used = m.used + excluded.used
  )
  SELECT j.shipment, j.answer FROM judged j;

  PERFORM quota_note_thresholds(array_agg(k.organization), array_agg(k.livemode),
                                array_agg(v_month))
  FROM (SELECT DISTINCT a.organization, a.livemode
        FROM unnest(p_organizations, p_livemodes) AS a(organization, livemode)) k;
END $$;

-- Marks reservations as held or released according to their streams, and changes the counter of the
-- month in which each was taken. Arrays of the same length: the shipments, the versions of the streams
-- that say so, and whether they are held. A version that is not newer than the row's changes nothing,
-- so repeating is safe.
--
-- With p_seen_at (the sweeper), only rows that have not changed since they were read.
-- A place is taken again regardless of the quota, because the guide exists.
CREATE FUNCTION quota_settle(
  p_shipments  text[],
  p_versions   int[],
  p_held       boolean[],
  p_seen_at    timestamptz[]
) RETURNS int
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
  v_organizations text[];
  v_livemodes     boolean[];
  v_months        date[];
  v_changed       int;
BEGIN
  PERFORM FROM organizations o
  WHERE o.id IN (SELECT r.organization_id FROM quota_reservations r
                 WHERE r.shipment_id = ANY (p_shipments))
  ORDER BY o.id FOR NO KEY UPDATE;

  WITH told AS MATERIALIZED (
    SELECT t.*, r.is_held AS was_held
    FROM unnest(p_shipments, p_versions, p_held, p_seen_at) AS t(shipment, version, held, seen_at)
    JOIN quota_reservations r ON r.shipment_id = t.shipment
    WHERE CASE WHEN t.seen_at IS NULL THEN t.version > r.version
               ELSE t.version = r.version AND t.seen_at = r.reserved_at END
  ), marked AS (
    UPDATE quota_reservations r SET is_held = t.held, version = t.version
    FROM told t WHERE r.shipment_id = t.shipment
    RETURNING r.organization_id, r.livemode, r.month, t.held::int - t.was_held::int AS change
  ), changes AS (
    SELECT organization_id, livemode, month, sum(change)::int AS change, count(*) AS rows
    FROM marked WHERE change <> 0 GROUP BY organization_id, livemode, month
  ), counted AS (
    UPDATE quota_months m SET used = m.used + c.change
    FROM changes c
    WHERE m.organization_id = c.organization_id AND m.livemode = c.livemode AND m.month = c.month
    RETURNING m.organization_id, m.livemode, m.month, c.change, c.rows
  )
  SELECT array_agg(organization_id) FILTER (WHERE change > 0),
         array_agg(livemode) FILTER (WHERE change > 0),
         array_agg(month) FILTER (WHERE change > 0), coalesce(sum(rows), 0)
  INTO v_organizations, v_livemodes, v_months, v_changed FROM counted;

  IF v_organizations IS NOT NULL THEN
    PERFORM quota_note_thresholds(v_organizations, v_livemodes, v_months);
  END IF;
  RETURN v_changed;
END $$;

-- Requests of each key per minute, shared by several processes. The table's shape is the library's.
CREATE TABLE request_rates (
  key     varchar(255) PRIMARY KEY,
  points  int NOT NULL DEFAULT 0,
  expire  bigint
);
