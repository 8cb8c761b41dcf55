import { setTimeout as delay } from 'node:timers/promises'
import { UnwritableEvent } from '../../event-store/codec.ts'
import type { Log } from '../../log.ts'

const retryDelayMsMin = 50
const retryDelayMsMax = 2_000

/** Mistakes in the code: repeating the work ends the same. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError]

/**
 * Repeats work that must not be lost until it is stored or the process ends: outcomes of courier
 * calls are evidence, and an unreachable store comes back. Throws what repeating cannot fix: an
 * UnwritableEvent, or a mistake in the code. `work` must be safe to repeat.
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
