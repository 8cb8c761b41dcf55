/** Limits of an advance of a sandbox clock: its distance, the caller's wait, the steps in a row. */
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
  /** How long to wait for an attempt under way: its real call deadline. */
  attemptsMs: 21_000,
} as const

export type AdvanceLimits = Readonly<Record<keyof typeof advanceLimits, number>>
