import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import { type InvoiceRow, lockImports } from './store-invoice.ts'

/** What the audit records before a withdrawal takes effect. */
type WithdrawnVersion = Pick<InvoiceRow, 'version' | 'state'>

/**
 * Withdraws an invoice: its lines no longer bill anything, and other invoices of the connection
 * that bill the same guides are compared again. Repeating it changes nothing.
 */
export async function withdrawInvoice(
  db: Kysely<Tables>,
  { id, courier_connection_id: connectionId }: Pick<InvoiceRow, 'id' | 'courier_connection_id'>,
  beforeWithdrawn: (invoice: WithdrawnVersion) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockImports(tx, connectionId)
    const { rows } = await sql<WithdrawnVersion>`
      SELECT version, state FROM courier_invoices WHERE id = ${id} FOR UPDATE`.execute(tx)
    const [invoice] = rows
    if (invoice === undefined) throw new Problem('not_found')
    if (invoice.state === 'withdrawn') return
    await beforeWithdrawn(invoice)
    await sql`
      UPDATE courier_invoices SET state = 'withdrawn', withdrawn_at = now(), updated_at = now(),
        owner = NULL, leased_until = NULL
      WHERE id = ${id}`.execute(tx)
    await compareOthers(tx, { id, connectionId })
  })
}

/** Restarts running comparisons too: they may have read the lines before the withdrawal. */
async function compareOthers(
  tx: Kysely<Tables>,
  { id, connectionId }: { readonly id: string; readonly connectionId: string },
): Promise<void> {
  await sql`
    UPDATE courier_invoices i SET state = 'comparing', compared_line = 0, ledger_position = NULL,
      owner = NULL, leased_until = NULL, next_at = now()
    WHERE i.courier_connection_id = ${connectionId} AND (i.state = 'comparing'
      OR (i.state = 'compared' AND EXISTS (
        SELECT FROM courier_invoice_lines l
        WHERE l.invoice_id = i.id AND l.version = i.version
          AND l.billed_before ->> 'courier_invoice_id' = ${id})))`.execute(tx)
}
