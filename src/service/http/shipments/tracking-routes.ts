import { z } from 'zod'
import type { CourierFailure } from '../../couriers/courier.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { monitoringStates } from '../../domain/shipment/shipment-events.ts'
import { shownTracking } from '../../domain/tracking/shown-tracking.ts'
import { type AnomalyCode, anomalyTexts, trackingStatuses } from '../../domain/tracking/tracking.ts'
import type { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import { pollTimesOf } from '../../processes/tracking/poll-plan.ts'
import { refreshTimes, refreshTracking } from '../../processes/tracking/poll-tracking.ts'
import { exampleTracking } from '../openapi/examples.ts'
import {
  createdAt,
  idOf,
  livemode,
  openEnum,
  pathId,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  version,
} from '../openapi/schemas.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { shipmentResource } from './find-shipment.ts'
import { clockOf } from './shipment-clock.ts'
import { currentException, trackingPhase, trackingStatus } from './shipment-schema.ts'

type Deps = Pick<RouteDeps, 'owners' | 'processes' | 'store'>

const scanSchema = z.object({
  id: z.string().meta({ description: 'The same whenever the courier reports the same scan.' }),
  object: typeOf('tracking_event'),
  code: z.string().meta({
    description: 'What happened, from a closed list of ours. `unmapped`: it is not on it.',
    example: 'departed_origin',
  }),
  status: openEnum(trackingStatuses).nullable().meta({
    description:
      'The status that the code leads to. `null`: it says nothing of where the parcel is.',
  }),
  sub_status: z.string().nullable().meta({
    description: 'More exactly. `null`: the code says no more than the status.',
    example: 'departed_origin',
  }),
  mapped: z.boolean().meta({ description: "Whether the courier's own code is known to us." }),
  occurred_at: timestamp.meta({ description: 'When it happened, as the courier says.' }),
  received_at: timestamp.meta({ description: 'When the service learned of it.' }),
  agency_id: idOf('agy').nullable().meta({
    description: 'The agency where it happened. `null`: the courier does not say.',
  }),
  description: z.string().meta({
    description: 'The same as the code, for people.',
    example: 'Left the origin agency',
  }),
})

const monitoringStateNames = ['not_started', ...monitoringStates] as const
const monitoringSchema = z.object({
  state: openEnum(monitoringStateNames).meta({
    description: valuesText<(typeof monitoringStateNames)[number]>(
      'Whether the courier is asked regularly.',
      {
        not_started: 'there is no guide yet.',
        active: 'it is.',
        unreachable: 'it is, but has not answered the last times.',
        completed: 'no more: the journey has ended.',
        expired: 'no more: nothing has changed for too long. `refresh` starts it again.',
      },
    ),
  }),
  last_checked_at: timestamp.nullable().meta({
    description: 'When the courier was last asked. `null`: not yet.',
  }),
  last_changed_at: timestamp.nullable().meta({
    description: 'When an answer last changed something. `null`: none has.',
  }),
  next_check_at: timestamp.nullable().meta({
    description: 'When the courier is asked next. `null`: it is not.',
  }),
})

const anomalySchema = z.object({
  code: openEnum(Object.keys(anomalyTexts) as [AnomalyCode, ...AnomalyCode[]]).meta({
    description: valuesText<AnomalyCode>('What is wrong.', anomalyTexts),
  }),
  count: z.int().min(1).meta({ description: 'How many scans or shipments.' }),
  shipment_ids: z.array(idOf('shp')).meta({
    description: 'The other shipments, if one has the same guide number: at most 10.',
  }),
})

const trackingSchema = z
  .object({
    id: idOf('shp').meta({ description: 'The id of its shipment.' }),
    object: typeOf('tracking'),
    livemode,
    shipment_id: idOf('shp').meta({ description: 'The shipment whose parcel is tracked.' }),
    status: trackingStatus,
    phase: trackingPhase,
    sub_status: z.string().nullable().meta({
      description: 'More exactly. `null`: no more is known than the status.',
      example: 'departed_origin',
    }),
    exception: currentException,
    eta: timestamp.nullable().meta({
      description: 'When the courier expects to deliver it. `null`: it does not say.',
    }),
    events: z.array(scanSchema).meta({
      description: 'Every scan, in the order in which they happened.',
    }),
    anomalies: z.array(anomalySchema).meta({
      description: 'What is wrong with what the courier reports, and has no effect.',
    }),
    monitoring: monitoringSchema.meta({ description: 'How the service follows the parcel.' }),
    created_at: createdAt.meta({ description: 'When the shipment was created.' }),
    updated_at: updatedAt.meta({ description: 'When the shipment last changed.' }),
    version: version.meta({ description: 'The version of the shipment.' }),
  })
  .meta({
    id: 'Tracking',
    examples: [exampleTracking],
    description: 'Where a parcel is, and everything that happened to it.',
  })

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
      description:
        'What is known already: the courier is not asked. Before there is a guide, the status is `null`. A webhook `tracking.updated` tells you of changes, so you need not poll.',
      tags: ['Tracking'],
      params: pathId('shp'),
      response: { 200: trackingSchema.meta({ description: 'The tracking.' }) },
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
      response: { 200: trackingSchema.meta({ description: 'The tracking after the answer.' }) },
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
