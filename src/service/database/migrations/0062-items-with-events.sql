-- The append with vault items: each is stored if its append is accepted. An append is refused as `erased`
-- if the vault row of one of its items is erased. p_item_appends gives the append of each item.
-- `append_texts` stays for processes of the previous version.
CREATE FUNCTION ledger.append_with_items(
  p_streams text[], p_expected int[], p_not_after timestamptz[],
  p_appends int[], p_ids uuid[], p_types text[], p_data text, p_metadata text,
  p_item_appends int[], p_item_refs uuid[], p_item_vault_refs uuid[], p_item_payloads bytea[]
) RETURNS TABLE (append int, status text, revision int, "position" bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  v_head  bigint;
  v_now   timestamptz;
  v_there uuid[];
BEGIN
  -- An older snapshot would not show what was committed while this call waited for the lock.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'ledger.append needs READ COMMITTED';
  END IF;
  -- Before the lock on the ledger: an erasure of one of these rows then delays only this call.
  IF cardinality(p_item_refs) > 0 THEN
    v_there := ARRAY(SELECT ledger.lock_vault_rows(p_item_vault_refs));
  END IF;
  PERFORM pg_advisory_xact_lock(7310001);
  v_now := clock_timestamp();
  SELECT coalesce((SELECT e.position FROM ledger.event e ORDER BY e.position DESC LIMIT 1), 0)
    INTO v_head;

  RETURN QUERY
  WITH appends AS MATERIALIZED (
    SELECT a.n::int AS n, a.stream, a.expected,
           coalesce(a.not_after < v_now, false) AS late,
           a.n = ANY (ARRAY(
             SELECT i.append FROM unnest(p_item_appends, p_item_vault_refs) AS i(append, vault_ref)
             WHERE i.vault_ref <> ALL (v_there))) AS erased,
           coalesce((SELECT e.revision FROM ledger.event e WHERE e.stream_id = a.stream
                     ORDER BY e.revision DESC LIMIT 1), -1) AS current,
           row_number() OVER (PARTITION BY a.stream ORDER BY a.n) AS nth_of_stream
    FROM unnest(p_streams, p_expected, p_not_after)
         WITH ORDINALITY AS a(stream, expected, not_after, n)
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
              ELSE 'expired' END,
         coalesce(c.revision, d.revision, a.current),
         coalesce(c.position, d.position)
  FROM appends a
  LEFT JOIN committed c ON c.append = a.n
  LEFT JOIN duplicate d ON d.append = a.n
  ORDER BY a.n;
END $$;

REVOKE ALL ON FUNCTION ledger.append_with_items(
  text[], int[], timestamptz[], int[], uuid[], text[], text, text, int[], uuid[], uuid[], bytea[]
) FROM PUBLIC;
