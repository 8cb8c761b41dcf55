import { z } from 'zod'
import { auditProjection } from '../../../../projections/all.ts'
import { actResourceTypes } from '../../domain/ledger/administrative-act.ts'
import { Problem } from '../../errors.ts'
import { isBuilt } from '../../projector/checkpoint.ts'
import type { Principal } from '../../security/api-keys.ts'
import { named } from '../named-filters.ts'
import { filterText, idOf, listOf, listQuery, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  createdRange,
  equals,
  findNamed,
  matching,
  olderThan,
  parametersOf,
} from '../rules/filters.ts'
import { listPage } from '../rules/lists.ts'
import { resource } from '../rules/resources/resource.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import {
  type AuditEventRow,
  auditActions,
  auditEventObject,
  auditEventSchema,
  exampleAuditEvent,
} from './audit-event-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'owners' | 'processes' | 'secrets' | 'store' | 'workspaces'>

const tags = ['Audit events']

/** An operator or a resource that does not exist has no acts; neither does one of another organization. */
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

/** The organization's own reading of its audit, which is part of its data and not recorded. */
export function auditEventRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/audit-events',
    config: { collectionScope: 'ledger:read', problems: ['not_found'] },
    schema: {
      operationId: 'listAuditEvents',
      summary: "List the administrative acts on the organization's resources, newest first",
      description:
        'What was created, changed, deleted and revoked, by whom, and what the platform read with its commands. A key sees the acts in its mode, and those on the organization as a whole; a key of one workspace sees only the acts in that workspace. An act appears about a second after it was recorded.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(auditEventSchema, 'A page of acts, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await requireBuilt(deps)
      await findNamed(filters, query, deps, principal)
      return listPage({
        deps,
        principal,
        route: '/v1/audit-events',
        query,
        read: ({ after, limit }) =>
          reachable(deps, principal)
            .where(matching(filters, query, after))
            .where(olderThan(after, 'position'))
            .orderBy('created_at', 'desc')
            .orderBy('position', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.position],
        item: auditEventObject,
      })
    },
  })
  const act = resource('ledger:read', ({ principal }, id) => find(deps, principal, id))
  app.route({
    method: 'GET',
    url: '/v1/audit-events/:id',
    config: { resource: act, isVersioned: true },
    schema: {
      operationId: 'getAuditEvent',
      summary: 'Read an administrative act',
      description: 'Use it with the id of an event in an export.',
      tags,
      params: z.strictObject({
        id: z.uuid().meta({
          description:
            'The `id` of the act. One that does not exist, or that the key does not reach, is 404 `not_found`.',
          example: exampleAuditEvent.id,
        }),
      }),
      response: { 200: auditEventSchema.meta({ description: 'The act.' }) },
    },
    handler: async (request) => auditEventObject(act.of(request)),
  })
}

/** The acts that a key sees. */
function reachable({ processes }: Deps, principal: Principal) {
  const own = processes.db
    .selectFrom('projections.audit_events')
    .selectAll()
    .where('organization_id', '=', principal.organizationId)
    .where(principal.livemode ? 'in_live' : 'in_test', '=', true)
  return principal.workspaceId === null
    ? own
    : own.where('workspace_id', '=', principal.workspaceId)
}

/** The act, or 404 as for any id that never existed. */
async function find(deps: Deps, principal: Principal, id: string): Promise<AuditEventRow> {
  await requireBuilt(deps)
  const row = await reachable(deps, principal).where('event_id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}

/** Right after the upgrade that adds the list, it is still being built. */
async function requireBuilt({ processes }: Deps): Promise<void> {
  if (await isBuilt(processes.db, auditProjection.name)) return
  const detail = 'The list of audit events is being built.'
  throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
}
