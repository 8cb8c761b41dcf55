-- What nobody is sent keeps no text: it is rendered from the shipment's stream, up to this version, when
-- somebody reads it. What is delivered keeps the bytes that are sent.
ALTER TABLE webhook_events
  ALTER COLUMN body DROP NOT NULL,
  -- Of the shipment; null = the body is here.
  ADD COLUMN shipment_version int,
  -- Counts a shipment's events; null = it is in the body, or there is none.
  ADD COLUMN sequence int,
  ADD CONSTRAINT webhook_events_body_check
    CHECK (body IS NOT NULL OR (shipment_id IS NOT NULL AND shipment_version IS NOT NULL));

-- Rows come in the order of this time: where the old ones are is all that is to be known.
DROP INDEX webhook_events_by_storing;
CREATE INDEX webhook_events_by_storing ON webhook_events USING brin (stored_at);
-- What most events are is found by age.
DROP INDEX webhook_events_by_type;
CREATE INDEX webhook_events_by_type ON webhook_events
  (organization_id, livemode, type, created_at DESC, id DESC) WHERE type <> 'shipment.created';
