import { shownInvoice } from '../../processes/invoices/shown-invoice.ts'
import { withdrawInvoice } from '../../processes/invoices/withdraw-invoice.ts'
import { auditAct } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App } from '../server-deps.ts'
import { type InvoiceDeps, invoiceResource, requireInvoice } from './find-invoice.ts'
import { invoiceSchema } from './invoice-schema.ts'

export function withdrawInvoiceRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/courier-invoices/:id/withdraw',
    config: { resource: invoice, whileSuspended: true },
    schema: {
      operationId: 'withdrawCourierInvoice',
      summary: 'Withdraw an invoice that was imported by mistake',
      description:
        'Its lines no longer bill a guide: the invoices of the connection that bill a guide of them too are compared again by themselves. It can still be read, and is neither compared nor decided. Sent again under its reference, it is a new version that is compared, behind the invoices that came meanwhile. Withdrawing it again changes nothing.',
      tags: ['Courier invoices'],
      params: pathId('inv'),
      response: { 200: invoiceSchema.meta({ description: 'The invoice, which is withdrawn.' }) },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const row = invoice.of(request)
      await withdrawInvoice(deps.processes.db, row, ({ version, state: before }) =>
        auditAct(deps, caller, row.workspace_id, {
          type: 'CourierInvoiceWithdrawn',
          data: { courier_invoice_id: row.id, version, before },
        }),
      )
      deps.processes.invoiceBell.ring()
      return shownInvoice(await requireInvoice(deps, caller.principal, row.id))
    },
  })
}
