-- The same append with the events' JSON as two texts, separated by U+001E, which JSON text never
-- contains unescaped. As members of a JSON array, PostgreSQL would read each of them three times.
-- p_appends gives the stream of each event, as a number from 1.
CREATE FUNCTION ledger.append_texts(
  p_streams text[], p_expected int[], p_not_after timestamptz[],
  p_appends int[], p_ids uuid[], p_types text[], p_data text, p_metadata text
) RETURNS TABLE (append int, status text, revision int, "position" bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
-- Planned on an empty table, the cached plan would scan the whole table forever.
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  v_head bigint;
  v_now  timestamptz;
BEGIN
  -- An older snapshot would not show what was committed while this call waited for the lock.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'ledger.append needs READ COMMITTED';
  END IF;
  PERFORM pg_advisory_xact_lock(7310001);
  v_now := clock_timestamp();
  SELECT coalesce((SELECT e.position FROM ledger.event e ORDER BY e.position DESC LIMIT 1), 0)
    INTO v_head;

  RETURN QUERY
  WITH appends AS MATERIALIZED (
    SELECT a.n::int AS n, a.stream, a.expected,
           coalesce(a.not_after < v_now, false) AS late,
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
    WHERE a.nth_of_stream = 1 AND a.expected = a.current AND NOT a.late
  ), written AS (
    INSERT INTO ledger.event
      (position, stored_at, event_id, revision, stream_id, type, data, metadata)
    SELECT w.position, v_now, w.id, w.revision, w.stream, w.type, w.data, w.metadata
    FROM accepted w ORDER BY w.position
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
              ELSE 'expired' END,
         coalesce(c.revision, d.revision, a.current),
         coalesce(c.position, d.position)
  FROM appends a
  LEFT JOIN committed c ON c.append = a.n
  LEFT JOIN duplicate d ON d.append = a.n
  ORDER BY a.n;
END $$;

REVOKE ALL ON FUNCTION
  ledger.append_texts(text[], int[], timestamptz[], int[], uuid[], text[], text, text) FROM PUBLIC;

-- Processes of the previous version call this function.
CREATE OR REPLACE FUNCTION ledger.append(
  p_streams text[], p_expected int[], p_not_after timestamptz[], p_events json
) RETURNS TABLE (append int, status text, revision int, "position" bigint)
LANGUAGE sql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.*
  FROM (
    SELECT array_agg(e.append ORDER BY e.n) AS appends, array_agg(e.id ORDER BY e.n) AS ids,
           array_agg(e.type ORDER BY e.n) AS types,
           string_agg(e.data::text, chr(30) ORDER BY e.n) AS data,
           string_agg(e.metadata::text, chr(30) ORDER BY e.n) AS metadata
    FROM ROWS FROM (json_to_recordset(p_events)
           AS (append int, id uuid, type text, data json, metadata json))
         WITH ORDINALITY AS e(append, id, type, data, metadata, n)
  ) e
  CROSS JOIN LATERAL ledger.append_texts(p_streams, p_expected, p_not_after,
    e.appends, e.ids, e.types, e.data, e.metadata) a
$$;
