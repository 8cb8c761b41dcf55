import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { forEachInSlices, yieldToEventLoop } from '../../couriers/slices.ts'
import { isId, shipmentStream } from '../../domain/ids.ts'
import { type BilledBefore, type Billing, compareCharges } from '../../domain/invoices/charges.ts'
import {
  type Candidate,
  type Comparison,
  candidateOf,
  closest,
  type Expected,
  expectedFor,
  type InvoiceLine,
} from '../../domain/invoices/finding.ts'
import { shareLines } from '../../domain/invoices/shared-number.ts'
import { evolve, initialState, type Shipment, type State } from '../../domain/shipment/shipment.ts'
import { decodeOnce } from '../../event-store/codec.ts'
import type { ProcessServices } from '../process-services.ts'
import { type EarlierLine, readCharges, readEarlier, type StoredLine } from './billed-lines.ts'
import { type InvoiceRow, openInvoice } from './store-invoice.ts'
import { openDetails } from './stored-invoice-line.ts'

/** Streams read and folded between two pauses: a few milliseconds. */
const foldedTogether = 20

export type CompareDeps = Pick<ProcessServices, 'db' | 'invoiceSealer' | 'store'>

type BilledAt = {
  readonly courier_invoice_id: string
  readonly version: number
  readonly line: number
}

type ComparedLine = Comparison & {
  readonly line: number
  /** The person of the line's shipment is erased. */
  readonly isErased: boolean
  readonly billing: Billing | null
  readonly billedBefore: BilledAt | null
}

/**
 * Compares lines of an invoice's newest version with the ledger as it is now, each together with
 * the other lines of its guide. Writes nothing.
 */
export async function compareLines(
  deps: CompareDeps,
  invoice: InvoiceRow,
  rows: readonly StoredLine[],
): Promise<readonly ComparedLine[]> {
  const compared = await compareWithCharges(deps, invoice, rows)
  const asked = new Set(rows.map(({ line }) => line))
  return compared.filter(({ line }) => asked.has(line))
}

/** The same, including the other lines of the guides, because their findings may change too. */
export async function compareWithCharges(
  deps: CompareDeps,
  invoice: InvoiceRow,
  rows: readonly StoredLine[],
): Promise<readonly ComparedLine[]> {
  const guides = [...new Set(rows.map((row) => row.guide_number))]
  const charges = await readCharges(deps.db, invoice, rows)
  const sealer = openInvoice(deps.invoiceSealer, invoice)
  const lines: ReadLine[] = []
  await forEachInSlices(
    charges,
    (row) => {
      const details = openDetails(sealer, { ...row, version: invoice.version })
      lines.push({ ...readLine(row, details), line: row.line })
    },
    yieldToEventLoop,
  )
  const byNumber = await shipmentsByGuide(deps.db, invoice, guides)
  const named = ({ guideNumber, clientReference, foundBefore }: InvoiceLine) =>
    [...(byNumber.get(guideNumber) ?? []), clientReference, foundBefore].filter(
      (id) => id !== null && isId('shp', id),
    ) as string[]
  const known = await foldShipments(deps, invoice, [...new Set(lines.flatMap(named))])
  const earlier = await readEarlier(deps.db, invoice, charges)
  const compared: ComparedLine[] = []
  await forEachInSlices(
    [...Map.groupBy(lines, ({ guideNumber }) => guideNumber)],
    ([guideNumber, some]) => {
      const candidates = [...new Set(some.flatMap(named))].flatMap((id) => known.get(id) ?? [])
      const about = { guideNumber, candidates, earlier: earlier.get(guideNumber) ?? [] }
      compared.push(...compareGuide(invoice, some, about))
    },
    yieldToEventLoop,
  )
  const all = [...compared, ...beyondCharges(invoice, rows, compared)]
  return all.toSorted((a, b) => a.line - b.line)
}

type ReadLine = InvoiceLine & { readonly line: number }

type GuideFacts = {
  readonly guideNumber: string
  readonly candidates: readonly Candidate[]
  readonly earlier: readonly EarlierLine[]
}

/** Compares an invoice's lines with one guide number, each kind by itself. */
function compareGuide(
  invoice: InvoiceRow,
  lines: readonly ReadLine[],
  { guideNumber, candidates, earlier }: GuideFacts,
): readonly ComparedLine[] {
  return [...Map.groupBy(lines, ({ kind }) => kind)].flatMap(([kind, some]) => {
    const currency = some[0]?.currency ?? ''
    return compareKind(invoice, some, {
      guideNumber,
      candidates: candidates.map((each) => ({
        ...each,
        expected: expectedFor(kind, each, currency),
      })),
      earlier: earlier.filter((each) => each.kind === kind),
    })
  })
}

/** The guide number may belong to several shipments. */
function compareKind(
  { id, version }: InvoiceRow,
  lines: readonly ReadLine[],
  { guideNumber, candidates, earlier }: GuideFacts,
): readonly ComparedLine[] {
  const sharing = candidates.filter((each) => each.guideNumber === guideNumber)
  const isShared = sharing.length > 1
  const earlierOf = (shipmentId: string | null) =>
    isShared ? earlier.filter((each) => each.shipment_id === shipmentId) : earlier
  const shared = isShared
    ? shareLines(lines, sharing, (shipmentId) => billedBefore(earlierOf(shipmentId)))
    : null
  const shipmentOf = (line: ReadLine) => shared?.get(line.line) ?? closest(line, candidates)
  const groups = Map.groupBy(lines, (line) => shipmentOf(line)?.shipmentId ?? null)
  return [...groups].flatMap(([shipmentId, charges]) => {
    const found = candidates.find((each) => each.shipmentId === shipmentId) ?? null
    const before = earlierOf(shipmentId)
    const [first] = before
    const places = { invoice: { courier_invoice_id: id, version }, first }
    return compareCharges(guideNumber, charges, found, billedBefore(before)).map((each) => ({
      ...each,
      billedBefore: placeOf(each.billedBefore, places),
      isErased: found?.isErased === true,
    }))
  })
}

function billedBefore(earlier: readonly EarlierLine[]): BilledBefore | null {
  return earlier.length === 0 ? null : { amounts: earlier }
}

function placeOf(
  at: 'earlier' | number | null,
  {
    invoice,
    first,
  }: { readonly invoice: Omit<BilledAt, 'line'>; readonly first: EarlierLine | undefined },
): BilledAt | null {
  if (typeof at === 'number') return { ...invoice, line: at }
  if (at === null || first === undefined) return null
  const { courier_invoice_id, version, line } = first
  return { courier_invoice_id, version, line }
}

/** Lines of a guide beyond those that `readCharges` returns count as billed twice. */
function beyondCharges(
  { id, version }: InvoiceRow,
  rows: readonly StoredLine[],
  compared: readonly ComparedLine[],
): readonly ComparedLine[] {
  const known = new Set(compared.map(({ line }) => line))
  const beyond = rows.filter(({ line }) => !known.has(line))
  return beyond.map(({ line, shipment_id: shipmentId }) => ({
    line,
    finding: 'billed_twice',
    shipmentId,
    shipmentVersion: null,
    expected: null,
    billing: null,
    billedBefore: { courier_invoice_id: id, version, line: Math.min(...known, line) },
    isErased: false,
  }))
}

function readLine(
  { kind, guide_number: guideNumber, amount, currency, shipment_id: foundBefore }: StoredLine,
  { weightGrams, date, clientReference }: ReturnType<typeof openDetails>,
): InvoiceLine {
  return {
    kind,
    guideNumber,
    amount: Number(amount),
    currency,
    weightGrams,
    date,
    clientReference,
    foundBefore,
  }
}

/** The connection's shipments that have these guides, or whose look has shown them. */
async function shipmentsByGuide(
  db: Kysely<Tables>,
  invoice: InvoiceRow,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
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

/** Those of the shipments that belong to the connection, as they are now. */
async function foldShipments(
  { store }: Pick<CompareDeps, 'store'>,
  invoice: InvoiceRow,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Candidate>> {
  const found = new Map<string, Candidate>()
  for (let at = 0; at < ids.length; at += foldedTogether) {
    if (at > 0) await yieldToEventLoop()
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

/** A reference may name any shipment; only those of the invoice's owner are compared. */
function isOfConnection({ request, attempts }: Shipment, invoice: InvoiceRow): boolean {
  return (
    attempts.length > 0 &&
    request.organization_id === invoice.organization_id &&
    request.livemode === invoice.livemode &&
    request.courier_connection_id === invoice.courier_connection_id
  )
}

/**
 * Stores findings. A line whose attempt created nothing is marked for a look where the comparison
 * wants one.
 */
export async function writeFindings(
  tx: Kysely<Tables>,
  { id, version }: InvoiceRow,
  compared: readonly ComparedLine[],
  wantsLooks: boolean,
): Promise<void> {
  const column = <T>(value: (line: ComparedLine) => T) => compared.map(value)
  await sql`
    UPDATE courier_invoice_lines l SET finding = f.finding, shipment_id = f.shipment_id,
      shipment_version = f.shipment_version, expected = f.expected,
      billed_before = f.billed_before, billing = f.billing,
      look_due = ${wantsLooks} AND f.finding = 'nothing_created',
      erase_due = f.is_erased AND l.details IS NOT NULL
    FROM unnest(
      ${column(({ line }) => line)}::int[], ${column(({ finding }) => finding)}::text[],
      ${column(({ shipmentId }) => shipmentId)}::text[],
      ${column(({ shipmentVersion }) => shipmentVersion)}::int[],
      ${column(({ expected }) => (expected === null ? null : JSON.stringify(expectedToApi(expected))))}::jsonb[],
      ${column(({ billedBefore: before }) => (before === null ? null : JSON.stringify(before)))}::jsonb[],
      ${column(({ isErased }) => isErased)}::boolean[],
      ${column(({ billing }) => (billing === null ? null : JSON.stringify(billing)))}::jsonb[]
    ) AS f (line, finding, shipment_id, shipment_version, expected, billed_before, is_erased,
      billing)
    WHERE l.invoice_id = ${id} AND l.version = ${version} AND l.line = f.line`.execute(tx)
}

/** As the API shows it. */
export function expectedToApi({ price, weightGrams }: Expected) {
  return {
    amount: price?.amount ?? null,
    currency: price?.currency ?? null,
    weight_kg: weightGrams / 1_000,
  }
}

export async function readLines(
  db: Kysely<Tables>,
  { id, version }: Pick<InvoiceRow, 'id' | 'version'>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly StoredLine[]> {
  const { rows } = await sql<StoredLine>`
    SELECT line, kind, guide_number, amount, currency, details, billed_at, shipment_id
    FROM courier_invoice_lines
    WHERE invoice_id = ${id} AND version = ${version} AND line > ${after}
    ORDER BY line LIMIT ${limit}`.execute(db)
  return rows
}
