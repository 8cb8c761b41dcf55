import { setTimeout as delay } from 'node:timers/promises'
import type { EventStoreDBClient } from '@eventstore/db-client'
import type { StoreLog } from '../connection.ts'
import {
  type AppendOutcome,
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
  LedgerStopped,
  type StoredEvent,
} from '../event-store.ts'
import { isOver, type PreparedAppend } from '../prepared-append.ts'
import {
  type Appended,
  appendTo,
  closeClient,
  connected,
  isStillConnected,
  openClient,
} from './eventstoredb-client.ts'
import { errorKind, failureOf, isLate } from './eventstoredb-errors.ts'
import { isPlace, positionOfLog } from './positions.ts'
import { troubleOf } from './troubles.ts'

export type AppenderTimes = {
  /**
   * The client's deadline for one call. The server gives up a write after two to three seconds.
   */
  readonly callMs: number
  /** A call that has not even hit its deadline by then is given up, together with its client. */
  readonly watchdogMs: number
  /** How long to try to write an append, or to find out whether it was written. */
  readonly answerMs: number
  /**
   * How long intents wait after a lost connection. Another process may know events that this one has not
   * read, and has time to notice that they are lost.
   */
  readonly settleMs: number
}

type AppenderOptions = {
  readonly url: string
  readonly queueMax: number
  readonly reservedMax: number
  readonly times: AppenderTimes
  readonly log: StoreLog | undefined
  /** The stream's events from a revision, freshly read. */
  readonly read: (stream: string, from: number, limit: number) => Promise<readonly StoredEvent[]>
  /** Whether the log holds the latest event that this process knows, freshly read. */
  readonly holdsFurthest: () => Promise<boolean>
  /** Whether any process has found that the ledger has lost events, freshly read. */
  readonly isDamaged: () => Promise<boolean>
}

/**
 * Whether the log is the one that this process knows. After a call without an answer, or on another
 * connection, the node may have been restored from a backup: it is `doubtful` until compared.
 */
type Trust = 'connected' | 'doubtful' | 'compared'

/** Concurrent calls. More would only wait in the server, and all are lost with the connection. */
const inFlightMax = 256
/** Wait between two tries of an append. A server that is not ready says so at once. */
const retryFirstMs = 25
const retryMaxMs = 400

/** The call did not settle, not even at its own deadline. */
class CallSilent extends Error {
  override readonly name = 'CallSilent'
}

/** The append timed out in the queue, or before a node was found to send it to. */
class NotSent extends Error {
  override readonly name = 'NotSent'
}

/**
 * Appends through the leader. A try that may have been written is repeated with the same ids until the
 * server says whether it was. If the server never does, the append's outcome is unknown.
 */
export class EventStoreDbAppender {
  readonly #options: AppenderOptions
  #client: EventStoreDBClient
  readonly #pending = new Set<Promise<AppendOutcome>>()
  #inFlight = 0
  readonly #waiting = new Set<() => void>()
  /** When this client last got any answer. */
  #answeredAt = 0
  #trust: Trust = 'compared'
  #comparing: Promise<boolean> | null = null
  #closed = false

  constructor(options: AppenderOptions) {
    this.#options = options
    this.#client = openClient(options.url)
  }

  async append(append: PreparedAppend): Promise<AppendOutcome> {
    if (this.#closed) throw new EventStoreUnavailable('the event store was closed')
    const { queueMax, reservedMax } = this.#options
    if (this.#pending.size >= (append.reserved ? queueMax + reservedMax : queueMax)) {
      throw new EventStoreOverloaded('the queue of appends is full')
    }
    const work = this.#place(append)
    this.#pending.add(work)
    try {
      return await work
    } finally {
      this.#pending.delete(work)
    }
  }

  /** Refuses new appends, answers accepted ones (each within its timeout) and disconnects. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled([...this.#pending])
    await closeClient(this.#client)
  }

  async #place(append: PreparedAppend): Promise<AppendOutcome> {
    const until = performance.now() + this.#options.times.answerMs
    /** The error of the last try that may have been written. */
    let lost: unknown = null
    for (let retryMs = retryFirstMs; ; retryMs = Math.min(retryMs * 2, retryMaxMs)) {
      let failed: unknown
      try {
        await this.#enter(until)
        try {
          if (append.endsAtMs !== null && !(await this.#isTrusted(until))) {
            throw lost === null ? new LedgerStopped() : unknown(lost)
          }
          // Checked last, because the wait in the queue may have been long.
          if (!isOver(append)) {
            return await this.#committed(append, await this.#call(append))
          }
        } finally {
          this.#leave()
        }
      } catch (error) {
        if (error instanceof LedgerStopped || error instanceof AppendUnknown) throw error
        failed = error
      }
      if (failed === undefined) return await this.#expired(append, lost)
      const failure = failed instanceof NotSent ? 'not_written' : failureOf(failed)
      if (failure === 'conflict') return conflict(failed)
      if (failure === 'refused')
        throw lost === null ? refusal(failed, this.#options.url) : unknown(lost)
      if (failure !== 'not_written') lost = failed
      const waitMs = retryMs * (0.5 + Math.random() / 2)
      if (performance.now() + waitMs >= until) {
        throw lost === null ? unreachable(failed, this.#options.url) : unknown(lost)
      }
      await delay(waitMs)
    }
  }

  /** False if the log has lost events. Throws NotSent if that cannot be determined by the given time. */
  async #isTrusted(until: number): Promise<boolean> {
    if (this.#trust === 'connected' && !(await isStillConnected(this.#client))) {
      this.#trust = 'doubtful'
    }
    if (this.#trust !== 'doubtful') return true
    this.#comparing ??= this.#compareWithLog().finally(() => {
      this.#comparing = null
    })
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new NotSent()), until - performance.now())
    try {
      return await Promise.race([this.#comparing, late])
    } catch (cause) {
      throw new NotSent('it cannot be compared with the log', { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  async #compareWithLog(): Promise<boolean> {
    const { holdsFurthest, isDamaged, times } = this.#options
    if (!(await holdsFurthest())) return false
    await delay(times.settleMs)
    if ((await isDamaged()) || !(await holdsFurthest())) return false
    this.#trust = 'compared'
    return true
  }

  /** The outcome of an append that will not be sent any more. */
  async #expired(append: PreparedAppend, lost: unknown): Promise<AppendOutcome> {
    const found = await this.#compared(append).catch((error: unknown) => {
      throw lost === null ? error : unknown(error)
    })
    if (found !== null) return found
    // An earlier try may still be in flight.
    if (lost !== null) throw unknown(lost)
    return { kind: 'expired' }
  }

  /** One try. */
  async #call(append: PreparedAppend): Promise<Appended> {
    const client = this.#client
    const startedAt = performance.now()
    const { callMs, watchdogMs } = this.#options.times
    const silence = Promise.withResolvers<never>()
    silence.promise.catch(() => undefined)
    let stage: 'connecting' | 'sent' | 'given_up' = 'connecting'
    const timer = setTimeout(() => {
      silence.reject(stage === 'sent' ? new CallSilent() : new NotSent())
      stage = 'given_up'
    }, watchdogMs)
    const send = async () => {
      await connected(client)
      if (stage === 'given_up') throw new NotSent()
      stage = 'sent'
      return await appendTo(client, append.stream, append, callMs)
    }
    const call = send()
    call.catch(() => undefined)
    try {
      const appended = await Promise.race([call, silence.promise])
      this.#answered()
      return appended
    } catch (error) {
      const failure = failureOf(error)
      if (failure === 'unknown' || failure === 'not_written') this.#trust = 'doubtful'
      const isSilent = error instanceof CallSilent || error instanceof NotSent || isLate(error)
      if (!isSilent) this.#answered()
      else if (this.#answeredAt < startedAt) this.#abandon(client)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #answered(): void {
    this.#answeredAt = performance.now()
    if (this.#trust === 'compared') this.#trust = 'connected'
  }

  /** Waits for a free slot, at most until the given time. */
  async #enter(until: number): Promise<void> {
    if (this.#inFlight < inFlightMax) {
      this.#inFlight += 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const missed = () => {
      this.#waiting.delete(resolve)
      reject(new NotSent())
    }
    const timer = setTimeout(missed, until - performance.now())
    this.#waiting.add(resolve)
    await promise.finally(() => clearTimeout(timer))
  }

  #leave(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next)
      next()
      return
    }
    this.#inFlight -= 1
  }

  /**
   * Replaces a client that got no answer at all during a call that timed out: its node may be frozen, and
   * another may be the leader, long before the connection is found dead.
   */
  #abandon(client: EventStoreDBClient): void {
    if (this.#client !== client) return
    this.#options.log?.warn({}, 'the event store does not answer; opening a new client')
    this.#client = openClient(this.#options.url)
    this.#trust = 'doubtful'
    void closeClient(client)
  }

  async #committed(
    append: PreparedAppend,
    { revision, position }: Appended,
  ): Promise<AppendOutcome> {
    const last = append.expected + append.events.length
    if (revision === BigInt(last) && isPlace(position)) {
      return { kind: 'committed', revision: last, position: positionOfLog(position) }
    }
    // The answer to a repeated append does not contain its position.
    const found = await this.#compared(append)
    if (found === null)
      throw new Error('the event store acknowledged an append that it does not have')
    return found
  }

  /** Whether the stream holds the append's events or other events; null if it holds neither yet. */
  async #compared(append: PreparedAppend): Promise<AppendOutcome | null> {
    const from = append.expected + 1
    const { stream, events } = append
    const found = await this.#options.read(stream, from, events.length)
    const last = found.at(-1)
    if (last === undefined) {
      const actual = append.expected === -1 ? null : await this.#lastRevision(stream)
      return actual === append.expected || append.expected === -1
        ? null
        : { kind: 'conflict', actual }
    }
    const isOwn =
      found.length === events.length && events.every(({ id }, index) => id === found[index]?.id)
    if (isOwn) return { kind: 'duplicate', revision: last.revision, position: last.position }
    return { kind: 'conflict', actual: await this.#lastRevision(stream) }
  }

  async #lastRevision(stream: string): Promise<number | null> {
    const all = await this.#options.read(stream, 0, Number.MAX_SAFE_INTEGER)
    return all.at(-1)?.revision ?? null
  }
}

function conflict(error: unknown): AppendOutcome {
  const { actualVersion } = error as { actualVersion?: unknown }
  const isRevision = typeof actualVersion === 'bigint' && actualVersion >= 0n
  return { kind: 'conflict', actual: isRevision ? Number(actualVersion) : null }
}

function refusal(error: unknown, url: string): Error {
  const kind = errorKind(error)
  if (kind === 'maximum-append-size-exceeded') {
    return new RangeError('the append is larger than the event store accepts', { cause: error })
  }
  if (kind === 'maximum-append-event-size-exceeded') {
    return new RangeError('an event is larger than the event store accepts', { cause: error })
  }
  const trouble = troubleOf(error, 'append', url)
  const message = `the event store refuses the append (${kind})`
  return trouble === null
    ? new Error(message, { cause: error })
    : new EventStoreUnavailable(message, { cause: error, trouble })
}

function unreachable(error: unknown, url: string): Error {
  if (error instanceof NotSent && error.cause instanceof EventStoreUnavailable) return error.cause
  const options = { cause: error, trouble: troubleOf(error, 'append', url) }
  return new EventStoreUnavailable(
    `the event store cannot be reached (${errorKind(error)})`,
    options,
  )
}

function unknown(error: unknown): Error {
  const why = errorKind(error)
  return new AppendUnknown(`the append was not answered (${why})`, { cause: error })
}
