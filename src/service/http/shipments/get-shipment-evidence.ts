import { evidenceExported } from '../../ledger/evidence/evidence-bundles.ts'
import { nameOfShipment } from '../../processes/documents/document-name.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct } from '../audit-act.ts'
import { fileHeaders } from '../documents/file-headers.ts'
import { fileOf, pathId } from '../openapi/schemas.ts'
import { askedLanguage } from '../rules/asked-language.ts'
import { authenticated } from '../rules/authenticate.ts'
import { evidenceAsked, evidenceQuery } from './evidence-query.ts'
import { shipmentResource } from './find-shipment.ts'

type Deps = Pick<ApiServices, 'evidence' | 'owners' | 'store'>

export function getShipmentEvidenceRoute(app: App, deps: Deps): void {
  const shipment = shipmentResource(deps, 'ledger:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/evidence',
    // HEAD would make a whole bundle and record an export.
    exposeHeadRoute: false,
    config: {
      resource: shipment,
      produces: 'application/zip',
      headers: ['accept-language'],
      problems: ['evidence_too_large'],
    },
    schema: {
      operationId: 'getShipmentEvidence',
      summary: 'Download a bundle of evidence about a shipment as a ZIP file',
      description:
        'Contains a report for people, the whole history with its proofs, the signed checkpoint with the cosignatures of witnesses, a program that checks all of it offline, and a signed list of the files. `lang` is the language of `report.pdf` and `README.md`. Each bundle is recorded in the audit. The latest events must be sealed: if they are not yet, wait for `Retry-After`.',
      tags: ['Ledger'],
      params: pathId('shp'),
      querystring: evidenceQuery,
      response: { 200: fileOf('application/zip', 'The bundle.') },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { principal } = caller
      const { id } = request.params
      const { language, languageHeaders } = askedLanguage(request)
      const requested = evidenceAsked(principal, request.query, language)
      const bundle = await deps.evidence.make({ ...requested, shipmentId: id })
      const { state } = shipment.of(request)
      const { workspace_id: workspaceId } = state.request
      await auditAct(deps, caller, workspaceId, evidenceExported(id, bundle))
      const name = nameOfShipment({ kind: 'evidence', language }, state)
      return reply
        .headers({ ...fileHeaders({ name, media: 'application/zip' }), ...languageHeaders })
        .send(bundle.bytes)
    },
  })
}
