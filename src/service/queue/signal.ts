import { pause } from '../pause.ts'

/**
 * Tells waiting readers that there may be something new. Only a hint: readers check for themselves, and
 * check anyway after a while.
 */
export class Signal {
  #count = 0
  readonly #waiting = new Set<() => void>()

  /** Read it before checking: `wait` then returns at once if a notification came in between. */
  get count(): number {
    return this.#count
  }

  notify(): void {
    this.#count += 1
    for (const goOn of [...this.#waiting]) goOn()
  }

  /** Waits for a notification since `seen`, the timeout, or an abort signal. Never fails. */
  async wait(seen: number, ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
    if (this.#count !== seen || signals.some((signal) => signal.aborted)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const goOn = () => resolve()
    const timer = setTimeout(goOn, ms)
    this.#waiting.add(goOn)
    for (const signal of signals) signal.addEventListener('abort', goOn)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(goOn)
      for (const signal of signals) signal.removeEventListener('abort', goOn)
    }
  }
}

/**
 * After news, loops check often for this long: enough for an event's webhooks and their first retries.
 */
const attentiveMs = 10_000
/** Wait before the first check after a quiet time: the read models need a moment. */
const firstCheckMs = 100

export type CheckTimes = {
  /** The wait between checks for a while after news. */
  readonly soonMs: number
  /** The wait between checks when nothing has been committed for a while. */
  readonly idleMs: number
}

/**
 * Adapts how often a loop checks for work caused by events. It may miss a hint; the loop then finds the
 * event `idleMs` later.
 */
export class AdaptivePoll {
  readonly #news: Signal | null
  #seen = 0
  #until = 0
  readonly #attentiveMs: number

  /** Starts as if there had been news, because earlier processes may have left work. */
  constructor(store: { news?(): Signal }, forMs: number = attentiveMs) {
    this.#news = store.news?.() ?? null
    this.#attentiveMs = forMs
    this.wake()
  }

  /** Call it when something happened in this process that may cause more work. */
  wake(): void {
    this.#until = performance.now() + this.#attentiveMs
  }

  /** Waits until the next check is due or the signal aborts. Never fails. */
  async wait({ soonMs, idleMs }: CheckTimes, signal: AbortSignal): Promise<void> {
    this.#noticeNews()
    if (this.#news === null || performance.now() < this.#until) {
      await pause(soonMs, signal)
      return
    }
    await this.#news.wait(this.#seen, idleMs, signal)
    if (this.#noticeNews()) await pause(Math.min(firstCheckMs, soonMs), signal)
  }

  #noticeNews(): boolean {
    if (this.#news === null || this.#news.count === this.#seen) return false
    this.#seen = this.#news.count
    this.wake()
    return true
  }
}
