import { z } from 'zod'
import { actResourceTypes } from '../../domain/ledger/administrative-act.ts'
import type { ApiServices, App } from '../api-services.ts'
import { named } from '../named-filters.ts'
import { filterText, idOf, listOf, listQuery } from '../openapi/schemas.ts'
import { listNewestFirst } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { createdRange, equals, parametersOf } from '../rules/filters.ts'
import { auditActions, auditEventObject, auditEventSchema } from './audit-event-schema.ts'
import { reachableAuditEvents, requireBuilt } from './find-audit-event.ts'

/**
 * An unknown operator or resource, or one of another organization, is not refused: it has no acts.
 */
const filters = {
  operator_id: equals(
    filterText(64).meta({ description: 'Only acts of this operator.' }),
    'operator_id',
  ),
  key_id: equals(idOf('key').meta({ description: 'Only acts with this key.' }), 'key_id'),
  action: equals(z.enum(auditActions).meta({ description: 'Only acts of this type.' }), 'action'),
  resource_type: equals(
    z.enum(actResourceTypes).meta({ description: 'Only acts on resources of this kind.' }),
    'resource_type',
  ),
  resource_id: equals(
    filterText(64).meta({ description: 'Only acts on the resource with this id.' }),
    'resource_id',
  ),
  workspace_id: named.workspace_id,
  ...createdRange,
}

/** An organization reads its own audit, so the reading is not recorded. */
export function listAuditEventsRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/audit-events',
    config: { collectionScope: 'ledger:read', problems: ['not_found'] },
    schema: {
      operationId: 'listAuditEvents',
      summary: "List the administrative acts on the organization's resources, newest first",
      description:
        'What was created, changed, deleted and revoked, and by whom, and what the platform read with its commands. A key sees the acts in its mode and those on the organization as a whole; a key of one workspace sees only the acts in that workspace. An act appears about a second after it was recorded.',
      tags: ['Audit events'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(auditEventSchema, 'A page of acts, newest first.') },
    },
    handler: async (request) => {
      await requireBuilt(deps.db)
      return listNewestFirst(deps, request, filters, {
        rows: reachableAuditEvents(deps.db, authenticated(request).principal),
        show: (rows) => rows.map(auditEventObject),
        tiebreaker: 'position',
      })
    },
  })
}
