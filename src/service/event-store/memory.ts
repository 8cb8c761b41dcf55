import type { JsonObject } from '../domain/decider.ts'
import { Signal } from '../queue/signal.ts'
import {
  type AppendOptions,
  type AppendOutcome,
  asPlace,
  assertHolds,
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  type Page,
  type Place,
  type Position,
  placeAt,
  type ReadAllOptions,
  type StoredEvent,
  type Subscribed,
  type SubscribeOptions,
  streamLimit,
} from './event-store.ts'
import { positionOf, positionValue } from './position.ts'
import {
  isOver,
  type PreparedAppend,
  type PreparedEvent,
  prepareAppend,
  refuseBeside,
} from './prepared-append.ts'
import { subscription } from './subscription.ts'

/**
 * Only bounds a wait: every append of this store notifies, so nothing is missed without polling.
 */
const pollMsDefault = 500

/** The event store for tests. It keeps the port's promises in one process, but is not durable. */
export function memoryEventStore(pollMs = pollMsDefault): EventStore {
  return new MemoryEventStore(pollMs)
}

class MemoryEventStore implements EventStore {
  readonly #log: StoredEvent[] = []
  readonly #streams = new Map<string, number[]>()
  readonly #changed = new Signal()
  readonly #closed = new AbortController()
  readonly #pollMs: number

  constructor(pollMs: number) {
    this.#pollMs = pollMs
  }

  async append(
    stream: string,
    expected: 'no_stream' | number,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<AppendOutcome> {
    this.#refuseWhenClosed()
    const append = prepareAppend(stream, expected, events, options)
    refuseBeside(append)
    const own = this.#streams.get(stream) ?? []
    const current = own.length - 1
    const last = append.expected + append.events.length
    if (append.expected !== current) {
      const index = own[last]
      if (index === undefined || !this.#holds(own, append)) {
        return { kind: 'conflict', actual: current === -1 ? null : current }
      }
      return { kind: 'duplicate', revision: last, position: positionOf(index + 1) }
    }
    if (isOver(append)) return { kind: 'expired' }
    this.#streams.set(stream, own)
    for (const event of append.events) {
      const index = this.#log.length
      own.push(index)
      this.#log.push(stored(event, stream, own.length - 1, index))
    }
    this.#changed.notify()
    return { kind: 'committed', revision: last, position: positionOf(this.#log.length) }
  }

  async readStream(
    stream: string,
    options: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<readonly StoredEvent[]> {
    this.#refuseWhenClosed()
    const from = options.from ?? 0
    const indexes = this.#streams.get(stream) ?? []
    const limit = Math.min(options.limit ?? streamLimit, streamLimit)
    return indexes.slice(from, from + limit).map((index) => this.#event(index))
  }

  async readAll(after: Place | Position | null, options: ReadAllOptions): Promise<Page> {
    this.#refuseWhenClosed()
    const from = asPlace(after)
    if (from?.event) await assertHolds(this, from.event)
    const start = Number(positionValue(from?.position ?? null))
    if (start > this.#log.length) throw new Error(`The ledger has no event at position ${start}.`)
    const end = Math.min(start + options.limit, this.#log.length)
    const events: StoredEvent[] = []
    for (let index = start; index < end; index++) {
      const event = this.#event(index)
      if (options.prefixes?.some((prefix) => event.stream.startsWith(prefix)) ?? true) {
        events.push(event)
      }
    }
    const place = end === start ? from : placeAt(this.#event(end - 1))
    return { events, last: place?.position ?? null, place }
  }

  async eventAt(position: Position): Promise<StoredEvent | null> {
    this.#refuseWhenClosed()
    return this.#log[Number(positionValue(position)) - 1] ?? null
  }

  subscribe(after: Place | Position | null, options: SubscribeOptions): AsyncIterable<Subscribed> {
    const source = {
      readAll: (from: Place | null, page: ReadAllOptions) => this.readAll(from, page),
      changed: this.#changed,
      pollMs: () => this.#pollMs,
      closed: this.#closed.signal,
    }
    return subscription(source, after, options)
  }

  async head(): Promise<Position | null> {
    this.#refuseWhenClosed()
    return this.#log.length === 0 ? null : positionOf(this.#log.length)
  }

  async end(): Promise<Position | null> {
    return await this.head()
  }

  news(): Signal {
    return this.#changed
  }

  async close(): Promise<void> {
    this.#closed.abort()
  }

  #refuseWhenClosed(): void {
    if (this.#closed.signal.aborted) throw new EventStoreUnavailable('the event store was closed')
  }

  #holds(own: readonly number[], append: PreparedAppend): boolean {
    return append.events.every((event, nth) => {
      const index = own[append.expected + 1 + nth]
      return index !== undefined && this.#log[index]?.id === event.id
    })
  }

  #event(index: number): StoredEvent {
    const event = this.#log[index]
    if (event === undefined) throw new RangeError(`bug: no event ${index}`)
    return event
  }
}

/** A frozen copy, because all readers share it. */
function stored(
  { id, type, data, metadata }: PreparedEvent,
  stream: string,
  revision: number,
  index: number,
): StoredEvent {
  const frozen = (text: string) =>
    JSON.parse(text, (_key, value: unknown) => Object.freeze(value)) as JsonObject
  return Object.freeze({
    id,
    type,
    data: frozen(data),
    metadata: frozen(metadata),
    stream,
    revision,
    position: positionOf(index + 1),
  })
}
