import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { evidenceExported } from '../../ledger/evidence/evidence-bundles.ts'
import { timesIn } from '../../ledger/evidence/report/times.ts'
import type { Principal } from '../../security/api-keys.ts'
import { auditAct } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated, requireScope } from '../rules/authenticate.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { shipmentResource } from './find-shipment.ts'

type Deps = Pick<RouteDeps, 'evidence' | 'owners' | 'store'>

/** The query parameters of what a bundle shows. */
export const evidenceParameters = {
  include_personal: z.enum(['true', 'false']).optional().meta({
    description:
      '`true`: also what the vault holds: the recipient, notes, the bodies of requests to the courier, labels; and operators by name, who otherwise have only an id. Also requires the scopes `shipments:read` and `operations:read`. If it was erased, the bundle says so. The default is `false`.',
  }),
  time_zone: z.string().optional().meta({
    description:
      'The time zone of the report, by its name in the time zone database. The report has every time in UTC as well. The default is `UTC`.',
    example: 'Europe/Madrid',
  }),
}
const evidenceQuery = z.strictObject(evidenceParameters)

/** What a query asks of bundles. Throws `forbidden_scope`, and `invalid_filter` for an unknown zone. */
export function evidenceAsked(
  principal: Principal,
  { include_personal: includes, time_zone: zone = 'UTC' }: z.output<typeof evidenceQuery>,
) {
  const includePersonal = includes === 'true'
  if (includePersonal) {
    requireScope(principal, 'shipments:read')
    // Comments, notes and the names of those who decided are in it.
    requireScope(principal, 'operations:read')
  }
  const times = timesIn(zone)
  if (times === null) {
    throw new Problem('invalid_filter', { detail: 'time_zone is not a known time zone.' })
  }
  const { organizationId } = principal
  return { organizationId, includePersonal, times }
}

export const zip = (description: string) => ({
  description,
  content: {
    'application/zip': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) },
  },
})

export function evidenceRoutes(app: App, deps: Deps): void {
  const shipment = shipmentResource(deps, 'ledger:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/evidence',
    // HEAD would make a whole bundle and record an export.
    exposeHeadRoute: false,
    config: {
      resource: shipment,
      produces: 'application/zip',
      problems: ['evidence_too_large'],
    },
    schema: {
      operationId: 'getShipmentEvidence',
      summary: 'Download a bundle of evidence about a shipment as a ZIP file',
      description:
        'A report for people, the whole history with its proofs, the signed checkpoint with the cosignatures of witnesses, a program that checks all of it offline, and a signed list of the files. Each bundle is recorded in the audit. The last events must be sealed: wait for `Retry-After` if they are not yet.',
      tags: ['Ledger'],
      params: pathId('shp'),
      querystring: evidenceQuery,
      response: { 200: zip('The bundle.') },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { principal } = caller
      const { id } = request.params
      const requested = evidenceAsked(principal, request.query)
      const bundle = await deps.evidence.make({ ...requested, shipmentId: id })
      const { workspace_id: workspaceId } = shipment.of(request).state.request
      await auditAct(deps, caller, workspaceId, evidenceExported(id, bundle))
      reply
        .header('content-disposition', `attachment; filename="evidence-${id}.zip"`)
        .type('application/zip')
      return reply.send(bundle.bytes)
    },
  })
}
