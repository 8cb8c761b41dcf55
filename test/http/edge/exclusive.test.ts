import { sql } from 'kysely'
import t from 'tap'
import { database } from '../../../src/service/database/database.ts'
import { pool } from '../../../src/service/database/pool.ts'
import { withLock } from '../../../src/service/http/rules/with-lock.ts'
import { noLog } from '../../support/no-log.ts'
import { testDatabase } from '../../support/test-database.ts'

const { url } = await testDatabase(t)
const db = database(pool({ connectionString: url, log: noLog, max: 5 }))
t.teardown(() => db.destroy())

async function leases(): Promise<readonly string[]> {
  const rows = await db.selectFrom('claims').select('work').execute()
  return rows.map(({ work }) => work)
}

t.test('work under one name runs one at a time and leaves no lease behind', async (t) => {
  let inside = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 20 }, () =>
      withLock(db, ['a'], async () => {
        most = Math.max(most, ++inside)
        t.equal((await leases()).length, 1)
        inside--
      }),
    ),
  )
  t.equal(most, 1)
  t.strictSame(await leases(), [])
})

t.test('work that fails releases its lease', async (t) => {
  await t.rejects(
    withLock(db, ['b'], async () => {
      throw new Error('failed')
    }),
    { message: 'failed' },
  )
  t.equal(await withLock(db, ['b'], async () => 'done'), 'done')
})

t.test('a caller behind others is refused as soon as its own time is over', async (t) => {
  let name = ''
  await withLock(db, ['d'], async () => {
    name = (await leases())[0] ?? ''
  })
  await sql`INSERT INTO claims (work, leased_until) VALUES (${name}, now() + interval '1 hour')`.execute(
    db,
  )
  const now = performance.now.bind(performance)
  t.teardown(() => Reflect.deleteProperty(performance, 'now'))
  const callers = Array.from({ length: 3 }, () => withLock(db, ['d'], async () => 'done'))
  const start = now()
  performance.now = () => now() + 11_000
  const ends = await Promise.allSettled(callers)
  t.same(
    ends.map((end) => end.status === 'rejected' && end.reason.reason),
    ['overloaded', 'overloaded', 'overloaded'],
  )
  t.ok(now() - start < 5_000, 'they waited together, not one after the other')
  await db.deleteFrom('claims').where('work', '=', name).execute()
})

t.test('a lease held by another process is waited for, an expired one is taken over', async (t) => {
  let name = ''
  await withLock(db, ['c'], async () => {
    name = (await leases())[0] ?? ''
  })
  const hold = (seconds: number) =>
    sql`INSERT INTO claims (work, leased_until) VALUES (${name}, clock_timestamp() + make_interval(secs => ${seconds}))
      ON CONFLICT (work) DO UPDATE SET leased_until = excluded.leased_until`.execute(db)
  await hold(60)
  let released = false
  const waiting = withLock(db, ['c'], async () => {
    t.ok(released, 'not before it was released')
  })
  await db.selectFrom('claims').selectAll().execute()
  released = true
  await db.deleteFrom('claims').where('work', '=', name).execute()
  await waiting
  await hold(-1)
  t.equal(await withLock(db, ['c'], async () => 'taken over'), 'taken over')
  t.strictSame(await leases(), [])
})
