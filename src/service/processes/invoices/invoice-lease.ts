import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Claimant } from '../../queue/claim.ts'
import { enqueueCompared } from './enqueue-compared.ts'
import { eraseInvalidLinesIn } from './invalid-lines.ts'
import { totalsOf } from './invoice-totals.ts'
import type { InvoiceRow } from './store-invoice.ts'

/** An invoice claimed by one process, which alone compares it. */
export type LeasedInvoice = InvoiceRow & Claimant

/** SQL: the lease is still held, and the version is unchanged. */
function isLeased({ id, owner, version }: LeasedInvoice) {
  return sql`i.id = ${id} AND i.owner = ${owner}::uuid AND i.version = ${version}
    AND i.state = 'comparing'`
}

/** Stores the progress of the comparison. False if the lease is lost. */
export async function advanceInvoice(
  tx: Kysely<Tables>,
  leased: LeasedInvoice,
  comparedLine: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE courier_invoices i SET compared_line = greatest(compared_line, ${comparedLine})
    WHERE ${isLeased(leased)}`.execute(tx)
  return numAffectedRows === 1n
}

/** Stores the position that the ledger must be read at or after. */
export async function notePosition(
  db: Kysely<Tables>,
  leased: LeasedInvoice,
  position: string | null,
): Promise<void> {
  await sql`
    UPDATE courier_invoices i SET ledger_position = ${position}
    WHERE ${isLeased(leased)}`.execute(db)
}

/** Completes the comparison and enqueues its webhook, once. */
export async function endComparison(db: Kysely<Tables>, leased: LeasedInvoice): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      UPDATE courier_invoices i SET state = 'compared', compared_at = now(), updated_at = now(),
        owner = NULL, leased_until = NULL
      WHERE ${isLeased(leased)}`.execute(tx)
    if (numAffectedRows !== 1n) return
    await eraseInvalidLinesIn(tx, leased)
    await countTotals(tx, leased)
    await enqueueCompared(tx, leased)
  })
}

/** Counts the findings by finding and currency. */
export async function countTotals(
  tx: Kysely<Tables>,
  { id, version }: Pick<InvoiceRow, 'id' | 'version'>,
): Promise<void> {
  await sql`
    UPDATE courier_invoice_versions v SET totals = ${totalsOf(sql`${id}`, sql`${version}::int`)}
    WHERE v.invoice_id = ${id} AND v.version = ${version}`.execute(tx)
}

/** Compares the newest version again from its first line; a comparison in progress continues. */
export async function compareAgain(db: Kysely<Tables>, invoiceId: string): Promise<void> {
  await sql`
    UPDATE courier_invoices SET state = 'comparing', compared_line = 0, ledger_position = NULL,
      owner = NULL, leased_until = NULL, next_at = now()
    WHERE id = ${invoiceId} AND state = 'compared'`.execute(db)
}
