import { setTimeout as sleepMs } from 'node:timers/promises'
import { type CourierFailure, courierTimes } from './courier.ts'

type SafeRetriesOptions = {
  /**
   * No attempt starts after this time on `now` (for a creation or cancellation: its call deadline).
   */
  readonly endsAtMs?: number
  /** The monotonic clock. */
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<unknown>
}

/**
 * The waits before the 1st, 2nd and 3rd retry of a call that was not sent: long enough for a
 * connector to restart.
 */
const unreachableWaitsMs = [100, 400, 1_000] as const
/** The wait after a courier's "slow down" without `Retry-After`. */
const throttledWaitMs = 1_000

/**
 * Retries a courier call only while that cannot execute anything twice: no byte of it was sent, or
 * the courier asked to slow down. At most three retries, ten seconds in all, and none after
 * `endsAtMs`. The caller must handle a `Retry-After` longer than two seconds. Any other answer is
 * final. `call` gets the time by which its answer must arrive, and its number from 1: pass them on as
 * `answerByMs` and `attempt`.
 */
export async function withSafeRetries<A extends { readonly kind: string }>(
  call: (answerByMs: number, attempt: number) => Promise<A | CourierFailure>,
  options: SafeRetriesOptions = {},
): Promise<A | CourierFailure> {
  const now = options.now ?? (() => performance.now())
  const sleep = options.sleep ?? ((ms: number) => sleepMs(ms))
  const endMs = Math.min(now() + courierTimes.callMs, options.endsAtMs ?? Infinity)
  for (let repetition = 0; ; repetition++) {
    const answer = await call(endMs, repetition + 1)
    const waitMs = waitBefore(repetition, answer)
    if (waitMs === null || now() + waitMs >= endMs) return answer
    await sleep(waitMs)
  }
}

/** How long to wait before this retry (counted from 0); null = the answer is final. */
function waitBefore(
  repetition: number,
  answer: { readonly kind: string } | CourierFailure,
): number | null {
  if (repetition >= courierTimes.safeRetriesMax) return null
  if (isNotSent(answer)) {
    return answer.cause === 'unreachable' ? (unreachableWaitsMs[repetition] ?? null) : null
  }
  if (!isThrottled(answer)) return null
  const waitMs = answer.retryAfterMs ?? throttledWaitMs
  return waitMs <= courierTimes.retryAfterMsMax ? waitMs : null
}

type Failure<K extends CourierFailure['kind']> = Extract<CourierFailure, { kind: K }>

function isNotSent(answer: { readonly kind: string }): answer is Failure<'not_sent'> {
  return answer.kind === 'not_sent'
}

function isThrottled(answer: { readonly kind: string }): answer is Failure<'throttled'> {
  return answer.kind === 'throttled'
}
