import type { App } from '../api-services.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { answerList } from '../rules/answer-list.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { invoiceLinesToApi, readLineRows } from './invoice-lines-to-api.ts'
import { invoiceLineSchema } from './invoice-schema.ts'
import { chosenBy, lineParameters } from './line-filters.ts'

export function listCourierInvoiceLinesRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/lines',
    config: { resource: invoice },
    schema: {
      operationId: 'listCourierInvoiceLines',
      summary: 'List the lines of an invoice in order, with their findings',
      description:
        'To find what needs a person, filter by `finding` and `decided=false`. Lines of earlier versions keep the findings and decisions that they had.',
      tags: ['Courier invoices'],
      params: pathId('inv'),
      querystring: listQuery(lineParameters),
      response: { 200: listOf(invoiceLineSchema, 'A page of lines, in order.') },
    },
    handler: async (request) => {
      const row = invoice.of(request)
      const chosen = chosenBy(row, request.query)
      return await answerList(request, deps, {
        read: ({ after, limit }) =>
          readLineRows(deps, row, { ...chosen, after: Number(after?.[0] ?? 0), limit }),
        sortKey: ({ line }) => [String(line)],
        show: (lines) => invoiceLinesToApi(deps, row, lines),
      })
    },
  })
}
