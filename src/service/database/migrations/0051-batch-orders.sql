-- The order that a line ships: a digest of its workspace, mode and reference, equal for all spellings. Null for
-- lines stored before this migration, until they begin.
ALTER TABLE batch_lines ADD COLUMN order_key text COLLATE "C";
CREATE INDEX batch_lines_by_order ON batch_lines (order_key) WHERE state IN ('waiting', 'begun');
CREATE INDEX batch_lines_by_shipment ON batch_lines (shipment_id) WHERE shipment_id IS NOT NULL;

-- The last shipment that batch lines created, or are creating, for an order. Lines of the same order lock its row
-- when they begin, so they begin one after the other.
CREATE TABLE batch_orders (
  order_key        text COLLATE "C" PRIMARY KEY,
  organization_id  text COLLATE "C" NOT NULL,
  batch_id         text COLLATE "C" NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
  shipment_id      text COLLATE "C" NOT NULL
);
CREATE INDEX batch_orders_of_batch ON batch_orders (batch_id);
