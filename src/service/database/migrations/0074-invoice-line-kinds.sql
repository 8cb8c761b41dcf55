-- What a line is about: a charge, or cash on delivery that the courier pays out.
ALTER TABLE courier_invoice_lines ADD COLUMN kind text NOT NULL DEFAULT 'charge'
  CHECK (kind IN ('charge', 'cash_on_delivery'));

-- What a line bills too much or, of cash on delivery, pays out too little. Dropping the column drops its index.
ALTER TABLE courier_invoice_lines DROP COLUMN at_stake;
ALTER TABLE courier_invoice_lines ADD COLUMN at_stake bigint GENERATED ALWAYS AS (
  CASE
    WHEN kind = 'charge' AND finding IN ('billed_twice', 'cancelled_guide', 'nothing_created', 'unknown_guide')
      THEN CASE WHEN (billing ->> 'line')::int = line THEN (billing ->> 'amount')::bigint ELSE amount END
    WHEN finding = 'amount_differs' AND expected ->> 'currency' = currency
      THEN nullif(greatest(0,
        (CASE WHEN (billing ->> 'line')::int = line THEN (billing ->> 'amount')::bigint ELSE amount END
          - (expected ->> 'amount')::bigint) * CASE kind WHEN 'charge' THEN 1 ELSE -1 END), 0)
  END
) STORED;
CREATE INDEX courier_invoice_lines_decided ON courier_invoice_lines (invoice_id, version, decision)
  INCLUDE (kind, finding, decided_finding, currency, amount, at_stake) WHERE decision IS NOT NULL;
