export const jobNames = ['reconcile', 'track', 'label', 'erase'] as const
/** A kind of work that falls due for shipments. */
export type JobName = (typeof jobNames)[number]

/**
 * `idle`: nothing was due, because the list lags behind the ledger or another worker was faster.
 * `deferred`: it is due but cannot be done now, because the connection is parked.
 */
export type JobResult = 'done' | 'idle' | 'deferred'

/** A shipment with due work, and its workspace's clock minus the wall clock. */
type Claimed = { readonly shipmentId: string; readonly clockOffsetMs: number }
/** `failed`: the work threw an error other than an outage of a store. */
export type Released = { readonly shipmentId: string; readonly performed: JobResult | 'failed' }

/**
 * How long a shipment is not claimed again after its work. Finished work reaches the ledger before
 * the list; unfinished work waits for the list to catch up; a parked connection waits for its
 * owner. Without this the shipment would be claimed again at once, forever, and before all others.
 */
export const cooldownMs = { done: 250, idle: 1_000, deferred: 60_000 } as const

/** At most one request for a label to the courier in this time, however many clients ask. */
export const labelApartMs = 10_000

/**
 * Leases on shipments with due work, which any number of workers share. The contract suite has a
 * test for each promise: a shipment is leased to one owner at a time; a lease that is not renewed
 * expires; a released shipment is not claimed again for a while, longer with each failure; nothing
 * is claimed before it is due.
 */
export type Claims = {
  /**
   * Leases due work, longest overdue first, except what another worker holds. An owner releases its
   * claims before it claims again. Claiming a label counts as requesting it.
   */
  claim(job: JobName, owner: string, limit: number): Promise<readonly Claimed[]>
  /** Extends the leases of everything that the owner holds. False if it holds nothing. */
  renew(owner: string): Promise<boolean>
  /**
   * Releases these shipments if the owner still holds them; those taken over by another owner are
   * unchanged.
   */
  release(owner: string, released: readonly Released[]): Promise<void>
}
