import { invoiceLinesMax } from '../../domain/invoices/invoice-limits.ts'
import { detailsKeptDays } from '../../processes/invoices/store-invoice.ts'
import type { App } from '../api-services.ts'
import { connections } from '../connections/connection-schema.ts'
import { authenticated } from '../rules/authenticate.ts'
import { csv, lineBodies } from '../rules/sheets/line-bodies.ts'
import type { InvoiceDeps } from './find-invoice.ts'
import { invoiceCheckSchema } from './invoice-check-schema.ts'
import {
  invoiceBody,
  invoiceQuery,
  invoiceRequest,
  invoiceSchema,
  jsonLinesMax,
} from './invoice-schema.ts'
import { checkInvoice, linesOfInvoice, readInvoiceBody } from './read-invoice.ts'
import { respondStored, storeImportedInvoice } from './respond-stored.ts'

/** 160 bytes for each of 100,000 lines; those with every column have about 80. */
const bodyLimitBytes = 16 * 1024 * 1024

/** 2 KiB for each of 1,000 lines. */
const jsonLimitBytes = 2 * 1024 * 1024

export async function createCourierInvoiceRoute(app: App, deps: InvoiceDeps): Promise<void> {
  await app.register(async (scope) => registerIn(invoiceBodies(scope as App), deps))
}

function registerIn(app: App, deps: InvoiceDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/courier-invoices',
    config: { collectionScope: 'operations:review', isIdempotent: true, problems: ['not_found'] },
    schema: {
      operationId: 'createCourierInvoice',
      summary: "Import a courier's invoice, to compare it with the ledger",
      description: `At most ${jsonLinesMax.toLocaleString('en')} lines as JSON, or ${invoiceLinesMax.toLocaleString('en')} as CSV (\`text/csv\`) in at most 16 MiB; CSV has the connection, reference and period in the query. The response comes before the lines are compared: read the invoice until its \`status\` is \`compared\`. Sending the same lines and period again under the same connection and reference returns the same invoice (\`Idempotent-Replayed: true\`); other content becomes its next version, and both are kept. An invoice with an invalid line is refused, and the errors name the lines; with \`skip_invalid=true\` the good lines are imported, and the invalid ones are kept with their errors and bill nothing. An invoice without a good line is always refused. A line for an attempt that was concluded as \`nothing_created\` starts a look at once: a guide contradicts the conclusion. Weights, dates, references and notes are kept for ${detailsKeptDays} days, and everything else for good, so that a guide that is billed again years later is recognized.`,
      tags: ['Courier invoices'],
      querystring: invoiceQuery,
      consumes: ['application/json', csv],
      body: invoiceRequest,
      response: {
        200: invoiceCheckSchema.meta({
          description: 'Only with `validate=true`: what an import would refuse.',
        }),
        202: invoiceSchema.meta({ description: 'The invoice. Its lines are being compared.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { principal } = caller
      const read = await readInvoiceBody(deps, request)
      const connection = await connections.find(deps, principal, read.connectionId)
      if (request.query.validate === true) return reply.code(200).send(await checkInvoice(read))
      const skipsInvalid = request.query.skip_invalid === true
      const lines = await linesOfInvoice(read, { skipsInvalid })
      return await respondStored(deps, { request, reply }, (newId) =>
        storeImportedInvoice(deps, { caller, connection, newId }, { ...read, ...lines }),
      )
    },
  })
}

/** Makes the scope of the route accept CSV as well as JSON. */
function invoiceBodies(scope: App): App {
  return lineBodies(scope, {
    json: { limitBytes: jsonLimitBytes, member: 'lines', linesMax: jsonLinesMax },
    text: { types: [csv], limitBytes: bodyLimitBytes },
    documented: invoiceRequest,
    // The lines are validated in slices.
    validated: invoiceBody,
  })
}
