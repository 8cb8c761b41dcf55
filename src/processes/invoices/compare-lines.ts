import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import { forEachInSlices, nextTurn } from '../../couriers/slices.ts'
import { isId, shipmentStream } from '../../domain/ids.ts'
import {
  type Candidate,
  type Comparison,
  candidateOf,
  compareLine,
  type Expected,
  type InvoiceLine,
} from '../../domain/invoices/finding.ts'
import { evolve, initialState, type Shipment, type State } from '../../domain/shipment/shipment.ts'
import { decodeOnce } from '../../event-store/codec.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { openDetails } from './invoice-line.ts'
import { type InvoiceRow, openInvoice } from './store-invoice.ts'

/** Streams that are read and folded between two pauses: a few milliseconds. */
const foldedTogether = 20

export type CompareDeps = Pick<ProcessDeps, 'db' | 'invoiceSealer' | 'store'>

/** A line to compare, as it is stored. */
export type StoredLine = {
  readonly line: number
  readonly guide_number: string
  readonly amount: string
  readonly currency: string
  readonly details: Buffer | null
  readonly billed_at: string
  readonly shipment_id: string | null
}

type BilledBefore = {
  readonly courier_invoice_id: string
  readonly version: number
  readonly line: number
}

type ComparedLine = Comparison & {
  readonly line: number
  /** The person of its shipment is erased. */
  readonly isErased: boolean
  readonly billedBefore: BilledBefore | null
}

/** Compares lines of an invoice's newest version with the ledger as it is now. Writes nothing. */
export async function compareLines(
  deps: CompareDeps,
  invoice: InvoiceRow,
  rows: readonly StoredLine[],
): Promise<readonly ComparedLine[]> {
  const sealer = openInvoice(deps.invoiceSealer, invoice)
  const lines: { readonly row: StoredLine; readonly line: InvoiceLine }[] = []
  await forEachInSlices(
    rows,
    (row) => {
      const details = openDetails(sealer, { ...row, version: invoice.version })
      lines.push({ row, line: readLine(row, details) })
    },
    nextTurn,
  )
  const byNumber = await shipmentsByGuide(deps.db, invoice, lines)
  const named = ({ guideNumber, clientReference, foundBefore }: InvoiceLine) =>
    [...(byNumber.get(guideNumber) ?? []), clientReference, foundBefore].filter(
      (id) => id !== null && isId('shp', id),
    ) as string[]
  const ids = new Set(lines.flatMap(({ line }) => named(line)))
  const known = await foldShipments(deps, invoice, [...ids])
  const billed = await billedBefore(deps.db, invoice, rows)
  const compared: ComparedLine[] = []
  await forEachInSlices(
    lines,
    ({ line, row }) => {
      const candidates = named(line).flatMap((id) => known.get(id) ?? [])
      const before = billed.get(row.line) ?? null
      const found = compareLine(line, candidates, before !== null)
      const isErased = known.get(found.shipmentId ?? '')?.isErased === true
      compared.push({ ...found, line: row.line, billedBefore: before, isErased })
    },
    nextTurn,
  )
  return compared
}

function readLine(
  { guide_number: guideNumber, amount, currency, shipment_id: foundBefore }: StoredLine,
  details: ReturnType<typeof openDetails>,
): InvoiceLine {
  const { weightGrams, clientReference } = details
  return {
    guideNumber,
    amount: Number(amount),
    currency,
    weightGrams,
    clientReference,
    foundBefore,
  }
}

/** The connection's shipments that have these guides, or at which a look has shown them. */
async function shipmentsByGuide(
  db: Kysely<ReadModels>,
  invoice: InvoiceRow,
  lines: readonly { readonly line: InvoiceLine }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const numbers = [...new Set(lines.map(({ line }) => line.guideNumber))]
  const { organization_id: organizationId, livemode, courier_connection_id: connection } = invoice
  const { rows } = await sql<{ guide_number: string; shipment_id: string }>`
    SELECT guide_number, shipment_id FROM projections.shipments
    WHERE organization_id = ${organizationId} AND livemode = ${livemode}
      AND guide_number = ANY (${numbers}) AND courier_connection_id = ${connection}`.execute(db)
  const found = Map.groupBy(rows, (row) => row.guide_number)
  const missing = numbers.filter((number) => !found.has(number))
  if (missing.length > 0) {
    const { rows: seen } = await sql<{ guide_number: string; shipment_id: string }>`
      SELECT number AS guide_number, o.shipment_id
      FROM projections.operations o, unnest(o.guide_numbers) AS number
      WHERE o.guide_numbers && ${missing}::text[] AND o.organization_id = ${organizationId}
        AND o.livemode = ${livemode} AND o.courier_connection_id = ${connection}
        AND number = ANY (${missing})`.execute(db)
    for (const [number, each] of Map.groupBy(seen, (row) => row.guide_number)) {
      found.set(number, each)
    }
  }
  return new Map([...found].map(([number, each]) => [number, each.map((row) => row.shipment_id)]))
}

/** The shipments of the connection among these, as they are now. */
async function foldShipments(
  { store }: Pick<CompareDeps, 'store'>,
  invoice: InvoiceRow,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Candidate>> {
  const found = new Map<string, Candidate>()
  for (let at = 0; at < ids.length; at += foldedTogether) {
    if (at > 0) await nextTurn()
    const some = ids.slice(at, at + foldedTogether)
    const streams = await Promise.all(some.map((id) => store.readStream(shipmentStream(id))))
    for (const [index, events] of streams.entries()) {
      const state = events.reduce<State>((so, event) => evolve(so, decodeOnce(event)), initialState)
      const id = some[index] as string
      if (state !== null && isOfConnection(state, invoice)) found.set(id, candidateOf(id, state))
    }
  }
  return found
}

/** A reference may name anything; only what belongs to the invoice's owner is ever compared. */
function isOfConnection({ request, attempts }: Shipment, invoice: InvoiceRow): boolean {
  return (
    attempts.length > 0 &&
    request.organization_id === invoice.organization_id &&
    request.livemode === invoice.livemode &&
    request.courier_connection_id === invoice.courier_connection_id
  )
}

/** The first line that bills a guide, if it is another one, by line. */
async function billedBefore(
  db: Kysely<ReadModels>,
  invoice: InvoiceRow,
  rows: readonly StoredLine[],
): Promise<ReadonlyMap<number, BilledBefore>> {
  const { courier_connection_id: connection, id, version } = invoice
  const { rows: found } = await sql<BilledBefore & { of_line: number }>`
    SELECT asked.line AS of_line, first.invoice_id AS courier_invoice_id, first.version,
      first.line
    FROM unnest(
      ${rows.map(({ line }) => line)}::int[], ${rows.map((row) => row.guide_number)}::text[],
      ${rows.map((row) => row.billed_at)}::bigint[]
    ) AS asked (line, guide_number, billed_at)
    CROSS JOIN LATERAL (
      SELECT l.invoice_id, l.version, l.line FROM courier_invoice_lines l
      JOIN courier_invoices i ON i.id = l.invoice_id AND i.version = l.version
        AND i.state <> 'withdrawn'
      WHERE l.courier_connection_id = ${connection} AND l.guide_number = asked.guide_number COLLATE "C"
        AND (l.billed_at < asked.billed_at
          OR (l.billed_at = asked.billed_at AND l.invoice_id = ${id} AND l.version = ${version}
            AND l.line < asked.line))
      ORDER BY l.billed_at, l.line LIMIT 1
    ) first`.execute(db)
  return new Map(found.map(({ of_line: line, ...before }) => [line, before]))
}

/** Writes what was found. A line that made nothing asks for a look, where the comparison wants it. */
export async function writeFindings(
  tx: Kysely<ReadModels>,
  { id, version }: InvoiceRow,
  compared: readonly ComparedLine[],
  wantsLooks: boolean,
): Promise<void> {
  const column = <T>(value: (line: ComparedLine) => T) => compared.map(value)
  await sql`
    UPDATE courier_invoice_lines l SET finding = f.finding, shipment_id = f.shipment_id,
      shipment_version = f.shipment_version, expected = f.expected,
      billed_before = f.billed_before,
      look_due = ${wantsLooks} AND f.finding = 'nothing_created',
      erase_due = f.is_erased AND l.details IS NOT NULL
    FROM unnest(
      ${column(({ line }) => line)}::int[], ${column(({ finding }) => finding)}::text[],
      ${column(({ shipmentId }) => shipmentId)}::text[],
      ${column(({ shipmentVersion }) => shipmentVersion)}::int[],
      ${column(({ expected }) => (expected === null ? null : JSON.stringify(shownExpected(expected))))}::jsonb[],
      ${column(({ billedBefore: before }) => (before === null ? null : JSON.stringify(before)))}::jsonb[],
      ${column(({ isErased }) => isErased)}::boolean[]
    ) AS f (line, finding, shipment_id, shipment_version, expected, billed_before, is_erased)
    WHERE l.invoice_id = ${id} AND l.version = ${version} AND l.line = f.line`.execute(tx)
}

/** As the API shows it. */
export function shownExpected({ price, weightGrams }: Expected) {
  return {
    amount: price?.amount ?? null,
    currency: price?.currency ?? null,
    weight_kg: weightGrams / 1_000,
  }
}

export async function readLines(
  db: Kysely<ReadModels>,
  { id, version }: Pick<InvoiceRow, 'id' | 'version'>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly StoredLine[]> {
  const { rows } = await sql<StoredLine>`
    SELECT line, guide_number, amount, currency, details, billed_at, shipment_id
    FROM courier_invoice_lines
    WHERE invoice_id = ${id} AND version = ${version} AND line > ${after}
    ORDER BY line LIMIT ${limit}`.execute(db)
  return rows
}
