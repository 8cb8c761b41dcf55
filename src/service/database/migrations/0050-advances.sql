-- The progress of a sandbox clock's advance, and what it could not do. `advanced_to` is the target of the
-- running advance or else of the last one; null for clocks not advanced since this migration.
ALTER TABLE sandbox_clocks
  ADD COLUMN advanced_to timestamptz,
  ADD COLUMN steps_done bigint NOT NULL DEFAULT 0,
  -- [{shipment_id, what, reason}], a bounded number of them, and how many more there are.
  ADD COLUMN skipped jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN skipped_more bigint NOT NULL DEFAULT 0;
