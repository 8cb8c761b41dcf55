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
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
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

CREATE SCHEMA public;
-- shipping_ledger: USAGE

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
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT api_keys_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_digest_key UNIQUE (digest)
);
CREATE INDEX api_keys_by_age ON public.api_keys USING btree (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX api_keys_by_organization ON public.api_keys USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX api_keys_by_workspace ON public.api_keys USING btree (workspace_id, created_at DESC, id DESC) WHERE (workspace_id IS NOT NULL);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE claims (
  work text COLLATE "C" NOT NULL,
  owner uuid,
  leased_until timestamp with time zone NOT NULL,
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
  CONSTRAINT courier_connections_pkey PRIMARY KEY (id)
);
CREATE INDEX courier_connections_by_age ON public.courier_connections USING btree (organization_id, livemode, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX courier_connections_by_provider ON public.courier_connections USING btree (organization_id, livemode, provider_code, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX courier_connections_by_status ON public.courier_connections USING btree (organization_id, livemode, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX courier_connections_by_workspace ON public.courier_connections USING btree (workspace_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
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

CREATE TABLE event_store_binding (
  is_only boolean NOT NULL DEFAULT true,
  kind text NOT NULL,
  namespace text NOT NULL,
  CONSTRAINT event_store_binding_is_only_check CHECK (is_only),
  CONSTRAINT event_store_binding_pkey PRIMARY KEY (is_only)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

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

CREATE TABLE label_requests (
  shipment_id text COLLATE "C" NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  next_at timestamp with time zone,
  CONSTRAINT label_requests_pkey PRIMARY KEY (shipment_id)
) WITH (fillfactor=70);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE organizations (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT organizations_type_check CHECK ((type = ANY (ARRAY['external'::text, 'internal'::text, 'platform'::text]))),
  CONSTRAINT organizations_pkey PRIMARY KEY (id)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE polls (
  shipment_id text COLLATE "C" NOT NULL,
  last_checked_at timestamp with time zone,
  next_check_at timestamp with time zone NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  CONSTRAINT polls_pkey PRIMARY KEY (shipment_id)
) WITH (fillfactor=70);
CREATE INDEX polls_by_time ON public.polls USING btree (next_check_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE projections (
  name text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  version integer NOT NULL,
  position text COLLATE "C",
  active boolean NOT NULL,
  stopped_by text,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT projections_pkey PRIMARY KEY (name, generation)
) WITH (fillfactor=50);
CREATE UNIQUE INDEX projections_active ON public.projections USING btree (name) WHERE active;
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE quotes (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  courier_connection_id text COLLATE "C" NOT NULL,
  request jsonb NOT NULL,
  rates jsonb NOT NULL,
  errors jsonb NOT NULL,
  sandbox_scenario text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  stored_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT quotes_courier_connection_id_fkey FOREIGN KEY (courier_connection_id) REFERENCES courier_connections(id),
  CONSTRAINT quotes_organization_id_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces(organization_id, id),
  CONSTRAINT quotes_pkey PRIMARY KEY (id)
);
CREATE INDEX quotes_by_age ON public.quotes USING btree (stored_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE sandbox_attempts (
  shipment_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  registered_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT sandbox_attempts_pkey PRIMARY KEY (shipment_id, registered_at)
);
CREATE INDEX sandbox_attempts_by_workspace ON public.sandbox_attempts USING btree (workspace_id, registered_at);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE sandbox_clocks (
  workspace_id text COLLATE "C" NOT NULL,
  offset_ms bigint NOT NULL DEFAULT 0,
  advancing_to timestamp with time zone,
  advancing_since timestamp with time zone,
  CONSTRAINT sandbox_clocks_offset_ms_check CHECK ((offset_ms >= 0)),
  CONSTRAINT sandbox_clocks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  CONSTRAINT sandbox_clocks_pkey PRIMARY KEY (workspace_id)
);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE secret_checks (
  name text NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT secret_checks_pkey PRIMARY KEY (name)
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
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

CREATE TABLE vault_items (
  ref uuid NOT NULL,
  vault_ref uuid NOT NULL,
  payload bytea,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT vault_items_vault_ref_fkey FOREIGN KEY (vault_ref) REFERENCES vault(ref) ON DELETE CASCADE,
  CONSTRAINT vault_items_pkey PRIMARY KEY (ref)
);
CREATE INDEX vault_items_by_vault ON public.vault_items USING btree (vault_ref);
-- shipping_ledger: SELECT, INSERT, UPDATE, DELETE

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
  CONSTRAINT workspaces_personal_data_retention_days_check CHECK (((personal_data_retention_days >= 1) AND (personal_data_retention_days <= 3650))),
  CONSTRAINT workspaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT workspaces_organization_id_livemode_external_reference_key UNIQUE (organization_id, livemode, external_reference)
);
CREATE INDEX workspaces_by_age ON public.workspaces USING btree (organization_id, livemode, created_at DESC, id DESC);
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

CREATE SCHEMA projections;
-- shipping_ledger: USAGE, CREATE
