-- With any filter, lists read only as many rows as they show: the index has the columns that the filter
-- fixes, then the list's order.
CREATE INDEX api_keys_by_age ON api_keys (organization_id, livemode, created_at DESC, id DESC);
CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id, created_at DESC, id DESC)
  WHERE workspace_id IS NOT NULL;

DROP INDEX courier_connections_by_age;
CREATE INDEX courier_connections_by_age
  ON courier_connections (organization_id, livemode, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX courier_connections_by_workspace
  ON courier_connections (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX courier_connections_by_provider
  ON courier_connections (organization_id, livemode, provider_code, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX courier_connections_by_status
  ON courier_connections (organization_id, livemode, status, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;

-- Deleted by age, in batches.
CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);

-- The couriers registered for live use, each behind a server of the connector protocol.
CREATE TABLE couriers (
  provider_code  text COLLATE "C" PRIMARY KEY CHECK (provider_code <> 'mock'),
  display_name   text NOT NULL,
  base_url       text NOT NULL,
  -- The connector's bearer token, encrypted for this code; null if it needs none.
  token          bytea,
  -- What the connector reported about itself when it was registered.
  capabilities   jsonb NOT NULL,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  version        int NOT NULL DEFAULT 1
);
