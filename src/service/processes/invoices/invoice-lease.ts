import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { leaveCompared } from './leave-compared.ts'
import type { InvoiceRow } from './store-invoice.ts'

/** Another process goes on with the comparison after this if its holder died. */
const leaseMs = 15_000
const leased = sql`now() + ${sql.lit(leaseMs)} * interval '1 millisecond'`

/** An invoice that only this process compares until its lease ends. */
export type HeldInvoice = InvoiceRow & { readonly owner: string }

/** Holds the next invoice to compare, organizations in turn. Null: there is none. */
export async function holdInvoice(
  db: Kysely<ReadModels>,
  owner: string,
): Promise<HeldInvoice | null> {
  const { rows } = await sql<HeldInvoice>`
    UPDATE courier_invoices i SET owner = ${owner}::uuid, leased_until = ${leased},
      served_at = now()
    WHERE i.id = (
      SELECT c.id FROM courier_invoices c
      WHERE c.state = 'comparing' AND c.next_at <= now() AND (c.leased_until > now()) IS NOT TRUE
      ORDER BY (
        SELECT max(o.served_at) FROM courier_invoices o
        WHERE o.organization_id = c.organization_id AND o.state = 'comparing'
      ), c.served_at
      LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING i.*`.execute(db)
  return rows[0] ?? null
}

/** SQL: the invoice is still this holder's, at this version. */
function isHeld({ id, owner, version }: HeldInvoice) {
  return sql`i.id = ${id} AND i.owner = ${owner}::uuid AND i.version = ${version}
    AND i.state = 'comparing'`
}

/** Notes how far the comparison is, and extends the lease. False: it is held no longer. */
export async function advanceInvoice(
  tx: Kysely<ReadModels>,
  held: HeldInvoice,
  comparedLine: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE courier_invoices i SET leased_until = ${leased},
      compared_line = greatest(compared_line, ${comparedLine})
    WHERE ${isHeld(held)}`.execute(tx)
  return numAffectedRows === 1n
}

/** Notes the position that the ledger is read at or after. */
export async function notePosition(
  db: Kysely<ReadModels>,
  held: HeldInvoice,
  position: string | null,
): Promise<void> {
  await sql`
    UPDATE courier_invoices i SET ledger_position = ${position}, leased_until = ${leased}
    WHERE ${isHeld(held)}`.execute(db)
}

/** Gives the invoice back, to go on with after this wait. */
export async function releaseInvoice(
  db: Kysely<ReadModels>,
  held: HeldInvoice,
  waitMs: number,
): Promise<void> {
  await sql`
    UPDATE courier_invoices i SET owner = NULL, leased_until = NULL,
      next_at = now() + ${waitMs} * interval '1 millisecond'
    WHERE ${isHeld(held)}`.execute(db)
}

/** The comparison is complete, and its webhook is sent once. */
export async function endComparison(db: Kysely<ReadModels>, held: HeldInvoice): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      UPDATE courier_invoices i SET state = 'compared', compared_at = now(), updated_at = now(),
        owner = NULL, leased_until = NULL
      WHERE ${isHeld(held)}`.execute(tx)
    if (numAffectedRows !== 1n) return
    await countTotals(tx, held)
    await leaveCompared(tx, held)
  })
}

/** Counts what was found, by finding and currency. */
export async function countTotals(
  tx: Kysely<ReadModels>,
  { id, version }: Pick<InvoiceRow, 'id' | 'version'>,
): Promise<void> {
  await sql`
    UPDATE courier_invoice_versions v SET totals = counted.totals
    FROM (
      SELECT coalesce(jsonb_agg(each ORDER BY each.finding, each.currency), '[]') AS totals
      FROM (
        SELECT finding, currency, count(*) AS lines, sum(amount) AS amount
        FROM courier_invoice_lines
        WHERE invoice_id = ${id} AND version = ${version} AND finding IS NOT NULL
        GROUP BY finding, currency
      ) each
    ) counted
    WHERE v.invoice_id = ${id} AND v.version = ${version}`.execute(tx)
}

/** Compares the newest version again, from its first line; one that is being compared goes on. */
export async function compareAgain(db: Kysely<ReadModels>, invoiceId: string): Promise<void> {
  await sql`
    UPDATE courier_invoices SET state = 'comparing', compared_line = 0, ledger_position = NULL,
      owner = NULL, leased_until = NULL, next_at = now()
    WHERE id = ${invoiceId} AND state = 'compared'`.execute(db)
}
