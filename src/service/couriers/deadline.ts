/** The time after which a call must not be sent. */
export type Deadline = {
  /** Wall clock time, sent to the courier. */
  readonly at: Date
  /**
   * The same time on `performance.now()`, which does not change when the wall clock is set back.
   */
  readonly endsAtMs: number
}

export function deadlineIn(ms: number): Deadline {
  return { at: new Date(Date.now() + ms), endsAtMs: performance.now() + ms }
}

/**
 * Whether either clock has passed it: connectors check the wall clock, which may have been set back
 * here.
 */
export function hasPassed({ at, endsAtMs }: Deadline): boolean {
  return Date.now() >= at.getTime() || performance.now() >= endsAtMs
}
