-- The status `withdrawn`: an invoice was imported by mistake, and its lines bill nothing.
ALTER TABLE courier_invoices ADD COLUMN withdrawn_at timestamptz;
