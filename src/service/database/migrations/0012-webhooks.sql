-- The endpoints to which a workspace's webhooks are sent.
CREATE TABLE webhook_endpoints (
  id                text COLLATE "C" PRIMARY KEY,
  organization_id   text COLLATE "C" NOT NULL REFERENCES organizations,
  workspace_id      text COLLATE "C" NOT NULL REFERENCES workspaces,
  livemode          boolean NOT NULL,
  url               text NOT NULL,
  description       text,
  -- Names of types, or families such as `shipment.*`.
  event_types       text[] NOT NULL,
  status            text NOT NULL CHECK (status IN ('enabled', 'disabled')),
  disabled_reason   text,
  -- Encrypted for this row. The previous secret also signs until `previous_until` (wall clock).
  secret            bytea NOT NULL,
  previous_secret   bytea,
  previous_until    timestamptz,
  deleted_at        timestamptz,
  -- On the workspace's clock, like every time of a delivery below unless stated otherwise.
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  version           int NOT NULL DEFAULT 1
);
CREATE INDEX webhook_endpoints_by_age
  ON webhook_endpoints (organization_id, livemode, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoints_by_workspace
  ON webhook_endpoints (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- The health of an endpoint: its circuit breaker, and when it was last served. Separate from the
-- endpoint, whose version its owner compares.
CREATE TABLE webhook_lanes (
  endpoint_id      text COLLATE "C" PRIMARY KEY REFERENCES webhook_endpoints ON DELETE CASCADE,
  organization_id  text COLLATE "C" NOT NULL,
  workspace_id     text COLLATE "C" NOT NULL,
  livemode         boolean NOT NULL,
  -- Failed attempts since the last success, and how often the breaker opened since then.
  failures         int NOT NULL DEFAULT 0,
  trips            int NOT NULL DEFAULT 0,
  open_until       timestamptz,
  -- The first failure since the last success.
  failing_since    timestamptz,
  -- Wall clock.
  served_at        timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
CREATE INDEX webhook_lanes_by_workspace ON webhook_lanes (workspace_id);

CREATE FUNCTION make_webhook_lane() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_lanes (endpoint_id, organization_id, workspace_id, livemode)
  VALUES (NEW.id, NEW.organization_id, NEW.workspace_id, NEW.livemode);
  RETURN NULL;
END $$;
CREATE TRIGGER endpoint_has_lane AFTER INSERT ON webhook_endpoints
  FOR EACH ROW EXECUTE FUNCTION make_webhook_lane();

-- The events as sent: `body` is rendered once.
CREATE TABLE webhook_events (
  id               text COLLATE "C" PRIMARY KEY,
  organization_id  text COLLATE "C" NOT NULL,
  workspace_id     text COLLATE "C" NOT NULL,
  livemode         boolean NOT NULL,
  type             text COLLATE "C" NOT NULL,
  shipment_id      text COLLATE "C",
  body             text NOT NULL,
  created_at       timestamptz NOT NULL,
  -- Wall clock. Rows are kept for a limited time.
  stored_at        timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX webhook_events_by_age
  ON webhook_events (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX webhook_events_by_workspace ON webhook_events (workspace_id, created_at DESC, id DESC);
CREATE INDEX webhook_events_by_shipment ON webhook_events (shipment_id, created_at DESC, id DESC)
  WHERE shipment_id IS NOT NULL;
CREATE INDEX webhook_events_by_type
  ON webhook_events (organization_id, livemode, type, created_at DESC, id DESC);
CREATE INDEX webhook_events_by_storing ON webhook_events (stored_at);

-- One row per event and subscribed endpoint.
CREATE TABLE webhook_deliveries (
  id               text COLLATE "C" PRIMARY KEY,
  event_id         text COLLATE "C" NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
  endpoint_id      text COLLATE "C" NOT NULL,
  organization_id  text COLLATE "C" NOT NULL,
  workspace_id     text COLLATE "C" NOT NULL,
  livemode         boolean NOT NULL,
  event_type       text COLLATE "C" NOT NULL,
  shipment_id      text COLLATE "C",
  state            text NOT NULL CHECK (state IN ('pending', 'delivered', 'dead', 'discarded')),
  -- Oldest first. The receiver's answers are encrypted.
  attempts         jsonb NOT NULL DEFAULT '[]',
  -- Attempts since the retry schedule began, with the first attempt or with a redelivery.
  tries            int NOT NULL DEFAULT 0,
  next_attempt_at  timestamptz,
  dead_reason      text,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  version          int NOT NULL DEFAULT 1,
  stored_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (event_id, endpoint_id),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, id)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (organization_id, livemode, stored_at)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (livemode, stored_at)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_by_age
  ON webhook_deliveries (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_state
  ON webhook_deliveries (organization_id, livemode, state, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_endpoint
  ON webhook_deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_shipment
  ON webhook_deliveries (shipment_id, created_at DESC, id DESC) WHERE shipment_id IS NOT NULL;

-- Attempts in flight, each made by the holder of its lease; wall clock. Not part of the delivery, where
-- every change would cost an entry in each index.
CREATE TABLE webhook_leases (
  delivery_id   text COLLATE "C" PRIMARY KEY,
  endpoint_id   text COLLATE "C" NOT NULL,
  lease         uuid NOT NULL,
  leased_until  timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX webhook_leases_by_endpoint ON webhook_leases (endpoint_id);

-- Webhooks about rows that have no stream. They are written in the transaction that changes the row; the
-- outbox turns them into events and deletes them. Without a workspace, they are sent in each workspace
-- of the organization.
CREATE TABLE webhook_notices (
  number           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The same for the same change, because it is part of the event's id.
  change           text COLLATE "C" NOT NULL,
  organization_id  text COLLATE "C" NOT NULL,
  workspace_id     text COLLATE "C",
  livemode         boolean NOT NULL,
  type             text COLLATE "C" NOT NULL,
  resource         jsonb NOT NULL,
  object           jsonb NOT NULL,
  previous         jsonb,
  request_id       text,
  at               timestamptz NOT NULL
);

CREATE OR REPLACE FUNCTION quota_note_thresholds(
  p_organizations text[], p_livemodes boolean[], p_months date[]
) RETURNS void LANGUAGE sql VOLATILE SET enable_seqscan = off AS $$
  WITH noted AS (
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
    RETURNING *
  )
  INSERT INTO webhook_notices (change, organization_id, livemode, type, resource, object, at)
  SELECT 'quota:' || organization_id || ':' || livemode || ':' || month || ':' || percent,
         organization_id, livemode, 'quota.threshold_reached',
         jsonb_build_object('type', 'quota', 'id', organization_id, 'version', NULL),
         jsonb_build_object('id', organization_id, 'object', 'quota', 'livemode', livemode,
           'metric', 'shipments', 'period', to_char(month, 'YYYY-MM'), 'percent', percent,
           'used', used, 'limit', quota),
         reached_at
  FROM noted
$$;

-- The endpoints with waiting deliveries, found one after another through the index, regardless of how
-- many deliveries each has.
CREATE FUNCTION webhook_waiting_endpoints() RETURNS TABLE (endpoint_id text)
LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  WITH RECURSIVE waiting AS (
    (SELECT d.endpoint_id FROM webhook_deliveries d
     WHERE d.state = 'pending' ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
            WHERE d.state = 'pending' AND d.endpoint_id > w.endpoint_id
            ORDER BY d.endpoint_id LIMIT 1)
    FROM waiting w WHERE w.endpoint_id IS NOT NULL
  )
  SELECT endpoint_id FROM waiting WHERE endpoint_id IS NOT NULL
$$;

-- Leases due deliveries of at most p_lanes endpoints, longest waiting first, organizations in turn, and
-- returns them with what a request needs.
--
-- The lock on an endpoint's lane, held for this call only, makes p_lane_max exact for any number of
-- processes: no other process leases what is read after it until it commits. An endpoint whose breaker
-- was open gets one attempt. p_busy is what this process has in flight per organization, so that an
-- organization gets no more than p_organization_max.
CREATE FUNCTION webhook_claim(
  p_lease               uuid,
  p_lease_ms            int,
  p_lanes               int,
  p_lane_max            int,
  p_organization_max    int,
  p_breaker_failures    int,
  p_busy_organizations  text[],
  p_busy                int[]
) RETURNS TABLE (
  id text, event_id text, event_type text, endpoint_id text, organization_id text,
  workspace_id text, livemode boolean, tries int, attempts_made int, body text,
  url text, secret bytea, previous_secret bytea, clock_offset_ms bigint
)
LANGUAGE plpgsql VOLATILE
-- Planned on empty tables, the cached plan would scan them completely forever.
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
  v_lanes text[];
BEGIN
  WITH ready AS (
    SELECT l.endpoint_id, l.organization_id, l.served_at,
           row_number() OVER (PARTITION BY l.organization_id ORDER BY l.served_at, l.endpoint_id)
             AS turn
    FROM webhook_waiting_endpoints() v
    JOIN webhook_lanes l ON l.endpoint_id = v.endpoint_id
    JOIN webhook_endpoints w ON w.id = v.endpoint_id
      AND w.status = 'enabled' AND w.deleted_at IS NULL
    LEFT JOIN sandbox_clocks c ON c.workspace_id = l.workspace_id AND NOT l.livemode
    CROSS JOIN LATERAL (
      SELECT now() + coalesce(c.offset_ms, 0) * interval '1 millisecond' AS clock
    ) t
    WHERE c.advancing_to IS NULL
      AND coalesce(l.open_until, '-infinity') <= t.clock
      -- With its LIMIT it stays a question about one endpoint, whatever the planner thinks of joins:
      -- joined, it would read what waits for one endpoint once for each of the others.
      AND (
        SELECT true FROM webhook_deliveries d
        WHERE d.endpoint_id = l.endpoint_id AND d.state = 'pending'
          AND d.next_attempt_at <= t.clock
          AND NOT EXISTS (SELECT FROM webhook_leases k
                          WHERE k.delivery_id = d.id AND k.leased_until > now())
        ORDER BY d.next_attempt_at LIMIT 1)
      AND (SELECT count(*) FROM webhook_leases k
           WHERE k.endpoint_id = l.endpoint_id AND k.leased_until > now()) < p_lane_max
  ), fair AS (
    SELECT r.endpoint_id FROM ready r
    WHERE r.turn * p_lane_max + coalesce((
        SELECT b.n FROM unnest(p_busy_organizations, p_busy) AS b(organization, n)
        WHERE b.organization = r.organization_id), 0) <= p_organization_max
    ORDER BY r.turn, r.served_at LIMIT p_lanes
  )
  SELECT array_agg(mine.endpoint_id) INTO v_lanes FROM (
    SELECT l.endpoint_id FROM fair f JOIN webhook_lanes l ON l.endpoint_id = f.endpoint_id
    FOR UPDATE OF l SKIP LOCKED
  ) mine;
  IF v_lanes IS NULL THEN RETURN; END IF;
  UPDATE webhook_lanes l SET served_at = clock_timestamp() WHERE l.endpoint_id = ANY (v_lanes);

  RETURN QUERY
  WITH room AS (
    SELECT l.endpoint_id, coalesce(c.offset_ms, 0) AS offset_ms,
           CASE WHEN l.failures >= p_breaker_failures THEN 1 ELSE p_lane_max END - (
             SELECT count(*) FROM webhook_leases k
             WHERE k.endpoint_id = l.endpoint_id AND k.leased_until > now()) AS places
    FROM webhook_lanes l
    LEFT JOIN sandbox_clocks c ON c.workspace_id = l.workspace_id AND NOT l.livemode
    WHERE l.endpoint_id = ANY (v_lanes)
  ), due AS (
    SELECT picked.id, r.endpoint_id, r.offset_ms
    FROM room r CROSS JOIN LATERAL (
      SELECT d.id FROM webhook_deliveries d
      WHERE d.endpoint_id = r.endpoint_id AND d.state = 'pending'
        AND d.next_attempt_at <= now() + r.offset_ms * interval '1 millisecond'
        AND NOT EXISTS (SELECT FROM webhook_leases k
                        WHERE k.delivery_id = d.id AND k.leased_until > now())
      ORDER BY d.next_attempt_at, d.id LIMIT greatest(r.places, 0)
    ) picked
  ), leased AS (
    INSERT INTO webhook_leases AS k (delivery_id, endpoint_id, lease, leased_until)
    SELECT due.id, due.endpoint_id, p_lease, now() + p_lease_ms * interval '1 millisecond' FROM due
    ON CONFLICT (delivery_id) DO UPDATE
      SET lease = excluded.lease, leased_until = excluded.leased_until
      WHERE k.leased_until <= now()
    RETURNING delivery_id
  )
  SELECT d.id, d.event_id, d.event_type, d.endpoint_id, d.organization_id, d.workspace_id,
         d.livemode, d.tries, jsonb_array_length(d.attempts), e.body, w.url, w.secret,
         CASE WHEN w.previous_until > now() THEN w.previous_secret END, due.offset_ms
  FROM leased l
  JOIN due ON due.id = l.delivery_id
  JOIN webhook_deliveries d ON d.id = l.delivery_id
  JOIN webhook_events e ON e.id = d.event_id
  JOIN webhook_endpoints w ON w.id = d.endpoint_id;
END $$;
