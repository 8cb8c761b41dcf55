import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { whileLeased } from '../../src/service/queue/lease.ts'
import { eventually } from '../support/eventually.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

/** Longer than the test: a lease changes hands here only because its holder is gone. */
const times = { leaseMs: 600_000, renewMs: 300_000, tryMs: 20 }
const work = 'projector:test'
const tries = 10

t.test('a lease becomes free only when it is released or its session ends', async (t) => {
  const { url, adminUrl } = await testDatabase(t)
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  const ran: string[] = []
  const over = new AbortController()

  function runner(name: string, signal: AbortSignal) {
    const connections = pool({ connectionString: url, max: 1, name, log: noLog })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
    const deps = { db, log: noLog, times }
    const done = whileLeased(deps, work, signal, async (held) => {
      ran.push(name)
      await new Promise((resolve) => held.addEventListener('abort', resolve))
    })
    t.teardown(async () => {
      over.abort()
      await done
      await db.destroy()
    })
    return done
  }

  runner('first', over.signal)
  await eventually(
    () => ran.length,
    (count) => count === 1,
  )
  const second = new AbortController()
  const secondDone = runner('second', AbortSignal.any([over.signal, second.signal]))
  await delay(tries * times.tryMs)
  t.strictSame(ran, ['first'], 'its session is there')

  const { rowCount } = await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'first'`,
  )
  t.equal(rowCount, 1)
  await eventually(
    () => ran.length,
    (count) => count === 2,
  )
  t.strictSame(ran, ['first', 'second'])

  runner('third', over.signal)
  await delay(tries * times.tryMs)
  t.equal(ran.length, 2)
  await admin.query('UPDATE claims SET session_pid = pg_backend_pid()')
  await delay(tries * times.tryMs)
  t.equal(ran.length, 2, "the start of another role's session is not visible")
  second.abort()
  await secondDone
  await eventually(
    () => ran.length,
    (count) => count === 3,
  )
  t.strictSame(ran, ['first', 'second', 'third'])
})
