import { setTimeout as delay } from 'node:timers/promises'

/** Waits this long, or until the signal aborts. Never throws. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** The result of the work; null if it takes longer. */
export async function endedInTime<T>(work: Promise<T>, waitMs: number): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, Math.max(0, waitMs), null)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
