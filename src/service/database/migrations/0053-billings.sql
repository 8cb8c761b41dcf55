-- Several lines for one guide in an invoice are its charges and are compared together: the last of them, how
-- many there are, and their sum unless their currencies differ. Null if the line is the only one.
ALTER TABLE courier_invoice_lines ADD COLUMN billing jsonb;
-- The lines of a guide in one invoice, and those of earlier invoices, each in their order.
DROP INDEX courier_invoice_lines_by_guide;
CREATE INDEX courier_invoice_lines_by_guide
  ON courier_invoice_lines (courier_connection_id, guide_number, billed_at, line);
