import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
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
  const resource = { type: 'courier_invoice', id, version }
  // One holder ends a comparison, and never another.
  await sql`
    INSERT INTO webhook_notices
      (change, organization_id, workspace_id, livemode, type, resource, object, request_id, at)
    SELECT ${`invoice:${id}:${owner}`}, ${held.organization_id}, ${held.workspace_id},
      ${held.livemode}, 'courier_invoice.compared', ${JSON.stringify(resource)}::jsonb,
      ${JSON.stringify(shownInvoice(invoice))}::jsonb, v.request_id, now()
    FROM courier_invoice_versions v
    WHERE v.invoice_id = ${id} AND v.version = ${version}`.execute(tx)
}
