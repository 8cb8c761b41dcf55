import type { Pool, PoolClient } from 'pg'
import type { EventStore } from '../../src/service/event-store/event-store.ts'
import type { Services } from '../../src/service/services.ts'

export type CountedWork = {
  /** The services whose work is counted; nothing else may use them. */
  readonly parts: Services
  /**
   * What the work did: the text of each statement, and the size of each read of the event store.
   */
  readonly during: (work: () => Promise<unknown>) => Promise<readonly string[]>
}

/** Written once a second, independent of the work. */
const requestLog = /INSERT INTO request_log/

/** Counts the database and event store access of requests. Call it before the first request. */
export function countedWork(parts: Services): CountedWork {
  let done: string[] = []
  watchStatements(parts.pool, (text) => done.push(text))
  const store = countedReads(parts.store, (read) => done.push(read))
  return {
    parts: { ...parts, store },
    async during(work) {
      done = []
      await work()
      return done
    },
  }
}

function watchStatements(pool: Pool, report: (text: string) => void): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const watched = (...args: unknown[]) => {
      const [statement] = args
      const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
      if (!requestLog.test(text)) report(text)
      return query(...args)
    }
    Object.assign(client, { query: watched })
  })
}

function countedReads(store: EventStore, report: (read: string) => void): EventStore {
  return {
    append: (...args) => store.append(...args),
    async readStream(...args) {
      const events = await store.readStream(...args)
      report(`a stream of ${events.length}`)
      return events
    },
    eventAt: (position) => store.eventAt(position),
    async readAll(...args) {
      const page = await store.readAll(...args)
      report(`${page.events.length} events of the ledger`)
      return page
    },
    subscribe: (...args) => store.subscribe(...args),
    head: () => store.head(),
    end: () => store.end(),
    close: () => store.close(),
  }
}
