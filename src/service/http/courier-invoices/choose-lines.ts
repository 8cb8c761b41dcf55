import { Problem } from '../../errors.ts'
import type { ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import type { InvoiceDeps } from './find-invoice.ts'
import {
  type ApiInvoiceLine,
  invoiceLinesToApi,
  type LineRow,
  readLineRows,
} from './invoice-lines-to-api.ts'
import type { chosenBy } from './line-filters.ts'

/** Bundles of evidence in one file: each takes half a second to make on a busy machine. */
export const bundlesMax = 50
/** As many as a person looks through. */
export const linesMax = 1_000
/** Lines that are read and opened in one go: a few milliseconds. */
const readTogether = 250

export type ChosenLines = {
  readonly version: number
  readonly lines: readonly ApiInvoiceLine[]
  /** In the order of their first lines. */
  readonly shipmentIds: readonly string[]
}

/**
 * The lines for a file of evidence. Throws a Problem: `invalid_filter` if there are none,
 * `evidence_too_large`, which says where to split them, and `invoice_comparing`.
 */
export async function chooseLines(
  deps: InvoiceDeps,
  invoice: ReadInvoice,
  { version, where }: ReturnType<typeof chosenBy>,
  { shipmentsMax }: { readonly shipmentsMax: number },
): Promise<ChosenLines> {
  const shipmentIds = new Set<string>()
  const lines: ApiInvoiceLine[] = []
  for (let after = 0; ; ) {
    const rows = await readLineRows(deps, invoice, { version, after, limit: readTogether, where })
    for (const [at, { line, finding, shipment_id: id }] of rows.entries()) {
      if (finding === null && version === invoice.version && invoice.state === 'comparing') {
        throw new Problem('invoice_comparing', { retryAfterSeconds: 1 })
      }
      if (id !== null) shipmentIds.add(id)
      const isTooMuch = shipmentIds.size > shipmentsMax || lines.length + at >= linesMax
      if (isTooMuch) throw tooMany(lines.length + at < linesMax ? shipmentsMax : null, line)
    }
    lines.push(...(await invoiceLinesToApi(deps, invoice, rows)))
    const end = rows.at(-1)
    if (end === undefined) break
    after = end.line
  }
  if (lines.length === 0) {
    const detail = 'No line of the invoice matches.'
    throw new Problem('invalid_filter', { detail })
  }
  return { version, lines, shipmentIds: [...shipmentIds] }
}

/** `shipmentsMax` is null if there are too many lines. */
function tooMany(shipmentsMax: number | null, line: LineRow['line']): Problem {
  const found =
    shipmentsMax === null
      ? `There are more than ${linesMax.toLocaleString('en')} lines.`
      : `The lines are about more than ${shipmentsMax} shipments.`
  return divided(found, line)
}

/** The problem that the lines are too much for one file. The lines before this one fit. */
export function divided(found: string, line: number): Problem {
  return new Problem('evidence_too_large', {
    detail: `${found} Ask with last_line=${line - 1}, and then with first_line=${line}.`,
  })
}
