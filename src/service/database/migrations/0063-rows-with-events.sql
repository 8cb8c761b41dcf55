-- The append with everything that a creation needs beside its events: its vault row, its place in the quota
-- and the note that an attempt is in progress on a sandbox's clock. It was written by a statement of its own
-- before; that is left to event stores outside this database.

-- They are called by functions that set the search path.
ALTER FUNCTION public.quota_reserve(text[], text[], boolean[], int[]) SET search_path = public, pg_temp;
ALTER FUNCTION public.quota_note_thresholds(text[], boolean[], date[]) SET search_path = public, pg_temp;

-- Locks are taken in the order organizations, vault rows, ledger, clocks.
CREATE FUNCTION ledger.lock_organizations(p_beside json) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  PERFORM FROM public.organizations o
  WHERE o.id = ANY (ARRAY(
    SELECT b.organization_id FROM json_to_recordset(p_beside) AS b(organization_id text, livemode boolean)
    WHERE b.livemode IS NOT NULL))
  ORDER BY o.id FOR NO KEY UPDATE;
END $$;

-- Stores what is beside the appends with these numbers (null: all), and returns those for which nothing
-- was stored, and why. The caller has locked the organizations. The clocks are locked against an advance: it
-- has either set `advancing_to` already, which is seen here, or waits for this transaction and sees the attempts
-- afterwards.
CREATE FUNCTION ledger.store_beside(p_beside json, p_appends int[])
RETURNS TABLE (append int, status text, offset_ms bigint, advancing_to timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH beside AS MATERIALIZED (
    SELECT b.* FROM json_to_recordset(p_beside) AS b(
      append int, version int, organization_id text, workspace_id text, shipment_id text,
      ref uuid, master_key_id text, wrapped_key text, payload text,
      is_intent boolean, livemode boolean, is_unread boolean, offset_ms bigint, operation_id text)
    WHERE p_appends IS NULL OR b.append = ANY (p_appends)
  ), clocks AS MATERIALIZED (
    SELECT c.workspace_id, c.offset_ms, c.advancing_to FROM public.sandbox_clocks c
    WHERE c.workspace_id = ANY (ARRAY(SELECT b.workspace_id FROM beside b WHERE b.offset_ms IS NOT NULL))
    ORDER BY c.workspace_id
    FOR SHARE
  ), expected AS MATERIALIZED (
    SELECT b.append, c.offset_ms, c.advancing_to,
           -- A subquery, not a join: each row is looked up at its one place by the index.
           CASE WHEN b.is_unread AND (SELECT r.shipment_id FROM public.quota_reservations r
                                      WHERE r.shipment_id = b.shipment_id) IS NOT NULL
                  THEN 'known'
                WHEN b.is_intent AND EXISTS (SELECT FROM public.ledger_damages WHERE recovered_at IS NULL)
                  THEN 'stopped'
                WHEN b.offset_ms <> coalesce(c.offset_ms, 0) OR c.advancing_to IS NOT NULL
                  THEN 'clock_moved'
                END AS status
    FROM beside b LEFT JOIN clocks c ON b.offset_ms IS NOT NULL AND c.workspace_id = b.workspace_id
  ), places AS MATERIALIZED (
    SELECT q.shipment_id, q.answer
    FROM (SELECT array_agg(b.shipment_id) AS shipments, array_agg(b.organization_id) AS organizations,
                 array_agg(b.livemode) AS livemodes, array_agg(b.version) AS versions
          FROM beside b JOIN expected e USING (append)
          WHERE e.status IS NULL AND b.livemode IS NOT NULL
          HAVING count(*) > 0) wanted
    CROSS JOIN LATERAL public.quota_reserve(
      wanted.shipments, wanted.organizations, wanted.livemodes, wanted.versions) q
  ), answers AS MATERIALIZED (
    SELECT e.append, e.offset_ms, e.advancing_to, coalesce(e.status, nullif(p.answer, 'held')) AS status
    FROM beside b JOIN expected e USING (append)
    LEFT JOIN places p ON b.livemode IS NOT NULL AND p.shipment_id = b.shipment_id
  ), rows AS (
    INSERT INTO public.vault
      (ref, organization_id, workspace_id, shipment_id, master_key_id, wrapped_key, payload)
    SELECT b.ref, b.organization_id, b.workspace_id, b.shipment_id, b.master_key_id,
      decode(b.wrapped_key, 'base64'), decode(b.payload, 'base64')
    FROM beside b JOIN answers a USING (append)
    WHERE b.ref IS NOT NULL AND a.status IS NULL
    ON CONFLICT (ref) DO NOTHING
  ), attempts AS (
    INSERT INTO public.sandbox_attempts (workspace_id, shipment_id, operation_id)
    SELECT DISTINCT b.workspace_id, b.shipment_id, b.operation_id
    FROM beside b JOIN answers a USING (append)
    -- A new vault row says as much.
    WHERE b.offset_ms IS NOT NULL AND b.ref IS NULL AND a.status IS NULL
    ON CONFLICT DO NOTHING
  )
  SELECT a.append, a.status, a.offset_ms, a.advancing_to FROM answers a WHERE a.status IS NOT NULL;
END $$;

-- For an event store outside this database: stores all of it before the events.
CREATE FUNCTION ledger.store_first(p_beside json)
RETURNS TABLE (append int, status text, offset_ms bigint, advancing_to timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM ledger.lock_organizations(p_beside);
  RETURN QUERY SELECT * FROM ledger.store_beside(p_beside, NULL);
END $$;

-- p_appends gives the append of each event, p_item_appends that of each item. An append is refused as `erased`
-- if the vault row of one of its items is erased.
CREATE FUNCTION ledger.append_beside(
  p_streams text[], p_expected int[], p_not_after timestamptz[],
  p_appends int[], p_ids uuid[], p_types text[], p_data text, p_metadata text,
  p_item_appends int[], p_item_refs uuid[], p_item_vault_refs uuid[], p_item_payloads bytea[],
  p_beside json
) RETURNS TABLE (
  append int, status text, revision int, "position" bigint,
  stored_at timestamptz, offset_ms bigint, advancing_to timestamptz
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  v_head      bigint;
  v_now       timestamptz;
  v_there     uuid[];
  v_erased    int[] := '{}';
  v_current   int[];
  v_fit       int[];
  v_withheld  int[] := '{}';
  v_answers   text[];
  v_offsets   bigint[];
  v_advancing timestamptz[];
BEGIN
  -- An older snapshot would not show what was committed while this call waited for the lock.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'ledger.append needs READ COMMITTED';
  END IF;
  IF p_beside IS NOT NULL THEN
    PERFORM ledger.lock_organizations(p_beside);
  END IF;
  -- Before the lock on the ledger: an erasure of one of these rows then delays only this call.
  IF cardinality(p_item_refs) > 0 THEN
    v_there := ARRAY(SELECT ledger.lock_vault_rows(p_item_vault_refs))
      || ARRAY(SELECT b.ref FROM json_to_recordset(p_beside) AS b(ref uuid) WHERE b.ref IS NOT NULL);
    v_erased := ARRAY(
      SELECT i.append FROM unnest(p_item_appends, p_item_vault_refs) AS i(append, vault_ref)
      WHERE i.vault_ref <> ALL (v_there));
  END IF;
  PERFORM pg_advisory_xact_lock(7310001);
  v_now := clock_timestamp();
  SELECT coalesce((SELECT e.position FROM ledger.event e ORDER BY e.position DESC LIMIT 1), 0)
    INTO v_head;
  v_current := ARRAY(
    SELECT coalesce((SELECT e.revision FROM ledger.event e WHERE e.stream_id = a.stream
                     ORDER BY e.revision DESC LIMIT 1), -1)
    FROM unnest(p_streams) WITH ORDINALITY AS a(stream, n) ORDER BY a.n);

  IF p_beside IS NOT NULL THEN
    v_fit := ARRAY(
      SELECT a.n::int
      FROM unnest(p_expected, v_current, p_not_after)
           WITH ORDINALITY AS a(expected, current, not_after, n)
      WHERE a.expected = a.current AND coalesce(a.not_after >= v_now, true)
        AND a.n <> ALL (v_erased));
    SELECT coalesce(array_agg(s.append), '{}'), array_agg(s.status), array_agg(s.offset_ms),
           array_agg(s.advancing_to)
      INTO v_withheld, v_answers, v_offsets, v_advancing
      FROM ledger.store_beside(p_beside, v_fit) s;
  END IF;

  RETURN QUERY
  WITH appends AS MATERIALIZED (
    SELECT a.n::int AS n, a.stream, a.expected, a.current,
           coalesce(a.not_after < v_now, false) AS late,
           a.n = ANY (v_erased) AS erased,
           row_number() OVER (PARTITION BY a.stream ORDER BY a.n) AS nth_of_stream
    FROM unnest(p_streams, p_expected, v_current, p_not_after)
         WITH ORDINALITY AS a(stream, expected, current, not_after, n)
  ), events AS MATERIALIZED (
    SELECT e.n, e.append, e.id, e.type, e.data::json AS data, e.metadata::json AS metadata,
           row_number() OVER (PARTITION BY e.append ORDER BY e.n)::int AS nth
    FROM ROWS FROM (unnest(p_appends), unnest(p_ids), unnest(p_types),
           string_to_table(p_data, chr(30)), string_to_table(p_metadata, chr(30)))
         WITH ORDINALITY AS e(append, id, type, data, metadata, n)
  ), accepted AS MATERIALIZED (
    SELECT v_head + row_number() OVER (ORDER BY e.n) AS position, a.n AS append, a.stream,
           a.current + e.nth AS revision, e.id, e.type, e.data, e.metadata
    FROM events e JOIN appends a ON a.n = e.append
    WHERE a.nth_of_stream = 1 AND a.expected = a.current AND NOT a.late AND NOT a.erased
      AND a.n <> ALL (v_withheld)
  ), written AS (
    INSERT INTO ledger.event
      (position, stored_at, event_id, revision, stream_id, type, data, metadata)
    SELECT w.position, v_now, w.id, w.revision, w.stream, w.type, w.data, w.metadata
    FROM accepted w ORDER BY w.position
  ), items AS (
    INSERT INTO public.vault_items (ref, vault_ref, payload)
    SELECT i.ref, i.vault_ref, i.payload
    FROM unnest(p_item_appends, p_item_refs, p_item_vault_refs, p_item_payloads)
      AS i(append, ref, vault_ref, payload)
    WHERE i.append = ANY (ARRAY(SELECT w.append FROM accepted w))
    ON CONFLICT (ref) DO NOTHING
  ), committed AS (
    SELECT w.append, max(w.revision) AS revision, max(w.position) AS position
    FROM accepted w GROUP BY w.append
  ), found AS MATERIALIZED (
    SELECT e.append, a.expected + e.nth AS revision,
           -- A subquery, not a join: each id is looked up at its one place by the index.
           (SELECT s.position FROM ledger.event s
            WHERE s.stream_id = a.stream AND s.revision = a.expected + e.nth
              AND s.event_id = e.id) AS position
    FROM events e JOIN appends a ON a.n = e.append
    WHERE a.current > a.expected
  ), duplicate AS (
    SELECT f.append, max(f.revision) AS revision, max(f.position) AS position
    FROM found f GROUP BY f.append HAVING count(f.position) = count(*)
  )
  SELECT a.n,
         CASE WHEN c.append IS NOT NULL THEN 'committed'
              WHEN d.append IS NOT NULL THEN 'duplicate'
              WHEN a.nth_of_stream > 1 THEN 'retry'
              WHEN a.expected <> a.current THEN 'conflict'
              WHEN a.erased THEN 'erased'
              WHEN a.late THEN 'expired'
              ELSE w.status END,
         coalesce(c.revision, d.revision, a.current),
         coalesce(c.position, d.position),
         v_now, w.offset_ms, w.advancing_to
  FROM appends a
  LEFT JOIN committed c ON c.append = a.n
  LEFT JOIN duplicate d ON d.append = a.n
  LEFT JOIN unnest(v_withheld, v_answers, v_offsets, v_advancing)
    AS w(append, status, offset_ms, advancing_to) ON w.append = a.n
  ORDER BY a.n;
END $$;

REVOKE ALL ON FUNCTION ledger.lock_organizations(json), ledger.store_beside(json, int[]),
  ledger.store_first(json), ledger.append_beside(
    text[], int[], timestamptz[], int[], uuid[], text[], text, text, int[], uuid[], uuid[], bytea[], json
  ) FROM PUBLIC;

-- Processes of earlier versions call these functions.
CREATE OR REPLACE FUNCTION ledger.append_with_items(
  p_streams text[], p_expected int[], p_not_after timestamptz[],
  p_appends int[], p_ids uuid[], p_types text[], p_data text, p_metadata text,
  p_item_appends int[], p_item_refs uuid[], p_item_vault_refs uuid[], p_item_payloads bytea[]
) RETURNS TABLE (append int, status text, revision int, "position" bigint)
LANGUAGE sql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.append, a.status, a.revision, a.position
  FROM ledger.append_beside(p_streams, p_expected, p_not_after, p_appends, p_ids, p_types, p_data,
    p_metadata, p_item_appends, p_item_refs, p_item_vault_refs, p_item_payloads, NULL) a
$$;

CREATE OR REPLACE FUNCTION ledger.append_texts(
  p_streams text[], p_expected int[], p_not_after timestamptz[],
  p_appends int[], p_ids uuid[], p_types text[], p_data text, p_metadata text
) RETURNS TABLE (append int, status text, revision int, "position" bigint)
LANGUAGE sql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.append, a.status, a.revision, a.position
  FROM ledger.append_beside(p_streams, p_expected, p_not_after, p_appends, p_ids, p_types, p_data,
    p_metadata, '{}', '{}', '{}', '{}', NULL) a
$$;
