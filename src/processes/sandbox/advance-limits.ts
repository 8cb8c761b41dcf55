/** How far an advance of a sandbox clock goes, is waited for, and is made in a row. */
export const advanceLimits = {
  /** One call goes at most this far. Source: sandbox design. */
  byMsMax: 60 * 24 * 60 * 60_000,
  /** Then the call answers 202 and the worker goes on. */
  answerMs: 30_000,
  /** One worker makes so many in a row; then the call answers 202 and other workspaces have a turn. */
  steps: 10_000,
  /** An attempt under way is waited for so long: its real call deadline. */
  attemptsMs: 21_000,
} as const

export type AdvanceLimits = Readonly<Record<keyof typeof advanceLimits, number>>
