import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { postgresClaims } from '../../src/service/processes/due/claims-postgres.ts'
import { until } from '../event-store/session.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

t.test(
  'rows are locked in the order of their ids, so that no two statements deadlock',
  async (t) => {
    const { url, adminUrl } = await testDatabase(t)
    const admin = new pg.Client({ connectionString: adminUrl })
    const other = new pg.Client({ connectionString: adminUrl })
    await Promise.all([admin.connect(), other.connect()])
    const connections = pool({ connectionString: url, max: 1, name: 'worker', log: noLog })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
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
    await admin.query(`UPDATE due SET leased_until = now() + interval '5 seconds'`)
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
