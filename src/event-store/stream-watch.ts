import { setTimeout as delay } from 'node:timers/promises'
import { type EventStore, EventStoreOverloaded, type Position } from './event-store.ts'

/** How long a change is remembered: far longer than the time from reading a stream to waiting for it. */
const rememberMs = 5000
/** Streams remembered: more than a process appends to in `rememberMs`. */
const rememberedMax = 20_000
/** Callers waiting at once: more open requests than a process serves. */
const waitersMax = 10_000
/** While the watch may have missed something, who waits is told to look again after this. */
const unsureMs = 500
const resubscribeFirstMs = 100
const resubscribeMaxMs = 5000

export type StreamWatchOptions = {
  readonly prefixes?: readonly string[]
  /** An error that ended the subscription; it is opened again by itself. */
  readonly onError?: (error: unknown) => void
}

type Waiter = { readonly afterRevision: number; readonly wake: (changed: boolean) => void }

/**
 * One subscription a process, for which any number of callers wait without a database connection.
 *
 * A caller reads a stream, finds nothing new after revision r, and calls `changed(stream, r)`. The
 * event r + 1 may be seen by the subscription between the two: so what was seen is remembered for
 * a few seconds, and `changed` looks there first. Both are done in one turn of the event loop, so
 * nothing falls between looking and waiting.
 * An event r + 1 may also never be seen or be forgotten: it was committed before the subscription
 * began, or is still to come because the subscription was lost, or had to make room. For as long as
 * that can matter to a caller the watch is "unsure" and answers true after half a second at the
 * latest: look again. So true means "look again", and false that nothing came.
 */
export class StreamWatch {
  readonly #store: EventStore
  readonly #options: StreamWatchOptions
  readonly #waiters = new Map<string, Set<Waiter>>()
  #waiting = 0
  /** Newest change last. */
  readonly #recent = new Map<string, { readonly revision: number; readonly seenAt: number }>()
  #live = false
  #unsureUntil = 0

  constructor(store: EventStore, options: StreamWatchOptions = {}) {
    this.#store = store
    this.#options = options
  }

  /** Watches until the signal says stop; then whoever waits is answered false. */
  async run(signal: AbortSignal): Promise<void> {
    let last: Position | null | undefined
    let failures = 0
    while (!signal.aborted) {
      try {
        if (last === undefined) {
          last = await this.#store.head()
          this.#beUnsure()
        }
        const options =
          this.#options.prefixes === undefined
            ? { signal }
            : { signal, prefixes: this.#options.prefixes }
        for await (const item of this.#store.subscribe(last, options)) {
          last = item.last
          failures = 0
          if (item.kind === 'caught_up') this.#live = true
          else for (const event of item.events) this.#saw(event.stream, event.revision)
        }
      } catch (error) {
        this.#options.onError?.(error)
      }
      // Also an end without an error is a loss, unless it was asked for.
      this.#live = false
      if (signal.aborted) break
      const waitMs = Math.min(resubscribeMaxMs, resubscribeFirstMs * 2 ** Math.min(failures, 10))
      failures += 1
      await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
    }
    for (const waiters of [...this.#waiters.values()]) {
      for (const waiter of [...waiters]) waiter.wake(false)
    }
  }

  /**
   * True when the stream has, or may have, an event after that revision (-1 = no stream): read it
   * again. False when the time is over or the signal said so. Throws EventStoreOverloaded when too
   * many wait already.
   */
  async changed(
    stream: string,
    afterRevision: number,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<boolean> {
    if (signal?.aborted === true) return false
    const seen = this.#recent.get(stream)
    if (seen !== undefined && seen.revision > afterRevision) return true
    if (this.#waiting >= waitersMax) {
      throw new EventStoreOverloaded('too many requests are waiting for another')
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiter = { afterRevision, wake: resolve }
    const giveUp = () => resolve(false)
    const startedAt = performance.now()
    const timer = setTimeout(giveUp, timeoutMs)
    // Looked at again and again, as the watch may become unsure while somebody waits.
    const doubts = setInterval(() => {
      if (this.#unsureSince(startedAt)) resolve(true)
    }, unsureMs)
    this.#add(stream, waiter)
    signal?.addEventListener('abort', giveUp)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      clearInterval(doubts)
      signal?.removeEventListener('abort', giveUp)
      this.#remove(stream, waiter)
    }
  }

  #unsureSince(startedAt: number): boolean {
    return !this.#live || startedAt < this.#unsureUntil
  }

  #beUnsure(): void {
    this.#unsureUntil = performance.now() + rememberMs
  }

  #saw(stream: string, revision: number): void {
    const now = performance.now()
    this.#recent.delete(stream)
    this.#recent.set(stream, { revision, seenAt: now })
    for (const [oldest, { seenAt }] of this.#recent) {
      const young = now - seenAt < rememberMs
      if (young && this.#recent.size <= rememberedMax) break
      if (young) this.#beUnsure()
      this.#recent.delete(oldest)
    }
    for (const waiter of [...(this.#waiters.get(stream) ?? [])]) {
      if (revision > waiter.afterRevision) waiter.wake(true)
    }
  }

  #add(stream: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(stream) ?? new Set<Waiter>()
    waiters.add(waiter)
    this.#waiters.set(stream, waiters)
    this.#waiting += 1
  }

  #remove(stream: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(stream)
    waiters?.delete(waiter)
    if (waiters?.size === 0) this.#waiters.delete(stream)
    this.#waiting -= 1
  }
}
