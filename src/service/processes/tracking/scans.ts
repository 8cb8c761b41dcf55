import { createHash } from 'node:crypto'
import { agencyIdOf } from '../../couriers/catalogue.ts'
import type { NativeTrackingEvent } from '../../couriers/courier.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { base62 } from '../../domain/ids.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import type { TrackingEventData } from '../../domain/shipment/shipment-events.ts'
import { parcelSince } from '../../domain/tracking/polling.ts'
import { isTrackingCode } from '../../domain/tracking/tracking.ts'

/** Times that RFC 3339 can express: a scan in the year 10000 is an error. */
const expressibleFrom = 0
const expressibleUntil = Date.parse('9999-12-31T00:00:00Z')

export function isExpressible(at: Date): boolean {
  return at.getTime() >= expressibleFrom && at.getTime() < expressibleUntil
}

/** Converts the courier's event to ours; its id is the same each time it is read. */
export function scan(
  shipmentId: string,
  state: Shipment,
  event: NativeTrackingEvent,
  now: Instant,
): TrackingEventData {
  const mapped = isTrackingCode(event.code)
  const native =
    event.id ?? `${event.code}|${event.occurredAt.toISOString()}|${event.agencyCode ?? ''}`
  const digest = createHash('sha256').update(`${shipmentId}|${native}`).digest()
  const provider = state.request.livemode ? state.request.provider_code : 'mock'
  return {
    id: `tev_${base62(digest, 22)}`,
    code: mapped ? event.code : 'unmapped',
    mapped,
    occurred_at: event.occurredAt.toISOString(),
    received_at: rfc3339(now),
    agency_id: event.agencyCode === null ? null : agencyIdOf(provider, event.agencyCode),
    action_required: event.actionRequired,
    ...(event.occurredAt.getTime() < parcelSince(state) ? { earlier_parcel: true as const } : {}),
  }
}
