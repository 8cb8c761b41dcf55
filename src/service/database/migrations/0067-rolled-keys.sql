-- A key that was rolled names the next one, and ends when its time beside that one is over.
ALTER TABLE api_keys ADD COLUMN replaced_by_key_id text COLLATE "C";
