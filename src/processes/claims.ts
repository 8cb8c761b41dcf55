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
export type Released = {
  readonly duty: DutyName
  readonly shipmentId: string
  readonly performed: Performed
}

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
   * How long a piece is left alone that was not done: a list behind the ledger catches up at once, a
   * parked connection waits for its owner. Without this it would be taken up again at once, for ever,
   * and before everybody else's.
   */
  leftAloneMs: { idle: 1_000, deferred: 60_000 },
} as const

/**
 * Leases on what is due, by which any number of workers share it. Promises, each a named test of the
 * contract suite: a piece is leased to one owner at a time; a lease that is not renewed runs out;
 * what was released as not done is left alone for a while; nothing is claimed before it is due.
 */
export type Claims = {
  /** Leases what is due now, the longest overdue first; whatever another worker holds is left out. */
  claim(duty: DutyName, owner: string, limit: number): Promise<readonly Claimed[]>
  /**
   * Which of the claimed are due still. A claim looks at what was committed when it began: meanwhile
   * another worker may have done a piece and let go of it.
   */
  stillDue(duty: DutyName, claimed: readonly Claimed[]): Promise<ReadonlySet<string>>
  /** Another lease for all that the owner holds. */
  renew(owner: string): Promise<void>
  /** Gives back what the owner holds of these; what another has taken over is left to it. */
  release(owner: string, released: readonly Released[]): Promise<void>
}
