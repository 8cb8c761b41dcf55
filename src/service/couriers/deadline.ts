/** The latest moment at which a call may be sent. */
export type Deadline = {
  /** Wall clock time, sent to the courier. */
  readonly at: Date
  /** The same moment on `performance.now()`: setting the wall clock back does not move it. */
  readonly endsAtMs: number
}

export function deadlineIn(ms: number): Deadline {
  return { at: new Date(Date.now() + ms), endsAtMs: performance.now() + ms }
}

/**
 * True if either clock has passed it: others act on the wall clock, and real time does not wait for
 * it.
 */
export function hasPassed({ at, endsAtMs }: Deadline): boolean {
  return Date.now() >= at.getTime() || performance.now() >= endsAtMs
}
