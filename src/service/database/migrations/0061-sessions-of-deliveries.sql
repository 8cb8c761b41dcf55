-- The session of the process that holds a lease: another process takes the delivery over soon after this one has
-- died. Null for leases of earlier versions, which end by time alone.
ALTER TABLE webhook_leases ADD COLUMN session_pid int, ADD COLUMN session_started timestamptz;

-- As before, and records the session.
CREATE OR REPLACE FUNCTION webhook_claim(p_lease uuid, p_lease_ms integer, p_lanes integer, p_lane_max integer, p_organization_max integer, p_breaker_failures integer, p_busy_organizations text[], p_busy integer[])
 RETURNS TABLE(id text, event_id text, event_type text, endpoint_id text, organization_id text, workspace_id text, livemode boolean, tries integer, attempts_made integer, at_once boolean, ladder_began_at timestamp with time zone, body text, url text, secret bytea, previous_secret bytea, clock_offset_ms bigint)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
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
      -- With their LIMIT these stay questions about one endpoint, whatever the planner thinks of
      -- joins: joined, they would read what waits for one endpoint once for each of the others.
      AND CASE WHEN coalesce(l.open_until, '-infinity') <= t.clock THEN (
        SELECT true FROM webhook_deliveries d
        WHERE d.endpoint_id = l.endpoint_id AND d.state = 'pending'
          AND d.next_attempt_at <= t.clock
          AND NOT EXISTS (SELECT FROM webhook_leases k
                          WHERE k.delivery_id = d.id AND k.leased_until > now())
        ORDER BY d.next_attempt_at LIMIT 1)
      ELSE (
        SELECT true FROM webhook_deliveries d
        WHERE d.endpoint_id = l.endpoint_id AND d.at_once AND d.state = 'pending'
          AND d.next_attempt_at <= t.clock
          AND NOT EXISTS (SELECT FROM webhook_leases k
                          WHERE k.delivery_id = d.id AND k.leased_until > now())
        ORDER BY d.next_attempt_at LIMIT 1)
      END
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
    SELECT l.endpoint_id, t.offset_ms, t.clock,
           greatest(p_lane_max - k.under_way, 0) AS places,
           -- Of them for what was not asked for by hand.
           greatest(CASE
             WHEN l.open_until > t.clock THEN 0
             WHEN l.failures >= p_breaker_failures THEN 1 - k.under_way
             ELSE p_lane_max - k.under_way END, 0) AS places_by_turn
    FROM webhook_lanes l
    LEFT JOIN sandbox_clocks c ON c.workspace_id = l.workspace_id AND NOT l.livemode
    CROSS JOIN LATERAL (
      SELECT coalesce(c.offset_ms, 0) AS offset_ms,
             now() + coalesce(c.offset_ms, 0) * interval '1 millisecond' AS clock
    ) t
    CROSS JOIN LATERAL (
      SELECT count(*) AS under_way FROM webhook_leases k
      WHERE k.endpoint_id = l.endpoint_id AND k.leased_until > now()
    ) k
    WHERE l.endpoint_id = ANY (v_lanes)
  ), due AS (
    SELECT picked.id, r.endpoint_id, r.offset_ms
    FROM room r CROSS JOIN LATERAL (
      SELECT one.id FROM (
        (SELECT d.id, d.next_attempt_at, d.at_once FROM webhook_deliveries d
         WHERE d.endpoint_id = r.endpoint_id AND d.at_once AND d.state = 'pending'
           AND d.next_attempt_at <= r.clock
           AND NOT EXISTS (SELECT FROM webhook_leases k
                           WHERE k.delivery_id = d.id AND k.leased_until > now())
         ORDER BY d.next_attempt_at, d.id LIMIT r.places)
        UNION ALL
        (SELECT d.id, d.next_attempt_at, d.at_once FROM webhook_deliveries d
         WHERE d.endpoint_id = r.endpoint_id AND NOT d.at_once AND d.state = 'pending'
           AND d.next_attempt_at <= r.clock
           AND NOT EXISTS (SELECT FROM webhook_leases k
                           WHERE k.delivery_id = d.id AND k.leased_until > now())
         ORDER BY d.next_attempt_at, d.id LIMIT r.places_by_turn)
      ) one
      ORDER BY one.at_once DESC, one.next_attempt_at, one.id LIMIT r.places
    ) picked
  ), leased AS (
    INSERT INTO webhook_leases AS k
      (delivery_id, endpoint_id, lease, leased_until, session_pid, session_started)
    SELECT due.id, due.endpoint_id, p_lease, now() + p_lease_ms * interval '1 millisecond',
           mine.pid, mine.backend_start
    FROM due CROSS JOIN pg_stat_get_activity(pg_backend_pid()) mine
    ON CONFLICT (delivery_id) DO UPDATE
      SET lease = excluded.lease, leased_until = excluded.leased_until,
          session_pid = excluded.session_pid, session_started = excluded.session_started
      WHERE k.leased_until <= now()
    RETURNING delivery_id
  )
  SELECT d.id, d.event_id, d.event_type, d.endpoint_id, d.organization_id, d.workspace_id,
         d.livemode, d.tries, jsonb_array_length(d.attempts), d.at_once,
         coalesce(d.again_at, d.created_at), e.body, w.url, w.secret,
         CASE WHEN w.previous_until > now() THEN w.previous_secret END, due.offset_ms
  FROM leased l
  JOIN due ON due.id = l.delivery_id
  JOIN webhook_deliveries d ON d.id = l.delivery_id
  JOIN webhook_events e ON e.id = d.event_id
  JOIN webhook_endpoints w ON w.id = d.endpoint_id;
END $$;
