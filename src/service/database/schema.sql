-- Made from the catalogs by `npm run generate`; a test compares.

CREATE SCHEMA ledger;
-- shipping_ledger: USAGE

CREATE TABLE ledger.event (
  position bigint NOT NULL,
  stored_at timestamp with time zone NOT NULL,
  event_id uuid NOT NULL,
  revision integer NOT NULL,
  stream_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  CONSTRAINT event_position_check CHECK (("position" > 0)),
  CONSTRAINT event_revision_check CHECK ((revision >= 0)),
  CONSTRAINT event_pkey PRIMARY KEY ("position"),
  CONSTRAINT event_stream_id_revision_key UNIQUE (stream_id, revision)
) WITH (fillfactor=100, autovacuum_vacuum_insert_scale_factor=0.02);
CREATE TRIGGER event_never_changes BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger.event FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change() /* ENABLE ALWAYS */;
-- shipping_ledger: SELECT

CREATE OR REPLACE FUNCTION ledger.append(p_streams text[], p_expected integer[], p_not_after timestamp with time zone[], p_events json)
 RETURNS TABLE(append integer, status text, revision integer, "position" bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.append_beside(p_streams text[], p_expected integer[], p_not_after timestamp with time zone[], p_appends integer[], p_ids uuid[], p_types text[], p_data text, p_metadata text, p_item_appends integer[], p_item_refs uuid[], p_item_vault_refs uuid[], p_item_payloads bytea[], p_beside json)
 RETURNS TABLE(append integer, status text, revision integer, "position" bigint, stored_at timestamp with time zone, offset_ms bigint, advancing_to timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.append_texts(p_streams text[], p_expected integer[], p_not_after timestamp with time zone[], p_appends integer[], p_ids uuid[], p_types text[], p_data text, p_metadata text)
 RETURNS TABLE(append integer, status text, revision integer, "position" bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT a.append, a.status, a.revision, a.position
  FROM ledger.append_beside(p_streams, p_expected, p_not_after, p_appends, p_ids, p_types, p_data,
    p_metadata, '{}', '{}', '{}', '{}', NULL) a
$function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.append_with_items(p_streams text[], p_expected integer[], p_not_after timestamp with time zone[], p_appends integer[], p_ids uuid[], p_types text[], p_data text, p_metadata text, p_item_appends integer[], p_item_refs uuid[], p_item_vault_refs uuid[], p_item_payloads bytea[])
 RETURNS TABLE(append integer, status text, revision integer, "position" bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT a.append, a.status, a.revision, a.position
  FROM ledger.append_beside(p_streams, p_expected, p_not_after, p_appends, p_ids, p_types, p_data,
    p_metadata, p_item_appends, p_item_refs, p_item_vault_refs, p_item_payloads, NULL) a
$function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.cut_seal(p_damage_id uuid, p_size bigint, p_event_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  v_batch public.sealed_batches;
  v_kept  int;
BEGIN
  IF NOT EXISTS (SELECT FROM public.ledger_damages
                 WHERE id = p_damage_id AND recovered_at IS NULL) THEN
    RAISE EXCEPTION 'the sealed tree is cut only while the ledger is damaged'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- The sealer's next append waits for this, and then fails.
  PERFORM FROM public.merkle_tree FOR UPDATE;

  INSERT INTO public.lost_checkpoints
    (damage_id, tree_size, root, position, key_id, signed_at, note)
  SELECT p_damage_id, c.tree_size, c.root, c.position, c.key_id, c.signed_at,
    c.note || coalesce((SELECT string_agg(w.line, '' ORDER BY w.received_at)
      FROM public.checkpoint_cosignatures w WHERE w.tree_size = c.tree_size), '')
  FROM public.checkpoints c WHERE c.tree_size > p_size
  ON CONFLICT DO NOTHING;
  DELETE FROM public.checkpoints WHERE tree_size > p_size;
  -- A key that signed nothing that is left is introduced again.
  DELETE FROM public.checkpoint_keys WHERE since_size > p_size;

  INSERT INTO public.lost_sealed_batches
  SELECT p_damage_id, b.first_index, b.positions, b.streams, b.revisions, b.leaves
  FROM public.sealed_batches b
  WHERE b.first_index + cardinality(b.positions) > p_size
  ON CONFLICT DO NOTHING;
  SELECT b.* INTO v_batch FROM public.sealed_batches b
  WHERE b.first_index < p_size AND b.first_index + cardinality(b.positions) > p_size;
  DELETE FROM public.sealed_batches
  WHERE first_index + cardinality(positions) > p_size;
  IF v_batch.first_index IS NOT NULL THEN
    v_kept := p_size - v_batch.first_index;
    INSERT INTO public.sealed_batches (first_index, positions, streams, revisions, leaves)
    VALUES (v_batch.first_index, v_batch.positions[1:v_kept], v_batch.streams[1:v_kept],
      v_batch.revisions[1:v_kept], substring(v_batch.leaves FROM 1 FOR 32 * v_kept));
  END IF;

  -- A tile of a tier holds the roots of whole tiles of the tier below.
  DELETE FROM public.merkle_tiles
  WHERE tile * 256 >= div(p_size::numeric, power(256::numeric, tier::numeric));
  UPDATE public.merkle_tiles SET hashes = substring(hashes FROM 1
    FOR 32 * (div(p_size::numeric, power(256::numeric, tier::numeric)) - tile * 256)::int)
  WHERE octet_length(hashes)
    > 32 * (div(p_size::numeric, power(256::numeric, tier::numeric)) - tile * 256);

  UPDATE public.merkle_tree SET size = p_size, event_id = p_event_id,
    position = (SELECT b.positions[cardinality(b.positions)] FROM public.sealed_batches b
                ORDER BY b.first_index DESC LIMIT 1);
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.delete_vault_orphans(p_refs uuid[])
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
  WITH deleted AS (
    DELETE FROM public.vault
    WHERE ref = ANY (p_refs) AND created_at < clock_timestamp() - interval '1 day'
    RETURNING 1)
  SELECT count(*) FROM deleted
$function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.erase_vault_rows(p_shipment_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  v_erased bigint;
BEGIN
  -- An older snapshot would hide the items that the first statement waited for.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'ledger.erase_vault_rows needs READ COMMITTED';
  END IF;
  UPDATE public.vault SET wrapped_key = NULL, payload = NULL
  WHERE shipment_id = p_shipment_id AND wrapped_key IS NOT NULL;
  GET DIAGNOSTICS v_erased = ROW_COUNT;
  DELETE FROM public.vault_items WHERE vault_ref = ANY (ARRAY(
    SELECT v.ref FROM public.vault v WHERE v.shipment_id = p_shipment_id));
  RETURN v_erased > 0;
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.forget_former_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.position IS DISTINCT FROM OLD.position
    AND NEW.event_id IS NOT DISTINCT FROM OLD.event_id THEN
    NEW.event_id := NULL;
  END IF;
  RETURN NEW;
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.lock_organizations(p_beside json)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
BEGIN
  PERFORM FROM public.organizations o
  WHERE o.id = ANY (ARRAY(
    SELECT b.organization_id FROM json_to_recordset(p_beside) AS b(organization_id text, livemode boolean)
    WHERE b.livemode IS NOT NULL))
  ORDER BY o.id FOR NO KEY UPDATE;
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.lock_vault_rows(p_refs uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 10
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  RETURN QUERY
  SELECT v.ref FROM public.vault v
  WHERE v.ref = ANY (p_refs) AND v.wrapped_key IS NOT NULL
  ORDER BY v.ref FOR SHARE;
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'the ledger is only ever appended to: % is refused', TG_OP
    USING ERRCODE = 'insufficient_privilege';
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.rewrap_vault_keys(p_refs uuid[], p_former bytea[], p_master_key_ids text[], p_wrapped_keys bytea[])
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  v_rewrapped bigint;
BEGIN
  -- A row without a key would be erased. Shorter arrays end in NULLs too.
  IF EXISTS (SELECT FROM unnest(p_refs, p_former, p_master_key_ids, p_wrapped_keys)
               AS fresh (ref, former, master_key_id, wrapped_key)
             WHERE fresh.ref IS NULL OR fresh.former IS NULL OR fresh.master_key_id IS NULL
               OR fresh.wrapped_key IS NULL) THEN
    RAISE EXCEPTION 'ledger.rewrap_vault_keys takes no NULL'
      USING ERRCODE = 'null_value_not_allowed';
  END IF;
  WITH free AS MATERIALIZED (
    SELECT v.ref, fresh.master_key_id, fresh.wrapped_key
    FROM unnest(p_refs, p_former, p_master_key_ids, p_wrapped_keys)
      AS fresh (ref, former, master_key_id, wrapped_key)
    JOIN public.vault v ON v.ref = fresh.ref AND v.wrapped_key = fresh.former
    ORDER BY v.ref FOR NO KEY UPDATE OF v SKIP LOCKED
  )
  UPDATE public.vault v SET master_key_id = free.master_key_id, wrapped_key = free.wrapped_key
  FROM free WHERE v.ref = free.ref;
  GET DIAGNOSTICS v_rewrapped = ROW_COUNT;
  RETURN v_rewrapped;
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.store_beside(p_beside json, p_appends integer[])
 RETURNS TABLE(append integer, status text, offset_ms bigint, advancing_to timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER ROWS 10
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.store_first(p_beside json)
 RETURNS TABLE(append integer, status text, offset_ms bigint, advancing_to timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM ledger.lock_organizations(p_beside);
  RETURN QUERY SELECT * FROM ledger.store_beside(p_beside, NULL);
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION ledger.thin_checkpoints()
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH thinned AS (
    DELETE FROM public.checkpoints WHERE tree_size IN (
      SELECT c.tree_size FROM public.checkpoints c
      WHERE c.signed_at < now() - interval '7 days'
        AND NOT EXISTS (SELECT FROM public.checkpoint_keys k WHERE k.since_size = c.tree_size)
        -- Only the next one is looked at: the last of an hour would be compared with all that follow.
        AND date_trunc('hour', c.signed_at) = (
          SELECT date_trunc('hour', n.signed_at) FROM public.checkpoints n
          WHERE n.tree_size > c.tree_size ORDER BY n.tree_size LIMIT 1)
      -- A week's worth of a busy service is thinned out in as many calls as two hours have minutes.
      LIMIT 5000)
    RETURNING 1)
  SELECT count(*) FROM thinned
$function$;
-- shipping_ledger: EXECUTE

CREATE SCHEMA public;
-- shipping_ledger: USAGE

CREATE TABLE alerts (
  type text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C",
  is_firing boolean NOT NULL,
  since timestamp with time zone NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL,
  CONSTRAINT alerts_pkey PRIMARY KEY (type, subject_id)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE api_keys (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C",
  livemode boolean NOT NULL,
  digest bytea NOT NULL,
  pepper_version integer NOT NULL,
  last4 text NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  operator_id text COLLATE "C",
  created_by_key_id text COLLATE "C",
  created_by_operator_id text COLLATE "C",
  name text,
  role text NOT NULL DEFAULT 'custom'::text,
  replaced_by_key_id text COLLATE "C",
  from_sign_in boolean NOT NULL DEFAULT false,
  CONSTRAINT api_keys_role_check CHECK ((role = ANY (ARRAY['integration'::text, 'clerk'::text, 'support'::text, 'accountant'::text, 'operator'::text, 'admin'::text, 'custom'::text]))),
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT api_keys_organization_id_operator_id_fkey FOREIGN KEY (organization_id, operator_id) REFERENCES operators(organization_id, id),
  CONSTRAINT api_keys_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_digest_key UNIQUE (digest)
);
CREATE INDEX api_keys_by_age ON public.api_keys USING btree (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX api_keys_by_creating_key ON public.api_keys USING btree (created_by_key_id) WHERE (created_by_key_id IS NOT NULL);
CREATE INDEX api_keys_by_creator ON public.api_keys USING btree (created_by_operator_id) WHERE (created_by_operator_id IS NOT NULL);
CREATE INDEX api_keys_by_organization ON public.api_keys USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX api_keys_by_workspace ON public.api_keys USING btree (workspace_id, created_at DESC, id DESC) WHERE (workspace_id IS NOT NULL);
CREATE INDEX api_keys_of_sign_ins ON public.api_keys USING btree (operator_id, livemode, created_at DESC) WHERE from_sign_in;
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE batch_lanes (
  connection_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  next_at timestamp with time zone NOT NULL DEFAULT now(),
  owner uuid,
  leased_until timestamp with time zone,
  served_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  version bigint NOT NULL DEFAULT 1,
  CONSTRAINT batch_lanes_pkey PRIMARY KEY (connection_id)
);
CREATE INDEX batch_lanes_due ON public.batch_lanes USING btree (next_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE batch_lines (
  batch_id text COLLATE "C" NOT NULL,
  line integer NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C",
  idempotency_key text COLLATE "C",
  shipment_id text COLLATE "C",
  body bytea,
  scenario text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  begun_by uuid,
  tries integer NOT NULL DEFAULT 0,
  not_before timestamp with time zone NOT NULL DEFAULT now(),
  status text COLLATE "C",
  reason text COLLATE "C",
  refusal bytea,
  order_key text COLLATE "C",
  CONSTRAINT batch_lines_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE,
  CONSTRAINT batch_lines_pkey PRIMARY KEY (batch_id, line)
);
CREATE INDEX batch_lines_by_order ON public.batch_lines USING btree (order_key) WHERE (state = ANY (ARRAY['waiting'::text, 'begun'::text]));
CREATE INDEX batch_lines_by_shipment ON public.batch_lines USING btree (shipment_id) WHERE (shipment_id IS NOT NULL);
CREATE INDEX batch_lines_to_do ON public.batch_lines USING btree (connection_id, not_before, batch_id, line) WHERE (state = ANY (ARRAY['waiting'::text, 'begun'::text]));
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE batch_orders (
  order_key text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  shipment_id text COLLATE "C" NOT NULL,
  CONSTRAINT batch_orders_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE,
  CONSTRAINT batch_orders_pkey PRIMARY KEY (order_key)
);
CREATE INDEX batch_orders_of_batch ON public.batch_orders USING btree (batch_id);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE batches (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  external_reference text COLLATE "C" NOT NULL,
  actor jsonb NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  master_key_id text COLLATE "C" NOT NULL,
  wrapped_key bytea NOT NULL,
  total integer NOT NULL,
  ended integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  cancelled_at timestamp with time zone,
  ended_at timestamp with time zone,
  CONSTRAINT batches_pkey PRIMARY KEY (id)
);
CREATE INDEX batches_by_age ON public.batches USING btree (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX batches_by_reference ON public.batches USING btree (organization_id, livemode, external_reference, created_at DESC, id DESC);
CREATE INDEX batches_running ON public.batches USING btree (organization_id, livemode) WHERE (ended_at IS NULL);
CREATE INDEX batches_to_forget ON public.batches USING btree (ended_at) WHERE (ended_at IS NOT NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE checkpoint_cosignatures (
  tree_size bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  line text NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT checkpoint_cosignatures_tree_size_fkey FOREIGN KEY (tree_size) REFERENCES checkpoints(tree_size) ON DELETE CASCADE,
  CONSTRAINT checkpoint_cosignatures_pkey PRIMARY KEY (tree_size, name, key_id)
);
CREATE INDEX checkpoint_cosignatures_by_witness ON public.checkpoint_cosignatures USING btree (name, key_id, tree_size);
-- shipping_ledger: SELECT, INSERT

CREATE TABLE checkpoint_keys (
  key_id text COLLATE "C" NOT NULL,
  public_key bytea NOT NULL,
  since_size bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT checkpoint_keys_public_key_check CHECK ((octet_length(public_key) = 32)),
  CONSTRAINT checkpoint_keys_pkey PRIMARY KEY (key_id)
);
-- shipping_ledger: SELECT, INSERT

CREATE TABLE checkpoints (
  tree_size bigint NOT NULL,
  root bytea NOT NULL,
  position text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  signed_at timestamp with time zone NOT NULL,
  note text NOT NULL,
  CONSTRAINT checkpoints_root_check CHECK ((octet_length(root) = 32)),
  CONSTRAINT checkpoints_tree_size_check CHECK ((tree_size > 0)),
  CONSTRAINT checkpoints_pkey PRIMARY KEY (tree_size)
);
CREATE INDEX checkpoints_by_time ON public.checkpoints USING btree (signed_at);
-- shipping_ledger: SELECT, INSERT

CREATE TABLE claims (
  work text COLLATE "C" NOT NULL,
  owner uuid,
  leased_until timestamp with time zone NOT NULL,
  session_pid integer,
  session_started timestamp with time zone,
  held text[],
  CONSTRAINT claims_pkey PRIMARY KEY (work)
) WITH (fillfactor=50);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE courier_connections (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  provider_code text NOT NULL,
  display_name text NOT NULL,
  status text NOT NULL,
  credentials bytea NOT NULL,
  credentials_version integer NOT NULL DEFAULT 1,
  verified_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT courier_connections_status_check CHECK ((status = ANY (ARRAY['active'::text, 'needs_reauth'::text, 'disabled'::text]))),
  CONSTRAINT courier_connections_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  CONSTRAINT courier_connections_pkey PRIMARY KEY (id),
  CONSTRAINT courier_connections_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX courier_connections_by_age ON public.courier_connections USING btree (organization_id, livemode, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX courier_connections_by_provider ON public.courier_connections USING btree (organization_id, livemode, provider_code, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX courier_connections_by_status ON public.courier_connections USING btree (organization_id, livemode, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX courier_connections_by_workspace ON public.courier_connections USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE courier_invoice_invalid_lines (
  invoice_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  line integer NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  courier_connection_id text COLLATE "C" NOT NULL,
  guide_number text COLLATE "C",
  content bytea,
  CONSTRAINT courier_invoice_invalid_lines_invoice_id_version_fkey FOREIGN KEY (invoice_id, version) REFERENCES courier_invoice_versions(invoice_id, version) ON DELETE CASCADE,
  CONSTRAINT courier_invoice_invalid_lines_pkey PRIMARY KEY (invoice_id, version, line)
);
CREATE INDEX courier_invoice_invalid_lines_by_guide ON public.courier_invoice_invalid_lines USING btree (courier_connection_id, guide_number) WHERE ((guide_number IS NOT NULL) AND (content IS NOT NULL));
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE courier_invoice_lines (
  invoice_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  line integer NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  courier_connection_id text COLLATE "C" NOT NULL,
  guide_number text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  currency text COLLATE "C" NOT NULL,
  details bytea,
  billed_at bigint NOT NULL,
  finding text COLLATE "C",
  shipment_id text COLLATE "C",
  shipment_version integer,
  expected jsonb,
  billed_before jsonb,
  look_due boolean NOT NULL DEFAULT false,
  erase_due boolean NOT NULL DEFAULT false,
  decision text COLLATE "C",
  decided_finding text COLLATE "C",
  decided_at timestamp with time zone,
  operator_id text COLLATE "C",
  note bytea,
  billing jsonb,
  kind text NOT NULL DEFAULT 'charge'::text,
  at_stake bigint DEFAULT 
CASE
    WHEN ((kind = 'charge'::text) AND (finding = ANY (ARRAY['billed_twice'::text, 'cancelled_guide'::text, 'nothing_created'::text, 'unknown_guide'::text]))) THEN
    CASE
        WHEN (((billing ->> 'line'::text))::integer = line) THEN ((billing ->> 'amount'::text))::bigint
        ELSE amount
    END
    WHEN ((finding = 'amount_differs'::text) AND ((expected ->> 'currency'::text) = currency)) THEN NULLIF(GREATEST((0)::bigint, ((
    CASE
        WHEN (((billing ->> 'line'::text))::integer = line) THEN ((billing ->> 'amount'::text))::bigint
        ELSE amount
    END - ((expected ->> 'amount'::text))::bigint) *
    CASE kind
        WHEN 'charge'::text THEN 1
        ELSE '-1'::integer
    END)), 0)
    ELSE NULL::bigint
END,
  CONSTRAINT courier_invoice_lines_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'cash_on_delivery'::text]))),
  CONSTRAINT courier_invoice_lines_invoice_id_version_fkey FOREIGN KEY (invoice_id, version) REFERENCES courier_invoice_versions(invoice_id, version) ON DELETE CASCADE,
  CONSTRAINT courier_invoice_lines_pkey PRIMARY KEY (invoice_id, version, line)
);
CREATE INDEX courier_invoice_lines_by_finding ON public.courier_invoice_lines USING btree (invoice_id, version, finding, line);
CREATE INDEX courier_invoice_lines_by_guide ON public.courier_invoice_lines USING btree (courier_connection_id, guide_number, billed_at, line);
CREATE INDEX courier_invoice_lines_by_shipment ON public.courier_invoice_lines USING btree (shipment_id) WHERE (details IS NOT NULL);
CREATE INDEX courier_invoice_lines_decided ON public.courier_invoice_lines USING btree (invoice_id, version, decision) INCLUDE (kind, finding, decided_finding, currency, amount, at_stake) WHERE (decision IS NOT NULL);
CREATE INDEX courier_invoice_lines_differing ON public.courier_invoice_lines USING btree (invoice_id, version, line) WHERE (finding <> ALL (ARRAY['matched'::text, 'part_of'::text]));
CREATE INDEX courier_invoice_lines_of_shipment ON public.courier_invoice_lines USING btree (shipment_id, billed_at, line) WHERE (shipment_id IS NOT NULL);
CREATE INDEX courier_invoice_lines_to_erase ON public.courier_invoice_lines USING btree (invoice_id, version, line) WHERE erase_due;
CREATE INDEX courier_invoice_lines_to_look ON public.courier_invoice_lines USING btree (invoice_id, version, line) WHERE look_due;
CREATE INDEX courier_invoice_lines_unsettled ON public.courier_invoice_lines USING btree (invoice_id, version, line) WHERE (finding = ANY (ARRAY['unresolved'::text, 'nothing_created'::text]));
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE courier_invoice_versions (
  invoice_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  content bytea,
  period_from text COLLATE "C",
  period_to text COLLATE "C",
  total integer NOT NULL,
  totals jsonb NOT NULL DEFAULT '[]'::jsonb,
  actor jsonb NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  invalid integer NOT NULL DEFAULT 0,
  CONSTRAINT courier_invoice_versions_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES courier_invoices(id) ON DELETE CASCADE,
  CONSTRAINT courier_invoice_versions_pkey PRIMARY KEY (invoice_id, version),
  CONSTRAINT courier_invoice_versions_sequence_key UNIQUE (sequence)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE courier_invoices (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  courier_connection_id text COLLATE "C" NOT NULL,
  reference text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  master_key_id text COLLATE "C",
  wrapped_key bytea,
  state text COLLATE "C" NOT NULL,
  compared_line integer NOT NULL DEFAULT 0,
  ledger_position text COLLATE "C",
  compared_at timestamp with time zone,
  owner uuid,
  leased_until timestamp with time zone,
  next_at timestamp with time zone NOT NULL DEFAULT now(),
  served_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  imported_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  withdrawn_at timestamp with time zone,
  CONSTRAINT courier_invoices_pkey PRIMARY KEY (id)
);
CREATE INDEX courier_invoices_by_age ON public.courier_invoices USING btree (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX courier_invoices_by_connection ON public.courier_invoices USING btree (courier_connection_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX courier_invoices_by_reference ON public.courier_invoices USING btree (courier_connection_id, reference);
CREATE INDEX courier_invoices_due ON public.courier_invoices USING btree (next_at) WHERE (state = 'comparing'::text);
CREATE INDEX courier_invoices_to_forget ON public.courier_invoices USING btree (imported_at) WHERE (wrapped_key IS NOT NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE couriers (
  provider_code text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  base_url text NOT NULL,
  token bytea,
  capabilities jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT couriers_provider_code_check CHECK ((provider_code <> 'mock'::text)),
  CONSTRAINT couriers_pkey PRIMARY KEY (provider_code)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE due (
  shipment_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  reconcile_at timestamp with time zone,
  check_at timestamp with time zone,
  label_at timestamp with time zone,
  erase_at timestamp with time zone,
  first_at timestamp with time zone DEFAULT LEAST(reconcile_at, check_at, label_at, erase_at),
  owner uuid,
  leased_until timestamp with time zone,
  guide_number text COLLATE "C",
  last_checked_at timestamp with time zone,
  failures integer NOT NULL DEFAULT 0,
  has_slot boolean NOT NULL DEFAULT false,
  label_requested_at timestamp with time zone,
  work_failures integer NOT NULL DEFAULT 0,
  CONSTRAINT due_pkey PRIMARY KEY (shipment_id)
) WITH (fillfactor=70);
CREATE INDEX due_by_workspace ON public.due USING btree (workspace_id, first_at) WHERE ((NOT livemode) AND (first_at IS NOT NULL));
CREATE INDEX due_check ON public.due USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX due_erase ON public.due USING btree (erase_at) WHERE (erase_at IS NOT NULL);
CREATE INDEX due_label ON public.due USING btree (label_at) WHERE (label_at IS NOT NULL);
CREATE INDEX due_reconcile ON public.due USING btree (reconcile_at) WHERE (reconcile_at IS NOT NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE erasures (
  shipment_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  because text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  listed_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT erasures_because_check CHECK ((because = ANY (ARRAY['request'::text, 'retention'::text]))),
  CONSTRAINT erasures_pkey PRIMARY KEY (shipment_id)
);
CREATE INDEX erasures_by_end ON public.erasures USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX erasures_pending ON public.erasures USING btree (created_at) WHERE (ended_at IS NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE event_store_binding (
  is_only boolean NOT NULL DEFAULT true,
  kind text NOT NULL,
  namespace text NOT NULL,
  CONSTRAINT event_store_binding_is_only_check CHECK (is_only),
  CONSTRAINT event_store_binding_pkey PRIMARY KEY (is_only)
);
-- shipping_ledger: SELECT, INSERT

CREATE TABLE idempotent_answers (
  organization_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  route text NOT NULL,
  key_digest bytea NOT NULL,
  fingerprint bytea NOT NULL,
  resource_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotent_answers_pkey PRIMARY KEY (organization_id, livemode, route, key_digest)
);
CREATE INDEX idempotent_answers_by_age ON public.idempotent_answers USING btree (created_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE ledger_damages (
  id uuid NOT NULL,
  noticed_at timestamp with time zone NOT NULL DEFAULT now(),
  source text NOT NULL,
  expected_position text COLLATE "C",
  expected_event_id uuid,
  found_event_id uuid,
  expected_size bigint,
  proven_size bigint,
  lost_size bigint,
  recovered_at timestamp with time zone,
  find_first_until timestamp with time zone,
  blind_couriers text[] NOT NULL DEFAULT '{}'::text[],
  asked bigint NOT NULL DEFAULT 0,
  found bigint NOT NULL DEFAULT 0,
  created bigint NOT NULL DEFAULT 0,
  CONSTRAINT ledger_damages_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ledger_damages_open ON public.ledger_damages USING btree ((true)) WHERE (recovered_at IS NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE lost_checkpoints (
  damage_id uuid NOT NULL,
  tree_size bigint NOT NULL,
  root bytea NOT NULL,
  position text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  signed_at timestamp with time zone NOT NULL,
  note text NOT NULL,
  CONSTRAINT lost_checkpoints_damage_id_fkey FOREIGN KEY (damage_id) REFERENCES ledger_damages(id),
  CONSTRAINT lost_checkpoints_pkey PRIMARY KEY (damage_id, tree_size)
);
-- shipping_ledger: SELECT

CREATE TABLE lost_sealed_batches (
  damage_id uuid NOT NULL,
  first_index bigint NOT NULL,
  positions text[] COLLATE "C" NOT NULL,
  streams text[] COLLATE "C" NOT NULL,
  revisions integer[] NOT NULL,
  leaves bytea NOT NULL,
  CONSTRAINT lost_sealed_batches_damage_id_fkey FOREIGN KEY (damage_id) REFERENCES ledger_damages(id),
  CONSTRAINT lost_sealed_batches_pkey PRIMARY KEY (damage_id, first_index)
);
-- shipping_ledger: SELECT

CREATE TABLE merkle_tiles (
  tier smallint NOT NULL,
  tile bigint NOT NULL,
  hashes bytea NOT NULL,
  CONSTRAINT merkle_tiles_tier_check CHECK ((tier > 0)),
  CONSTRAINT merkle_tiles_pkey PRIMARY KEY (tier, tile)
);
-- shipping_ledger: SELECT, INSERT

CREATE TABLE merkle_tree (
  is_only boolean NOT NULL DEFAULT true,
  origin text NOT NULL,
  size bigint NOT NULL,
  position text COLLATE "C",
  event_id uuid,
  CONSTRAINT merkle_tree_is_only_check CHECK (is_only),
  CONSTRAINT merkle_tree_pkey PRIMARY KEY (is_only)
);
CREATE TRIGGER event_is_of_its_position BEFORE UPDATE ON public.merkle_tree FOR EACH ROW EXECUTE FUNCTION ledger.forget_former_event();
-- shipping_ledger: SELECT, INSERT

CREATE TABLE operators (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1,
  subject text,
  CONSTRAINT operators_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text]))),
  CONSTRAINT operators_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT operators_pkey PRIMARY KEY (id),
  CONSTRAINT operators_organization_id_id_key UNIQUE (organization_id, id)
);
CREATE INDEX operators_by_age ON public.operators USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX operators_by_email ON public.operators USING btree (lower((email COLLATE "C")));
CREATE INDEX operators_by_status ON public.operators USING btree (organization_id, status, created_at DESC, id DESC);
CREATE INDEX operators_by_subject ON public.operators USING btree (subject) WHERE (subject IS NOT NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE organizations (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  plan text COLLATE "C" NOT NULL DEFAULT 'default'::text,
  suspended_at timestamp with time zone,
  CONSTRAINT organizations_type_check CHECK ((type = ANY (ARRAY['external'::text, 'internal'::text, 'platform'::text]))),
  CONSTRAINT organizations_plan_fkey FOREIGN KEY (plan) REFERENCES plans(name),
  CONSTRAINT organizations_pkey PRIMARY KEY (id)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE plans (
  name text COLLATE "C" NOT NULL,
  shipments_per_month integer,
  requests_per_minute integer,
  workspaces integer,
  courier_connections integer,
  webhook_endpoints integer,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT plans_courier_connections_check CHECK ((courier_connections >= 0)),
  CONSTRAINT plans_requests_per_minute_check CHECK ((requests_per_minute > 0)),
  CONSTRAINT plans_shipments_per_month_check CHECK ((shipments_per_month >= 0)),
  CONSTRAINT plans_webhook_endpoints_check CHECK ((webhook_endpoints >= 0)),
  CONSTRAINT plans_workspaces_check CHECK ((workspaces >= 0)),
  CONSTRAINT plans_pkey PRIMARY KEY (name)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE poll_budgets (
  courier_connection_id text COLLATE "C" NOT NULL,
  free_at timestamp with time zone NOT NULL,
  CONSTRAINT poll_budgets_pkey PRIMARY KEY (courier_connection_id)
) WITH (fillfactor=50);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE projections (
  name text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  version integer NOT NULL,
  position text COLLATE "C",
  active boolean NOT NULL,
  stopped_by text,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  stopped_at timestamp with time zone,
  event_position text COLLATE "C",
  event_id uuid,
  CONSTRAINT projections_pkey PRIMARY KEY (name, generation)
) WITH (fillfactor=50);
CREATE UNIQUE INDEX projections_active ON public.projections USING btree (name) WHERE active;
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE quota_months (
  organization_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  month date NOT NULL,
  used integer NOT NULL,
  CONSTRAINT quota_months_used_check CHECK ((used >= 0)),
  CONSTRAINT quota_months_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT quota_months_pkey PRIMARY KEY (organization_id, livemode, month)
) WITH (fillfactor=50);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE quota_progress (
  is_only boolean NOT NULL DEFAULT true,
  settled_to text COLLATE "C" NOT NULL DEFAULT ''::text,
  swept_to timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CONSTRAINT quota_progress_is_only_check CHECK (is_only),
  CONSTRAINT quota_progress_pkey PRIMARY KEY (is_only)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE quota_reservations (
  reserved_at timestamp with time zone NOT NULL,
  month date NOT NULL,
  version integer NOT NULL,
  livemode boolean NOT NULL,
  is_held boolean NOT NULL,
  shipment_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  CONSTRAINT quota_reservations_pkey PRIMARY KEY (shipment_id)
);
CREATE INDEX quota_reservations_by_time ON public.quota_reservations USING btree (reserved_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE quota_thresholds (
  organization_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  month date NOT NULL,
  percent integer NOT NULL,
  used integer NOT NULL,
  quota integer NOT NULL,
  reached_at timestamp with time zone NOT NULL,
  enqueued_at timestamp with time zone,
  CONSTRAINT quota_thresholds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT quota_thresholds_pkey PRIMARY KEY (organization_id, livemode, month, percent)
);
CREATE INDEX quota_thresholds_to_enqueue ON public.quota_thresholds USING btree (reached_at) WHERE (enqueued_at IS NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE quotes (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  courier_connection_id text COLLATE "C",
  request jsonb NOT NULL,
  rates jsonb NOT NULL,
  errors jsonb NOT NULL,
  sandbox_scenario text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  stored_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT quotes_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  CONSTRAINT quotes_workspace_id_courier_connection_id_fkey FOREIGN KEY (workspace_id, courier_connection_id) REFERENCES courier_connections(workspace_id, id),
  CONSTRAINT quotes_pkey PRIMARY KEY (id)
);
CREATE INDEX quotes_by_age ON public.quotes USING btree (stored_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE request_log (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  workspace_id text COLLATE "C",
  key_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  status smallint NOT NULL,
  reason text COLLATE "C",
  outcome text COLLATE "C",
  duration_ms integer NOT NULL,
  represents real NOT NULL,
  created_at timestamp with time zone NOT NULL
);
CREATE INDEX request_log_by_age ON public.request_log USING btree (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX request_log_by_id ON public.request_log USING btree (organization_id, livemode, lower(id));
CREATE INDEX request_log_to_forget ON public.request_log USING btree (created_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE request_rates (
  key character varying(255) NOT NULL,
  points integer NOT NULL DEFAULT 0,
  expire bigint,
  CONSTRAINT request_rates_pkey PRIMARY KEY (key)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE request_traces (
  organization_id text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  traceparent text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT request_traces_pkey PRIMARY KEY (organization_id, request_id)
);
CREATE INDEX request_traces_to_forget ON public.request_traces USING btree (created_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE sandbox_attempts (
  shipment_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  registered_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  operation_id text COLLATE "C",
  is_withdrawn boolean NOT NULL DEFAULT false,
  CONSTRAINT sandbox_attempts_pkey PRIMARY KEY (shipment_id, registered_at)
);
CREATE INDEX sandbox_attempts_by_workspace ON public.sandbox_attempts USING btree (workspace_id, registered_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE sandbox_clocks (
  workspace_id text COLLATE "C" NOT NULL,
  offset_ms bigint NOT NULL DEFAULT 0,
  advancing_to timestamp with time zone,
  advancing_since timestamp with time zone,
  advanced_to timestamp with time zone,
  steps_done bigint NOT NULL DEFAULT 0,
  skipped jsonb NOT NULL DEFAULT '[]'::jsonb,
  skipped_more bigint NOT NULL DEFAULT 0,
  CONSTRAINT sandbox_clocks_offset_ms_check CHECK ((offset_ms >= 0)),
  CONSTRAINT sandbox_clocks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT sandbox_clocks_pkey PRIMARY KEY (workspace_id)
);
CREATE INDEX sandbox_clocks_ahead ON public.sandbox_clocks USING btree (workspace_id) WHERE (offset_ms > 0);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE sealed_batches (
  first_index bigint NOT NULL,
  positions text[] COLLATE "C" NOT NULL,
  streams text[] COLLATE "C" NOT NULL,
  revisions integer[] NOT NULL,
  leaves bytea NOT NULL,
  CONSTRAINT sealed_batches_check CHECK (((array_position(positions, NULL::text) IS NULL) AND (array_position(streams, NULL::text) IS NULL) AND (array_position(revisions, NULL::integer) IS NULL))),
  CONSTRAINT sealed_batches_check1 CHECK (((cardinality(positions) > 0) AND (array_lower(positions, 1) = 1) AND (cardinality(streams) = cardinality(positions)) AND (cardinality(revisions) = cardinality(positions)) AND (octet_length(leaves) = (32 * cardinality(positions))))),
  CONSTRAINT sealed_batches_first_index_check CHECK ((first_index >= 0)),
  CONSTRAINT sealed_batches_pkey PRIMARY KEY (first_index),
  CONSTRAINT sealed_batches_int8range_excl EXCLUDE USING gist (int8range(first_index, (first_index + (octet_length(leaves) / 32))) WITH &&)
);
CREATE UNIQUE INDEX sealed_batches_by_position ON public.sealed_batches USING btree ((positions[1]));
-- shipping_ledger: SELECT, INSERT

CREATE TABLE secret_checks (
  name text NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT secret_checks_pkey PRIMARY KEY (name)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE sign_in_codes (
  digest bytea NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  role text NOT NULL,
  challenge bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_codes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT sign_in_codes_organization_id_operator_id_fkey FOREIGN KEY (organization_id, operator_id) REFERENCES operators(organization_id, id),
  CONSTRAINT sign_in_codes_pkey PRIMARY KEY (digest, organization_id)
);
CREATE INDEX sign_in_codes_by_expiry ON public.sign_in_codes USING btree (expires_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE unreadable_labels (
  shipment_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  label_ref text,
  why text NOT NULL,
  noted_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT unreadable_labels_why_check CHECK ((why = ANY (ARRAY['too_complex'::text, 'ended_printer'::text, 'not_a_pdf'::text]))),
  CONSTRAINT unreadable_labels_pkey PRIMARY KEY (shipment_id)
);
CREATE INDEX unreadable_labels_oldest ON public.unreadable_labels USING btree (organization_id, noted_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE unwritable_files (
  file text COLLATE "C" NOT NULL,
  code text NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT unwritable_files_file_check CHECK ((file = ANY (ARRAY['checkpoints'::text, 'erasures'::text]))),
  CONSTRAINT unwritable_files_pkey PRIMARY KEY (file)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE vault (
  ref uuid NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  shipment_id text COLLATE "C" NOT NULL,
  master_key_id text NOT NULL,
  wrapped_key bytea,
  payload bytea,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT vault_pkey PRIMARY KEY (ref)
);
CREATE INDEX vault_by_age ON public.vault USING btree (created_at);
CREATE INDEX vault_by_owner ON public.vault USING btree (shipment_id, organization_id);
-- shipping_ledger: SELECT, INSERT

CREATE TABLE vault_items (
  ref uuid NOT NULL,
  vault_ref uuid NOT NULL,
  payload bytea,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT vault_items_vault_ref_fkey FOREIGN KEY (vault_ref) REFERENCES vault(ref) ON DELETE CASCADE,
  CONSTRAINT vault_items_pkey PRIMARY KEY (ref)
);
CREATE INDEX vault_items_by_vault ON public.vault_items USING btree (vault_ref);
-- shipping_ledger: SELECT, INSERT

CREATE TABLE vault_sweep (
  is_only boolean NOT NULL DEFAULT true,
  swept_to timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  ref uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  CONSTRAINT vault_sweep_is_only_check CHECK (is_only),
  CONSTRAINT vault_sweep_pkey PRIMARY KEY (is_only)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE webhook_deliveries (
  id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  shipment_id text COLLATE "C",
  state text NOT NULL,
  attempts jsonb NOT NULL DEFAULT '[]'::jsonb,
  tries integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone,
  dead_reason text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1,
  at_once boolean NOT NULL DEFAULT false,
  again_at timestamp with time zone,
  CONSTRAINT webhook_deliveries_check CHECK (((state = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text, 'discarded'::text]))),
  CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_event_id_endpoint_id_key UNIQUE (event_id, endpoint_id)
) WITH (fillfactor=70);
CREATE INDEX webhook_deliveries_at_once ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE (at_once AND (state = 'pending'::text));
CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_endpoint ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_ladder ON public.webhook_deliveries USING btree (endpoint_id, COALESCE(again_at, created_at)) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_by_shipment ON public.webhook_deliveries USING btree (shipment_id, created_at DESC, id DESC) WHERE (shipment_id IS NOT NULL);
CREATE INDEX webhook_deliveries_by_state ON public.webhook_deliveries USING btree (organization_id, livemode, state, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_type ON public.webhook_deliveries USING btree (organization_id, livemode, event_type, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_workspace ON public.webhook_deliveries USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_ended ON public.webhook_deliveries USING btree (state) WHERE (state = ANY (ARRAY['dead'::text, 'discarded'::text]));
CREATE INDEX webhook_deliveries_ended_by_endpoint ON public.webhook_deliveries USING btree (endpoint_id, state, created_at DESC, id DESC) WHERE (state = ANY (ARRAY['dead'::text, 'discarded'::text]));
CREATE INDEX webhook_deliveries_ended_by_workspace ON public.webhook_deliveries USING btree (workspace_id, state, created_at DESC, id DESC) WHERE (state = ANY (ARRAY['dead'::text, 'discarded'::text]));
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE webhook_endpoints (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  url text NOT NULL,
  description text,
  event_types text[] NOT NULL,
  status text NOT NULL,
  disabled_reason text,
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_until timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
  CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT webhook_endpoints_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_endpoints_by_age ON public.webhook_endpoints USING btree (organization_id, livemode, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_endpoints_by_status ON public.webhook_endpoints USING btree (organization_id, livemode, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_endpoints_by_workspace ON public.webhook_endpoints USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE TRIGGER endpoint_has_lane AFTER INSERT ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION make_webhook_lane();
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE webhook_events (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  type text COLLATE "C" NOT NULL,
  shipment_id text COLLATE "C",
  body text,
  created_at timestamp with time zone NOT NULL,
  stored_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  is_example boolean NOT NULL DEFAULT false,
  shipment_version integer,
  sequence integer,
  CONSTRAINT webhook_events_body_check CHECK (((body IS NOT NULL) OR ((shipment_id IS NOT NULL) AND (shipment_version IS NOT NULL)))),
  CONSTRAINT webhook_events_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_events_by_age ON public.webhook_events USING btree (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX webhook_events_by_shipment ON public.webhook_events USING btree (shipment_id, created_at DESC, id DESC) WHERE (shipment_id IS NOT NULL);
CREATE INDEX webhook_events_by_storing ON public.webhook_events USING brin (stored_at);
CREATE INDEX webhook_events_by_type ON public.webhook_events USING btree (organization_id, livemode, type, created_at DESC, id DESC) WHERE (type <> 'shipment.created'::text);
CREATE INDEX webhook_events_by_workspace ON public.webhook_events USING btree (workspace_id, created_at DESC, id DESC);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE webhook_lanes (
  endpoint_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  trips integer NOT NULL DEFAULT 0,
  open_until timestamp with time zone,
  failing_since timestamp with time zone,
  served_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  last_success_at timestamp with time zone,
  counted_failures integer NOT NULL DEFAULT 0,
  counted_at timestamp with time zone,
  CONSTRAINT webhook_lanes_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  CONSTRAINT webhook_lanes_pkey PRIMARY KEY (endpoint_id)
) WITH (fillfactor=50);
CREATE INDEX webhook_lanes_by_workspace ON public.webhook_lanes USING btree (workspace_id);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE webhook_leases (
  delivery_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  lease uuid NOT NULL,
  leased_until timestamp with time zone NOT NULL,
  session_pid integer,
  session_started timestamp with time zone,
  CONSTRAINT webhook_leases_pkey PRIMARY KEY (delivery_id)
) WITH (fillfactor=70);
CREATE INDEX webhook_leases_by_endpoint ON public.webhook_leases USING btree (endpoint_id);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE webhook_notices (
  number bigint NOT NULL,
  change text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C",
  livemode boolean NOT NULL,
  type text COLLATE "C" NOT NULL,
  resource jsonb NOT NULL,
  object jsonb NOT NULL,
  previous jsonb,
  request_id text,
  at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_notices_pkey PRIMARY KEY (number)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE webhook_statistics (
  endpoint_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  at timestamp with time zone NOT NULL,
  is_hour boolean NOT NULL,
  counts jsonb NOT NULL,
  CONSTRAINT webhook_statistics_pkey PRIMARY KEY (endpoint_id, at, is_hour)
) WITH (fillfactor=80);
CREATE INDEX webhook_statistics_by_organization ON public.webhook_statistics USING btree (organization_id, livemode, at);
CREATE INDEX webhook_statistics_by_time ON public.webhook_statistics USING btree (at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE workspace_hold_notes (
  ref uuid NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  note bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT workspace_hold_notes_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  CONSTRAINT workspace_hold_notes_pkey PRIMARY KEY (ref)
);
-- shipping_ledger: SELECT, INSERT

CREATE TABLE workspaces (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  name text NOT NULL,
  external_reference text NOT NULL,
  personal_data_retention_days integer,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version integer NOT NULL DEFAULT 1,
  legal_hold_since timestamp with time zone,
  tracking_page_enabled boolean NOT NULL DEFAULT true,
  tracking_page_shop_name text,
  tracking_page_support_url text,
  tracking_page_accent text,
  label_format jsonb,
  CONSTRAINT workspaces_personal_data_retention_days_check CHECK (((personal_data_retention_days >= 1) AND (personal_data_retention_days <= 3650))),
  CONSTRAINT workspaces_tracking_page_accent_check CHECK ((tracking_page_accent ~ '^#[0-9a-f]{6}$'::text)),
  CONSTRAINT workspaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT workspaces_organization_id_livemode_external_reference_key UNIQUE (organization_id, livemode, external_reference)
);
CREATE INDEX workspaces_by_age ON public.workspaces USING btree (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX workspaces_held ON public.workspaces USING btree (legal_hold_since, id) WHERE (legal_hold_since IS NOT NULL);
CREATE INDEX workspaces_with_retention ON public.workspaces USING btree (id) WHERE (personal_data_retention_days IS NOT NULL);
CREATE TRIGGER workspace_has_clock AFTER INSERT ON public.workspaces FOR EACH ROW WHEN ((NOT new.livemode)) EXECUTE FUNCTION make_sandbox_clock();
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE OR REPLACE FUNCTION public.make_sandbox_clock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO sandbox_clocks (workspace_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION public.make_webhook_lane()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO webhook_lanes (endpoint_id, organization_id, workspace_id, livemode)
  VALUES (NEW.id, NEW.organization_id, NEW.workspace_id, NEW.livemode);
  RETURN NULL;
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION public.quota_note_thresholds(p_organizations text[], p_livemodes boolean[], p_months date[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION public.quota_reserve(p_shipments text[], p_organizations text[], p_livemodes boolean[], p_versions integer[])
 RETURNS TABLE(shipment_id text, answer text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION public.quota_settle(p_shipments text[], p_versions integer[], p_held boolean[], p_seen_at timestamp with time zone[])
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION public.webhook_claim(p_lease uuid, p_lease_ms integer, p_lanes integer, p_lane_max integer, p_organization_max integer, p_breaker_failures integer, p_busy_organizations text[], p_busy integer[])
 RETURNS TABLE(id text, event_id text, event_type text, endpoint_id text, organization_id text, workspace_id text, livemode boolean, tries integer, attempts_made integer, at_once boolean, ladder_began_at timestamp with time zone, body text, url text, secret bytea, previous_secret bytea, clock_offset_ms bigint)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
END $function$;
-- shipping_ledger: EXECUTE

CREATE OR REPLACE FUNCTION public.webhook_waiting_endpoints()
 RETURNS TABLE(endpoint_id text)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
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
$function$;
-- shipping_ledger: EXECUTE

CREATE SCHEMA projections;
-- shipping_ledger: USAGE, CREATE
