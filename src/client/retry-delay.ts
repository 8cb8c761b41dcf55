import type { ShippingLedgerError } from './shipping-ledger-error.ts'

/** How often and how long a call is repeated. */
export type RetryLimits = {
  /** Requests of one call, the first included. */
  readonly requestsMax: number
  /** From the first request to the last answer; nothing is begun that could end only after it. */
  readonly totalMs: number
}

/**
 * The longest single answer is 40 s (a creation may wait 15 s for another with its key and 20 s for
 * the courier): two of them fit, and whoever waits longer has given up.
 */
export const retryDefaults: RetryLimits = { requestsMax: 5, totalMs: 90_000 }

/** Waits double from the first to the longest; random between half and all, so that clients part. */
const firstDelayMs = 500
const longestDelayMs = 8_000

export type Failed = {
  readonly error: ShippingLedgerError
  /** Requests made so far. */
  readonly requests: number
  readonly elapsedMs: number
  /** A read, or a change with an Idempotency-Key: doing it again does nothing twice. */
  readonly isRepeatable: boolean
}

/**
 * How long to wait before the same request is sent again, in milliseconds; null when it must not or
 * need not be. Without an answer only what is repeatable is repeated. With one, only what the service
 * calls `retryable`, and of that only what time can heal: it says when, or is its own fault.
 */
export function retryDelay(
  { error, requests, elapsedMs, isRepeatable }: Failed,
  limits: RetryLimits,
  random: () => number,
): number | null {
  if (requests >= limits.requestsMax || !error.retryable) return null
  if (!isRepeatable && error.outcome !== 'not_executed') return null
  const { status, retryAfterMs } = error
  // Of a success only an answer that was cut comes here.
  const isHealedByTime = status === null || status < 400 || status >= 500 || retryAfterMs !== null
  if (!isHealedByTime) return null
  const doubled = Math.min(longestDelayMs, firstDelayMs * 2 ** (requests - 1))
  const backOffMs = doubled * (0.5 + random() / 2)
  const waitMs = Math.max(backOffMs, retryAfterMs ?? 0)
  return elapsedMs + waitMs < limits.totalMs ? waitMs : null
}
