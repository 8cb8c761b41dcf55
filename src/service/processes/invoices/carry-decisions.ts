import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { yieldToEventLoop } from '../../couriers/slices.ts'
import type { LineKind } from '../../domain/invoices/line-kind.ts'
import type { InvoiceLineSealer } from '../../security/encryption/own-key.ts'
import { contentOf, type NewInvoiceLine, openDetails, openNote } from './stored-invoice-line.ts'

/** Decided lines read or written by one statement. */
const carriedTogether = 500

type BilledLine = {
  readonly line: number
  readonly kind: LineKind
  readonly guide_number: string
  readonly amount: string
  readonly currency: string
  readonly details: Buffer | null
}
type DecidedLine = Pick<BilledLine, 'line' | 'guide_number'> & { readonly note: Buffer | null }
/** The lines of a version by their content, in order. */
type Places = ReadonlyMap<string, readonly number[]>
/** A line's content, and how many lines before it have the same. */
type Place = { readonly content: string; readonly nth: number }
type KeptDecision = { readonly row: DecidedLine; readonly to: number }

type CarriedTo = {
  readonly invoiceId: string
  readonly version: number
  readonly lines: readonly NewInvoiceLine[]
}

/**
 * Copies decisions from the previous version to lines that the new version has too. Of lines with
 * the same content, the second takes the decision of the second: a guide that is billed twice has
 * one line that is right. Call it in the transaction that stores the version.
 */
export async function carryDecisions(
  tx: Kysely<Tables>,
  sealer: InvoiceLineSealer,
  { invoiceId, version, lines }: CarriedTo,
): Promise<void> {
  let places: Places | null = null
  for (let after = 0; ; ) {
    const { rows } = await sql<DecidedLine>`
      SELECT line, guide_number, note FROM courier_invoice_lines
      WHERE invoice_id = ${invoiceId} AND version = ${version - 1} AND decision IS NOT NULL
        AND line > ${after}
      ORDER BY line LIMIT ${carriedTogether}`.execute(tx)
    const last = rows.at(-1)
    if (last === undefined) return
    places ??= await placesOf(lines)
    const before = await earlierPlaces(tx, sealer, { invoiceId, version: version - 1 }, rows)
    const decisions = rows.flatMap((row) => {
      const { content = '', nth = 0 } = before.get(row.line) ?? {}
      const to = places?.get(content)?.[nth]
      return to === undefined ? [] : [{ row, to }]
    })
    await carry(tx, sealer, { invoiceId, version }, decisions)
    after = last.line
  }
}

/** The lines of the new version. */
async function placesOf(lines: readonly NewInvoiceLine[]): Promise<Places> {
  const places = new Map<string, number[]>()
  for (const [index, line] of lines.entries()) {
    if (index % carriedTogether === 0) await yieldToEventLoop()
    const content = contentOf(line)
    const same = places.get(content)
    if (same === undefined) places.set(content, [line.line])
    else same.push(line.line)
  }
  return places
}

/** By line, the places of all lines of the previous version that bill the guides of these. */
async function earlierPlaces(
  tx: Kysely<Tables>,
  sealer: InvoiceLineSealer,
  { invoiceId, version }: Pick<CarriedTo, 'invoiceId' | 'version'>,
  decided: readonly DecidedLine[],
): Promise<ReadonlyMap<number, Place>> {
  const guides = [...new Set(decided.map(({ guide_number: guide }) => guide))]
  const { rows } = await sql<BilledLine>`
    SELECT line, kind, guide_number, amount, currency, details FROM courier_invoice_lines
    WHERE invoice_id = ${invoiceId} AND version = ${version}
      AND guide_number = ANY(${guides}::text[])
    ORDER BY line`.execute(tx)
  const counts = new Map<string, number>()
  const places = new Map<number, Place>()
  for (const row of rows) {
    const details = openDetails(sealer, { ...row, version })
    const { line, kind, guide_number: guideNumber, currency } = row
    const amount = Number(row.amount)
    const content = contentOf({ ...details, kind, guideNumber, amount, currency })
    const nth = counts.get(content) ?? 0
    counts.set(content, nth + 1)
    places.set(line, { content, nth })
  }
  return places
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
