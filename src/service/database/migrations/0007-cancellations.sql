-- A cancellation registers under its operation: its shipment's stream is there before it.
ALTER TABLE sandbox_attempts ADD COLUMN operation_id text COLLATE "C";
