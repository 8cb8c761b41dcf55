import { setTimeout as delay } from 'node:timers/promises'
import type { EventStore } from './event-store.ts'
import type { Wake } from './wake.ts'

/** What follows of an event is looked for often for so long: what is told of it, and its first retries. */
const attentiveMs = 10_000
/** After news in a quiet time: the read models take a moment. */
const firstLookMs = 100

export type LookTimes = {
  /** Between two looks, for a while after news. */
  readonly soonMs: number
  /** When nobody has committed anything for a while. */
  readonly idleMs: number
}

/**
 * How long somebody who looks again and again for what follows of events waits from one look to the
 * next. All that can be missed is a hint: then it is found `idleMs` later.
 */
export class Attention {
  readonly #news: Wake | null
  #seen = 0
  #until = 0
  readonly #attentiveMs: number

  /** At first as after news: what was left by others may be there. */
  constructor(store: Pick<EventStore, 'news'>, forMs: number = attentiveMs) {
    this.#news = store.news?.() ?? null
    this.#attentiveMs = forMs
    this.stir()
  }

  /** Something has happened here of which more may follow. */
  stir(): void {
    this.#until = performance.now() + this.#attentiveMs
  }

  /** Until it is time for another look, or the signal. Never fails. */
  async rest({ soonMs, idleMs }: LookTimes, signal: AbortSignal): Promise<void> {
    this.#notice()
    if (this.#news === null || performance.now() < this.#until) {
      await pause(soonMs, signal)
      return
    }
    await this.#news.wait(this.#seen, idleMs, signal)
    if (this.#notice()) await pause(Math.min(firstLookMs, soonMs), signal)
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
