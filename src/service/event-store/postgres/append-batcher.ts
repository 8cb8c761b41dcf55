import { setTimeout as delay } from 'node:timers/promises'
import {
  backoffMs,
  type ConnectionTimes,
  errorName,
  failureOf,
  type StoreLog,
} from '../connection.ts'
import {
  type AppendOutcome,
  AppendUnknown,
  type EventPlace,
  EventStoreOverloaded,
  EventStoreUnavailable,
  type HistoryDiverged,
  LedgerStopped,
} from '../event-store.ts'
import type { PreparedAppend } from '../prepared-append.ts'
import { type AppendAnswer, AppendConnection } from './append-connection.ts'
import type { Committed } from './recent-events.ts'
import { refuseStandby, type ServerState } from './server-state.ts'

/** Measured: a larger batch only makes every append wait longer. */
const batchAppendsMax = 256
/** Keeps a batch's transaction short; one append of the largest size still fits. */
const batchBytesMax = 1024 * 1024
/** Memory of the queue for intents. Outcomes may use the same amount again. */
const queueBytesMax = 64 * 1024 * 1024
/** How often the queue is checked for appends that have waited too long. */
const sweepEveryMs = 50
const reconnectFirstMs = 25
/** Short enough to reach a recovered database while callers are still waiting. */
const reconnectMaxMs = 500
/**
 * Nothing is appended to another or restarted server before this time is over. Another process may know
 * events that this one has not read, and has time to notice that they are lost. Short enough for
 * intents that wait.
 */
const settleMs = 1_200

export type BatcherTimes = ConnectionTimes & {
  /** An intent that is not sent within this time fails: it is certainly not written. */
  readonly intentWaitMs: number
  /** The same for an outcome, for which a longer wait is worthwhile. */
  readonly outcomeWaitMs: number
  /** How long to try to find out whether an append that was sent is written. */
  readonly answerMs: number
}

export type BatchInfo = { readonly appends: number; readonly events: number; readonly ms: number }

type BatcherOptions = {
  readonly url: string
  readonly queueMax: number
  readonly reservedMax: number
  readonly times: BatcherTimes
  /** The latest event that this process knows. A server that does not hold it has lost it. */
  readonly furthest: () => EventPlace | null
  readonly onDiverged: (error: HistoryDiverged) => void
  /** Called with the appends that a batch has written, except those of an unanswered try. */
  readonly onCommitted: (committed: readonly Committed[]) => void
  readonly onBatch: ((info: BatchInfo) => void) | undefined
  readonly log: StoreLog | undefined
}

type Entry = {
  readonly append: PreparedAppend
  readonly resolve: (outcome: AppendOutcome) => void
  readonly reject: (error: Error) => void
  readonly queuedAt: number
  /** Null if certainly not written, otherwise the time since which it may have been. */
  sentAt: number | null
  answered: boolean
}

/**
 * Collects appends while a batch is in flight and sends them together as the next one. Only one batch
 * is in flight at a time, so batches grow with the load. When the answer to a batch is lost, the same
 * appends are sent again, and the database tells whether the first try was written.
 */
export class AppendBatcher {
  readonly #options: BatcherOptions
  #queue: Entry[] = []
  readonly #pending = new Set<Entry>()
  #queuedBytes = 0
  #connection: AppendConnection | null = null
  #failedConnects = 0
  /** Consecutive batches without an answer. */
  #brokenBatches = 0
  #answeredAt = Number.NEGATIVE_INFINITY
  /** The server of the previous connection. */
  #server: Pick<ServerState, 'startedAt'> | null = null
  #pumping: Promise<void> | null = null
  #sweeper: NodeJS.Timeout | null = null
  #closed = false

  constructor(options: BatcherOptions) {
    this.#options = options
  }

  append(append: PreparedAppend): Promise<AppendOutcome> {
    if (this.#closed) {
      return Promise.reject(new EventStoreUnavailable('the event store was closed'))
    }
    const { queueMax, reservedMax } = this.#options
    const room = append.reserved ? queueMax + reservedMax : queueMax
    const bytes = append.reserved ? 2 * queueBytesMax : queueBytesMax
    if (this.#pending.size >= room || this.#queuedBytes + append.bytes > bytes) {
      return Promise.reject(new EventStoreOverloaded('the queue of appends is full'))
    }
    const { promise, resolve, reject } = Promise.withResolvers<AppendOutcome>()
    const entry = { append, resolve, reject, queuedAt: now(), sentAt: null, answered: false }
    this.#pending.add(entry)
    this.#queuedBytes += append.bytes
    this.#queue.push(entry)
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepEveryMs)
    this.#pumping ??= this.#pump()
    return promise
  }

  /** Refuses new appends, answers accepted ones (each within its timeout) and disconnects. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#pumping
    await this.#disconnect()
  }

  async #pump(): Promise<void> {
    // Waits for the other appends of this turn of the event loop.
    await new Promise(setImmediate)
    try {
      while (this.#queue.length > 0) {
        const connection = await this.#connect()
        if (connection !== null) await this.#send(connection, this.#take())
      }
    } finally {
      this.#pumping = null
    }
  }

  /** A usable connection, or null if this try failed. Includes the wait between tries. */
  async #connect(): Promise<AppendConnection | null> {
    if (this.#connection?.usable) return this.#connection
    await this.#disconnect()
    const { url, times, log } = this.#options
    const failures = this.#failedConnects + this.#brokenBatches
    if (failures > 0) await delay(backoffMs(failures, reconnectFirstMs, reconnectMaxMs))
    if (this.#queue.length === 0) return null
    let opened: AppendConnection | null = null
    try {
      opened = await AppendConnection.open(url, times)
      const state = await this.#settled(opened)
      this.#connection = opened
      this.#failedConnects = 0
      if (state.diverged !== null) this.#options.onDiverged(state.diverged)
      if (state.diverged !== null || state.isDamaged) this.#refuseIntents()
      return this.#connection
    } catch (error) {
      await opened?.close()
      this.#failedConnects += 1
      if (this.#failedConnects === 1) {
        log?.warn({ code: errorName(error) }, 'the event store cannot be reached')
      }
      return null
    }
  }

  async #settled(connection: AppendConnection): Promise<ServerState> {
    const { furthest } = this.#options
    const state = await connection.state(furthest())
    refuseStandby(state)
    const before = this.#server
    this.#server = state
    const isOther = before !== null && before.startedAt !== state.startedAt
    if (!isOther || state.diverged !== null || state.isDamaged) return state
    await delay(settleMs)
    return await connection.state(furthest())
  }

  /** Refuses waiting intents, which have a deadline. Outcomes and administrative acts keep waiting. */
  #refuseIntents(): void {
    for (const entry of this.#pending) {
      if (entry.append.endsAtMs !== null) this.#refuseUnsent(entry, new LedgerStopped())
    }
  }

  #refuseUnsent(entry: Entry, unsent: Error): void {
    if (this.#finish(entry)) entry.reject(entry.sentAt === null ? unsent : unknown())
  }

  async #disconnect(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await connection?.close()
  }

  /** The next batch, oldest first. It takes one append per stream; further ones wait. */
  #take(): Entry[] {
    const streams = new Set<string>()
    const batch: Entry[] = []
    const rest: Entry[] = []
    let bytes = 0
    for (const entry of this.#queue) {
      if (entry.answered) continue
      const { stream, bytes: size } = entry.append
      const fits =
        batch.length < batchAppendsMax && (batch.length === 0 || bytes + size <= batchBytesMax)
      if (fits && !streams.has(stream)) {
        batch.push(entry)
        bytes += size
      } else rest.push(entry)
      streams.add(stream)
    }
    this.#queue = rest
    return batch
  }

  /**
   * Sends a batch until each append has an answer or is back in the queue. A batch that the database
   * refuses is halved until the refused append is alone.
   */
  async #send(connection: AppendConnection, batch: Entry[]): Promise<void> {
    const parts = [batch]
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      if (part.length === 0) continue
      if (!connection.usable) {
        this.#queue.unshift(...part, ...parts.reverse().flat())
        return
      }
      const startedAt = now()
      const before = part.map((entry) => entry.sentAt)
      for (const entry of part) entry.sentAt ??= startedAt
      const result = await connection.send(part.map((entry) => entry.append)).then(
        (outcomes) => ({ outcomes }),
        (error: unknown) => ({ error }),
      )
      if ('outcomes' in result) {
        this.#deliver(part, result.outcomes, now() - startedAt)
        continue
      }
      const failure = failureOf(result.error)
      if (failure !== 'broken') restore(part, before)
      if (failure === 'refused') {
        if (part.length === 1) this.#refuse(part, result.error)
        else parts.push(part.slice(part.length >> 1), part.slice(0, part.length >> 1))
        continue
      }
      this.#queue.unshift(...part, ...parts.reverse().flat())
      await this.#unanswered(part.length, result.error)
      return
    }
  }

  async #unanswered(appends: number, error: unknown): Promise<void> {
    this.#brokenBatches += 1
    if (this.#brokenBatches === 1) {
      this.#options.log?.warn(
        { code: errorName(error), appendCount: appends },
        'a batch of appends got no answer; sending the same appends again',
      )
    }
    await this.#disconnect()
  }

  #deliver(part: readonly Entry[], outcomes: readonly (AppendAnswer | null)[], ms: number): void {
    this.#brokenBatches = 0
    this.#answeredAt = now()
    const committed: Committed[] = []
    let news = false
    part.forEach((entry, index) => {
      const outcome = outcomes[index] ?? null
      if (outcome === null) {
        this.#queue.unshift(entry)
        return
      }
      if (outcome.kind === 'committed') committed.push({ ...entry, position: outcome.position })
      // A try that got no answer may have committed a duplicate.
      news ||= outcome.kind === 'committed' || outcome.kind === 'duplicate'
      if (!this.#finish(entry)) return
      entry.append.onBatch?.(part.length)
      if (outcome.kind === 'stopped') entry.reject(new LedgerStopped())
      else entry.resolve(outcome)
    })
    if (news) this.#options.onCommitted(committed)
    const events = committed.reduce((sum, { append }) => sum + append.events.length, 0)
    this.#options.onBatch?.({ appends: part.length, events, ms })
  }

  #refuse(part: readonly Entry[], cause: unknown): void {
    for (const entry of part) {
      const error =
        entry.sentAt === null
          ? new Error(`the database refuses the append (${errorName(cause)})`, { cause })
          : unknown(cause)
      if (this.#finish(entry)) entry.reject(error)
    }
  }

  /** Fails appends that waited too long, so that no caller waits forever for the connection. */
  #sweep(): void {
    const { times } = this.#options
    for (const entry of this.#pending) {
      if (entry.sentAt !== null) {
        if (now() - entry.sentAt > times.answerMs && this.#finish(entry)) entry.reject(unknown())
        continue
      }
      const waitMs = entry.append.reserved ? times.outcomeWaitMs : times.intentWaitMs
      if (now() - entry.queuedAt <= waitMs || !this.#finish(entry)) continue
      entry.reject(
        // Others were answered meanwhile, so the database is up but the queue is too long.
        this.#answeredAt > entry.queuedAt
          ? new EventStoreOverloaded('the append was not sent in time')
          : new EventStoreUnavailable('the event store cannot be reached'),
      )
    }
  }

  #finish(entry: Entry): boolean {
    if (entry.answered) return false
    entry.answered = true
    this.#pending.delete(entry)
    this.#queuedBytes -= entry.append.bytes
    if (this.#pending.size === 0) {
      if (this.#sweeper !== null) clearInterval(this.#sweeper)
      this.#sweeper = null
      this.#queue = []
    }
    return true
  }
}

function restore(part: readonly Entry[], before: readonly (number | null)[]): void {
  part.forEach((entry, index) => {
    entry.sentAt = before[index] ?? null
  })
}

function unknown(cause?: unknown): AppendUnknown {
  return new AppendUnknown('the answer to the append was lost', { cause })
}

// Not the wall clock, which may be changed.
function now(): number {
  return performance.now()
}
