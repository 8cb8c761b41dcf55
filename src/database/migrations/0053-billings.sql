-- Several lines of one guide in an invoice are charges of it, and are compared together: the last
-- of them, how many they are, and their sum unless their currencies differ. Null: the line is alone.
ALTER TABLE courier_invoice_lines ADD COLUMN billing jsonb;
