export const dutyNames = ['reconcile', 'track', 'label', 'erase'] as const
/** A kind of work that falls due for shipments. */
export type DutyName = (typeof dutyNames)[number]

/**
 * `idle`: nothing was due, because the list is behind the ledger or another worker was faster.
 * `deferred`: it is due but cannot be done now, because the connection is parked.
 */
export type Performed = 'done' | 'idle' | 'deferred'

/** A shipment with due work, and its workspace's clock minus the wall clock. */
type Claimed = { readonly shipmentId: string; readonly clockOffsetMs: number }
/** `failed`: the work threw, and not because a store was unreachable. */
export type Released = { readonly shipmentId: string; readonly performed: Performed | 'failed' }

export const claimTimes = {
  /** Another worker takes over after this if a worker hangs or cannot be seen to have died. */
  leaseMs: 10_000,
  /**
   * Renewal interval during the work; a courier call with its storage takes longer than a lease.
   */
  renewEveryMs: 1_000,
  /**
   * Without renewal for this long and with its database session gone, a process counts as dead. A
   * living process that lost its session has renewed through another by then.
   */
  deadMs: 2_500,
  /**
   * How long a shipment is left alone after its work. Finished work reaches the ledger before the
   * list; unfinished work waits for the list to catch up, and a parked connection for its owner.
   * Otherwise the shipment would be claimed again at once, forever, and before all others.
   */
  leftAloneMs: { done: 250, idle: 1_000, deferred: 60_000 },
  /**
   * How long a shipment is left alone after its work threw, doubled each time in a row up to the
   * maximum: others have their turn, and once the cause is mended the work is done in minutes.
   */
  failedMs: 1_000,
  failedMsMax: 5 * 60_000,
  /**
   * The courier is asked for a label at most once in this time, however many requests there are.
   */
  labelApartMs: 10_000,
} as const

/** How long a shipment is left alone whose work had failed this often in a row and fails again. */
export function failedWaitMs(failures: number): number {
  return Math.min(claimTimes.failedMs * 2 ** failures, claimTimes.failedMsMax)
}

/**
 * Leases on shipments with due work, through which any number of workers share them. Promises, each
 * a named test of the contract suite: a shipment is leased to one owner at a time; a lease that is
 * not renewed runs out; a released shipment is left alone for a while, and longer each time that its
 * work fails; nothing is claimed before it is due.
 */
export type Claims = {
  /**
   * Leases due work, longest overdue first, except what another worker holds. An owner releases its
   * claims before it claims again. A claimed label counts as requested from then on.
   */
  claim(duty: DutyName, owner: string, limit: number): Promise<readonly Claimed[]>
  /** Extends the lease of everything that the owner holds. */
  renew(owner: string): Promise<void>
  /**
   * Gives back these shipments if the owner holds them; those that another owner took over stay.
   */
  release(owner: string, released: readonly Released[]): Promise<void>
}
