/**
 * The longest single answer is 40 s (a creation may wait 15 s for another with its key and 20 s for
 * the courier): two of them fit, and whoever waits longer has given up.
 */
export const retryDefaults = { requestsMax: 5, totalMs: 90_000 };
/** Waits double from the first to the longest; random between half and all, so that clients part. */
const firstDelayMs = 500;
const longestDelayMs = 8_000;
/**
 * How long to wait before the same request is sent again, in milliseconds; null when it must not or
 * need not be. Without an answer only what is repeatable is repeated. With one, only what the service
 * calls `retryable`, and of that only what time can heal: it says when, or is its own fault.
 */
export function retryDelay({ error, requests, elapsedMs, isRepeatable }, limits, random) {
    if (requests >= limits.requestsMax || !error.retryable)
        return null;
    if (!isRepeatable && error.outcome !== 'not_executed')
        return null;
    const isHealedByTime = error.status === null || error.status >= 500 || error.retryAfterMs !== null;
    if (!isHealedByTime)
        return null;
    const doubled = Math.min(longestDelayMs, firstDelayMs * 2 ** (requests - 1));
    const backOffMs = doubled * (0.5 + random() / 2);
    const waitMs = Math.max(backOffMs, error.retryAfterMs ?? 0);
    return elapsedMs + waitMs < limits.totalMs ? waitMs : null;
}
