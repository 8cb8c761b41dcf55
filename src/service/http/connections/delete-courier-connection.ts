import { z } from 'zod'
import { Problem } from '../../errors.ts'
import type { ConnectionRow } from '../../processes/connections/connection-to-api.ts'
import { placeOf } from '../../processes/connections/courier-accounts.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import { connections } from './connection-schema.ts'

export function deleteCourierConnectionRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'DELETE',
    url: '/v1/courier-connections/:id',
    config: {
      resource: connections.resource(deps, 'connections:write'),
      isVersioned: true,
      problems: ['connection_in_use'],
    },
    schema: {
      operationId: 'deleteCourierConnection',
      summary: 'Remove a connection that has no unresolved operation',
      description:
        'Its shipments can still be read. 409 `connection_in_use`: an operation still needs the connection to ask the courier; wait until it is resolved. To stop creations at once, set `status` to `disabled` instead.',
      tags: ['Courier connections'],
      params: pathId('ccn'),
      response: { 204: z.null().meta({ description: 'The connection is removed.' }) },
    },
    handler: async (request, reply) => {
      await connections.change(deps, request, (row) => remove(deps, authenticated(request), row))
      return reply.code(204).send(null)
    },
  })
}

/**
 * Hides the connection. Its sealed credentials are kept, because later looks and tracking polls of
 * its shipments need them.
 */
async function remove(deps: ApiServices, caller: Caller, row: ConnectionRow): Promise<void> {
  const { id } = row
  if (await deps.hasUnresolvedOperations(placeOf(row))) throw new Problem('connection_in_use')
  await auditAct(deps, caller, row.workspace_id, {
    type: 'CourierConnectionDeleted',
    data: { courier_connection_id: id },
  })
  const now = deps.clock.now()
  const deleted = await deps.db
    .updateTable('courier_connections')
    .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('organization_id', '=', row.organization_id)
    .where(asRead(row))
    .returning('id')
    .executeTakeFirst()
  requireWritten(deleted)
  deps.accounts.forget(placeOf(row))
}
