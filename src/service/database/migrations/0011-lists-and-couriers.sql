-- Lists read as many rows as they show, whatever they are filtered by: the columns that the filter
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

-- Forgotten by age, in batches.
CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);

-- The couriers registered for live use, each behind a server of the connector protocol.
CREATE TABLE couriers (
  provider_code  text COLLATE "C" PRIMARY KEY CHECK (provider_code <> 'mock'),
  display_name   text NOT NULL,
  base_url       text NOT NULL,
  -- What the connector wants as bearer token, sealed to this code; null = it wants none.
  token          bytea,
  -- What the connector said of itself when it was registered.
  capabilities   jsonb NOT NULL,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  version        int NOT NULL DEFAULT 1
);
