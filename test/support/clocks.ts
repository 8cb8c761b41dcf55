type Test = { teardown(fn: () => void): unknown }

export type Clocks = {
  /** Sets the wall clock forward or back, as an operator or a time server does. */
  readonly setWall: (byMs: number) => void
  /** Advances both clocks. */
  readonly pass: (ms: number) => void
  /** Stops the monotonic clock, so that caches stay fresh however slow the machine is. */
  readonly hold: () => void
}

/**
 * Puts the clocks of this process under the test's control until it ends. They also keep running.
 */
export function clocks(t: Test): Clocks {
  const { now: wallNow } = Date
  const { now } = performance
  let wallMs = 0
  let passedMs = 0
  let heldAt: number | null = null
  Date.now = () => wallNow() + wallMs + passedMs
  performance.now = () => (heldAt ?? now.call(performance)) + passedMs
  t.teardown(() => {
    Date.now = wallNow
    performance.now = now
  })
  return {
    setWall: (byMs) => {
      wallMs += byMs
    },
    pass: (ms) => {
      passedMs += ms
    },
    hold: () => {
      heldAt = now.call(performance)
    },
  }
}
