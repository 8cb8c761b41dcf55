import { z } from 'zod'
import { evidenceExported } from '../../ledger/evidence/evidence-bundles.ts'
import { auditAct } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated, requireScope } from '../rules/authenticate.ts'
import type { App } from '../server-deps.ts'
import { evidenceAsked, evidenceParameters, zip } from '../shipments/evidence-routes.ts'
import { chooseLines, linesMax, shipmentsMax } from './choose-lines.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { invoiceEvidence } from './invoice-evidence.ts'
import { chosenBy, lineParameters } from './line-filters.ts'

export function invoiceEvidenceRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'ledger:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/evidence',
    // HEAD would make all bundles and record exports.
    exposeHeadRoute: false,
    config: {
      resource: invoice,
      produces: 'application/zip',
      problems: ['evidence_too_large', 'invoice_comparing'],
    },
    schema: {
      operationId: 'getCourierInvoiceEvidence',
      summary: 'Download the evidence about lines of an invoice as one ZIP file',
      description: `For disputes: the chosen lines as \`lines.csv\`, a README, and for each of their shipments a folder with the bundle that \`GET /v1/shipments/{id}/evidence\` makes. Lines without a shipment are in \`lines.csv\`, and the README names them. A file has at most ${linesMax.toLocaleString('en')} lines about at most ${shipmentsMax} shipments; for more, \`evidence_too_large\` says where to divide them with \`first_line\` and \`last_line\`. Each bundle is recorded in the audit. An organization has one such file made at a time: others get 503 \`overloaded\` with \`Retry-After\`. Also requires the scope \`operations:read\`.`,
      tags: ['Courier invoices'],
      params: pathId('inv'),
      querystring: z.strictObject({ ...lineParameters, ...evidenceParameters }),
      response: { 200: zip('The lines and the bundles.') },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      requireScope(caller.principal, 'operations:read')
      const { query } = request
      const requested = evidenceAsked(caller.principal, query)
      const row = invoice.of(request)
      const chosen = await chooseLines(deps, row, chosenBy(row, query))
      const made = await invoiceEvidence(deps.evidence, row, chosen, requested)
      for (const { shipmentId, ...bundle } of made.bundles) {
        const { sha256 } = made
        const act = evidenceExported(shipmentId, { ...bundle, sha256 })
        await auditAct(deps, caller, row.workspace_id, act)
      }
      reply
        .header('content-disposition', `attachment; filename="evidence-${row.id}.zip"`)
        .type('application/zip')
      return reply.send(made.bytes)
    },
  })
}
