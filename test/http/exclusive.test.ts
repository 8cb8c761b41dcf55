import { sql } from 'kysely'
import t from 'tap'
import { database } from '../../src/database/database.ts'
import { pool } from '../../src/database/pool.ts'
import { exclusively } from '../../src/http/rules/exclusive.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

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
      exclusively(db, ['a'], async () => {
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
    exclusively(db, ['b'], async () => {
      throw new Error('failed')
    }),
    { message: 'failed' },
  )
  t.equal(await exclusively(db, ['b'], async () => 'done'), 'done')
})

t.test('a lease held by another process is waited for, an expired one is taken over', async (t) => {
  let name = ''
  await exclusively(db, ['c'], async () => {
    name = (await leases())[0] ?? ''
  })
  const hold = (seconds: number) =>
    sql`INSERT INTO claims (work, leased_until) VALUES (${name}, clock_timestamp() + make_interval(secs => ${seconds}))
      ON CONFLICT (work) DO UPDATE SET leased_until = excluded.leased_until`.execute(db)
  await hold(60)
  let released = false
  const waiting = exclusively(db, ['c'], async () => {
    t.ok(released, 'not before it was released')
  })
  await db.selectFrom('claims').selectAll().execute()
  released = true
  await db.deleteFrom('claims').where('work', '=', name).execute()
  await waiting
  await hold(-1)
  t.equal(await exclusively(db, ['c'], async () => 'taken over'), 'taken over')
  t.strictSame(await leases(), [])
})
