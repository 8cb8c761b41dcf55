-- A cancellation registers under its operation, because its shipment's stream already exists.
ALTER TABLE sandbox_attempts ADD COLUMN operation_id text COLLATE "C";
