import { z } from 'zod'
import { nameOfOne } from '../../processes/documents/document-name.ts'
import type { App } from '../api-services.ts'
import { fileHeaders } from '../documents/file-headers.ts'
import { fileOf, pathId } from '../openapi/schemas.ts'
import { askedLanguage, languageParameter } from '../rules/asked-language.ts'
import { authenticated, requireScope } from '../rules/authenticate.ts'
import { evidenceAsked, evidenceParameters } from '../shipments/evidence-query.ts'
import { chooseLines, linesMax } from './choose-lines.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { invoiceClaim } from './invoice-claim.ts'
import { chosenBy, lineParameters } from './line-filters.ts'

const { finding, first_line, last_line } = lineParameters
const { time_zone } = evidenceParameters

export function getCourierInvoiceClaimRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'ledger:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/claim',
    // HEAD would print it.
    exposeHeadRoute: false,
    config: {
      resource: invoice,
      produces: 'application/pdf',
      headers: ['accept-language'],
      problems: ['evidence_too_large', 'invoice_comparing'],
    },
    schema: {
      operationId: 'getCourierInvoiceClaim',
      summary: 'Print the claim about the disputed lines of an invoice as a PDF',
      description: `To send to the courier: each disputed line of the newest version, what is claimed for it and why, and the sum for each currency, in the language of \`lang\`. It has no ids and no names of people. \`GET /v1/courier-invoices/{id}/evidence\` has the same claim together with the evidence. At most ${linesMax.toLocaleString('en')} lines; for more, \`evidence_too_large\` says where to split them with \`first_line\` and \`last_line\`. Without a disputed line it is 400 \`invalid_filter\`. Also requires the scope \`operations:read\`.`,
      tags: ['Courier invoices'],
      params: pathId('inv'),
      querystring: z.strictObject({
        finding,
        first_line,
        last_line,
        time_zone,
        ...languageParameter,
      }),
      response: { 200: fileOf('application/pdf', 'The claim.') },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      requireScope(principal, 'operations:read')
      const { language, languageHeaders } = askedLanguage(request)
      const { time_zone: zone, ...query } = request.query
      const { times } = evidenceAsked(principal, { time_zone: zone }, language)
      const row = invoice.of(request)
      const lines = chosenBy(row, { ...query, decision: 'disputed' })
      const chosen = await chooseLines(deps, row, lines, { shipmentsMax: linesMax })
      const of = { scope: principal, invoice: row, chosen, times, language, isAlone: true }
      const claim = await invoiceClaim(deps, of)
      if (claim === null) throw new Error('bug: a chosen line is not disputed')
      const name = nameOfOne({ kind: 'claim', language }, row.reference)
      return reply
        .headers({ ...fileHeaders({ name, media: 'application/pdf' }), ...languageHeaders })
        .send(claim)
    },
  })
}
