import type { Instant } from '../decider.ts'
import { currentAttempt, type Shipment } from '../shipment/shipment.ts'
import type { MonitoringState } from '../shipment/shipment-events.ts'
import { phaseOf, type Tracking } from './tracking.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How often tracking is read from the courier. */
const pollTimes = {
  /** Registered; also the wait before the first read. */
  registeredMs: hourMs,
  /** Registered for longer than `registeredLongAfterMs`. */
  registeredLongMs: 6 * hourMs,
  /** Most parcels are handed over within three days. */
  registeredLongAfterMs: 72 * hourMs,
  /** A parcel that is not handed over by then is no longer read. */
  registeredExpiresMs: 30 * dayMs,
  /** At the origin and on the way. */
  transitMs: 2 * hourMs,
  /** On the way and expected within `transitSoonEtaMs`. */
  transitSoonMs: 30 * minuteMs,
  /** Close enough for the recipient to check. */
  transitSoonEtaMs: 12 * hourMs,
  /** At the destination or ready to be collected. */
  destinationMs: 2 * hourMs,
  /** At the destination for longer than `destinationLongAfterMs`. */
  destinationLongMs: 6 * hourMs,
  /** A parcel not collected within a day may stay for long. */
  destinationLongAfterMs: 24 * hourMs,
  /** Out for delivery. */
  outForDeliveryMs: 30 * minuteMs,
  /** After a delivery attempt. */
  deliveryAttemptedMs: hourMs,
  /** Returning to the sender. */
  returningMs: 6 * hourMs,
  /** Declared lost. */
  lostMs: 6 * hourMs,
  /** A parcel lost for this long is not found again. */
  lostCompletedMs: 30 * dayMs,
  /** Between a final status and the read that confirms it. */
  confirmMs: 24 * hourMs,
  /** Minimum time between a read and the confirming one. */
  confirmAgainMs: minuteMs,
  /** Reading ends if nothing has changed for this long, even if the courier answers. */
  quietExpiresMs: 90 * dayMs,
  /** Wait before a shipment without a certain, standing guide is polled again. */
  restingMs: 6 * hourMs,
  /** Wait after a failed poll, doubled each time. */
  failedMsMin: 5 * minuteMs,
  /** The longest wait after a failed poll. */
  failedMsMax: 6 * hourMs,
  /** Failures in a row after which the courier counts as unreachable. */
  failuresUntilUnreachable: 5,
} as const

/** Spreads live polls, so that a day's guides are not read in one burst; none in the sandbox. */
export const pollJitterShare = 0.1

export function failedPollDelayMs(failures: number): number {
  const doubled = pollTimes.failedMsMin * 2 ** Math.min(failures - 1, 20)
  return Math.min(doubled, pollTimes.failedMsMax)
}

/** When the guide to follow was issued or concluded. */
export function issuedAtOf(state: Shipment): Instant {
  return currentAttempt(state).endedAt ?? state.createdAt
}

/** When a guide is first read: one interval after it was issued, or at once if reading is resumed. */
export function firstPollAt(state: Shipment): Instant {
  return state.tracking.resumedAt ?? issuedAtOf(state) + pollTimes.registeredMs
}

/** How long after this read the next is due. */
export function pollIntervalMs(tracking: Tracking, issuedAt: Instant, now: Instant): number {
  const ageMs = now - (tracking.statusSince ?? issuedAt)
  switch (tracking.status) {
    case null:
    case 'registered':
      return ageMs < pollTimes.registeredLongAfterMs
        ? pollTimes.registeredMs
        : pollTimes.registeredLongMs
    case 'received_at_origin':
    case 'in_transit':
      return tracking.eta !== null && tracking.eta - now < pollTimes.transitSoonEtaMs
        ? pollTimes.transitSoonMs
        : pollTimes.transitMs
    case 'arrived_at_destination':
    case 'ready_for_pickup':
      return ageMs < pollTimes.destinationLongAfterMs
        ? pollTimes.destinationMs
        : pollTimes.destinationLongMs
    case 'out_for_delivery':
      return pollTimes.outForDeliveryMs
    case 'delivery_attempted':
      return pollTimes.deliveryAttemptedMs
    case 'returning':
      return pollTimes.returningMs
    case 'lost':
      return pollTimes.lostMs
    case 'delivered':
    case 'returned':
    case 'cancelled':
      return Math.max(
        pollTimes.confirmAgainMs,
        (tracking.lastChangedAt ?? now) + pollTimes.confirmMs - now,
      )
  }
}

/** Whether a read now, if it brings nothing new, confirms a final status and is the last one. */
function isConfirming(tracking: Tracking, now: Instant): boolean {
  if (phaseOf(tracking) !== 'final' || tracking.status === 'lost') return false
  const confirmMs = pollTimes.confirmMs * (1 - pollJitterShare)
  return now - (tracking.lastChangedAt ?? now) >= confirmMs
}

/** The state in which time alone ends automatic reading, even if the courier answers; null if it goes on. */
function endedBy(tracking: Tracking, issuedAt: Instant, now: Instant): MonitoringState | null {
  const since = tracking.statusSince ?? issuedAt
  // Resumed reading gets the full time again.
  const from = Math.max(issuedAt, tracking.resumedAt ?? issuedAt)
  const quietMs = now - Math.max(tracking.lastChangedAt ?? issuedAt, from)
  switch (tracking.status) {
    case 'lost':
      return now - since >= pollTimes.lostCompletedMs ? 'completed' : null
    case null:
    case 'registered':
      // A scan dated before the guide does not show how long the parcel has been awaited.
      return now - Math.max(since, from) >= pollTimes.registeredExpiresMs ? 'expired' : null
    default:
      return quietMs >= pollTimes.quietExpiresMs ? 'expired' : null
  }
}

/** The monitoring state after a successful read. */
export function monitoringAfterRead(
  tracking: Tracking,
  issuedAt: Instant,
  now: Instant,
  hasNews: boolean,
): MonitoringState {
  if (!hasNews && isConfirming(tracking, now)) return 'completed'
  return endedBy(tracking, issuedAt, now) ?? 'active'
}

/**
 * The monitoring state after a read that failed or could not be made; null if it does not change.
 * `failures` counts failures in a row.
 */
export function monitoringAfterFailure(
  tracking: Tracking,
  issuedAt: Instant,
  now: Instant,
  failures: number,
): MonitoringState | null {
  const ended = endedBy(tracking, issuedAt, now)
  if (ended !== null) return ended
  return failures >= pollTimes.failuresUntilUnreachable ? 'unreachable' : null
}

/** When a shipment that has no guide now is polled again; null if not automatically. */
export function restsUntil(updatedAt: Instant, now: Instant): Instant | null {
  return now - updatedAt < pollTimes.quietExpiresMs ? now + pollTimes.restingMs : null
}

/** How much older than the shipment a scan of its own parcel may be. */
const scanAgeMax = {
  /** Allows for clocks that differ and times without a time zone. */
  requestedMs: dayMs,
  /**
   * For a guide that was found because the ledger had lost events: couriers are asked about keys for
   * 60 days after a recovery, and a parcel that does not move is followed for 90.
   */
  foundMs: 180 * dayMs,
} as const

/** Scans before this time are about an earlier parcel with the same guide number. */
export function parcelSince({ createdAt, mayPredateRequest }: Shipment): Instant {
  return createdAt - (mayPredateRequest ? scanAgeMax.foundMs : scanAgeMax.requestedMs)
}
