export const dutyNames = ['reconcile', 'track', 'label', 'erase'] as const
/** A kind of work that falls due for shipments. */
export type DutyName = (typeof dutyNames)[number]

/**
 * `idle`: nothing was owed, because the list is behind the ledger or another was faster.
 * `deferred`: it is owed and cannot be done now, because the connection is parked.
 */
export type Performed = 'done' | 'idle' | 'deferred'

/** A shipment that something is owed for, and its workspace's clock minus the wall clock. */
export type Claimed = { readonly shipmentId: string; readonly clockOffsetMs: number }
export type Released = { readonly shipmentId: string; readonly performed: Performed }

export const claimTimes = {
  /** What a worker held that hangs, or cannot be seen to have died, is taken up by another after this. */
  leaseMs: 10_000,
  /** While the work goes on; a courier call with what is stored around it takes longer than a lease. */
  renewEveryMs: 1_000,
  /**
   * Not renewed for so long by a database session that is gone: its process died. One that lives and
   * lost its session has renewed through another by then.
   */
  deadMs: 2_500,
  /**
   * How long a shipment is left alone then. What was done is in the ledger before it is in the list; what
   * was not done waits for the list to catch up, a parked connection for its owner. Without this it would
   * be taken up again at once, for ever, and before everybody else's.
   */
  leftAloneMs: { done: 250, idle: 1_000, deferred: 60_000 },
  /** However often it is asked for, the courier is asked for a label once in this time. */
  labelApartMs: 10_000,
} as const

/**
 * Leases on the shipments that something is due for, by which any number of workers share them.
 * Promises, each a named test of the contract suite: a shipment is leased to one owner at a time; a
 * lease that is not renewed runs out; what was released is left alone for a while; nothing is claimed
 * before it is due.
 */
export type Claims = {
  /**
   * Leases what is due now, the longest overdue first; what another worker holds is left out. An owner
   * has let go of what it claimed before it claims again. A label is asked for from then on.
   */
  claim(duty: DutyName, owner: string, limit: number): Promise<readonly Claimed[]>
  /** Another lease for all that the owner holds. */
  renew(owner: string): Promise<void>
  /** Gives back what the owner holds of these; what another has taken over is left to it. */
  release(owner: string, released: readonly Released[]): Promise<void>
}
