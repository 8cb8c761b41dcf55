import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { shipmentResource } from './find-shipment.ts'
import { trackingObject, trackingSchema } from './tracking-schema.ts'

export function getTrackingRoute(app: App, deps: ApiServices): void {
  const shipment = shipmentResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/tracking',
    config: { resource: shipment, isVersioned: true },
    schema: {
      operationId: 'getTracking',
      summary: 'Read where the parcel is',
      description:
        'Returns what is already known: the courier is not asked. The status is `null` until there is a guide. The webhook `tracking.updated` reports changes, so you need not poll.',
      tags: ['Tracking'],
      params: pathId('shp'),
      response: { 200: trackingSchema.meta({ description: 'The tracking.' }) },
    },
    handler: async (request) => {
      const { state } = shipment.of(request)
      return await trackingObject(deps, request.params.id, state)
    },
  })
}
