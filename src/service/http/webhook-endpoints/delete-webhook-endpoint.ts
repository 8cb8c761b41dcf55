import { z } from 'zod'
import { workspaceNow } from '../../processes/sandbox/workspace-clock.ts'
import { discardPending, lockBreaker } from '../../webhooks/disable.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import { type EndpointRow, endpoints } from './webhook-endpoint-schema.ts'

type Deps = Pick<ApiServices, 'db' | 'store'>

export function deleteWebhookEndpointRoute(app: App, deps: Deps): void {
  app.route({
    method: 'DELETE',
    url: '/v1/webhook-endpoints/:id',
    config: {
      resource: endpoints.resource(deps, 'webhooks:write'),
      isVersioned: true,
    },
    schema: {
      operationId: 'deleteWebhookEndpoint',
      summary: 'Remove an endpoint and discard its pending deliveries',
      description:
        'Nothing is sent to it again. Its past deliveries can still be read. To stop for a while, set `status` to `disabled` instead: `recover` can later send what was missed.',
      tags: ['Webhook endpoints'],
      params: pathId('whe'),
      response: { 204: z.null().meta({ description: 'The endpoint is removed.' }) },
    },
    handler: async (request, reply) => {
      await endpoints.change(deps, request, (row) => remove(deps, authenticated(request), row))
      return reply.code(204).send(null)
    },
  })
}

/** Hides the endpoint and discards its pending deliveries. All its deliveries can still be read. */
async function remove(deps: Deps, caller: Caller, row: EndpointRow): Promise<void> {
  const { id } = row
  await auditAct(deps, caller, row.workspace_id, {
    type: 'WebhookEndpointDeleted',
    data: { webhook_endpoint_id: id },
  })
  const now = await workspaceNow(deps.db, row)
  await deps.db.transaction().execute(async (tx) => {
    await lockBreaker(tx, id)
    const deleted = await tx
      .updateTable('webhook_endpoints')
      .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
      .where(asRead(row))
      .returning('id')
      .executeTakeFirst()
    requireWritten(deleted)
    await discardPending(tx, id, 'endpoint_deleted', now.getTime())
  })
}
