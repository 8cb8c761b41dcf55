import { sql } from 'kysely'
import type { Finding } from '../../domain/invoices/finding.ts'
import { Problem } from '../../errors.ts'
import type { ProcessServices } from '../process-services.ts'
import type { InvoiceDecision } from './invoice-to-api.ts'
import { type InvoiceRow, sealerOf } from './store-invoice.ts'
import { type DecisionNote, openNote } from './stored-invoice-line.ts'

/** A person's decision about a line's finding. */
type RequestedDecision = {
  readonly line: number
  readonly decision: InvoiceDecision
  readonly note: string
  /** Null: the operator who owns the key decides. */
  readonly decidedBy: string | null
  readonly operatorId: string | null
  /** The line as the person saw it. Null: the decision applies to the line as it is now. */
  readonly seen: SeenLine | null
}

type SeenLine = {
  readonly version: number
  readonly finding: Finding
  /** The time of the decision that this one replaces; null if there was no decision. */
  readonly decidedAt: string | null
}

type DecidedLine = {
  readonly finding: Finding | null
  readonly decision: InvoiceDecision | null
  readonly decided_finding: Finding | null
  readonly decided_at: Date | null
  readonly operator_id: string | null
  readonly note: Buffer | null
}

/** What the audit records before a decision takes effect. */
type DecisionAct = {
  readonly version: number
  readonly finding: Finding
  readonly before: InvoiceDecision | null
}

/**
 * Decides a line of the invoice's newest version; a later decision replaces an earlier one.
 * Repeating a decision with the same note about the same finding changes nothing. Throws
 * `not_found`, `invoice_comparing`, `invoice_withdrawn`, and `invoice_line_changed` if the line is
 * not as it was seen.
 */
export async function decideLine(
  { db, invoiceSealer }: Pick<ProcessServices, 'db' | 'invoiceSealer'>,
  invoiceId: string,
  requested: RequestedDecision,
  beforeDecided: (act: DecisionAct) => Promise<void>,
): Promise<void> {
  const { line, decision } = requested
  await db.transaction().execute(async (tx) => {
    const { rows: invoices } = await sql<InvoiceRow>`
      SELECT * FROM courier_invoices WHERE id = ${invoiceId} FOR UPDATE`.execute(tx)
    const [invoice] = invoices
    if (invoice === undefined) throw new Problem('not_found')
    if (invoice.state === 'withdrawn') throw new Problem('invoice_withdrawn')
    const { version } = invoice
    const at = sql`invoice_id = ${invoiceId} AND version = ${version} AND line = ${line}`
    const { rows } = await sql<DecidedLine>`
      SELECT finding, decision, decided_finding, decided_at, operator_id, note
      FROM courier_invoice_lines
      WHERE ${at} FOR UPDATE`.execute(tx)
    const [row] = rows
    if (row === undefined) throw new Problem('not_found')
    const { finding, decision: before } = row
    if (finding === null) throw new Problem('invoice_comparing', { retryAfterSeconds: 1 })
    const organizationId = invoice.organization_id
    const { sealer, wrapped } = sealerOf(invoiceSealer, { id: invoiceId, organizationId }, invoice)
    const kept = openNote(wrapped === null ? sealer : null, { version, line, note: row.note })
    const isSame =
      before === decision &&
      row.decided_finding === finding &&
      row.operator_id === requested.operatorId
    if (isSame && kept?.note === requested.note) return
    if (!isAsSeen(row, version, requested.seen)) throw new Problem('invoice_line_changed')
    await beforeDecided({ version, finding, before })
    const { decidedBy, note } = requested
    const written: DecisionNote = decidedBy === null ? { note } : { note, decided_by: decidedBy }
    const sealed = sealer.seal({ version, line, what: 'note' }, { ...written })
    await sql`
      UPDATE courier_invoice_lines SET decision = ${decision}, decided_finding = ${finding},
        decided_at = now(), operator_id = ${requested.operatorId}, note = ${sealed}
      WHERE ${at}`.execute(tx)
    await sql`
      UPDATE courier_invoices SET updated_at = now(),
        master_key_id = coalesce(${wrapped?.masterKeyId ?? null}, master_key_id),
        wrapped_key = coalesce(${wrapped?.wrappedKey ?? null}::bytea, wrapped_key)
      WHERE id = ${invoiceId}`.execute(tx)
  })
}

function isAsSeen(
  { finding, decided_at: decidedAt }: DecidedLine,
  version: number,
  seen: SeenLine | null,
): boolean {
  if (seen === null) return true
  const isSameDecision =
    seen.decidedAt === null
      ? decidedAt === null
      : Date.parse(seen.decidedAt) === decidedAt?.getTime()
  return seen.version === version && seen.finding === finding && isSameDecision
}
