-- A legal hold on a workspace: while it is in force, none of its shipments is erased.
ALTER TABLE workspaces ADD COLUMN legal_hold_since timestamptz;
CREATE INDEX workspaces_held ON workspaces (legal_hold_since, id) WHERE legal_hold_since IS NOT NULL;

-- Why a hold was placed or lifted, encrypted. The audit event refers to the row.
CREATE TABLE workspace_hold_notes (
  ref              uuid PRIMARY KEY,
  organization_id  text COLLATE "C" NOT NULL,
  workspace_id     text COLLATE "C" NOT NULL,
  note             bytea NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id)
);
