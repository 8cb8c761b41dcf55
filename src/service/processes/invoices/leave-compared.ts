import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { leaveNotices } from '../leave-notices.ts'
import { findInvoices, shownInvoice } from './shown-invoice.ts'
import type { InvoiceRow } from './store-invoice.ts'

/** Has `courier_invoice.compared` sent. Call it in the transaction that ends the comparison. */
export async function leaveCompared(
  tx: Kysely<ReadModels>,
  held: InvoiceRow & { readonly owner: string },
): Promise<void> {
  const { id, version, owner } = held
  const [invoice] = await findInvoices(tx, held.organization_id, [id])
  if (invoice === undefined) throw new Error('bug: a compared invoice that does not exist')
  const { rows } = await sql<{ request_id: string | null }>`
    SELECT request_id FROM courier_invoice_versions
    WHERE invoice_id = ${id} AND version = ${version}`.execute(tx)
  const notice = {
    // One holder ends a comparison, and never another.
    change: `invoice:${id}:${owner}`,
    organization_id: held.organization_id,
    workspace_id: held.workspace_id,
    livemode: held.livemode,
    type: 'courier_invoice.compared' as const,
    resource: { type: 'courier_invoice', id, version },
    object: shownInvoice(invoice),
    previous: null,
    request_id: rows[0]?.request_id ?? null,
    at: new Date().toISOString(),
  }
  await leaveNotices(tx, [notice])
}
