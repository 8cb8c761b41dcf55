import { z } from 'zod'
import type { CourierFailure } from '../../couriers/courier.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { monitoringStates } from '../../domain/shipment/shipment-events.ts'
import { shownTracking } from '../../domain/tracking/shown-tracking.ts'
import { phases, trackingStatuses } from '../../domain/tracking/tracking.ts'
import type { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import { pollTimesOf } from '../../processes/tracking/poll-plan.ts'
import { refreshTimes, refreshTracking } from '../../processes/tracking/poll-tracking.ts'
import { idOf, openEnum, pathId, timestamp } from '../openapi/schemas.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { shipmentResource } from './find-shipment.ts'
import { clockOf } from './shipment-clock.ts'
import { trackingException } from './shipment-schema.ts'

type Deps = Pick<RouteDeps, 'owners' | 'processes' | 'store'>

const trackingSchema = z
  .object({
    id: idOf('shp'),
    object: z.literal('tracking'),
    livemode: z.boolean(),
    shipment_id: idOf('shp'),
    status: openEnum(trackingStatuses).nullable(),
    phase: openEnum(phases).nullable(),
    sub_status: z.string().nullable(),
    exception: trackingException.nullable(),
    eta: timestamp.nullable(),
    events: z.array(
      z.object({
        id: z.string(),
        object: z.literal('tracking_event'),
        code: z.string(),
        status: openEnum(trackingStatuses).nullable(),
        sub_status: z.string().nullable(),
        mapped: z.boolean(),
        occurred_at: timestamp,
        received_at: timestamp,
        agency_id: idOf('agy').nullable(),
        description: z.string(),
      }),
    ),
    monitoring: z.object({
      state: openEnum(['not_started', ...monitoringStates]),
      last_checked_at: timestamp.nullable(),
      last_changed_at: timestamp.nullable(),
      next_check_at: timestamp.nullable(),
    }),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'Tracking' })

async function trackingObject(
  { processes }: Pick<RouteDeps, 'processes'>,
  shipmentId: string,
  state: Shipment,
): Promise<z.infer<typeof trackingSchema>> {
  return shownTracking(shipmentId, state, await pollTimesOf(processes.db, shipmentId, state))
}

export function trackingRoutes(app: App, deps: Deps): void {
  const shipment = shipmentResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/tracking',
    config: { resource: shipment, isVersioned: true },
    schema: {
      operationId: 'getTracking',
      summary: 'Read where the parcel is',
      tags: ['Tracking'],
      params: pathId('shp'),
      response: { 200: trackingSchema },
    },
    handler: async (request) => {
      const { state } = shipment.of(request)
      return await trackingObject(deps, request.params.id, state)
    },
  })
  refreshRoute(app, deps)
}

function refreshRoute(app: App, deps: Deps): void {
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
      description: `At most once in ${refreshTimes.apartMs / 1_000} s. Restarts automatic tracking if it had expired. If the courier does not answer, nothing changes. Without a guide the courier is not asked.`,
      tags: ['Tracking'],
      params: pathId('shp'),
      response: { 200: trackingSchema },
    },
    handler: async (request) => {
      const { id } = request.params
      const { snapshot, state } = shipment.of(request)
      const now = await clockOf(deps, state)
      const refreshed = await refreshTracking(deps.processes, id, snapshot, now)
      if (refreshed.kind === 'failed') throw notRead(refreshed.failure)
      return await trackingObject(deps, id, existing(refreshed.snapshot))
    },
  })
}

/** A courier that does not know its own guide at the moment counts as one that cannot be asked. */
function notRead(failure: CourierFailure): Problem {
  const asked =
    failure.kind === 'rejected' ? ({ kind: 'not_sent', cause: 'unreachable' } as const) : failure
  return courierFailed(asked)
}
