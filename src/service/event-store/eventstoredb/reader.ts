import { setTimeout as delay } from 'node:timers/promises'
import type { EventStoreDBClient } from '@eventstore/db-client'
import { EventStoreOverloaded, EventStoreUnavailable } from '../event-store.ts'
import { closeClient, openClient } from './eventstoredb-client.ts'
import { errorKind, failureOf } from './eventstoredb-errors.ts'
import { troubleOf } from './troubles.ts'

/** Concurrent reads. Each ends within milliseconds, or is given up because the server is silent. */
const readsMax = 2_000
/** Wait before the only retry: by then the client has dropped the failed connection. */
const repeatMs = 25

type ClientRead<T> = AsyncIterable<T> & {
  on(event: 'error', listener: (error: unknown) => void): unknown
}

/** `gone` aborts all its reads, because a read cancelled by the client would end as if complete. */
type Connection = { readonly client: EventStoreDBClient; readonly gone: AbortController }

/**
 * Reads through a separate client. Its reads have no deadline, so silence is timed here.
 */
export class EventStoreDbReader {
  readonly #url: string
  readonly #silentMs: number
  #connection: Connection
  #reads = 0
  #isClosed = false

  constructor(url: string, silentMs: number) {
    this.#url = url
    this.#silentMs = silentMs
    this.#connection = { client: openClient(url), gone: new AbortController() }
  }

  /**
   * All results of one read; empty for a stream that does not exist. A failed read is retried once: the
   * client switches to the leader or a new connection, but does not repeat the call itself.
   */
  async read<T>(open: (client: EventStoreDBClient) => ClientRead<T>): Promise<readonly T[]> {
    if (this.#reads >= readsMax) throw new EventStoreOverloaded('too many reads are waiting')
    this.#reads += 1
    try {
      return await this.#once(open).catch(async (error: unknown) => {
        const failure = failureOf(error)
        const isFinal = failure === 'refused' || error instanceof EventStoreUnavailable
        if (isFinal || failure === 'not_found') throw error
        await delay(repeatMs)
        return await this.#once(open)
      })
    } catch (error) {
      if (failureOf(error) === 'not_found') return []
      throw unreadable(error, this.#url)
    } finally {
      this.#reads -= 1
    }
  }

  /** Aborts the reads under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    await leave(this.#connection, 'the event store was closed')
  }

  async #once<T>(open: (client: EventStoreDBClient) => ClientRead<T>): Promise<readonly T[]> {
    if (this.#isClosed) throw new EventStoreUnavailable('the event store was closed')
    const connection = this.#connection
    const { signal } = connection.gone
    const given = Promise.withResolvers<never>()
    given.promise.catch(() => undefined)
    const giveUp = () => given.reject(signal.reason)
    signal.addEventListener('abort', giveUp)
    const timer = setTimeout(() => this.#abandon(connection), this.#silentMs)
    const read = open(connection.client)
    // The listener stays: an error after the end would otherwise end the process.
    read.on('error', () => undefined)
    const all = collect(read, () => timer.refresh())
    all.catch(() => undefined)
    try {
      return await Promise.race([all, given.promise])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Replaces a connection on which a read got no answer. */
  #abandon(connection: Connection): void {
    if (this.#connection === connection && !this.#isClosed) {
      this.#connection = { client: openClient(this.#url), gone: new AbortController() }
    }
    void leave(connection, 'the event store does not answer a read')
  }
}

async function leave({ client, gone }: Connection, why: string): Promise<void> {
  gone.abort(new EventStoreUnavailable(why))
  await closeClient(client)
}

async function collect<T>(read: AsyncIterable<T>, onItem: () => void): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of read) {
    items.push(item)
    onItem()
  }
  return items
}

/** The port's error for a read or a subscription that failed. */
export function unreadable(error: unknown, url: string): Error {
  if (error instanceof EventStoreUnavailable || error instanceof EventStoreOverloaded) return error
  const why = errorKind(error)
  const trouble = troubleOf(error, 'read', url)
  if (trouble === null && failureOf(error) === 'refused') {
    return new Error(`the event store refuses the read (${why})`, { cause: error })
  }
  const options = { cause: error, trouble }
  return new EventStoreUnavailable(`the event store cannot be read (${why})`, options)
}
