import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { endpointObject, endpointSchema, endpoints } from './webhook-endpoint-schema.ts'

export function getWebhookEndpointRoute(app: App, deps: Pick<ApiServices, 'db'>): void {
  const endpoint = endpoints.resource(deps, 'webhooks:read')
  app.route({
    method: 'GET',
    url: '/v1/webhook-endpoints/:id',
    config: { resource: endpoint, isVersioned: true },
    schema: {
      operationId: 'getWebhookEndpoint',
      summary: 'Read a webhook endpoint; its secret is not shown again',
      description: 'Use it to see its health and why it is disabled.',
      tags: ['Webhook endpoints'],
      params: pathId('whe'),
      response: { 200: endpointSchema.meta({ description: 'The endpoint.' }) },
    },
    handler: async (request) => endpointObject(endpoint.of(request)),
  })
}
