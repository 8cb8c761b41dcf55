import pg from 'pg'
import { Batcher, BatcherFull } from '../../database/batcher.ts'
import { SessionClient } from '../../database/sessions/session-client.ts'
import { ledgerReadersMax } from '../../database/sessions/sessions-per-process.ts'
import type { JsonObject } from '../../domain/decider.ts'
import { Signal } from '../../queue/signal.ts'
import { clientConfig, errorName, failureOf, type StoreLog } from '../connection.ts'
import {
  type AppendOptions,
  type AppendOutcome,
  asPlace,
  type EventPlace,
  type EventStore,
  EventStoreOverloaded,
  EventStoreUnavailable,
  HistoryDiverged,
  type NewEvent,
  type Page,
  type Place,
  type Position,
  pageLimitMax,
  queueMaxDefault,
  type ReadAllOptions,
  reservedMaxDefault,
  type StoredEvent,
  type Subscribed,
  type SubscribeOptions,
  streamLimit,
} from '../event-store.ts'
import { positionOf, positionValue } from '../position.ts'
import { prepareAppend } from '../prepared-append.ts'
import { type SubscribedPage, type SubscriptionSource, subscription } from '../subscription.ts'
import { AppendBatcher, type BatcherTimes, type BatchInfo } from './append-batcher.ts'
import { CommitNotifier } from './commit-notifier.ts'
import { assertContiguous, pageOf, RecentEvents } from './recent-events.ts'
import { readServerState, refuseStandby } from './server-state.ts'

export type PostgresTimes = BatcherTimes & {
  /** How long a subscription without news waits before it polls, less up to half at random. */
  readonly pollMs: number
  /** The same while this process notices nearly all commits of other processes. */
  readonly listeningPollMs: number
}

const postgresTimes: PostgresTimes = {
  // Three seconds are allowed for connecting; one of them is left for the waiting caller.
  connectMs: 2000,
  lockMs: 2000,
  // A batch takes milliseconds. One second of a slow disk is no reason to give up, but three are.
  statementMs: 3000,
  silentMs: 3500,
  intentWaitMs: 2000,
  outcomeWaitMs: 10_000,
  // Enough for one silent try, a reconnection and a second try.
  answerMs: 8000,
  pollMs: 1_000,
  listeningPollMs: 5_000,
}

/** Most streams read by one statement: those of a busy moment, with a few events each. */
const streamsMax = 64
/** More than one, so that a stream of ten thousand events does not delay the others. */
const streamReadsInFlightMax = 2

type StreamRead = readonly [stream: string, from: number, limit: number]

/** Reads waiting for a connection, each for at most `connectMs`. */
const readsWaitingMax = 2000
const readerIdleMs = 30_000

export type PostgresEventStoreOptions = {
  /** URL of the application's role, which may only read events and execute the append functions. */
  readonly url: string
  /** Most intents that wait or are in flight; more are shed. */
  readonly queueMax?: number
  /** How many outcomes are accepted beyond that. */
  readonly reservedMax?: number
  readonly readersMax?: number
  readonly times?: Partial<PostgresTimes>
  readonly onBatch?: (info: BatchInfo) => void
  /** Called with each sign that the ledger has lost events that this process knew. */
  readonly onDiverged?: (error: HistoryDiverged) => void
  readonly log?: StoreLog
}

export function postgresEventStore(options: PostgresEventStoreOptions): PostgresEventStore {
  return new PostgresEventStore(options)
}

type Row = readonly [
  position: string,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: JsonObject,
  metadata: JsonObject,
]

// Ordered by e.position: a bare `position` would be the output text, which sorts 10 before 9.
const columns = 'position::text, stream_id, revision, event_id, type, data, metadata'

// Each stream is an index scan of its own, regardless of how many streams are requested.
const readStreamsSql = `SELECT n::int, e.* FROM unnest($1::text[], $2::int[], $3::int[])
    WITH ORDINALITY AS asked (stream, first, most, n)
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM ledger.event e
    WHERE stream_id = asked.stream AND revision >= asked.first ORDER BY revision LIMIT asked.most
  ) e
  ORDER BY n, revision`

// Starts with the event at the position itself, which proves that the position is of this ledger.
const readAllSql = `SELECT ${columns} FROM ledger.event e
  WHERE position >= $1 ORDER BY e.position LIMIT $2`

const eventAtSql = `SELECT ${columns} FROM ledger.event e WHERE position = $1`

const headSql = 'SELECT position::text FROM ledger.event e ORDER BY e.position DESC LIMIT 1'

/**
 * The ledger in PostgreSQL. Appends of this process share one session, reads use a few others. The
 * database's clock enforces `notAfter`, after every wait. Reads and subscriptions throw
 * EventStoreUnavailable when the database does not answer.
 */
export class PostgresEventStore implements EventStore {
  readonly #readers: pg.Pool
  readonly #batcher: AppendBatcher
  readonly #notifier: CommitNotifier
  readonly #recentChanged = new Signal()
  readonly #news = new Signal()
  readonly #streams = new Batcher<StreamRead, readonly StoredEvent[]>({
    batchMax: streamsMax,
    queueMax: readsWaitingMax,
    inFlightMax: streamReadsInFlightMax,
    write: (reads) => this.#readStreams(reads),
  })
  readonly #recent = new RecentEvents()
  /**
   * The latest event that this process has read or written. Every server it connects to must hold it: a
   * standby may have been promoted before it had everything.
   */
  #furthest: EventPlace | null = null
  /** Counts restarts: an answer requested before the last one says nothing about the ledger now. */
  #restarts = 0
  readonly #onDiverged: (error: HistoryDiverged) => void
  /** When a reader last saw the end of the store; reset when other processes have written. */
  #sawEndAt = Number.NEGATIVE_INFINITY
  /** Counts how often other processes were noticed to have written. */
  #othersWrote = 0
  /** Page reads in flight; at most one per subscription. */
  readonly #pages = new Map<string, Promise<readonly StoredEvent[]>>()
  readonly #closed = new AbortController()
  readonly #times: PostgresTimes

  constructor(options: PostgresEventStoreOptions) {
    const times = { ...postgresTimes, ...options.times }
    this.#times = times
    this.#onDiverged = options.onDiverged ?? (() => undefined)
    const readers: pg.PoolConfig & { onConnect: (client: pg.ClientBase) => Promise<void> } = {
      // Without the first two settings, a plan made for an empty table would sort the whole table for
      // one page. Without the last, each read of a few streams is planned anew, which takes longer
      // than the read.
      ...clientConfig(options.url, 'read', times, {
        enable_seqscan: 'off',
        enable_bitmapscan: 'off',
        jit: 'off',
        plan_cache_mode: 'force_generic_plan',
      }),
      query_timeout: times.silentMs,
      Client: SessionClient,
      max: options.readersMax ?? ledgerReadersMax,
      idleTimeoutMillis: readerIdleMs,
      onConnect: async (client) => {
        const asked = this.#restarts
        const state = await readServerState(client, this.#furthest)
        refuseStandby(state)
        // Reads go on, because a read from a place compares its event anyway.
        if (state.diverged !== null) this.#noticed(state.diverged, asked)
      },
    }
    this.#readers = new pg.Pool(readers)
    // A broken idle session is replaced when the next read needs one.
    this.#readers.on('error', () => undefined)
    this.#notifier = new CommitNotifier(
      options.url,
      times,
      () => this.#othersCommitted(),
      options.log,
    )
    this.#batcher = new AppendBatcher({
      url: options.url,
      queueMax: options.queueMax ?? queueMaxDefault,
      reservedMax: options.reservedMax ?? reservedMaxDefault,
      times,
      furthest: () => this.#furthest,
      onDiverged: (error) => this.#noticed(error, this.#restarts),
      onCommitted: (committed) => {
        for (const each of committed) {
          this.#learn({ position: each.position, id: each.append.events.at(-1)?.id ?? '' })
        }
        if (this.#recent.extend(committed)) this.#recentChanged.notify()
        else this.#othersCommitted()
        this.#news.notify()
        this.#notifier.announce()
      },
      onBatch: options.onBatch,
      log: options.log,
    })
  }

  async append(
    stream: string,
    expected: 'no_stream' | number,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<AppendOutcome> {
    return this.#batcher.append(prepareAppend(stream, expected, events, options))
  }

  async readStream(
    stream: string,
    options: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<readonly StoredEvent[]> {
    const limit = Math.min(options.limit ?? streamLimit, streamLimit)
    try {
      return await this.#streams.add([stream, options.from ?? 0, limit])
    } catch (error) {
      if (!(error instanceof BatcherFull)) throw error
      throw new EventStoreOverloaded('too many reads are waiting')
    }
  }

  async readAll(after: Place | Position | null, options: ReadAllOptions): Promise<Page> {
    const from = asPlace(after)
    const start = positionValue(from?.position ?? null)
    const limit = Math.min(options.limit, pageLimitMax)
    const asked = this.#restarts
    const found = await this.#page(start, start === 0n ? limit : limit + 1)
    try {
      if (options.overGaps !== true) assertContiguous(found, from)
    } catch (error) {
      if (error instanceof HistoryDiverged) this.#noticed(error, asked)
      throw error
    }
    return pageOf(from, found[0]?.position === from?.position ? found.slice(1) : found, options)
  }

  async eventAt(position: Position): Promise<StoredEvent | null> {
    const values = [String(positionValue(position))]
    const [row] = await this.#read<Row>('ledger-event-at', eventAtSql, values)
    return row === undefined ? null : eventOf(row)
  }

  /** Drops the cache and ignores answers requested before. */
  restart(): void {
    this.#restarts += 1
    this.#furthest = null
    this.#recent.clear()
    this.#othersCommitted()
  }

  /** Ignores answers requested before a restart: they are about the ledger that was abandoned then. */
  #noticed(error: HistoryDiverged, asked: number): void {
    if (asked !== this.#restarts) return
    this.restart()
    this.#onDiverged(error)
  }

  #learn(place: EventPlace): void {
    if (this.#furthest === null || place.position > this.#furthest.position) this.#furthest = place
  }

  /**
   * Serves the latest events from memory. Asks the store if other processes wrote or may have written.
   */
  async #readNext(
    after: Place | null,
    options: ReadAllOptions & { readonly certain: boolean },
  ): Promise<SubscribedPage> {
    const known = this.#recent.after(after, options.limit)
    if (known !== null) return pageOf(after, known, options)
    const isRecent = performance.now() - this.#sawEndAt < this.#pollMs() / 2
    if (!options.certain && isRecent && this.#recent.endsAt(after)) {
      return { events: [], last: after?.position ?? null, place: after, mayBeMore: true }
    }
    const [askedAt, others] = [performance.now(), this.#othersWrote]
    const restarts = this.#restarts
    const { events, last, place } = await this.readAll(after, { limit: options.limit })
    if (restarts !== this.#restarts)
      throw new EventStoreUnavailable('the ledger must be read again')
    if (events.length === 0 && others === this.#othersWrote) this.#sawEndAt = askedAt
    this.#recent.add(events)
    if (events.length > 0) this.#news.notify()
    return { ...pageOf(after, events, options), last, place }
  }

  #othersCommitted(): void {
    this.#othersWrote += 1
    this.#sawEndAt = Number.NEGATIVE_INFINITY
    this.#recentChanged.notify()
    this.#news.notify()
  }

  #pollMs(): number {
    return this.#notifier.isListening ? this.#times.listeningPollMs : this.#times.pollMs
  }

  /** Subscriptions woken together want the same page, so they share one read of it. */
  #page(start: bigint, limit: number): Promise<readonly StoredEvent[]> {
    const name = `${start}/${limit}`
    const coming = this.#pages.get(name)
    if (coming !== undefined) return coming
    const values = [start === 0n ? '1' : String(start), limit]
    const asked = this.#restarts
    const page = this.#read<Row>('ledger-read-all', readAllSql, values)
      .then((rows) => {
        const events = rows.map(eventOf)
        const last = events.at(-1)
        if (last !== undefined && asked === this.#restarts) this.#learn(last)
        return events
      })
      .finally(() => this.#pages.delete(name))
    this.#pages.set(name, page)
    return page
  }

  subscribe(after: Place | Position | null, options: SubscribeOptions): AsyncIterable<Subscribed> {
    this.#notifier.listen()
    const restarts = this.#restarts
    const source: SubscriptionSource = {
      readAll: (from, page) => this.#readNext(from, page),
      changed: this.#recentChanged,
      // Jitter, so that processes do not poll at the same moment.
      pollMs: () => this.#pollMs() * (0.5 + Math.random() / 2),
      closed: this.#closed.signal,
      isOutdated: () => restarts !== this.#restarts,
    }
    return subscription(source, after, options)
  }

  news(): Signal {
    this.#notifier.listen()
    return this.#news
  }

  async head(): Promise<Position | null> {
    const [row] = await this.#read<readonly [string]>('ledger-head', headSql, [])
    return row === undefined ? null : positionOf(row[0])
  }

  async end(): Promise<Position | null> {
    return await this.head()
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return
    this.#closed.abort()
    await this.#batcher.close()
    await Promise.all([this.#notifier.close(), this.#readers.end()])
  }

  async #readStreams(reads: readonly StreamRead[]): Promise<readonly StoredEvent[][]> {
    const rows = await this.#read<readonly [number, ...Row]>('ledger-streams', readStreamsSql, [
      reads.map(([stream]) => stream),
      reads.map(([, from]) => from),
      reads.map(([, , limit]) => limit),
    ])
    const found = reads.map((): StoredEvent[] => [])
    for (const [n, ...row] of rows) found[n - 1]?.push(eventOf(row))
    return found
  }

  async #read<R extends readonly unknown[]>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<readonly R[]> {
    if (this.#closed.signal.aborted) throw new EventStoreUnavailable('the event store was closed')
    if (this.#readers.waitingCount >= readsWaitingMax) {
      throw new EventStoreOverloaded('too many reads are waiting')
    }
    try {
      const { rows } = await this.#readers.query<R[]>({ name, text, values, rowMode: 'array' })
      return rows as unknown as readonly R[]
    } catch (error) {
      if (error instanceof EventStoreUnavailable || failureOf(error) === 'refused') throw error
      throw new EventStoreUnavailable(`the event store cannot be read (${errorName(error)})`, {
        cause: error,
      })
    }
  }
}

function eventOf([position, stream, revision, id, type, data, metadata]: Row): StoredEvent {
  return { id, type, data, metadata, stream, revision, position: positionOf(position) }
}
