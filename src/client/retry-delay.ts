import type { RetryLimits } from './methods.ts'
import type { ShippingLedgerError } from './shipping-ledger-error.ts'

/**
 * The slowest response takes 40 s (a creation may wait 15 s for another with the same key and 20 s
 * for the courier). Two of these fit; callers rarely wait longer.
 */
export const retryDefaults: RetryLimits = { requestsMax: 5, totalMs: 90_000 }

const firstDelayMs = 500
const longestDelayMs = 8_000

export type Failed = {
  readonly error: ShippingLedgerError
  /** Requests so far. */
  readonly requests: number
  readonly elapsedMs: number
  /** Whether the call is idempotent: a read, a deletion, or a change with an Idempotency-Key. */
  readonly isRepeatable: boolean
}

/**
 * Milliseconds before the same request is sent again; null if it must not be or retrying is
 * useless. Without a response, only an idempotent request is retried. With a response, only if the
 * service says `retryable` and time can fix it: there is a `Retry-After`, or the service itself is
 * at fault.
 */
export function retryDelay(
  { error, requests, elapsedMs, isRepeatable }: Failed,
  limits: RetryLimits,
  random: () => number,
): number | null {
  if (requests >= limits.requestsMax || !error.retryable || error.reason === 'aborted') return null
  if (!isRepeatable && error.outcome !== 'not_executed') return null
  const { status, retryAfterMs } = error
  // A successful status means that the response was cut off.
  const isHealedByTime = status === null || status < 400 || status >= 500 || retryAfterMs !== null
  if (!isHealedByTime) return null
  const waitMs = Math.max(backOffMs(requests, random), retryAfterMs ?? 0)
  return elapsedMs + waitMs < limits.totalMs ? waitMs : null
}

/** Milliseconds to wait after so many tries: they double, with jitter between half and all. */
export function backOffMs(tries: number, random: () => number): number {
  const doubled = Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - 1))
  return doubled * (0.5 + random() / 2)
}
