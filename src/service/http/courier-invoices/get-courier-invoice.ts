import { invoiceToApi } from '../../processes/invoices/invoice-to-api.ts'
import type { App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { invoiceSchema } from './invoice-schema.ts'

export function getCourierInvoiceRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id',
    config: { resource: invoice, isVersioned: true },
    schema: {
      operationId: 'getCourierInvoice',
      summary: "Read a courier's invoice, with the totals of its findings",
      description:
        'Totals change when a line without a final finding is compared again, which happens within seconds of a change of its shipment.',
      tags: ['Courier invoices'],
      params: pathId('inv'),
      response: { 200: invoiceSchema.meta({ description: 'The invoice as it is now.' }) },
    },
    handler: async (request) => invoiceToApi(invoice.of(request)),
  })
}
