-- Who created a key: the key that was used, and its operator or the one whom a command names. Null: neither.
ALTER TABLE api_keys
  ADD COLUMN created_by_key_id text COLLATE "C",
  ADD COLUMN created_by_operator_id text COLLATE "C";
CREATE INDEX api_keys_by_creator ON api_keys (created_by_operator_id)
  WHERE created_by_operator_id IS NOT NULL;
CREATE INDEX api_keys_by_creating_key ON api_keys (created_by_key_id)
  WHERE created_by_key_id IS NOT NULL;

-- The audit has named it all along. An operator need not be of the same organization.
DO $$
BEGIN
  IF to_regclass('projections.audit_events') IS NOT NULL THEN
    UPDATE api_keys k
    SET created_by_key_id = a.key_id, created_by_operator_id = a.operator_id
    FROM projections.audit_events a
    WHERE a.organization_id = k.organization_id AND a.resource_id = k.id
      AND a.action = 'ApiKeyCreated';
  END IF;
END $$;
