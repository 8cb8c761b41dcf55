-- With any filter, lists of webhooks read only as many rows as they show.
CREATE INDEX webhook_endpoints_by_status
  ON webhook_endpoints (organization_id, livemode, status, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX webhook_deliveries_by_workspace
  ON webhook_deliveries (workspace_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_type
  ON webhook_deliveries (organization_id, livemode, event_type, created_at DESC, id DESC);
-- Deliveries that ended without success are rare, and are listed by endpoint and by workspace.
CREATE INDEX webhook_deliveries_ended_by_endpoint
  ON webhook_deliveries (endpoint_id, state, created_at DESC, id DESC)
  WHERE state IN ('dead', 'discarded');
CREATE INDEX webhook_deliveries_ended_by_workspace
  ON webhook_deliveries (workspace_id, state, created_at DESC, id DESC)
  WHERE state IN ('dead', 'discarded');

-- An example sent to one endpoint on request. No other endpoint gets it, and it is not recovered.
ALTER TABLE webhook_events ADD COLUMN is_example boolean NOT NULL DEFAULT false;
