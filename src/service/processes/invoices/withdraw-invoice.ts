import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import { lockImports } from './lock-imports.ts'
import type { InvoiceRow } from './store-invoice.ts'

/** What is recorded before a withdrawal takes effect. */
type WithdrawnVersion = Pick<InvoiceRow, 'version' | 'state'>

/**
 * Withdraws an invoice: its lines bill nothing from now on, and the invoices of the connection that
 * bill a guide of them too are compared again. Withdrawing it again changes nothing.
 */
export async function withdrawInvoice(
  db: Kysely<ReadModels>,
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

/** What is being compared begins again: it may have met the lines before they were withdrawn. */
async function compareOthers(
  tx: Kysely<ReadModels>,
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
