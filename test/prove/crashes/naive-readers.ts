import type { Position, StoredEvent } from '../../../src/service/event-store/event-store.ts'
import { postgresEventStore } from '../../../src/service/event-store/postgres/postgres.ts'
import { event } from '../../event-store/contract.ts'
import { session } from '../../event-store/session.ts'
import { testDatabase } from '../../support/test-database.ts'
import { alterAppend } from './altered-append.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** What a reader by identity column sees when the first of two events is committed last. */
export async function identityReader(
  t: Test,
): Promise<{ readonly seen: readonly unknown[]; readonly committed: number }> {
  const { adminUrl } = await testDatabase(t)
  const [slow, fast, reader] = [
    await session(t, adminUrl),
    await session(t, adminUrl),
    await session(t, adminUrl),
  ]
  await reader(`CREATE TABLE naive_event (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text NOT NULL)`)
  let last = 0
  const seen: unknown[] = []
  const read = async () => {
    const rows = await reader(
      'SELECT position::int AS position, note FROM naive_event e WHERE e.position > $1 ORDER BY e.position',
      [last],
    )
    for (const row of rows) {
      seen.push(row.note)
      last = Number(row.position)
    }
  }
  await slow('BEGIN')
  await slow(`INSERT INTO naive_event (note) VALUES ('held open')`)
  await fast(`INSERT INTO naive_event (note) VALUES ('overtakes')`)
  await read()
  await slow('COMMIT')
  await read()
  return { seen, committed: (await reader('SELECT FROM naive_event')).length }
}

export type Unordered = {
  readonly total: number
  readonly committed: number
  /** Events missed by a reader that trusts positions. */
  readonly missed: number
  /** Whether the ledger's own reader reports the damage. */
  readonly isNoticed: boolean
}

/**
 * A mutant of the ledger's append function without a lock: positions come from a sequence, and
 * writers have different speeds.
 */
export async function unorderedAppends(t: Test): Promise<Unordered> {
  const { url, adminUrl } = await testDatabase(t)
  const admin = await session(t, adminUrl)
  await admin('CREATE SEQUENCE public.naive_position')
  await alterAppend(adminUrl, [
    ['PERFORM pg_advisory_xact_lock(7310001);', ''],
    ['v_head + row_number() OVER (ORDER BY e.n)', `nextval('public.naive_position')`],
    ['ORDER BY a.n;', 'ORDER BY a.n; PERFORM pg_sleep(random() * 0.02);'],
  ])
  const opened = () => {
    const store = postgresEventStore({ url })
    t.teardown(() => store.close())
    return store
  }
  const stores = Array.from({ length: 4 }, opened)
  const total = 4 * 100
  let isOver = false
  const reader = opened()
  const follow = async (overGaps: boolean) => {
    const seen: StoredEvent[] = []
    for (let after: Position | null = null, isLast = false; !isLast; ) {
      isLast = isOver
      const page = await reader.readAll(after, { limit: 200, overGaps })
      seen.push(...page.events)
      after = page.last
    }
    return seen
  }
  const naive = follow(true)
  const noticed = follow(false).then(
    () => false,
    (error: Error) => /damaged at position/.test(error.message),
  )
  await Promise.all(
    stores.map(async (store, writer) => {
      for (let n = 0; n < total / stores.length; n++) {
        await store.append(`note-${writer}-${n}`, 'no_stream', [event()])
      }
    }),
  )
  isOver = true
  const seen = new Set((await naive).map(({ id }) => id))
  const isNoticed = await noticed
  const all = await admin('SELECT event_id AS id FROM ledger.event')
  const missed = all.filter(({ id }) => !seen.has(String(id))).length
  return { total, committed: all.length, missed, isNoticed }
}
