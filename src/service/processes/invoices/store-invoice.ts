import { createHash } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { nextTurn } from '../../couriers/slices.ts'
import type { InvoiceTables } from '../../database/invoice-tables.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { WrappedKey } from '../../security/encryption/encryption.ts'
import type { InvoiceLineSealer, InvoiceSealer } from '../../security/encryption/invoice-keys.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { carryDecisions } from './carry-decisions.ts'
import { contentOf, type NewInvoiceLine, sealDetails } from './invoice-line.ts'
import { lockImports } from './lock-imports.ts'

/** Lines sealed, digested or written in one go: a few milliseconds. */
const storedTogether = 500
/** Weights, dates, references and notes are kept this long after the newest import. */
export const detailsKeptDays = 730
/** More than any courier bills in. */
const currenciesMax = 10
/** Invoices whose details are forgotten in one go, with at most 100,000 lines in each version. */
const forgottenMax = 5

export type InvoiceRow = Selectable<InvoiceTables['courier_invoices']>

type NewInvoice = {
  readonly id: string
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
  readonly connectionId: string
  readonly reference: string
  /** As it was given: days or times. */
  readonly period: { readonly from: string; readonly to: string } | null
  readonly actor: Actor
  readonly requestId: string
}

type Stored = {
  readonly id: string
  /** It has this content already. */
  readonly isSame: boolean
}

/** A version that is about to be stored. */
type NewVersion = { readonly invoiceId: string; readonly version: number; readonly lines: number }

/**
 * Stores the lines as a new invoice, or as the next version of the connection's invoice with this
 * reference, which keeps the decisions of the lines that did not change; the same lines in any order
 * change nothing, unless it was withdrawn. `beforeStored` records the act first. Throws
 * `validation_failed` for lines of too many currencies.
 */
export async function storeInvoice(
  { db, invoiceSealer }: Pick<ProcessDeps, 'db' | 'invoiceSealer'>,
  invoice: NewInvoice,
  lines: readonly NewInvoiceLine[],
  beforeStored: (version: NewVersion) => Promise<void>,
): Promise<Stored> {
  refuseManyCurrencies(lines)
  const digests = await digestOf(invoice, lines)
  return await db.transaction().execute(async (tx) => {
    // One at a time for a connection, so that `sequence` is the order in which others see them.
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
    })
    for (let at = 0; at < lines.length; at += storedTogether) {
      const some = lines.slice(at, at + storedTogether)
      await insertLines(tx, { ...invoice, id, version, sequence, sealer }, some)
    }
    if (bills) await keepFirstBilling(tx, id, version)
    if (version > 1) await carryDecisions(tx, sealer, { invoiceId: id, version, lines })
    return { id, isSame: false }
  })
}

/** Totals by currency are shown whole, in webhooks too. A column of another kind is refused. */
function refuseManyCurrencies(lines: readonly NewInvoiceLine[]): void {
  const found = new Set<string>()
  for (const [index, { line, currency }] of lines.entries()) {
    if (found.add(currency).size <= currenciesMax) continue
    const reason = 'too_many_currencies'
    const detail = `Line ${line}: an invoice has at most ${currenciesMax} currencies.`
    throw new Problem('validation_failed', {
      errors: [{ pointer: `/lines/${index}/currency`, reason, detail }],
    })
  }
}

type Digests = {
  readonly content: string
  /** As earlier versions of the service stored it: of the lines in their order. */
  readonly ordered: string
}

/** Of what the invoice says, whatever form and order it came in. */
async function digestOf(
  { period }: NewInvoice,
  lines: readonly NewInvoiceLine[],
): Promise<Digests> {
  const ordered = createHash('sha256').update(JSON.stringify(period))
  let sum = 0n
  for (let at = 0; at < lines.length; at += storedTogether) {
    if (at > 0) await nextTurn()
    const contents = lines.slice(at, at + storedTogether).map(contentOf)
    ordered.update(`[${contents.join(',')}]`)
    for (const content of contents) {
      sum += BigInt(`0x${createHash('sha256').update(content).digest('hex')}`)
    }
  }
  const whole = JSON.stringify([period, lines.length, sum.toString(16)])
  const content = createHash('sha256').update(whole).digest('base64')
  return { content, ordered: ordered.digest('base64') }
}

async function findByReference(
  db: Kysely<ReadModels>,
  { organizationId, connectionId, reference }: NewInvoice,
): Promise<InvoiceRow | null> {
  const { rows } = await sql<InvoiceRow>`
    SELECT * FROM courier_invoices
    WHERE organization_id = ${organizationId} AND courier_connection_id = ${connectionId}
      AND reference = ${reference}`.execute(db)
  return rows[0] ?? null
}

/** Opens what an invoice keeps; null once that is forgotten. */
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
  /** Null: the stored key stays. */
  readonly wrapped: WrappedKey | null
}

/** With the invoice's key, or with a new one. */
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
  db: Kysely<ReadModels>,
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
  tx: Kysely<ReadModels>,
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
  tx: Kysely<ReadModels>,
  { id, organizationId, period, actor, requestId }: NewInvoice,
  version: number,
  { content, total }: { readonly content: Buffer; readonly total: number },
): Promise<string> {
  const { rows } = await sql<{ sequence: string }>`
    INSERT INTO courier_invoice_versions (invoice_id, version, organization_id, content,
      period_from, period_to, total, actor, request_id)
    VALUES (${id}, ${version}, ${organizationId}, ${content}, ${period?.from ?? null},
      ${period?.to ?? null}, ${total}, ${JSON.stringify(actor)}::jsonb, ${requestId})
    RETURNING sequence`.execute(tx)
  return rows[0]!.sequence
}

type LinesAt = NewInvoice & {
  readonly version: number
  readonly sequence: string
  readonly sealer: InvoiceLineSealer
}

async function insertLines(
  tx: Kysely<ReadModels>,
  at: LinesAt,
  lines: readonly NewInvoiceLine[],
): Promise<void> {
  const column = <T>(value: (line: NewInvoiceLine) => T) => lines.map(value)
  await sql`
    INSERT INTO courier_invoice_lines (invoice_id, version, organization_id,
      courier_connection_id, line, guide_number, amount, currency, details, billed_at)
    SELECT ${at.id}, ${at.version}, ${at.organizationId}, ${at.connectionId}, line, guide_number,
      amount, currency, details, ${at.sequence}::bigint
    FROM unnest(
      ${column(({ line }) => line)}::int[], ${column(({ guideNumber }) => guideNumber)}::text[],
      ${column(({ amount }) => amount)}::bigint[], ${column(({ currency }) => currency)}::text[],
      ${column((line) => sealDetails(at.sealer, { version: at.version, line: line.line }, line))}::bytea[]
    ) AS of (line, guide_number, amount, currency, details)`.execute(tx)
}

/** A guide that the version before billed too keeps its place among the connection's invoices. */
async function keepFirstBilling(
  tx: Kysely<ReadModels>,
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
 * Destroys the data keys of invoices that were imported long ago, and what is sealed with them.
 * Guides, amounts, findings and decisions stay. Answers how many invoices it was.
 */
export async function forgetInvoiceDetails(db: Kysely<ReadModels>): Promise<number> {
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
      UPDATE courier_invoice_versions SET content = NULL WHERE invoice_id = ANY (${ids})`.execute(
      tx,
    )
    return ids.length
  })
}
