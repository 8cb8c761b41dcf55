import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { resource } from '../rules/resources/resource.ts'
import { findWebhookEvent, webhookEventObject, webhookEventSchema } from './webhook-event-schema.ts'

export function getWebhookEventRoute(
  app: App,
  deps: Pick<ApiServices, 'db' | 'store' | 'links'>,
): void {
  const event = resource('webhooks:read', ({ principal }, id) =>
    findWebhookEvent(deps, principal, id),
  )
  app.route({
    method: 'GET',
    url: '/v1/events/:id',
    config: { resource: event, isVersioned: true },
    schema: {
      operationId: 'getWebhookEvent',
      summary: 'Read a webhook event',
      description: 'Use it to see again what a delivery contained.',
      tags: ['Webhook events'],
      params: pathId('evt'),
      response: { 200: webhookEventSchema.meta({ description: 'The event.' }) },
    },
    handler: async (request) => await webhookEventObject(deps, event.of(request)),
  })
}
