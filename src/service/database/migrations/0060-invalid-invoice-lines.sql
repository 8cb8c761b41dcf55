-- Lines of an invoice that were skipped because they are wrong (`skip_invalid`). They bill nothing and are never
-- compared, so they are not in courier_invoice_lines.
CREATE TABLE courier_invoice_invalid_lines (
  invoice_id             text COLLATE "C" NOT NULL,
  version                int NOT NULL,
  line                   int NOT NULL,
  organization_id        text COLLATE "C" NOT NULL,
  courier_connection_id  text COLLATE "C" NOT NULL,
  -- Null if it cannot be read either.
  guide_number           text COLLATE "C",
  -- The text of the line and its errors, encrypted with the invoice's data key; null once they are deleted.
  content                bytea,
  PRIMARY KEY (invoice_id, version, line),
  FOREIGN KEY (invoice_id, version) REFERENCES courier_invoice_versions (invoice_id, version)
    ON DELETE CASCADE
);
CREATE INDEX courier_invoice_invalid_lines_by_guide
  ON courier_invoice_invalid_lines (courier_connection_id, guide_number)
  WHERE guide_number IS NOT NULL AND content IS NOT NULL;

-- How many such lines a version has.
ALTER TABLE courier_invoice_versions ADD COLUMN invalid int NOT NULL DEFAULT 0;
