import { existing } from '../../event-store/transact.ts'
import { refreshTimes, refreshTracking } from '../../processes/tracking/poll-tracking.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { scansNotRead } from '../problems/courier-failed.ts'
import { clockOf, shipmentResource } from './find-shipment.ts'
import { trackingObject, trackingSchema } from './tracking-schema.ts'

export function refreshTrackingRoute(app: App, deps: ApiServices): void {
  const shipment = shipmentResource(deps, 'shipments:write')
  app.route({
    method: 'POST',
    url: '/v1/shipments/:id/tracking/refresh',
    config: {
      resource: shipment,
      problems: [
        'rate_limited',
        'connection_needs_reauth',
        'courier_unreachable',
        'courier_throttled',
      ],
    },
    schema: {
      operationId: 'refreshTracking',
      summary: 'Ask the courier now where the parcel is',
      description: `At most once every ${refreshTimes.apartMs / 1_000} s. Restarts automatic tracking if it had expired. If the courier does not answer, nothing changes. Without a guide the courier is not asked.`,
      tags: ['Tracking'],
      params: pathId('shp'),
      response: {
        200: trackingSchema.meta({ description: "The tracking after the courier's answer." }),
      },
    },
    handler: async (request) => {
      const { id } = request.params
      const { snapshot, state } = shipment.of(request)
      const now = await clockOf(deps, state)
      const refreshed = await refreshTracking(deps, id, snapshot, now)
      if (refreshed.kind === 'failed') throw scansNotRead(refreshed.failure)
      return await trackingObject(deps, id, existing(refreshed.snapshot))
    },
  })
}
