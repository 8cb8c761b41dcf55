import type { JsonObject } from '../../domain/decider.ts'
import type { StoreLog } from '../connection.ts'
import {
  type AppendOptions,
  type AppendOutcome,
  AppendUnknown,
  asPlace,
  assertHolds,
  type EventPlace,
  type EventStore,
  EventStoreUnavailable,
  HistoryDiverged,
  type NewEvent,
  type Page,
  type Place,
  type Position,
  pageLimitMax,
  placeAt,
  queueMaxDefault,
  type ReadAllOptions,
  reservedMaxDefault,
  type StoredEvent,
  type Subscribed,
  type SubscribeOptions,
  streamLimit,
} from '../event-store.ts'
import { prepareAppend, refuseBeside } from '../prepared-append.ts'
import { type AppenderTimes, EventStoreDbAppender } from './appender.ts'
import {
  type AllStreamResolvedEvent,
  type LogPosition,
  logEvents,
  type ResolvedEvent,
  streamEvents,
} from './eventstoredb-client.ts'
import { isNoRecord } from './eventstoredb-errors.ts'
import { logPosition, positionOfLog, resumedFrom } from './positions.ts'
import { EventStoreDbReader } from './reader.ts'
import { hasPrefix, resumedSubscription, type SubscriptionTimes } from './resumed-subscription.ts'

/** `readSilentMs` applies to reads and subscriptions, because the client has no deadline for them. */
export type EventStoreDbTimes = AppenderTimes & SubscriptionTimes

export const eventStoreDbTimes: EventStoreDbTimes = {
  callMs: 3_000,
  watchdogMs: 3_500,
  answerMs: 8_000,
  readSilentMs: 3_500,
  quietMs: 10_000,
  resumeMs: 10_000,
  settleMs: 1_200,
}

/** Page size when looking backwards for our last event: usually enough. */
const headPage = 16
/** Page size when searching further among other systems' events. */
const searchPage = 1_000

export type EventStoreDbOptions = {
  /** `esdb://host:port?tls=false`, several hosts, or `esdb+discover://name`; also with `kurrentdb`. */
  readonly url: string
  /** Prefix of every stream's name, so that several ledgers can share a server. */
  readonly namespace?: string
  /** Prefixes of the ledger's streams, by which the server filters if there is no namespace. */
  readonly prefixes: readonly string[]
  readonly queueMax?: number
  readonly reservedMax?: number
  readonly times?: Partial<EventStoreDbTimes>
  /** Called with each sign that the ledger has lost events that this process knew. */
  readonly onDiverged?: (error: HistoryDiverged) => void
  /** Whether any process has found that the ledger has lost events, freshly read. */
  readonly isDamaged?: () => Promise<boolean>
  readonly log?: StoreLog
}

export function eventStoreDb(options: EventStoreDbOptions): EventStoreDb {
  return new EventStoreDb(options)
}

/**
 * The ledger in EventStoreDB. Everything goes through the leader, so a read sees every acknowledged
 * append. This process's clock enforces `notAfter` before each try. A server that froze with an append
 * may still write it later; the caller then finds that the stream exists.
 */
export class EventStoreDb implements EventStore {
  readonly #options: EventStoreDbOptions
  readonly #times: EventStoreDbTimes
  readonly #namespace: string
  readonly #serverPrefixes: readonly string[]
  readonly #appender: EventStoreDbAppender
  readonly #reader: EventStoreDbReader
  /** Our last event up to a position, as of the last search. */
  #knownHead: { readonly lookedFrom: Position; readonly head: Position | null } | null = null
  readonly #closed = new AbortController()
  /** The latest event that this process has read or written: the log must hold it. */
  #furthest: EventPlace | null = null
  /** Ends the subscriptions that were open before a restart. */
  #restarted = new AbortController()

  constructor(options: EventStoreDbOptions) {
    this.#options = options
    this.#times = { ...eventStoreDbTimes, ...options.times }
    this.#namespace = options.namespace ?? ''
    this.#serverPrefixes = this.#namespace === '' ? options.prefixes : [this.#namespace]
    this.#reader = new EventStoreDbReader(options.url, this.#times.readSilentMs)
    this.#appender = new EventStoreDbAppender({
      url: options.url,
      queueMax: options.queueMax ?? queueMaxDefault,
      reservedMax: options.reservedMax ?? reservedMaxDefault,
      times: this.#times,
      log: options.log,
      read: (stream, from, limit) => this.#readNamed(stream, from, limit),
      holdsFurthest: () => this.#holdsFurthest(),
      isDamaged: async () => (await options.isDamaged?.()) ?? false,
    })
  }

  async append(
    stream: string,
    expected: 'no_stream' | number,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<AppendOutcome> {
    const append = prepareAppend(stream, expected, events, options)
    refuseBeside(append)
    const name = this.#namespace + append.stream
    if (!this.#isOwn(name)) {
      throw new RangeError('the name of a stream must begin with a prefix of the ledger')
    }
    const before = this.#furthest
    const outcome = await this.#appender.append({ ...append, stream: name })
    if (outcome.kind !== 'committed') return outcome
    const { position } = outcome
    // After everything that was there before, unless an earlier call had already written it.
    const isBehind = before === null || position > before.position
    if (isBehind) this.#learn({ position, id: append.events.at(-1)?.id ?? '' })
    else if (!(await this.#holdsFurthest()) && append.endsAtMs !== null) {
      throw new AppendUnknown('the append was written to another history')
    }
    return outcome
  }

  async #holdsFurthest(): Promise<boolean> {
    const furthest = this.#furthest
    if (furthest === null) return true
    try {
      await this.#compare(furthest)
      return true
    } catch (error) {
      if (error instanceof HistoryDiverged) return false
      throw error
    }
  }

  #noticed(error: HistoryDiverged): void {
    this.restart()
    this.#options.onDiverged?.(error)
  }

  #learn(event: EventPlace): void {
    const { position, id } = event
    if (this.#furthest === null || position > this.#furthest.position) {
      this.#furthest = { position, id }
    }
  }

  restart(): void {
    this.#furthest = null
    this.#knownHead = null
    const before = this.#restarted
    this.#restarted = new AbortController()
    before.abort()
  }

  async readStream(
    stream: string,
    options: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<readonly StoredEvent[]> {
    const limit = Math.min(options.limit ?? streamLimit, streamLimit)
    return await this.#readNamed(this.#namespace + stream, options.from ?? 0, limit)
  }

  async readAll(after: Place | Position | null, options: ReadAllOptions): Promise<Page> {
    return await this.#noticing(this.#page(asPlace(after), options))
  }

  async #page(start: Place | null, options: ReadAllOptions): Promise<Page> {
    if (start?.event && options.overGaps !== true) await this.#compare(start.event)
    const limit = Math.min(options.limit, pageLimitMax)
    const own: StoredEvent[] = []
    let lookedTo = resumedFrom(start)
    // One more, because reading forwards starts with the event at the position.
    let asked = limit + 1
    while (own.length < limit) {
      const page = await this.#logFrom(lookedTo, asked)
      const before = own.length
      for (const resolved of page) {
        const position = positionOfLog(placeOf(resolved))
        if (lookedTo !== null && position <= lookedTo) continue
        lookedTo = position
        const event = this.#decode(resolved)
        if (event !== null) own.push(event)
        if (own.length === limit) break
      }
      if (page.length < asked || own.length === limit) break
      if (own.length === before) {
        const coming = await this.#nextBehind(lookedTo, limit - own.length)
        if (coming.length === 0) break
        own.push(...coming)
        lookedTo = own.at(-1)?.position ?? lookedTo
      }
      asked = Math.max(limit - own.length + 1, searchPage)
    }
    const { prefixes } = options
    const last = own.at(-1)
    if (last !== undefined) this.#learn(last)
    const place = last === undefined ? start : placeAt(last)
    return {
      events: prefixes === undefined ? own : own.filter((event) => hasPrefix(event, prefixes)),
      last: place?.position ?? null,
      place,
    }
  }

  /** Reports lost events, unless the store was restarted meanwhile, because of them or after a recovery. */
  async #noticing<T>(reading: Promise<T>): Promise<T> {
    const restarted = this.#restarted
    try {
      return await reading
    } catch (error) {
      if (error instanceof HistoryDiverged && this.#restarted === restarted) this.#noticed(error)
      throw error
    }
  }

  async #compare(expected: EventPlace): Promise<void> {
    await this.#noticing(assertHolds(this, expected))
  }

  /** The log from the position on. Throws HistoryDiverged if no record begins there. */
  async #logFrom(position: Position | null, maxCount: number) {
    const from = position === null ? 'start' : logPosition(position)
    try {
      return await this.#reader.read((client) => logEvents(client, from, 'forwards', maxCount))
    } catch (error) {
      if (position === null || !(error instanceof Error && isNoRecord(error.cause))) throw error
      // If the end can be read, the given position is at fault and not the server.
      await this.end()
      throw new HistoryDiverged({ position, id: null }, null)
    }
  }

  async eventAt(position: Position): Promise<StoredEvent | null> {
    const [found] = await this.#logFrom(position, 1).catch((error: unknown) => {
      if (error instanceof HistoryDiverged) return []
      throw error
    })
    if (found === undefined || positionOfLog(placeOf(found)) !== position) return null
    return this.#decode(found)
  }

  async *subscribe(
    after: Place | Position | null,
    options: SubscribeOptions,
  ): AsyncGenerator<Subscribed, void, undefined> {
    const restarted = this.#restarted.signal
    for await (const next of this.#subscribed(after, options, restarted)) {
      if (next.kind === 'batch' && next.place.event !== null && !restarted.aborted) {
        this.#learn(next.place.event)
      }
      yield next
    }
    if (restarted.aborted && !options.signal.aborted) {
      throw new EventStoreUnavailable('the ledger must be read again')
    }
  }

  #subscribed(after: Place | Position | null, options: SubscribeOptions, restarted: AbortSignal) {
    const signal = AbortSignal.any([options.signal, restarted])
    return resumedSubscription(
      {
        compare: (event) => this.#compare(event),
        assertRecord: async (position) => void (await this.#noticing(this.#logFrom(position, 1))),
        url: this.#options.url,
        serverPrefixes: this.#serverPrefixes,
        times: this.#times,
        decode: (resolved) => this.#decode(resolved),
        head: () => this.head(),
        closed: this.#closed.signal,
      },
      asPlace(after),
      { ...options, signal },
    )
  }

  /** Searches backwards through other systems' events, no further than the last search did. */
  async head(): Promise<Position | null> {
    const known = this.#knownHead
    let lookedFrom: Position | null = null
    let from: LogPosition | 'end' = 'end'
    for (let asked = headPage; ; asked = searchPage) {
      const page = await this.#reader.read((client) => logEvents(client, from, 'backwards', asked))
      for (const resolved of page) {
        const place = positionOfLog(placeOf(resolved))
        lookedFrom ??= place
        const isKnown = known !== null && place <= known.lookedFrom
        const event = isKnown ? null : this.#decode(resolved)
        if (!isKnown && event === null) continue
        const head = isKnown ? known.head : place
        this.#knownHead = { lookedFrom, head }
        return head
      }
      const last = page.at(-1)
      const isWhole = last === undefined || page.length < asked
      // The server finds out faster that there are none than we could by paging through others' events.
      const hasMore = !isWhole && (asked === headPage || (await this.#hasAfter(known)))
      if (!hasMore) {
        const head = known?.head ?? null
        if (lookedFrom !== null) this.#knownHead = { lookedFrom, head }
        return head
      }
      from = placeOf(last)
    }
  }

  async #hasAfter(known: { readonly lookedFrom: Position } | null): Promise<boolean> {
    return (await this.#nextBehind(known?.lookedFrom ?? null, 1)).length > 0
  }

  /** Our next events, beyond any number of others' events: only a subscription filters in the server. */
  async #nextBehind(place: Position | null, limit: number): Promise<readonly StoredEvent[]> {
    const found = new AbortController()
    const options = { signal: found.signal, batchMax: limit }
    try {
      for await (const next of this.subscribe(place, options)) {
        if (next.kind === 'caught_up') break
        if (next.events.length > 0) return next.events
      }
      return []
    } finally {
      found.abort()
    }
  }

  async end(): Promise<Position | null> {
    const [last] = await this.#reader.read((client) => logEvents(client, 'end', 'backwards', 1))
    return last === undefined ? null : positionOfLog(placeOf(last))
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return
    this.#closed.abort()
    await this.#appender.close()
    await this.#reader.close()
  }

  /** Null for events of other ledgers. */
  #decode(resolved: AllStreamResolvedEvent | ResolvedEvent): StoredEvent | null {
    const { event } = resolved
    if (event === undefined || !this.#isOwn(event.streamId)) return null
    if (!isObject(event.data) || !isObject(event.metadata)) {
      throw new Error(`Event ${event.id} of the event store is not the JSON that was written.`)
    }
    return {
      id: event.id,
      type: event.type,
      data: event.data,
      metadata: event.metadata,
      stream: event.streamId.slice(this.#namespace.length),
      revision: Number(event.revision),
      position: positionOfLog(placeOf(resolved)),
    }
  }

  #isOwn(stream: string): boolean {
    return this.#serverPrefixes.some((prefix) => stream.startsWith(prefix))
  }

  async #readNamed(stream: string, from: number, limit: number): Promise<readonly StoredEvent[]> {
    const count = Math.min(limit, streamLimit)
    if (count < 1) return []
    const resolved = await this.#reader.read((client) => streamEvents(client, stream, from, count))
    return resolved.flatMap((each) => this.#decode(each) ?? [])
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function placeOf(resolved: AllStreamResolvedEvent | ResolvedEvent): LogPosition {
  const { event, link } = resolved
  const place = link?.position ?? event?.position
  if (place === undefined) throw new Error('the event store returned an event without its position')
  return place
}
