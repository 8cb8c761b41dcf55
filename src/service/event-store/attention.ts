import { setTimeout as delay } from 'node:timers/promises'
import type { EventStore } from './event-store.ts'
import type { Wake } from './wake.ts'

/**
 * The consequences of an event are checked for often for this long: its webhooks and their first
 * retries.
 */
const attentiveMs = 10_000
/** The first check after news in a quiet time: the read models take a moment. */
const firstCheckMs = 100

export type CheckTimes = {
  /** Between two checks, for a while after news. */
  readonly soonMs: number
  /** The wait when nothing has been committed for a while. */
  readonly idleMs: number
}

/**
 * Sets the wait between the checks of a loop for the consequences of events. Only a hint can be
 * missed; the loop then finds the event `idleMs` later.
 */
export class Attention {
  readonly #news: Wake | null
  #seen = 0
  #until = 0
  readonly #attentiveMs: number

  /** Starts as if there had been news: earlier processes may have left work. */
  constructor(store: Pick<EventStore, 'news'>, forMs: number = attentiveMs) {
    this.#news = store.news?.() ?? null
    this.#attentiveMs = forMs
    this.stir()
  }

  /** Says that something happened in this process that may have further consequences. */
  stir(): void {
    this.#until = performance.now() + this.#attentiveMs
  }

  /** Waits until the next check is due or the signal aborts. Never fails. */
  async rest({ soonMs, idleMs }: CheckTimes, signal: AbortSignal): Promise<void> {
    this.#notice()
    if (this.#news === null || performance.now() < this.#until) {
      await pause(soonMs, signal)
      return
    }
    await this.#news.wait(this.#seen, idleMs, signal)
    if (this.#notice()) await pause(Math.min(firstCheckMs, soonMs), signal)
  }

  #notice(): boolean {
    if (this.#news === null || this.#news.count === this.#seen) return false
    this.#seen = this.#news.count
    this.stir()
    return true
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
