CREATE SCHEMA ledger;
REVOKE ALL ON SCHEMA ledger FROM PUBLIC;

-- Fixed-width columns first, so that no byte is lost to alignment. Exactly two indexes: an event's
-- id needs none, because a repeated append is recognized by its place in its stream.
CREATE TABLE ledger.event (
  -- Contiguous from 1, given out by ledger.append only. No identity column: its numbers are taken
  -- before and become visible after others, so a reader could skip them forever.
  position   bigint PRIMARY KEY CHECK (position > 0),
  stored_at  timestamptz NOT NULL,
  event_id   uuid NOT NULL,
  revision   int NOT NULL CHECK (revision >= 0),
  stream_id  text COLLATE "C" NOT NULL,
  type       text COLLATE "C" NOT NULL,
  -- json, not jsonb: it keeps exactly the bytes that were hashed.
  data       json NOT NULL,
  metadata   json NOT NULL,
  UNIQUE (stream_id, revision)
) WITH (fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.02);

CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only ever appended to: % is refused', TG_OP
    USING ERRCODE = 'insufficient_privilege';
END $$;

-- For every role, including the owner and superusers, and with session_replication_role = replica.
CREATE TRIGGER event_never_changes
  BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.event
  FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.event ENABLE ALWAYS TRIGGER event_never_changes;

-- Writes many appends in one transaction, each completely or not at all, and returns a row for each.
--
-- Per append (arrays of the same length): the stream, the revision of its last event as expected
-- (-1 = no stream), the moment after which it is too late (NULL = never). Per event, an element of
-- p_events in order: {append: index from 1 of its append, id, type, data, metadata}.
--
-- One lock for all writers: its holder sees everything that was committed before, and its commit is
-- visible before the next writer gets the lock. So positions are in the order of commits, a rollback
-- leaves no gap, and a reader that has seen position n has seen everything before it.
--
-- status: 'committed' | 'duplicate' (exactly these ids stand at exactly this place, whatever
-- followed) | 'conflict' | 'expired' (nothing written) | 'retry' (a second append to one stream in
-- one call: ask again). revision and position are the last event's; for 'conflict' revision is the
-- stream's last, -1 for none.
CREATE FUNCTION ledger.append(
  p_streams    text[],
  p_expected   int[],
  p_not_after  timestamptz[],
  p_events     json
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
    SELECT e.n, e.append, e.id, e.type, e.data, e.metadata,
           row_number() OVER (PARTITION BY e.append ORDER BY e.n)::int AS nth
    FROM ROWS FROM (json_to_recordset(p_events)
           AS (append int, id uuid, type text, data json, metadata json))
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

REVOKE ALL ON TABLE ledger.event FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger.append(text[], int[], timestamptz[], json) FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger.refuse_change() FROM PUBLIC;
