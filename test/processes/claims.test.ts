import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { ReadModels } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { claimTimes } from '../../src/service/processes/due/claims.ts'
import {
  postgresClaims,
  releaseDeadWorkers,
} from '../../src/service/processes/due/claims-postgres.ts'
import { until } from '../event-store/session.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

t.test(
  'the leases of a dead worker are released, deferred ones and those of others not',
  async (t) => {
    const { url, adminUrl } = await testDatabase(t)
    const admin = new pg.Client({ connectionString: adminUrl })
    await admin.connect()
    const opened = (name: string) => {
      const connections = pool({ connectionString: url, max: 1, name, log: noLog })
      return new Kysely<ReadModels>({ dialect: new PostgresDialect({ pool: connections }) })
    }
    const [dead, living] = [opened('dead'), opened('living')]
    t.teardown(() => Promise.all([dead.destroy(), living.destroy(), admin.end()]))
    const addDue = (shipmentId: string) =>
      admin.query(
        `INSERT INTO due (shipment_id, workspace_id, livemode, check_at)
       VALUES ($1, 'ws_a', true, now() - interval '1 minute')`,
        [shipmentId],
      )
    const pass = async (ms: number) => {
      for (const table of ['claims', 'due']) {
        await admin.query(
          `UPDATE ${table} SET leased_until = leased_until - $1 * interval '1 millisecond'`,
          [ms],
        )
      }
    }
    const claim = async (db: Kysely<ReadModels>, owner: string) =>
      (await postgresClaims(db).claim('track', owner, 10))
        .map(({ shipmentId }) => shipmentId)
        .sort()

    const [killed, working, successor] = [randomUUID(), randomUUID(), randomUUID()]
    await addDue('a')
    t.strictSame(await claim(living, working), ['a'])
    for (const id of ['b', 'c', 'deferred']) await addDue(id)
    t.strictSame(await claim(dead, killed), ['b', 'c', 'deferred'])
    await postgresClaims(dead).release(killed, [{ shipmentId: 'deferred', performed: 'deferred' }])
    await pass(claimTimes.deadMs + 1)
    t.equal(await releaseDeadWorkers(living), 0, 'everybody lives')

    await admin.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'dead'`,
    )
    t.strictSame(await claim(living, successor), [], 'its time is not over')
    t.equal(await releaseDeadWorkers(living), 2)
    t.equal(await releaseDeadWorkers(living), 0)
    t.strictSame(await claim(living, successor), ['b', 'c'])

    await postgresClaims(dead).renew(working)
    await admin.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'dead'`,
    )
    t.equal(await releaseDeadWorkers(living), 0, 'who lives would renew it through another session')
    await pass(claimTimes.deadMs + 1)
    t.equal(await releaseDeadWorkers(living), 1, 'who renews it names his session')
  },
)

t.test(
  'rows are locked in the order of their ids, so that no two statements deadlock',
  async (t) => {
    const { url, adminUrl } = await testDatabase(t)
    const admin = new pg.Client({ connectionString: adminUrl })
    const other = new pg.Client({ connectionString: adminUrl })
    await Promise.all([admin.connect(), other.connect()])
    const connections = pool({ connectionString: url, max: 1, name: 'worker', log: noLog })
    const db = new Kysely<ReadModels>({ dialect: new PostgresDialect({ pool: connections }) })
    t.teardown(() => Promise.all([db.destroy(), admin.end(), other.end()]))
    for (const id of ['b', 'c', 'a']) {
      await admin.query(
        `INSERT INTO due (shipment_id, workspace_id, livemode, check_at)
       VALUES ($1, 'ws_a', true, now() - interval '1 minute')`,
        [id],
      )
    }
    const claims = postgresClaims(db)
    const owner = randomUUID()
    await claims.claim('track', owner, 10)
    const released = ['c', 'a', 'b'].map((shipmentId) => ({
      shipmentId,
      performed: 'done' as const,
    }))
    for (const act of [() => claims.renew(owner), () => claims.release(owner, released)]) {
      await admin.query('BEGIN')
      await admin.query(`SELECT FROM due WHERE shipment_id = 'a' FOR UPDATE`)
      const done = act()
      await until('it waits for the first row', async () => {
        const { rowCount } = await other.query(
          `SELECT FROM pg_stat_activity WHERE application_name = 'worker' AND wait_event_type = 'Lock'`,
        )
        return rowCount === 1
      })
      const { rowCount } = await other.query(
        `SELECT FROM due WHERE shipment_id IN ('b', 'c') FOR UPDATE SKIP LOCKED`,
      )
      t.equal(rowCount, 2, 'it has locked no later row')
      await admin.query('COMMIT')
      await done
    }
    const { rowCount } = await admin.query('SELECT FROM due WHERE owner IS NULL')
    t.equal(rowCount, 3)
  },
)
