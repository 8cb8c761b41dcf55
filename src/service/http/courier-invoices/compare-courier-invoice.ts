import { Problem } from '../../errors.ts'
import { compareAgain } from '../../processes/invoices/invoice-lease.ts'
import { invoiceToApi } from '../../processes/invoices/invoice-to-api.ts'
import type { App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { type InvoiceDeps, invoiceResource, requireInvoice } from './find-invoice.ts'
import { invoiceSchema } from './invoice-schema.ts'

export function compareCourierInvoiceRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/courier-invoices/:id/compare',
    config: { resource: invoice, whileSuspended: true, problems: ['invoice_withdrawn'] },
    schema: {
      operationId: 'compareCourierInvoice',
      summary: 'Compare an invoice with the ledger again',
      description:
        'Use it after a shipment or another invoice has changed. Attempts that created nothing are looked up again. Decisions are kept. A comparison that is under way continues.',
      tags: ['Courier invoices'],
      params: pathId('inv'),
      response: {
        202: invoiceSchema.meta({ description: 'The invoice, which is being compared.' }),
      },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      const { id, state } = invoice.of(request)
      if (state === 'withdrawn') throw new Problem('invoice_withdrawn')
      await compareAgain(deps.db, id)
      deps.workAdded.notify()
      reply.code(202)
      return invoiceToApi(await requireInvoice(deps, principal, id))
    },
  })
}
