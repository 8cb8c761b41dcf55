import { type Instant, type Recorded, rfc3339 } from './decider.ts'
import { derivedValue } from './ids.ts'
import type { TrackingEventData } from './shipment-events.ts'
import { observe, type Tracking, untracked } from './tracking.ts'

/** Our own scan of a cancellation: a courier need not tell what it has confirmed already. */
const cancellationScanPrefix = 'tev_cancelled_'

/**
 * The tracking once a cancellation is known, which then counts as a scan of that moment, and once
 * it is taken back (null): without it.
 */
export function withCancellation(
  tracking: Tracking,
  cancelled: { readonly operationId: string; readonly at: Instant } | null,
  event: Recorded<object>,
): Tracking {
  const events = tracking.events.filter(({ id }) => !id.startsWith(cancellationScanPrefix))
  const isTold = tracking.status === 'cancelled'
  const scan = cancelled === null || isTold ? [] : [scanOf(cancelled, event)]
  const { eta, monitoring, resumedAt } = tracking
  // All scans are folded anew: one that is taken back may have moved the status.
  const data = { events: [...events, ...scan], eta: null, evidence_ref: null }
  return observe({ ...untracked, eta, monitoring, resumedAt }, data, event)
}

function scanOf(
  { operationId, at }: { readonly operationId: string; readonly at: Instant },
  event: Recorded<object>,
): TrackingEventData {
  return {
    id: cancellationScanPrefix + derivedValue('cancelled', operationId),
    code: 'cancelled',
    mapped: true,
    occurred_at: rfc3339(at),
    received_at: rfc3339(event.recordedAt),
    agency_id: null,
    action_required: false,
  }
}
