import pg from 'pg'
import t from 'tap'
import { applicationRole } from '../../../src/service/embedded-postgres/embedded.ts'
import { exampleWorkspaceRequest } from '../../../src/service/http/openapi/examples.ts'
import type { Answer } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'
import { testDatabase } from '../../support/test-database.ts'

/**
 * The codes with which a server refuses a session for lack of disk, memory or slots, or because it
 * cannot serve it.
 */
const codes = ['53100', '53200', '53300', '57P03', '58030'] as const

t.test('a database that refuses every session is unavailable, not a fault of ours', async (t) => {
  const database = await testDatabase(t)
  const shop = await service(t, { database })
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  t.equal((await shop.create('before')).status, 201)

  const calls: readonly (() => Promise<Answer>)[] = [
    () => shop.create('before'),
    () => shop.create('during'),
    () => shop.call('/v1/quotes', { body: shop.quoteBody() }),
    () =>
      shop.call('/v1/workspaces', {
        body: exampleWorkspaceRequest,
        headers: { 'idempotency-key': 'workspace' },
      }),
    () => shop.call('/v1/shipments'),
    () => shop.call('/v1/health'),
    () => shop.call('/v1/events'),
  ]
  for (const code of codes) {
    await refuseSessions(admin, code)
    for (const [index, call] of calls.entries()) {
      const { status, headers, body } = await call()
      const said = `${code}, call ${index}`
      t.equal(status, 503, said)
      t.match(body, { reason: 'dependency_unavailable', retryable: true }, said)
      t.ok(headers.has('retry-after'), said)
      if (body.outcome !== undefined) t.equal(body.outcome, 'not_executed', said)
      if (code === '53100') t.match(body.detail, /^The disk of the database is full\./, said)
    }
    if (code === '53100') {
      const { status, body } = await eventually(
        () => shop.call('/readyz'),
        (answer) => answer.body.checks.database !== 'ok',
      )
      t.equal(status, 503)
      t.equal(body.checks.database, 'disk full')
    }
    await admin.query('DROP EVENT TRIGGER refuse_sessions')
  }
  for (const key of ['before', 'during']) {
    await eventually(
      () => shop.create(key),
      ({ status }) => status === 201,
    )
  }
  t.strictSame(shop.record.doubled(), [])
})

t.test('a full disk that a statement finds before anything is executed says so', async (t) => {
  const database = await testDatabase(t)
  const shop = await service(t, { database })
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  await admin.query(`CREATE FUNCTION refuse_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION SQLSTATE '53100'; END $$`)
  const createWorkspace = () =>
    shop.call('/v1/workspaces', {
      body: exampleWorkspaceRequest,
      headers: { 'idempotency-key': 'workspace' },
    })
  const order = (table: string) => shop.create(`order-${table}`)
  for (const [table, call] of [
    ['vault', order],
    ['ledger.event', order],
    ['quota_reservations', order],
    ['claims', createWorkspace],
    ['idempotent_answers', createWorkspace],
    ['ledger.event', createWorkspace],
  ] as const) {
    await admin.query(`CREATE TRIGGER refuse_rows BEFORE INSERT ON ${table}
      FOR EACH ROW EXECUTE FUNCTION refuse_rows()`)
    const { status, headers, body } = await call(table)
    t.equal(status, 503, table)
    t.match(body, { reason: 'dependency_unavailable', outcome: 'not_executed', retryable: true })
    t.ok(headers.has('retry-after'), table)
    await admin.query(`DROP TRIGGER refuse_rows ON ${table}`)
  }
  for (const table of ['vault', 'ledger.event', 'quota_reservations']) {
    t.equal((await order(table)).status, 201, table)
  }
  t.equal((await createWorkspace()).status, 201)
})

/** Ends the service's sessions, and refuses new ones with this SQLSTATE. */
async function refuseSessions(admin: pg.Client, code: string): Promise<void> {
  await admin.query(`CREATE OR REPLACE FUNCTION refuse_sessions() RETURNS event_trigger
    LANGUAGE plpgsql AS $$ BEGIN
      IF session_user = '${applicationRole}' THEN RAISE EXCEPTION SQLSTATE '${code}'; END IF;
    END $$`)
  await admin.query(
    'CREATE EVENT TRIGGER refuse_sessions ON login EXECUTE FUNCTION refuse_sessions()',
  )
  await admin.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = $1`,
    [applicationRole],
  )
}
