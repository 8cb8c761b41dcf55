import type { Instant } from '../decider.ts'
import { currentAttempt, type Shipment } from '../shipment/shipment.ts'
import type { MonitoringState } from '../shipment/shipment-events.ts'
import { phaseOf, type Tracking } from './tracking.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How often a courier is asked where a parcel is. */
const pollTimes = {
  /** Registered; also the wait before the first read. */
  registeredMs: hourMs,
  /** The same from `registeredLongAfterMs` on. */
  registeredLongMs: 6 * hourMs,
  /** Most parcels are handed over within three days. */
  registeredLongAfterMs: 72 * hourMs,
  /** A parcel not handed over by then is given up. */
  registeredExpiresMs: 30 * dayMs,
  /** At the origin and on the way. */
  transitMs: 2 * hourMs,
  /** The same when it is expected within `transitSoonEtaMs`. */
  transitSoonMs: 30 * minuteMs,
  /** Near enough for the recipient to look. */
  transitSoonEtaMs: 12 * hourMs,
  /** At the destination and ready to be collected. */
  destinationMs: 2 * hourMs,
  /** The same from `destinationLongAfterMs` on. */
  destinationLongMs: 6 * hourMs,
  /** A parcel not collected within a day may stay for long. */
  destinationLongAfterMs: 24 * hourMs,
  /** Being delivered. */
  outForDeliveryMs: 30 * minuteMs,
  /** After an attempt to deliver. */
  deliveryAttemptedMs: hourMs,
  /** Going back. */
  returningMs: 6 * hourMs,
  /** Declared lost. */
  lostMs: 6 * hourMs,
  /** A parcel lost for this long is not found again. */
  lostCompletedMs: 30 * dayMs,
  /** Between a final status and the read that confirms it. */
  confirmMs: 24 * hourMs,
  /** No confirming read sooner than this after another read. */
  confirmAgainMs: minuteMs,
  /** Nothing has changed for this long: given up, whether the courier answers or not. */
  quietExpiresMs: 90 * dayMs,
  /** A shipment without a certain, standing guide is polled again after this. */
  restingMs: 6 * hourMs,
  /** A failed poll is repeated after this, doubled each time. */
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

/** Since when there has been a guide to follow. */
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

/** Whether a read now that brings nothing new confirms a final status and so is the last. */
function isConfirming(tracking: Tracking, now: Instant): boolean {
  if (phaseOf(tracking) !== 'final' || tracking.status === 'lost') return false
  const confirmMs = pollTimes.confirmMs * (1 - pollJitterShare)
  return now - (tracking.lastChangedAt ?? now) >= confirmMs
}

/** How automatic reading ends by time alone, whether the courier answers or not. */
function endedBy(tracking: Tracking, issuedAt: Instant, now: Instant): MonitoringState | null {
  const since = tracking.statusSince ?? issuedAt
  // Resumed reading gets its whole time again.
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

/** The monitoring state after a successful read, whether it brought something new or not. */
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
 * The same after a read that failed, with the count of failures in a row, or could not be made;
 * null = unchanged.
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

/** When a shipment that has no guide now is polled again; null = not automatically. */
export function restsUntil(updatedAt: Instant, now: Instant): Instant | null {
  return now - updatedAt < pollTimes.quietExpiresMs ? now + pollTimes.restingMs : null
}
