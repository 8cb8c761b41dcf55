import { z } from 'zod'
import { type WebhookType, webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { Problem } from '../../errors.ts'
import { takeRateLimit } from '../../processes/due/take-rate-limit.ts'
import { workspaceNow } from '../../processes/sandbox/workspace-clock.ts'
import { sendExample } from '../../webhooks/example.ts'
import { deliveryId } from '../../webhooks/store-webhooks.ts'
import type { ApiServices, App } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'
import { newWebhookEventId } from '../new-ids.ts'
import { pathId } from '../openapi/schemas.ts'
import { exampleEvent } from '../openapi/webhook-examples.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentCreate } from '../rules/idempotent-create.ts'
import {
  deliveryObject,
  deliverySchema,
  findDelivery,
} from '../webhook-deliveries/webhook-delivery-schema.ts'
import { type EndpointRow, endpoints } from './webhook-endpoint-schema.ts'

type Deps = Pick<ApiServices, 'db' | 'secrets' | 'webhookSealer'>

/** At most one example per endpoint in this time: people send examples by hand. */
const exampleApartMs = 1_000

export function testWebhookEndpointRoute(app: App, deps: Deps): void {
  const endpoint = endpoints.resource(deps, 'webhooks:write')
  app.route({
    method: 'POST',
    url: '/v1/webhook-endpoints/:id/test',
    config: {
      resource: endpoint,
      isIdempotent: true,
      problems: ['endpoint_disabled'],
    },
    schema: {
      operationId: 'testWebhookEndpoint',
      summary: 'Send an example event to this endpoint',
      description:
        'The endpoint need not subscribe to the type. At most one example a second. It is sent at once, even while the endpoint is paused, and signed and retried like any other event. `sequence` is null, and the ids in `data` belong to no real object.',
      tags: ['Webhook endpoints'],
      params: pathId('whe'),
      body: z
        .strictObject({
          type: z.enum(webhookTypeNames).meta({
            description: 'The type of the example. The endpoint need not subscribe to it.',
          }),
        })
        .meta({ description: 'The example to send.', examples: [{ type: 'shipment.created' }] }),
      response: {
        202: deliverySchema.meta({
          description: 'The delivery of the example. Read it again to see how it ended.',
        }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const row = endpoint.of(request)
      const { type } = request.body
      const delivery = await idempotentCreate(deps, {
        request,
        reply,
        newId: newWebhookEventId,
        create: (eventId) => makeExample(deps, caller, row, { eventId, type }),
        read: (eventId) => findDelivery(deps, caller.principal, deliveryId(eventId, row.id)),
      })
      return reply.code(202).send(deliveryObject(delivery, deps.webhookSealer))
    },
  })
}

/** Sends the example, unless an earlier try did. Returns the id of its event. */
async function makeExample(
  deps: Deps,
  { requestId }: Caller,
  row: EndpointRow,
  { eventId, type }: { readonly eventId: string; readonly type: WebhookType },
): Promise<string> {
  const made = await deps.db
    .selectFrom('webhook_events')
    .select('id')
    .where('id', '=', eventId)
    .where('organization_id', '=', row.organization_id)
    .executeTakeFirst()
  if (made !== undefined) return eventId
  if (row.status === 'disabled') throw new Problem('endpoint_disabled')
  await takeRateLimit(deps.db, {
    work: `webhook-example:${row.id}`,
    apartMs: exampleApartMs,
    detail: `An endpoint gets at most one example in ${exampleApartMs / 1_000} s.`,
  })
  const event = exampleEvent(type, {
    id: eventId,
    at: (await workspaceNow(deps.db, row)).getTime(),
    livemode: row.livemode,
    workspaceId: row.workspace_id,
    requestId,
  })
  const isSent = await sendExample(deps.db, row, event)
  if (!isSent) throw new Problem('endpoint_disabled')
  return eventId
}
