import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { UnwritableEvent } from './codec.ts'

const retryDelayMsMin = 50
const retryDelayMsMax = 2_000

/** Programming errors: a retry would fail the same way. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError]

/**
 * Repeats work until it is stored or the process ends: outcomes of courier calls are evidence, and
 * an unreachable store comes back. Throws errors that no retry can fix: UnwritableEvent and
 * programming errors. `work` must be safe to repeat.
 */
export async function retryUntilStored<T>(
  what: string,
  log: Log,
  work: () => Promise<T>,
): Promise<T> {
  for (let retryDelayMs = retryDelayMsMin; ; ) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof UnwritableEvent) throw error
      if (mistakes.some((mistake) => error instanceof mistake)) {
        log.error({ err: error, task: what }, 'cannot be stored: given up')
        throw error
      }
      log.warn({ err: error, task: what }, 'not stored yet; trying again')
      await delay(retryDelayMs)
      retryDelayMs = Math.min(retryDelayMs * 2, retryDelayMsMax)
    }
  }
}
