import type { Instant } from '../decider.ts'
import type { Shipment } from '../shipment/shipment.ts'

const dayMs = 24 * 60 * 60_000

const lookBack = {
  /** For clocks that differ and times without their zone. */
  requestedMs: dayMs,
  /**
   * A guide that was found because the ledger had lost events: keys are asked about for 60 days
   * after a recovery, and a parcel that does not move is followed for 90.
   */
  foundMs: 180 * dayMs,
} as const

/** A courier's time before this is about an earlier parcel with the same guide number. */
export function parcelSince({ createdAt, mayPredateRequest }: Shipment): Instant {
  return createdAt - (mayPredateRequest ? lookBack.foundMs : lookBack.requestedMs)
}
