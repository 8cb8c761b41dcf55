import { Readable } from 'node:stream'
import { z } from 'zod'
import { documentName } from '../../processes/documents/document-name.ts'
import type { ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import type { App } from '../api-services.ts'
import { fileHeaders } from '../documents/file-headers.ts'
import { pathId } from '../openapi/schemas.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { invoiceLinesToApi, readLineRows } from './invoice-lines-to-api.ts'
import { lineCsv, lineCsvHeader } from './line-csv.ts'
import { chosenBy, lineParameters } from './line-filters.ts'

/** Lines of a CSV that are written in one go: a few milliseconds. */
const writtenTogether = 250

export function downloadCourierInvoiceLinesRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/lines.csv',
    // HEAD would read all lines.
    exposeHeadRoute: false,
    config: { resource: invoice, produces: 'text/csv' },
    schema: {
      operationId: 'downloadCourierInvoiceLines',
      summary: 'Download the lines of an invoice as CSV',
      description:
        'In UTF-8, separated by commas, with amounts in minor units. A cell that a spreadsheet would run as a formula begins with an apostrophe.',
      tags: ['Courier invoices'],
      params: pathId('inv'),
      querystring: z.strictObject(lineParameters),
      response: {
        200: {
          description: 'The file: a header, then a row for each line.',
          content: {
            'text/csv': {
              schema: z.unknown().meta({ type: 'string', description: 'Comma-separated rows.' }),
            },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const row = invoice.of(request)
      const chosen = chosenBy(row, request.query)
      const name = documentName(['courier-invoice', row.reference])
      reply.headers(fileHeaders({ name, media: 'text/csv' })).type('text/csv; charset=utf-8')
      return reply.send(Readable.from(csvOf(deps, row, chosen)))
    },
  })
}

async function* csvOf(
  deps: InvoiceDeps,
  invoice: ReadInvoice,
  chosen: ReturnType<typeof chosenBy>,
): AsyncGenerator<string> {
  yield lineCsvHeader
  for (let after = 0; ; ) {
    const rows = await readLineRows(deps, invoice, { ...chosen, after, limit: writtenTogether })
    const last = rows.at(-1)
    if (last === undefined) return
    yield lineCsv(await invoiceLinesToApi(deps, invoice, rows))
    after = last.line
  }
}
