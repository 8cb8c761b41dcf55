import type { App } from '../api-services.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { answerList } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { shipmentResource } from '../shipments/find-shipment.ts'
import type { InvoiceDeps } from './find-invoice.ts'
import { billedLinesToApi, readBilledRows } from './invoice-lines-to-api.ts'
import { billedLineSchema } from './invoice-schema.ts'

export function listShipmentInvoiceLinesRoute(app: App, deps: InvoiceDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/courier-invoice-lines',
    config: { resource: shipmentResource(deps, 'operations:read') },
    schema: {
      operationId: 'listShipmentInvoiceLines',
      summary: "List the lines of couriers' invoices that bill a shipment",
      description:
        'The compared lines of the newest versions of all invoices, in the order in which the courier billed them. Lines of withdrawn invoices bill nothing and are not listed.',
      tags: ['Courier invoices'],
      params: pathId('shp'),
      querystring: listQuery({}),
      response: { 200: listOf(billedLineSchema, 'A page of lines, the first billed first.') },
    },
    handler: async (request) => {
      const { organizationId } = authenticated(request).principal
      const of = { organizationId, shipmentId: request.params.id }
      return await answerList(request, deps, {
        read: ({ after, limit }) => {
          const [billedAt = '0', line = '0'] = after ?? []
          return readBilledRows(deps, of, { after: [billedAt, line], limit })
        },
        sortKey: ({ billed_at: billedAt, line }) => [billedAt, String(line)],
        show: (rows) => billedLinesToApi(deps, rows),
      })
    },
  })
}
