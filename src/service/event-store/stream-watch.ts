import { pause } from '../pause.ts'
import { Signal } from '../queue/signal.ts'
import { type EventStore, EventStoreOverloaded } from './event-store.ts'

/** Most callers waiting at once: more than the requests that a process serves at the same time. */
const waitersMax = 10_000
/** How often a waiting caller checks again while the subscription may have missed something. */
const unsureMs = 500
/**
 * How long an unused subscription stays open: opening one costs more than reading a few events.
 */
const lingerMs = 5_000
const lingerCheckMs = 1_000
const resubscribeFirstMs = 100
const resubscribeMaxMs = 5000

/**
 * Lets any number of callers wait for a stream without a database connection each, through one
 * subscription per process. It is open only while callers wait, because it reads everything written.
 */
export class StreamWatch {
  readonly #store: EventStore
  readonly #prefixes: readonly string[]
  readonly #onError: (error: unknown) => void
  /** By stream: when it is notified, its callers check again. */
  readonly #waiters = new Map<string, Set<Signal>>()
  #waiting = 0
  /** Notified when the first caller arrives. */
  readonly #wanted = new Signal()
  #leftAt = 0
  #live = false
  readonly #stopped = new AbortController()

  /** `onError` gets the error that ended the subscription, which is reopened while callers wait. */
  constructor(
    store: EventStore,
    prefixes: readonly string[],
    onError: (error: unknown) => void = () => undefined,
  ) {
    this.#store = store
    this.#prefixes = prefixes
    this.#onError = onError
  }

  /** Watches until the signal aborts. Waiting callers then check once more. */
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
      await pause(waitMs * (0.5 + Math.random() / 2), signal)
    }
    this.#stopped.abort()
  }

  /**
   * The result of `read`, which is called at once, whenever the stream may have a new event, and a last
   * time at the timeout or when the signal aborts. Throws EventStoreOverloaded if too many callers are
   * waiting, and whatever `read` throws.
   */
  async until<T>(
    stream: string,
    timeoutMs: number,
    read: () => Promise<T | null>,
    signal: AbortSignal = this.#stopped.signal,
  ): Promise<T | null> {
    const { signal: stopped } = this.#stopped
    const endsAt = performance.now() + timeoutMs
    const changed = this.#join(stream)
    try {
      for (;;) {
        const seen = changed.count
        const found = await read()
        if (found !== null) return found
        const leftMs = endsAt - performance.now()
        if (leftMs <= 0 || signal.aborted || stopped.aborted) return null
        const waitMs = this.#live ? leftMs : Math.min(leftMs, unsureMs)
        await changed.wait(seen, waitMs, signal, stopped)
      }
    } finally {
      this.#leave(stream, changed)
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
        if (item.kind === 'batch') for (const { stream } of item.events) this.#notify(stream)
        else if (!this.#live) {
          this.#live = true
          // Earlier events are not announced.
          for (const stream of this.#waiters.keys()) this.#notify(stream)
        }
      }
    } finally {
      clearInterval(check)
      this.#live = false
      // Otherwise callers that rely on the subscription would wait until their timeout.
      for (const stream of this.#waiters.keys()) this.#notify(stream)
    }
  }

  #isUnwanted(): boolean {
    return this.#waiting === 0 && performance.now() - this.#leftAt >= lingerMs
  }

  #notify(stream: string): void {
    for (const changed of [...(this.#waiters.get(stream) ?? [])]) changed.notify()
  }

  #join(stream: string): Signal {
    if (this.#waiting >= waitersMax) {
      throw new EventStoreOverloaded('too many requests are waiting for a stream')
    }
    const changed = new Signal()
    const waiters = this.#waiters.get(stream) ?? new Set<Signal>()
    waiters.add(changed)
    this.#waiters.set(stream, waiters)
    this.#waiting += 1
    this.#wanted.notify()
    return changed
  }

  #leave(stream: string, changed: Signal): void {
    const waiters = this.#waiters.get(stream)
    waiters?.delete(changed)
    if (waiters?.size === 0) this.#waiters.delete(stream)
    this.#waiting -= 1
    this.#leftAt = performance.now()
  }
}
