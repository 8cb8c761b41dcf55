import { Problem, type Reason } from '../../errors.ts'
import { workspaceNow } from '../../processes/sandbox/workspace-clock.ts'
import { type RedeliveryRefusal, redeliver, redeliveryRefusal } from '../../webhooks/redelivery.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { resource } from '../rules/resources/resource.ts'
import { deliveryObject, deliverySchema, findDelivery } from './webhook-delivery-schema.ts'

type Deps = Pick<ApiServices, 'db' | 'store' | 'webhookSealer'>

const refusals = {
  endpoint_deleted: 'webhook_endpoint_deleted',
  endpoint_disabled: 'endpoint_disabled',
  attempts_exhausted: 'delivery_attempts_exhausted',
} as const satisfies Record<RedeliveryRefusal, Reason>

export function redeliverWebhookDeliveryRoute(app: App, deps: Deps): void {
  const delivery = resource('webhooks:write', ({ principal }, id) =>
    findDelivery(deps, principal, id),
  )
  app.route({
    method: 'POST',
    url: '/v1/webhook-deliveries/:id/redeliver',
    config: {
      resource: delivery,
      whileSuspended: true,
      problems: Object.values(refusals),
    },
    schema: {
      operationId: 'redeliverWebhookDelivery',
      summary: 'Send a delivery again, whatever its state',
      description:
        'Sends the original body and id with a new timestamp, at once, even while the endpoint is paused. If that fails, the retry schedule follows as usual. A success ends the pause. Repeated calls within one second count as one.',
      tags: ['Webhook deliveries'],
      params: pathId('dlv'),
      response: {
        202: deliverySchema.meta({ description: 'The delivery, which is sent again now.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { principal } = caller
      const { id } = request.params
      const row = delivery.of(request)
      const refused = await redeliveryRefusal(deps.db, id)
      if (refused !== null) throw new Problem(refusals[refused])
      await auditAct(deps, caller, row.workspace_id, {
        type: 'WebhookRedelivered',
        data: { webhook_delivery_id: id },
      })
      const outcome = await redeliver(deps.db, id, await workspaceNow(deps.db, row))
      if (outcome in refusals) throw new Problem(refusals[outcome as keyof typeof refusals])
      const now = await findDelivery(deps, principal, id)
      return reply.code(202).send(deliveryObject(now, deps.webhookSealer))
    },
  })
}
