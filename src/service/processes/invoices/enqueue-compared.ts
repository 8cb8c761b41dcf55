import { sql } from 'kysely'
import { enqueueWebhooks } from '../../webhooks/enqueue-webhooks.ts'
import type { WebhookTx } from '../../webhooks/store-webhooks.ts'
import { findInvoices, invoiceToApi } from './invoice-to-api.ts'
import type { InvoiceRow } from './store-invoice.ts'

/** Enqueues `courier_invoice.compared`. Call it in the transaction that ends the comparison. */
export async function enqueueCompared(
  tx: WebhookTx,
  held: InvoiceRow & { readonly owner: string },
): Promise<void> {
  const { id, version, owner } = held
  const [invoice] = await findInvoices(tx, held.organization_id, [id])
  if (invoice === undefined) throw new Error('bug: a compared invoice that does not exist')
  const { rows } = await sql<{ request_id: string | null }>`
    SELECT request_id FROM courier_invoice_versions
    WHERE invoice_id = ${id} AND version = ${version}`.execute(tx)
  await enqueueWebhooks(tx, [
    {
      // A lease ends at most one comparison.
      change: `invoice:${id}:${owner}`,
      organizationId: held.organization_id,
      workspaceId: held.workspace_id,
      livemode: held.livemode,
      type: 'courier_invoice.compared',
      resource: { type: 'courier_invoice', id, version },
      object: invoiceToApi(invoice),
      previous: null,
      requestId: rows[0]?.request_id ?? null,
      at: new Date(),
    },
  ])
}
