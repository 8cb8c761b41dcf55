import { setTimeout as delay } from 'node:timers/promises'
import { type EventStore, EventStoreOverloaded } from './event-store.ts'
import { Wake } from './wake.ts'

/** Callers waiting at once: more than the open requests that a process serves. */
const waitersMax = 10_000
/** While the subscription may have missed something, a waiting caller checks again after this. */
const unsureMs = 500
/**
 * How long the subscription is kept for the next caller: opening one costs more than a few events.
 */
const lingerMs = 5_000
const lingerCheckMs = 1_000
const resubscribeFirstMs = 100
const resubscribeMaxMs = 5000

/**
 * One subscription per process lets any number of callers wait without a database connection. It is
 * open only while callers wait, because it reads everything that is written.
 */
export class StreamWatch {
  readonly #store: EventStore
  readonly #prefixes: readonly string[]
  readonly #onError: (error: unknown) => void
  /** By stream; callers of a stream that rings check again. */
  readonly #waiters = new Map<string, Set<Wake>>()
  #waiting = 0
  /** Rings when the first caller comes. */
  readonly #wanted = new Wake()
  #leftAt = 0
  #live = false
  readonly #stopped = new AbortController()

  /** `onError` gets what ended the subscription; it is reopened while callers wait. */
  constructor(
    store: EventStore,
    prefixes: readonly string[],
    onError: (error: unknown) => void = () => undefined,
  ) {
    this.#store = store
    this.#prefixes = prefixes
    this.#onError = onError
  }

  /** Watches until the signal says stop; then waiting callers check once more. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const seen = this.#wanted.count
      if (this.#waiting === 0) {
        await this.#wanted.wait(seen, resubscribeMaxMs, signal)
        continue
      }
      try {
        await this.#follow(signal, () => {
          failures = 0
        })
      } catch (error) {
        this.#onError(error)
      }
      if (signal.aborted || this.#isUnwanted()) continue
      // An end without an error is a loss too.
      const waitMs = Math.min(resubscribeMaxMs, resubscribeFirstMs * 2 ** Math.min(failures, 10))
      failures += 1
      await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
    }
    this.#stopped.abort()
  }

  /**
   * The result of `read`, called at once, whenever the stream has, or may have, a new event, and at
   * the end, when the time is over or the signal aborts. Throws EventStoreOverloaded when too many
   * callers wait already, and what `read` throws.
   */
  async until<T>(
    stream: string,
    timeoutMs: number,
    read: () => Promise<T | null>,
    signal: AbortSignal = this.#stopped.signal,
  ): Promise<T | null> {
    const { signal: stopped } = this.#stopped
    const endsAt = performance.now() + timeoutMs
    const wake = this.#join(stream)
    try {
      for (;;) {
        const seen = wake.count
        const found = await read()
        if (found !== null) return found
        const leftMs = endsAt - performance.now()
        if (leftMs <= 0 || signal.aborted || stopped.aborted) return null
        const waitMs = this.#live ? leftMs : Math.min(leftMs, unsureMs)
        await wake.wait(seen, waitMs, signal, stopped)
      }
    } finally {
      this.#leave(stream, wake)
    }
  }

  async #follow(signal: AbortSignal, onItem: () => void): Promise<void> {
    const unwanted = new AbortController()
    const check = setInterval(() => {
      if (this.#isUnwanted()) unwanted.abort()
    }, lingerCheckMs)
    const either = AbortSignal.any([signal, unwanted.signal])
    try {
      const end = await this.#store.end()
      const items = this.#store.subscribe(end, { prefixes: this.#prefixes, signal: either })
      for await (const item of items) {
        onItem()
        if (item.kind === 'batch') for (const { stream } of item.events) this.#ring(stream)
        else if (!this.#live) {
          this.#live = true
          // Earlier events are not announced.
          for (const stream of this.#waiters.keys()) this.#ring(stream)
        }
      }
    } finally {
      clearInterval(check)
      this.#live = false
      // Otherwise a caller that trusts the subscription would wait until its time is over.
      for (const stream of this.#waiters.keys()) this.#ring(stream)
    }
  }

  #isUnwanted(): boolean {
    return this.#waiting === 0 && performance.now() - this.#leftAt >= lingerMs
  }

  #ring(stream: string): void {
    for (const wake of [...(this.#waiters.get(stream) ?? [])]) wake.ring()
  }

  #join(stream: string): Wake {
    if (this.#waiting >= waitersMax) {
      throw new EventStoreOverloaded('too many requests are waiting for another')
    }
    const wake = new Wake()
    const waiters = this.#waiters.get(stream) ?? new Set<Wake>()
    waiters.add(wake)
    this.#waiters.set(stream, waiters)
    this.#waiting += 1
    this.#wanted.ring()
    return wake
  }

  #leave(stream: string, wake: Wake): void {
    const waiters = this.#waiters.get(stream)
    waiters?.delete(wake)
    if (waiters?.size === 0) this.#waiters.delete(stream)
    this.#waiting -= 1
    this.#leftAt = performance.now()
  }
}
