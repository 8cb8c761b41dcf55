-- Several lines of one guide in an invoice are charges of it, and are compared together: the last
-- of them, how many they are, and their sum unless their currencies differ. Null: the line is alone.
ALTER TABLE courier_invoice_lines ADD COLUMN billing jsonb;
-- The lines of a guide in one invoice, and those of the invoices before, each in their order.
DROP INDEX courier_invoice_lines_by_guide;
CREATE INDEX courier_invoice_lines_by_guide
  ON courier_invoice_lines (courier_connection_id, guide_number, billed_at, line);
