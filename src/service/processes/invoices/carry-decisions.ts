import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { yieldToEventLoop } from '../../couriers/slices.ts'
import type { InvoiceLineSealer } from '../../security/encryption/own-key.ts'
import { contentOf, type NewInvoiceLine, openDetails, openNote } from './stored-invoice-line.ts'

/** Decided lines read or written by one statement. */
const carriedTogether = 500

type DecidedLine = {
  readonly line: number
  readonly guide_number: string
  readonly amount: string
  readonly currency: string
  readonly details: Buffer | null
  readonly note: Buffer | null
}

type CarriedTo = {
  readonly invoiceId: string
  readonly version: number
  readonly lines: readonly NewInvoiceLine[]
}

/**
 * Copies decisions from the previous version to lines that the new version has too, each to one
 * line. Call it in the transaction that stores the version.
 */
export async function carryDecisions(
  tx: Kysely<Tables>,
  sealer: InvoiceLineSealer,
  { invoiceId, version, lines }: CarriedTo,
): Promise<void> {
  let places: Map<string, number[]> | null = null
  for (let after = 0; ; ) {
    const { rows } = await sql<DecidedLine>`
      SELECT line, guide_number, amount, currency, details, note FROM courier_invoice_lines
      WHERE invoice_id = ${invoiceId} AND version = ${version - 1} AND decision IS NOT NULL
        AND line > ${after}
      ORDER BY line LIMIT ${carriedTogether}`.execute(tx)
    const last = rows.at(-1)
    if (last === undefined) return
    places ??= await placesOf(lines)
    await carry(tx, sealer, { invoiceId, version }, kept(sealer, version, { rows, places }))
    after = last.line
  }
}

/** The lines of the new version by content, the first line last. */
async function placesOf(lines: readonly NewInvoiceLine[]): Promise<Map<string, number[]>> {
  const places = new Map<string, number[]>()
  for (const [index, line] of lines.toReversed().entries()) {
    if (index % carriedTogether === 0) await yieldToEventLoop()
    const content = contentOf(line)
    const same = places.get(content)
    if (same === undefined) places.set(content, [line.line])
    else same.push(line.line)
  }
  return places
}

type KeptDecision = { readonly row: DecidedLine; readonly to: number }

function kept(
  sealer: InvoiceLineSealer,
  version: number,
  {
    rows,
    places,
  }: { readonly rows: readonly DecidedLine[]; readonly places: Map<string, number[]> },
): readonly KeptDecision[] {
  return rows.flatMap((row) => {
    const details = openDetails(sealer, { ...row, version: version - 1 })
    const { guide_number: guideNumber, currency } = row
    const content = contentOf({ ...details, guideNumber, amount: Number(row.amount), currency })
    const to = places.get(content)?.pop()
    return to === undefined ? [] : [{ row, to }]
  })
}

async function carry(
  tx: Kysely<Tables>,
  sealer: InvoiceLineSealer,
  { invoiceId, version }: Pick<CarriedTo, 'invoiceId' | 'version'>,
  decisions: readonly KeptDecision[],
): Promise<void> {
  const notes = decisions.map(({ row, to }) => {
    const note = openNote(sealer, { ...row, version: version - 1 })
    return note === null ? null : sealer.seal({ version, line: to, what: 'note' }, { ...note })
  })
  await sql`
    UPDATE courier_invoice_lines l SET decision = b.decision, decided_finding = b.decided_finding,
      decided_at = b.decided_at, operator_id = b.operator_id, note = kept.note
    FROM unnest(${decisions.map(({ row }) => row.line)}::int[],
        ${decisions.map(({ to }) => to)}::int[], ${notes}::bytea[]) AS kept (before, line, note)
    JOIN courier_invoice_lines b ON b.invoice_id = ${invoiceId} AND b.version = ${version - 1}
      AND b.line = kept.before
    WHERE l.invoice_id = ${invoiceId} AND l.version = ${version} AND l.line = kept.line`.execute(tx)
}
