import type { ShippingLedgerError } from './shipping-ledger-error.ts'

/** How often and how long a call is repeated. */
export type RetryLimits = {
  /** Requests of one call, including the first. */
  readonly requestsMax: number
  /** From the first request to the last answer. No request starts that could end only later. */
  readonly totalMs: number
}

/**
 * The longest single answer takes 40 s (a creation may wait 15 s for another with its key and 20 s
 * for the courier). Two of them fit; callers rarely wait longer.
 */
export const retryDefaults: RetryLimits = { requestsMax: 5, totalMs: 90_000 }

/**
 * Delays double from the first to the longest; random between half and full, so that clients spread
 * out.
 */
const firstDelayMs = 500
const longestDelayMs = 8_000

export type Failed = {
  readonly error: ShippingLedgerError
  /** Requests made so far. */
  readonly requests: number
  readonly elapsedMs: number
  /** A read, a deletion, or a change with an Idempotency-Key: repeating it does nothing twice. */
  readonly isRepeatable: boolean
}

/**
 * Milliseconds before the same request is sent again; null when it must not or need not be. Without
 * an answer, only a repeatable request is repeated. With one, only what the service calls
 * `retryable`, and only if time can fix it: the service says when, or is at fault itself.
 */
export function retryDelay(
  { error, requests, elapsedMs, isRepeatable }: Failed,
  limits: RetryLimits,
  random: () => number,
): number | null {
  if (requests >= limits.requestsMax || !error.retryable || error.reason === 'aborted') return null
  if (!isRepeatable && error.outcome !== 'not_executed') return null
  const { status, retryAfterMs } = error
  // A success comes here only if its answer was cut off.
  const isHealedByTime = status === null || status < 400 || status >= 500 || retryAfterMs !== null
  if (!isHealedByTime) return null
  const doubled = Math.min(longestDelayMs, firstDelayMs * 2 ** (requests - 1))
  const backOffMs = doubled * (0.5 + random() / 2)
  const waitMs = Math.max(backOffMs, retryAfterMs ?? 0)
  return elapsedMs + waitMs < limits.totalMs ? waitMs : null
}
