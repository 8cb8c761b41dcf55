import { z } from 'zod'
import { evidenceExported } from '../../ledger/evidence/evidence-bundles.ts'
import { nameOfOne } from '../../processes/documents/document-name.ts'
import type { App } from '../api-services.ts'
import { auditAct } from '../audit-act.ts'
import { fileHeaders } from '../documents/file-headers.ts'
import { fileOf, pathId } from '../openapi/schemas.ts'
import { askedLanguage } from '../rules/asked-language.ts'
import { authenticated, requireScope } from '../rules/authenticate.ts'
import { evidenceAsked, evidenceParameters } from '../shipments/evidence-query.ts'
import { bundlesMax, chooseLines, linesMax } from './choose-lines.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { invoiceEvidence } from './invoice-evidence.ts'
import { chosenBy, lineParameters } from './line-filters.ts'

export function getCourierInvoiceEvidenceRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'ledger:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/evidence',
    // HEAD would make all bundles and record exports.
    exposeHeadRoute: false,
    config: {
      resource: invoice,
      produces: 'application/zip',
      headers: ['accept-language'],
      problems: ['evidence_too_large', 'invoice_comparing'],
    },
    schema: {
      operationId: 'getCourierInvoiceEvidence',
      summary: 'Download the evidence about lines of an invoice as one ZIP file',
      description: `For disputes: \`claim.pdf\` for the courier if any of the chosen lines is disputed, the chosen lines as \`lines.csv\`, a README, and for each of their shipments a folder with the bundle of \`GET /v1/shipments/{id}/evidence\`. Lines without a shipment are in \`lines.csv\` and in the README. \`lang\` is the language of the claim, the README and the reports; names of files and columns are in English. A file has at most ${linesMax.toLocaleString('en')} lines about at most ${bundlesMax} shipments; for more, \`evidence_too_large\` says where to split them with \`first_line\` and \`last_line\`. Each bundle is recorded in the audit. One such file is made at a time for each organization: other requests get 503 \`overloaded\` with \`Retry-After\`. Also requires the scope \`operations:read\`.`,
      tags: ['Courier invoices'],
      params: pathId('inv'),
      querystring: z.strictObject({ ...lineParameters, ...evidenceParameters }),
      response: { 200: fileOf('application/zip', 'The claim, the lines and the bundles.') },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      requireScope(caller.principal, 'operations:read')
      const { query } = request
      const { language, languageHeaders } = askedLanguage(request)
      const requested = evidenceAsked(caller.principal, query, language)
      const row = invoice.of(request)
      const lines = chosenBy(row, query)
      const chosen = await chooseLines(deps, row, lines, { shipmentsMax: bundlesMax })
      const { principal: scope } = caller
      const { times } = requested
      const claim = { scope, invoice: row, chosen, times, language, isAlone: false }
      const made = await invoiceEvidence(deps, claim, requested)
      for (const { shipmentId, ...bundle } of made.bundles) {
        const { sha256 } = made
        const act = evidenceExported(shipmentId, { ...bundle, sha256 })
        await auditAct(deps, caller, row.workspace_id, act)
      }
      const name = nameOfOne({ kind: 'evidence', language }, row.reference)
      return reply
        .headers({ ...fileHeaders({ name, media: 'application/zip' }), ...languageHeaders })
        .send(made.bytes)
    },
  })
}
