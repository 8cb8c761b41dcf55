-- The breaker opens after failures that are spread over time: those within one second count once.
ALTER TABLE webhook_lanes
  ADD COLUMN counted_failures int NOT NULL DEFAULT 0,
  -- When the last failure was counted.
  ADD COLUMN counted_at timestamptz;
UPDATE webhook_lanes SET counted_failures = failures WHERE failures > 0;
