import { type Instant, rfc3339 } from '../decider.ts'
import type { Shipment } from '../shipment/shipment.ts'
import type { TrackingEventData } from '../shipment/shipment-events.ts'
import { exceptionToApi } from '../shipment/shipment-to-api.ts'
import { noTrackingUrl, type TrackingUrlOf, trackingLinkOf } from '../shipment/tracking-link.ts'
import {
  type AnomalyCode,
  anomaliesOf,
  hasEnded,
  meaningOf,
  phaseOf,
  type Tracking,
} from './tracking.ts'

function timeOrNull(at: Instant | null | undefined): string | null {
  return at == null ? null : rfc3339(at)
}

export function scanToApi(event: TrackingEventData) {
  const meaning = meaningOf(event.code)
  return {
    id: event.id,
    object: 'tracking_event' as const,
    code: event.code,
    status: meaning.status,
    sub_status: meaning.subStatus,
    mapped: event.mapped,
    occurred_at: event.occurred_at,
    received_at: event.received_at,
    agency_id: event.agency_id,
    description: meaning.description,
  }
}

function anomaliesToApi(tracking: Tracking) {
  const found = Object.entries(anomaliesOf(tracking)) as [AnomalyCode, readonly string[]][]
  return found
    .filter(([, ids]) => ids.length > 0)
    .map(([code, ids]) => ({
      code,
      count: ids.length,
      shipment_ids: code === 'guide_number_shared' ? [...ids] : [],
    }))
}

/** When the courier was last asked and will be asked next: data of the poller, not of the ledger. */
export type PollTimes = {
  readonly lastCheckedAt: Instant | null
  readonly nextCheckAt: Instant | null
}

/** What the API shows besides the ledger, and the scans if not all of them. */
type Beside = {
  readonly poll?: PollTimes | null
  readonly scans?: readonly TrackingEventData[]
  readonly trackingUrl?: TrackingUrlOf
}

/** The API's tracking object. */
export function trackingToApi(
  shipmentId: string,
  state: Shipment,
  { poll = null, scans = state.tracking.events, trackingUrl = noTrackingUrl }: Beside = {},
) {
  const { tracking } = state
  const { monitoring } = tracking
  const isFollowed = monitoring !== 'not_started' && !hasEnded(tracking)
  return {
    id: shipmentId,
    object: 'tracking' as const,
    livemode: state.request.livemode,
    shipment_id: shipmentId,
    status: tracking.status,
    phase: phaseOf(tracking),
    sub_status: tracking.subStatus,
    exception: exceptionToApi(tracking),
    eta: timeOrNull(tracking.eta),
    events: scans.map(scanToApi),
    anomalies: anomaliesToApi(tracking),
    monitoring: {
      state: monitoring,
      last_checked_at: timeOrNull(poll?.lastCheckedAt),
      last_changed_at: timeOrNull(tracking.lastChangedAt),
      next_check_at: isFollowed ? timeOrNull(poll?.nextCheckAt) : null,
    },
    tracking_url: trackingUrl(shipmentId, trackingLinkOf(state)),
    created_at: rfc3339(state.createdAt),
    updated_at: rfc3339(state.updatedAt),
    version: state.version,
  }
}
