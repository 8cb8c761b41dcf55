import { invoiceToApi } from '../../processes/invoices/invoice-to-api.ts'
import { withdrawInvoice } from '../../processes/invoices/withdraw-invoice.ts'
import type { App } from '../api-services.ts'
import { auditAct } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { type InvoiceDeps, invoiceResource, requireInvoice } from './find-invoice.ts'
import { invoiceSchema } from './invoice-schema.ts'

export function withdrawCourierInvoiceRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/courier-invoices/:id/withdraw',
    config: { resource: invoice, whileSuspended: true },
    schema: {
      operationId: 'withdrawCourierInvoice',
      summary: 'Withdraw an invoice that was imported by mistake',
      description:
        'Its lines no longer bill any guide: other invoices of the connection that bill the same guides are compared again by themselves. A withdrawn invoice can still be read, but is neither compared nor decided. Sending it again under its reference makes a new version, which is compared behind the invoices that were imported in the meantime. Withdrawing it again changes nothing.',
      tags: ['Courier invoices'],
      params: pathId('inv'),
      response: { 200: invoiceSchema.meta({ description: 'The withdrawn invoice.' }) },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const row = invoice.of(request)
      await withdrawInvoice(deps.db, row, ({ version, state: before }) =>
        auditAct(deps, caller, row.workspace_id, {
          type: 'CourierInvoiceWithdrawn',
          data: { courier_invoice_id: row.id, version, before },
        }),
      )
      deps.workAdded.notify()
      return invoiceToApi(await requireInvoice(deps, caller.principal, row.id))
    },
  })
}
