import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { resource } from '../rules/resources/resource.ts'
import { deliveryObject, deliverySchema, findDelivery } from './webhook-delivery-schema.ts'

type Deps = Pick<ApiServices, 'db' | 'webhookSealer'>

export function getWebhookDeliveryRoute(app: App, deps: Deps): void {
  const delivery = resource('webhooks:read', ({ principal }, id) =>
    findDelivery(deps, principal, id),
  )
  app.route({
    method: 'GET',
    url: '/v1/webhook-deliveries/:id',
    config: { resource: delivery, isVersioned: true },
    schema: {
      operationId: 'getWebhookDelivery',
      summary: "Read a delivery with every attempt and the receiver's response",
      description: 'Use it after `test` or `redeliver` to see how the attempt ended.',
      tags: ['Webhook deliveries'],
      params: pathId('dlv'),
      response: { 200: deliverySchema.meta({ description: 'The delivery.' }) },
    },
    handler: async (request) => deliveryObject(delivery.of(request), deps.webhookSealer),
  })
}
