import type { CourierFailure } from '../../couriers/courier.ts'
import type { Instant } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import type { TrackingEventData } from '../../domain/shipment/shipment-events.ts'
import { unseenEvents, untracked } from '../../domain/tracking/tracking.ts'
import { courierOf } from '../calls/courier-calls.ts'
import { takeRateLimit } from '../due/take-rate-limit.ts'
import type { ProcessServices } from '../process-services.ts'
import { takeSlotOrRefuse } from './poll-budget.ts'
import { isExpressible, scan } from './scans.ts'

export const guideScanTimes = {
  /** At most one request to the courier for a guide in this time; the same as for looks. */
  apartMs: 10_000,
  /** A person waits for the answer. */
  answerMs: 5_000,
} as const

type RequestedScans = {
  readonly shipmentId: string
  readonly state: Shipment
  readonly guideNumber: string
  readonly requestId: string | null
  readonly now: Instant
}

type GuideScans =
  | { readonly kind: 'read'; readonly scans: readonly TrackingEventData[] }
  | { readonly kind: 'failed'; readonly failure: CourierFailure }

/**
 * Asks the courier for the scans of a guide under our reference, oldest first, rate-limited. It
 * stores none of them, so the shipment's tracking and the operation stay as they are. The caller
 * checks that a look has found the guide.
 */
export async function readGuideScans(
  deps: Pick<ProcessServices, 'accounts' | 'couriers' | 'db'>,
  { shipmentId, state, guideNumber, requestId, now }: RequestedScans,
): Promise<GuideScans> {
  const seconds = guideScanTimes.apartMs / 1_000
  await takeRateLimit(deps.db, {
    work: `scans-turn:${shipmentId}:${guideNumber}`,
    apartMs: guideScanTimes.apartMs,
    detail: `The scans of a guide can be requested once every ${seconds} s.`,
  })
  const at = await courierOf(deps, state, now, requestId)
  if (at.kind === 'deferred') return { kind: 'failed', failure: { kind: 'unauthorized' } }
  if (state.request.livemode) await takeSlotOrRefuse(deps.db, state.request.courier_connection_id)
  const answerByMs = performance.now() + guideScanTimes.answerMs
  const call = { ...at.context, clientReference: shipmentId, guideNumber, answerByMs }
  const answer = await at.courier.track(call)
  if (answer.kind === 'unauthorized') await deps.accounts.park(at.account)
  if (answer.kind !== 'tracked') return { kind: 'failed', failure: answer }
  const scans = answer.events
    .filter(({ occurredAt }) => isExpressible(occurredAt))
    .map((event) => scan(shipmentId, state, event, now))
  const ofParcel = scans.filter(({ earlier_parcel: isEarlier }) => isEarlier !== true)
  return { kind: 'read', scans: unseenEvents(untracked, ofParcel) }
}
