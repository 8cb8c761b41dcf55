/** Until when a call may be sent. */
export type Deadline = {
  /** Wall clock: what the courier is told. */
  readonly at: Date
  /** The same moment of `performance.now()`: setting the wall clock back does not move it. */
  readonly endsAtMs: number
}

export function deadlineIn(ms: number): Deadline {
  return { at: new Date(Date.now() + ms), endsAtMs: performance.now() + ms }
}

/** By either clock: others act on the wall clock once it is past, and real time does not wait for it. */
export function hasPassed({ at, endsAtMs }: Deadline): boolean {
  return Date.now() >= at.getTime() || performance.now() >= endsAtMs
}
