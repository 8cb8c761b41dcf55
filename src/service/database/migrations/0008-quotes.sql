-- Prices that a courier quoted for a route and a package. Rows, not events: a creation that is bound to
-- one stores its price in its own stream.
CREATE TABLE quotes (
  id                     text COLLATE "C" PRIMARY KEY,
  organization_id        text COLLATE "C" NOT NULL,
  workspace_id           text COLLATE "C" NOT NULL,
  livemode               boolean NOT NULL,
  courier_connection_id  text COLLATE "C" NOT NULL REFERENCES courier_connections,
  -- What a creation must repeat: agencies, package and service. Nothing personal.
  request                jsonb NOT NULL,
  rates                  jsonb NOT NULL,
  errors                 jsonb NOT NULL,
  sandbox_scenario       text,
  -- Both on the workspace's clock.
  created_at             timestamptz NOT NULL,
  expires_at             timestamptz NOT NULL,
  -- Real time, by which old rows are deleted.
  stored_at              timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id)
);
CREATE INDEX quotes_by_age ON quotes (stored_at);
