import { setTimeout as delay } from 'node:timers/promises'

/** Waits this long, or until the signal aborts. Never throws. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
