import { exampleReference, exampleShipment, exampleShipmentRequest } from './examples.ts'

const shipped = exampleShipmentRequest(exampleReference)
/** The value of every id in an example. */
const value = exampleShipment.id.slice('shp_'.length)

const none = { lines: 0, amount: 0, at_stake: 0 }
const half = { lines: 1, amount: 1550, at_stake: 100 }
const kind = 'charge' as const
const differing = { kind, currency: 'PEN', lines: 2, amount: 3100, at_stake: 200, accepted: none }

export const exampleInvoice = {
  id: `inv_${value}`,
  object: 'courier_invoice' as const,
  livemode: false,
  workspace_id: shipped.workspace_id,
  courier_connection_id: shipped.courier_connection_id,
  reference: 'F001-000123',
  period: { from: '2026-02-01', to: '2026-02-28' },
  version: 1,
  status: 'compared' as const,
  total: 200,
  invalid_lines: 0,
  compared_lines: 200,
  totals: [
    { finding: 'amount_differs' as const, ...differing, to_check: half, disputed: half },
    {
      kind,
      finding: 'matched' as const,
      currency: 'PEN',
      lines: 198,
      amount: 287100,
      at_stake: 0,
      to_check: none,
      disputed: none,
      accepted: none,
    },
  ],
  amounts: [{ ...differing, lines: 200, amount: 290200, to_check: half, disputed: half }],
  decisions: { accepted: 0, disputed: 1, outdated: 0, matched: 0, to_check: 1 },
  ledger_position: '000000000000004711',
  compared_at: '2026-03-01T12:00:03.000Z',
  withdrawn_at: null,
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:05:00.000Z',
}

export const exampleInvoiceLineDecision = {
  decision: 'disputed',
  note: 'The price was quoted at 14.50.',
} as const

export const exampleInvoiceLine = {
  object: 'courier_invoice_line' as const,
  line: 1,
  kind,
  guide_number: '100000000001',
  amount: 1550,
  currency: 'PEN',
  weight_kg: 0.8,
  date: '2026-02-27',
  client_reference: `shp_${value}`,
  finding: 'amount_differs' as const,
  shipment_id: `shp_${value}`,
  shipment_version: 6,
  expected: { amount: 1450, currency: 'PEN', weight_kg: 0.8 },
  at_stake: 100,
  billed_before: null,
  billing: null,
  decision: {
    ...exampleInvoiceLineDecision,
    finding: 'amount_differs' as const,
    operator_id: `opr_${value}`,
    decided_by: 'Ana Torres',
    at: '2026-03-01T12:05:00.000Z',
  },
}

export const exampleBilledLine = {
  ...exampleInvoiceLine,
  courier_invoice_id: exampleInvoice.id,
  reference: exampleInvoice.reference,
  version: 1,
}

export const exampleFetchRequest = {
  courier_connection_id: shipped.courier_connection_id,
  month: '2026-02',
}

export const exampleInvoiceRequest = {
  courier_connection_id: shipped.courier_connection_id,
  reference: exampleInvoice.reference,
  period: exampleInvoice.period,
  lines: [
    {
      guide_number: exampleInvoiceLine.guide_number,
      amount: exampleInvoiceLine.amount,
      currency: exampleInvoiceLine.currency,
      weight_kg: exampleInvoiceLine.weight_kg,
      date: exampleInvoiceLine.date,
      client_reference: exampleInvoiceLine.client_reference,
    },
  ],
}
