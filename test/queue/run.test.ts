import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { database } from '../../src/service/database/database.ts'
import { pool } from '../../src/service/database/pool.ts'
import { type Kind, runQueue } from '../../src/service/queue/run.ts'
import { Signal } from '../../src/service/queue/signal.ts'
import { eventually } from '../support/eventually.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

const { url } = await testDatabase(t)
const db = database(pool({ connectionString: url, log: noLog, max: 2 }))
t.teardown(() => db.destroy())

function running(t: Test, kinds: readonly Kind[]) {
  const stop = new AbortController()
  const workAdded = new Signal()
  const done = runQueue({ db, log: noLog, workAdded }, kinds, stop.signal)
  t.teardown(() => stop.abort())
  return { stop: () => stop.abort(), done, workAdded }
}

/** Work that is always due, and goes on until it is let go. */
function endlessWork(name: string, slots: number) {
  const ids: string[] = []
  const { promise: over, resolve: letGo } = Promise.withResolvers<void>()
  const kind: Kind = {
    name,
    slots,
    dueIn: { [name]: sql`SELECT 0` },
    runOnce: async ({ id }) => {
      ids.push(id)
      await over
    },
  }
  return { kind, ids, letGo }
}

t.test('a kind of work has its slots and no more, and none of another kind', async (t) => {
  const [slow, other] = [endlessWork('slow', 2), endlessWork('other', 1)]
  let rounds = 0
  const quick: Kind = {
    name: 'quick',
    slots: 1,
    dueIn: { quick: sql`SELECT 0` },
    runOnce: async ({ foundMore }) => {
      rounds += 1
      foundMore()
    },
  }
  const queue = running(t, [slow.kind, other.kind, quick])
  await eventually(
    () => rounds,
    (count) => count >= 5,
  )
  t.equal(slow.ids.length, 2)
  t.equal(new Set(slow.ids).size, 2, 'each slot has a name of its own')
  t.equal(other.ids.length, 1)
  queue.stop()
  slow.letGo()
  other.letGo()
  await queue.done
})

t.test('the queue ends when what has begun is finished, and begins nothing more', async (t) => {
  const work = endlessWork('endless', 2)
  const queue = running(t, [work.kind])
  await eventually(
    () => work.ids.length,
    (count) => count === 2,
  )
  let isDone = false
  const done = queue.done.then(() => {
    isDone = true
  })
  queue.stop()
  queue.workAdded.notify()
  await sql`SELECT 1`.execute(db)
  t.notOk(isDone)
  work.letGo()
  await done
  t.equal(work.ids.length, 2)
})

t.test('work that throws is tried again, and does not stop other work', async (t) => {
  let failed = 0
  let rounds = 0
  const throwing: Kind = {
    name: 'throwing',
    slots: 1,
    dueIn: { throwing: sql`SELECT 0` },
    runOnce: async () => {
      failed += 1
      throw new Error('a bug')
    },
  }
  const other: Kind = {
    name: 'other',
    slots: 1,
    dueIn: { other: sql`SELECT 0` },
    runOnce: async () => {
      rounds += 1
    },
  }
  const queue = running(t, [throwing, other])
  await eventually(
    () => failed,
    (count) => count === 2,
  )
  t.ok(rounds > failed, 'it rests meanwhile')
  queue.stop()
  await queue.done
})

t.test('work that is not due is not begun, until the queue is told to look again', async (t) => {
  const name = 'queue-test'
  const isThere = sql`SELECT 0 FROM claims WHERE work = ${name}`
  let begun = 0
  const kind: Kind = {
    name: 'told',
    slots: 1,
    dueIn: { told: isThere, later: sql`SELECT 3600000`, never: sql`SELECT NULL::int` },
    runOnce: async () => {
      begun += 1
      await db.deleteFrom('claims').where('work', '=', name).execute()
    },
  }
  const queue = running(t, [kind])
  await sql`SELECT 1`.execute(db)
  t.equal(begun, 0)
  await sql`INSERT INTO claims (work, leased_until) VALUES (${name}, now())`.execute(db)
  queue.workAdded.notify()
  await eventually(
    () => begun,
    (count) => count === 1,
  )
  queue.stop()
  await queue.done
})
