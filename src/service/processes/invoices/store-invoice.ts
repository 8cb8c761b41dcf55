import { createHash } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { yieldToEventLoop } from '../../couriers/slices.ts'
import type { InvoiceTables } from '../../database/invoice-tables.ts'
import { currenciesMax, tooManyCurrencies } from '../../domain/invoices/invoice-limits.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { WrappedKey } from '../../security/encryption/encryption.ts'
import type { InvoiceLineSealer, InvoiceSealer } from '../../security/encryption/own-key.ts'
import type { ProcessServices } from '../process-services.ts'
import { carryDecisions } from './carry-decisions.ts'
import { type InvalidInvoiceLine, insertInvalidLines } from './invalid-lines.ts'
import { contentOf, type NewInvoiceLine, sealDetails } from './stored-invoice-line.ts'

/** Lines sealed, digested or written in one go: a few milliseconds. */
const storedTogether = 500
/** How long weights, dates, references and notes are kept after the newest import. */
export const detailsKeptDays = 730
/** Invoices whose details are deleted by one call, with up to 100,000 lines per version. */
const forgottenMax = 5

export type InvoiceRow = Selectable<InvoiceTables['courier_invoices']>

type NewInvoice = {
  readonly id: string
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
  readonly connectionId: string
  readonly reference: string
  /** As given: days or times. */
  readonly period: { readonly from: string; readonly to: string } | null
  readonly actor: Actor
  readonly requestId: string
}

export type InvoiceLines = {
  readonly lines: readonly NewInvoiceLine[]
  /** Lines that are kept, but bill nothing. */
  readonly invalid: readonly InvalidInvoiceLine[]
}

type Stored = {
  readonly id: string
  /** The invoice had this content already. */
  readonly isSame: boolean
}

/** A version that is about to be stored. */
type NewVersion = { readonly invoiceId: string; readonly version: number; readonly lines: number }

/**
 * Stores the lines as a new invoice, or as the next version of the connection's invoice with this
 * reference. A new version keeps the decisions of unchanged lines. The same lines in any order
 * change nothing, unless the invoice was withdrawn. `beforeStored` records the act first. Throws
 * `validation_failed` for lines in too many currencies.
 */
export async function storeInvoice(
  { db, invoiceSealer }: Pick<ProcessServices, 'db' | 'invoiceSealer'>,
  invoice: NewInvoice,
  content: InvoiceLines,
  beforeStored: (version: NewVersion) => Promise<void>,
): Promise<Stored> {
  const { lines, invalid } = content
  refuseManyCurrencies(lines)
  const digests = await digestOf(invoice, content)
  return await db.transaction().execute(async (tx) => {
    // One import per connection at a time, so that `sequence` is the order in which other
    // transactions see them.
    await lockImports(tx, invoice.connectionId)
    const known = await findByReference(tx, invoice)
    const id = known?.id ?? invoice.id
    const { sealer, wrapped } = sealerOf(invoiceSealer, invoice, known)
    const bills = known !== null && known.state !== 'withdrawn'
    if (bills && (await hasContent(tx, known, sealer, digests))) return { id, isSame: true }
    const version = (known?.version ?? 0) + 1
    await beforeStored({ invoiceId: id, version, lines: lines.length })
    await upsertInvoice(tx, { ...invoice, id }, version, wrapped)
    const sealed = sealer.seal({ version, line: 0, what: 'content' }, digests.content)
    const sequence = await insertVersion(tx, { ...invoice, id }, version, {
      content: sealed,
      total: lines.length,
      invalid: invalid.length,
    })
    const at = { ...invoice, id, version, sequence, sealer }
    for (let from = 0; from < lines.length; from += storedTogether) {
      await insertLines(tx, at, lines.slice(from, from + storedTogether))
    }
    for (let from = 0; from < invalid.length; from += storedTogether) {
      await insertInvalidLines(tx, at, invalid.slice(from, from + storedTogether))
    }
    if (bills) await keepFirstBilling(tx, id, version)
    if (version > 1) await carryDecisions(tx, sealer, { invoiceId: id, version, lines })
    return { id, isSame: false }
  })
}

/**
 * Serialises, for one connection and until the end of the transaction, everything that decides which
 * line bills a guide first.
 */
export async function lockImports(tx: Kysely<Tables>, connectionId: string): Promise<void> {
  const key = `courier-invoices ${connectionId}`
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/**
 * Totals by currency are shown complete, in webhooks too, so many currencies are refused: the
 * column is probably a different one.
 */
function refuseManyCurrencies(lines: readonly NewInvoiceLine[]): void {
  const found = new Set<string>()
  for (const [index, { line, currency }] of lines.entries()) {
    if (found.add(currency).size <= currenciesMax) continue
    const { pointer, reason, detail } = tooManyCurrencies
    throw new Problem('validation_failed', {
      errors: [{ pointer: `/lines/${index}${pointer}`, reason, detail: `Line ${line}: ${detail}` }],
    })
  }
}

type Digests = {
  readonly content: string
  /** As earlier versions of the service stored it: a digest of the lines in their order. */
  readonly ordered: string
}

/** Digests the content of an invoice, independent of its file format and the order of its lines. */
async function digestOf(
  { period }: NewInvoice,
  { lines, invalid }: InvoiceLines,
): Promise<Digests> {
  const count = lines.length + invalid.length
  const contentAt = (at: number) => {
    const line = lines[at]
    return line === undefined ? `invalid ${invalid[at - lines.length]?.text}` : contentOf(line)
  }
  const ordered = createHash('sha256').update(JSON.stringify(period))
  let sum = 0n
  for (let from = 0; from < count; from += storedTogether) {
    if (from > 0) await yieldToEventLoop()
    const length = Math.min(storedTogether, count - from)
    const contents = Array.from({ length }, (_, at) => contentAt(from + at))
    ordered.update(`[${contents.join(',')}]`)
    for (const content of contents) {
      sum += BigInt(`0x${createHash('sha256').update(content).digest('hex')}`)
    }
  }
  const whole = JSON.stringify([period, count, sum.toString(16)])
  const content = createHash('sha256').update(whole).digest('base64')
  return { content, ordered: ordered.digest('base64') }
}

async function findByReference(
  db: Kysely<Tables>,
  { organizationId, connectionId, reference }: NewInvoice,
): Promise<InvoiceRow | null> {
  const { rows } = await sql<InvoiceRow>`
    SELECT * FROM courier_invoices
    WHERE organization_id = ${organizationId} AND courier_connection_id = ${connectionId}
      AND reference = ${reference}`.execute(db)
  return rows[0] ?? null
}

/** Opens the sealed details of an invoice; null once its key is destroyed. */
export function openInvoice(
  sealer: InvoiceSealer,
  row: Pick<InvoiceRow, 'id' | 'organization_id' | 'master_key_id' | 'wrapped_key'>,
): InvoiceLineSealer | null {
  const { master_key_id: masterKeyId, wrapped_key: wrappedKey } = row
  if (masterKeyId === null || wrappedKey === null) return null
  const at = { organizationId: row.organization_id, invoiceId: row.id }
  return sealer.open(at, { masterKeyId, wrappedKey })
}

type WithKey = {
  readonly sealer: InvoiceLineSealer
  /** Null if the stored key stays. */
  readonly wrapped: WrappedKey | null
}

/** Uses the invoice's key, or a new one. */
export function sealerOf(
  sealer: InvoiceSealer,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  known: InvoiceRow | null,
): WithKey {
  const opened = known === null ? null : openInvoice(sealer, known)
  if (opened !== null) return { sealer: opened, wrapped: null }
  const begun = sealer.begin({ organizationId, invoiceId: known?.id ?? id })
  return { sealer: begun, wrapped: begun.wrapped }
}

async function hasContent(
  db: Kysely<Tables>,
  { id, version }: InvoiceRow,
  sealer: InvoiceLineSealer,
  { content, ordered }: Digests,
): Promise<boolean> {
  const { rows } = await sql<{ content: Buffer | null }>`
    SELECT content FROM courier_invoice_versions
    WHERE invoice_id = ${id} AND version = ${version}`.execute(db)
  const kept = rows[0]?.content ?? null
  if (kept === null) return false
  const stored = sealer.open({ version, line: 0, what: 'content' }, kept)
  return stored === content || stored === ordered
}

async function upsertInvoice(
  tx: Kysely<Tables>,
  invoice: NewInvoice,
  version: number,
  wrapped: WrappedKey | null,
): Promise<void> {
  await sql`
    INSERT INTO courier_invoices AS i (id, organization_id, workspace_id, livemode,
      courier_connection_id, reference, version, master_key_id, wrapped_key, state)
    VALUES (${invoice.id}, ${invoice.organizationId}, ${invoice.workspaceId}, ${invoice.livemode},
      ${invoice.connectionId}, ${invoice.reference}, ${version}, ${wrapped?.masterKeyId ?? null},
      ${wrapped?.wrappedKey ?? null}, 'comparing')
    ON CONFLICT (id) DO UPDATE SET version = excluded.version, state = 'comparing',
      compared_line = 0, ledger_position = NULL, compared_at = NULL, owner = NULL,
      leased_until = NULL, next_at = now(), imported_at = now(), updated_at = now(),
      withdrawn_at = NULL, master_key_id = coalesce(excluded.master_key_id, i.master_key_id),
      wrapped_key = coalesce(excluded.wrapped_key, i.wrapped_key)`.execute(tx)
}

async function insertVersion(
  tx: Kysely<Tables>,
  { id, organizationId, period, actor, requestId }: NewInvoice,
  version: number,
  {
    content,
    total,
    invalid,
  }: { readonly content: Buffer; readonly total: number; readonly invalid: number },
): Promise<string> {
  const { rows } = await sql<{ sequence: string }>`
    INSERT INTO courier_invoice_versions (invoice_id, version, organization_id, content,
      period_from, period_to, total, invalid, actor, request_id)
    VALUES (${id}, ${version}, ${organizationId}, ${content}, ${period?.from ?? null},
      ${period?.to ?? null}, ${total}, ${invalid}, ${JSON.stringify(actor)}::jsonb, ${requestId})
    RETURNING sequence`.execute(tx)
  return rows[0]!.sequence
}

type LinesAt = NewInvoice & {
  readonly version: number
  readonly sequence: string
  readonly sealer: InvoiceLineSealer
}

async function insertLines(
  tx: Kysely<Tables>,
  at: LinesAt,
  lines: readonly NewInvoiceLine[],
): Promise<void> {
  const column = <T>(value: (line: NewInvoiceLine) => T) => lines.map(value)
  await sql`
    INSERT INTO courier_invoice_lines (invoice_id, version, organization_id,
      courier_connection_id, line, kind, guide_number, amount, currency, details, billed_at)
    SELECT ${at.id}, ${at.version}, ${at.organizationId}, ${at.connectionId}, line, kind,
      guide_number, amount, currency, details, ${at.sequence}::bigint
    FROM unnest(
      ${column(({ line }) => line)}::int[], ${column(({ kind }) => kind)}::text[],
      ${column(({ guideNumber }) => guideNumber)}::text[],
      ${column(({ amount }) => amount)}::bigint[], ${column(({ currency }) => currency)}::text[],
      ${column((line) => sealDetails(at.sealer, { version: at.version, line: line.line }, line))}::bytea[]
    ) AS of (line, kind, guide_number, amount, currency, details)`.execute(tx)
}

/** A guide that the previous version billed too keeps its place among the connection's invoices. */
async function keepFirstBilling(
  tx: Kysely<Tables>,
  invoiceId: string,
  version: number,
): Promise<void> {
  await sql`
    UPDATE courier_invoice_lines l SET billed_at = before.billed_at
    FROM (
      SELECT guide_number, min(billed_at) AS billed_at FROM courier_invoice_lines
      WHERE invoice_id = ${invoiceId} AND version = ${version - 1} GROUP BY guide_number
    ) before
    WHERE l.invoice_id = ${invoiceId} AND l.version = ${version}
      AND l.guide_number = before.guide_number`.execute(tx)
}

/**
 * Destroys the data keys of invoices imported long ago, and what is sealed with them. Guides,
 * amounts, findings and decisions stay. Returns the number of invoices.
 */
export async function forgetInvoiceDetails(db: Kysely<Tables>): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      UPDATE courier_invoices SET master_key_id = NULL, wrapped_key = NULL
      WHERE id IN (
        SELECT id FROM courier_invoices
        WHERE wrapped_key IS NOT NULL
          AND imported_at < now() - ${sql.lit(detailsKeptDays)} * interval '1 day'
        ORDER BY imported_at LIMIT ${forgottenMax} FOR UPDATE SKIP LOCKED)
      RETURNING id`.execute(tx)
    if (rows.length === 0) return 0
    const ids = rows.map(({ id }) => id)
    await sql`
      UPDATE courier_invoice_lines SET details = NULL, note = NULL
      WHERE invoice_id = ANY (${ids}) AND (details IS NOT NULL OR note IS NOT NULL)`.execute(tx)
    await sql`
      UPDATE courier_invoice_invalid_lines SET content = NULL
      WHERE invoice_id = ANY (${ids}) AND content IS NOT NULL`.execute(tx)
    await sql`
      UPDATE courier_invoice_versions SET content = NULL WHERE invoice_id = ANY (${ids})`.execute(
      tx,
    )
    return ids.length
  })
}
