/** Limits of an advance of a sandbox clock: its distance, the caller's wait, and the work. */
export const advanceLimits = {
  /** The furthest that one call may advance. */
  byMsMax: 60 * 24 * 60 * 60_000,
  /** After this the call answers 202 and the worker continues. */
  answerMs: 30_000,
  /**
   * Steps that one worker performs in a row; then the call answers 202 and other workspaces are
   * served.
   */
  steps: 10_000,
  /**
   * Steps at once, of as many shipments. At this number a worker is busy, but hardly busier than
   * with the due work of all workspaces.
   */
  together: 128,
  /**
   * How far apart on the clock concurrent steps may be. Webhooks of one shipment may also be sent
   * this much ahead of what was due earlier for others.
   */
  togetherMs: 5 * 60_000,
  /** Tries of a step before it is skipped, and the first wait between them, which doubles. */
  tries: 5,
  retryMs: 100,
  /** Skipped steps listed in the answer; of more, only the number is given. */
  skippedNamed: 20,
  /** How long to wait for an attempt in flight: its call deadline in real time. */
  attemptsMs: 21_000,
} as const

export type AdvanceLimits = Readonly<Record<keyof typeof advanceLimits, number>>
