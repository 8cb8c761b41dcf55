-- What a line bills too much, computed from its finding: the whole bill of a guide that should not be billed,
-- or the excess over the expected price. The bill is the sum of all charges of the guide, on the last of its
-- lines. Null if the finding names no amount.
ALTER TABLE courier_invoice_lines ADD COLUMN at_stake bigint GENERATED ALWAYS AS (
  CASE
    WHEN finding IN ('billed_twice', 'cancelled_guide', 'nothing_created', 'unknown_guide')
      THEN CASE WHEN (billing ->> 'line')::int = line THEN (billing ->> 'amount')::bigint ELSE amount END
    WHEN finding = 'amount_differs' AND expected ->> 'currency' = currency
      THEN nullif(greatest(0,
        CASE WHEN (billing ->> 'line')::int = line THEN (billing ->> 'amount')::bigint ELSE amount END
          - (expected ->> 'amount')::bigint), 0)
  END
) STORED;

-- The sums of decided lines are read with each invoice, and from the index alone.
DROP INDEX courier_invoice_lines_decided;
CREATE INDEX courier_invoice_lines_decided ON courier_invoice_lines (invoice_id, version, decision)
  INCLUDE (finding, decided_finding, currency, amount, at_stake) WHERE decision IS NOT NULL;
CREATE INDEX courier_invoice_lines_differing ON courier_invoice_lines (invoice_id, version, line)
  WHERE finding NOT IN ('matched', 'part_of');
CREATE INDEX courier_invoice_lines_of_shipment ON courier_invoice_lines (shipment_id, billed_at, line)
  WHERE shipment_id IS NOT NULL;

-- The totals of the newest versions get the amount at stake.
UPDATE courier_invoice_versions v SET totals = counted.totals
FROM (
  SELECT each.invoice_id, each.version,
    jsonb_agg(to_jsonb(each) - 'invoice_id' - 'version' ORDER BY each.finding, each.currency) AS totals
  FROM (
    SELECT l.invoice_id, l.version, l.finding, l.currency, count(*) AS lines, sum(l.amount) AS amount,
      coalesce(sum(l.at_stake), 0) AS at_stake
    FROM courier_invoice_lines l
    JOIN courier_invoices i ON i.id = l.invoice_id AND i.version = l.version
    WHERE l.finding IS NOT NULL
    GROUP BY l.invoice_id, l.version, l.finding, l.currency
  ) each
  GROUP BY each.invoice_id, each.version
) counted
WHERE v.invoice_id = counted.invoice_id AND v.version = counted.version AND v.totals <> '[]';
