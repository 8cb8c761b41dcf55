-- The database enforces that what belongs to a workspace belongs to that workspace's organization.
ALTER TABLE webhook_endpoints
  DROP CONSTRAINT webhook_endpoints_workspace_id_fkey,
  ADD FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id);

-- A quote uses a connection of its own workspace.
ALTER TABLE courier_connections ADD UNIQUE (workspace_id, id);
ALTER TABLE quotes
  DROP CONSTRAINT quotes_courier_connection_id_fkey,
  ADD FOREIGN KEY (workspace_id, courier_connection_id)
    REFERENCES courier_connections (workspace_id, id);
