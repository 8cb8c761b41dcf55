import { type Instant, type Recorded, rfc3339 } from '../decider.ts'
import { derivedValue } from '../ids.ts'
import type { TrackingEventData } from '../shipment/shipment-events.ts'
import { observe, type Tracking, untracked } from './tracking.ts'

type Cancellations = { readonly cancellations: readonly { readonly operationId: string }[] }

/**
 * The id of our own scan for a cancellation. We add it because a courier need not report a cancellation
 * that it already confirmed.
 */
function scanIdOf(operationId: string): string {
  return `tev_${derivedValue('cancellation scan', operationId)}`
}

/**
 * The tracking after a cancellation became known, which adds a scan of that moment. If `cancelled` is
 * null, the cancellation was contradicted: the scan is removed, and reading resumes if it had ended.
 */
export function withCancellation(
  tracking: Tracking,
  asked: Cancellations,
  cancelled: { readonly operationId: string; readonly at: Instant } | null,
  event: Recorded<object>,
): Tracking {
  const { others, isReported } = apart(tracking, asked)
  const own = cancelled === null || isReported ? [] : [scanOf(cancelled, event)]
  const after = folded(tracking, [...others, ...own], event)
  return cancelled === null && tracking.monitoring === 'completed'
    ? { ...after, monitoring: 'active', resumedAt: event.recordedAt }
    : after
}

/** Removes our own scan once the courier reports the cancellation, so that it appears once. */
export function withoutOwnScan(
  tracking: Tracking,
  asked: Cancellations,
  event: Recorded<object>,
): Tracking {
  const { others, isReported } = apart(tracking, asked)
  const isTwice = isReported && others.length < tracking.events.length
  return isTwice ? folded(tracking, others, event) : tracking
}

function apart({ events }: Tracking, { cancellations }: Cancellations) {
  const own = new Set(cancellations.map(({ operationId }) => scanIdOf(operationId)))
  const others = events.filter(({ id }) => !own.has(id))
  return { others, isReported: others.some(({ code }) => code === 'cancelled') }
}

/** Folds all scans again, because a removed scan may have changed the status. */
function folded(
  { earlier, eta, monitoring, registeredAt, resumedAt, sharedWith }: Tracking,
  events: TrackingEventData[],
  event: Recorded<object>,
): Tracking {
  const data = { events, eta: null, evidence_ref: null }
  const kept = { earlier, eta, monitoring, registeredAt, resumedAt, sharedWith }
  return observe({ ...untracked, ...kept }, data, event)
}

function scanOf(
  { operationId, at }: { readonly operationId: string; readonly at: Instant },
  event: Recorded<object>,
): TrackingEventData {
  return {
    id: scanIdOf(operationId),
    code: 'cancelled',
    mapped: true,
    occurred_at: rfc3339(at),
    received_at: rfc3339(event.recordedAt),
    agency_id: null,
    action_required: false,
  }
}
