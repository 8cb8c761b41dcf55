import { csvText } from '../../sheets/csv-text.ts'
import type { ApiInvoiceLine } from './invoice-lines-to-api.ts'

type Cell = string | number | null

const cells = {
  line: (line) => line.line,
  guide_number: (line) => line.guide_number,
  amount: (line) => line.amount,
  currency: (line) => line.currency,
  weight_kg: (line) => line.weight_kg,
  date: (line) => line.date,
  client_reference: (line) => line.client_reference,
  finding: (line) => line.finding,
  shipment_id: (line) => line.shipment_id,
  shipment_version: (line) => line.shipment_version,
  expected_amount: ({ expected }) => expected?.amount ?? null,
  expected_currency: ({ expected }) => expected?.currency ?? null,
  expected_weight_kg: ({ expected }) => expected?.weight_kg ?? null,
  billed_before_invoice_id: (line) => line.billed_before?.courier_invoice_id ?? null,
  billed_before_version: (line) => line.billed_before?.version ?? null,
  billed_before_line: (line) => line.billed_before?.line ?? null,
  billing_line: ({ billing }) => billing?.line ?? null,
  billing_amount: ({ billing }) => billing?.amount ?? null,
  decision: ({ decision }) => decision?.decision ?? null,
  decided_by: ({ decision }) => decision?.decided_by ?? null,
  decided_at: ({ decision }) => decision?.at ?? null,
  note: ({ decision }) => decision?.note ?? null,
  at_stake: (line) => line.at_stake,
  kind: (line) => line.kind,
} as const satisfies Record<string, (line: ApiInvoiceLine) => Cell>

/** The byte-order mark makes spreadsheets read UTF-8. */
export const lineCsvHeader = `\ufeff${csvText([Object.keys(cells)])}`

/** Lines as rows under the header. */
export function lineCsv(lines: readonly ApiInvoiceLine[]): string {
  return csvText(lines.map((line) => Object.values(cells).map((cell) => cell(line))))
}
