-- Events that are sent to no endpoint store no text: they are rendered from the shipment's stream, up to
-- this version, when they are read. Delivered events store the bytes that are sent.
ALTER TABLE webhook_events
  ALTER COLUMN body DROP NOT NULL,
  -- The shipment's version; null if the body is stored.
  ADD COLUMN shipment_version int,
  -- Counts a shipment's events; null if it is in the body or the event is about no shipment.
  ADD COLUMN sequence int,
  ADD CONSTRAINT webhook_events_body_check
    CHECK (body IS NOT NULL OR (shipment_id IS NOT NULL AND shipment_version IS NOT NULL));

-- Rows are inserted in the order of this time, so a small index is enough to find the old ones.
DROP INDEX webhook_events_by_storing;
CREATE INDEX webhook_events_by_storing ON webhook_events USING brin (stored_at);
-- The most common types are found by age.
DROP INDEX webhook_events_by_type;
CREATE INDEX webhook_events_by_type ON webhook_events
  (organization_id, livemode, type, created_at DESC, id DESC) WHERE type <> 'shipment.created';
