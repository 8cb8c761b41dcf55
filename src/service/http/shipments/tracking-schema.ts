import { z } from 'zod'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { monitoringStates } from '../../domain/shipment/shipment-events.ts'
import { type AnomalyCode, anomalyTexts, trackingStatuses } from '../../domain/tracking/tracking.ts'
import { trackingToApi } from '../../domain/tracking/tracking-to-api.ts'
import { pollTimesOf } from '../../processes/tracking/poll-plan.ts'
import type { ApiServices } from '../api-services.ts'
import { exampleTracking } from '../openapi/examples.ts'
import {
  createdAt,
  idOf,
  livemode,
  openEnum,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  version,
} from '../openapi/schemas.ts'
import {
  currentException,
  trackingPhase,
  trackingStatus,
  trackingUrlField,
} from './shipment-schema.ts'

export const scanSchema = z.object({
  id: z
    .string()
    .meta({ description: 'Identifies the scan, however often the courier reports it.' }),
  object: typeOf('tracking_event'),
  code: z.string().meta({
    description:
      "What happened, from a fixed list. `unmapped` if the courier's own code is not known.",
    example: 'departed_origin',
  }),
  status: openEnum(trackingStatuses).nullable().meta({
    description:
      'The status that the code leads to. `null` if the code says nothing about where the parcel is.',
  }),
  sub_status: z.string().nullable().meta({
    description: 'A more precise status. `null` if the code says no more than the status.',
    example: 'departed_origin',
  }),
  mapped: z.boolean().meta({ description: "Whether the service knows the courier's own code." }),
  occurred_at: timestamp.meta({ description: 'When it happened, according to the courier.' }),
  received_at: timestamp.meta({ description: 'When the service learned of it.' }),
  agency_id: idOf('agy').nullable().meta({
    description: 'The agency where it happened. `null` if the courier does not say.',
  }),
  description: z.string().meta({
    description: 'What the code means, for people.',
    example: 'Left the origin agency',
  }),
})

const monitoringStateNames = ['not_started', ...monitoringStates] as const

const monitoringSchema = z.object({
  state: openEnum(monitoringStateNames).meta({
    description: valuesText<(typeof monitoringStateNames)[number]>(
      'Whether the courier is asked regularly about the parcel.',
      {
        not_started: 'there is no guide yet.',
        active: 'it is asked regularly.',
        unreachable: 'it is asked, but has not answered lately.',
        completed: 'no longer asked, because the journey has ended.',
        expired:
          'no longer asked, because nothing has changed for too long. `refresh` starts it again.',
      },
    ),
  }),
  last_checked_at: timestamp.nullable().meta({
    description: 'When the courier was last asked. `null` if it was not asked yet.',
  }),
  last_changed_at: timestamp.nullable().meta({
    description: 'When an answer last changed something. `null` if none has.',
  }),
  next_check_at: timestamp.nullable().meta({
    description: 'When the courier is asked next. `null` if it will not be asked.',
  }),
})

const anomalySchema = z.object({
  code: openEnum(Object.keys(anomalyTexts) as [AnomalyCode, ...AnomalyCode[]]).meta({
    description: valuesText<AnomalyCode>('What is wrong.', anomalyTexts),
  }),
  count: z.int().min(1).meta({ description: 'The number of scans or shipments.' }),
  shipment_ids: z.array(idOf('shp')).meta({
    description: 'The other shipments with the same guide number, at most 10.',
  }),
})

export const trackingSchema = z
  .object({
    id: idOf('shp').meta({ description: 'The id of its shipment.' }),
    object: typeOf('tracking'),
    livemode,
    shipment_id: idOf('shp').meta({ description: 'The shipment whose parcel is tracked.' }),
    status: trackingStatus,
    phase: trackingPhase,
    sub_status: z.string().nullable().meta({
      description: 'A more precise status. `null` if nothing more precise is known.',
      example: 'departed_origin',
    }),
    exception: currentException,
    eta: timestamp.nullable().meta({
      description: 'When the courier expects to deliver it. `null` if it does not say.',
    }),
    events: z.array(scanSchema).meta({
      description: 'Every scan, in the order in which they happened.',
    }),
    anomalies: z.array(anomalySchema).meta({
      description: 'Contradictions in what the courier reports. They have no effect.',
    }),
    monitoring: monitoringSchema.meta({ description: 'How the service follows the parcel.' }),
    tracking_url: trackingUrlField,
    created_at: createdAt.meta({ description: 'When the shipment was created.' }),
    updated_at: updatedAt.meta({ description: 'When the shipment last changed.' }),
    version: version.meta({ description: 'The version of the shipment.' }),
  })
  .meta({
    id: 'Tracking',
    examples: [exampleTracking],
    description: 'Where a parcel is, and everything that happened to it.',
  })

export async function trackingObject(
  { db, links }: Pick<ApiServices, 'db' | 'links'>,
  shipmentId: string,
  state: Shipment,
): Promise<z.infer<typeof trackingSchema>> {
  const [poll, trackingUrl] = await Promise.all([
    pollTimesOf(db, shipmentId, state),
    links.urlsFor([state.request.workspace_id]),
  ])
  return trackingToApi(shipmentId, state, { poll, trackingUrl })
}
