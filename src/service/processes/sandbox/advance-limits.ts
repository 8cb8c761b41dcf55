/** Limits of an advance of a sandbox clock: its distance, the caller's wait, its work. */
export const advanceLimits = {
  /** One call goes at most this far. */
  byMsMax: 60 * 24 * 60 * 60_000,
  /** After this the call answers 202 and the worker goes on. */
  answerMs: 30_000,
  /**
   * Steps that one worker makes in a row; then the call answers 202 and other workspaces get a
   * turn.
   */
  steps: 10_000,
  /**
   * Steps at once, of as many shipments: with them a worker is busy, and hardly more busy than with
   * its due work of all workspaces.
   */
  together: 128,
  /**
   * How far apart on the clock such steps may be. It is also by how much the webhooks of one shipment
   * may be sent before what fell due earlier for others.
   */
  togetherMs: 5 * 60_000,
  /** How often a step is tried before it is skipped, and the first wait in between, which doubles. */
  tries: 5,
  retryMs: 100,
  /** Steps that could not be made and are named; of more, only the number is given. */
  skippedNamed: 20,
  /** How long to wait for an attempt under way: its real call deadline. */
  attemptsMs: 21_000,
} as const

export type AdvanceLimits = Readonly<Record<keyof typeof advanceLimits, number>>
