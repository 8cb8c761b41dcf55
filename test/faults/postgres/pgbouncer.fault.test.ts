import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { checkServer } from '../../../src/service/database/external.ts'
import { sessionsPerProcessMax } from '../../../src/service/database/sessions/sessions-per-process.ts'
import { eventually } from '../../support/eventually.ts'
import { type Fleet, fleet, type ServiceProcess } from '../../support/processes.ts'
import { runProcess } from '../../support/run-process.ts'
import { projectRoot } from '../../support/source-files.ts'
import { testDatabase } from '../../support/test-database.ts'
import { pgbouncer, withoutPgbouncer } from './pgbouncer.ts'

const skip = { skip: withoutPgbouncer }

async function refusal(url: string): Promise<string> {
  return await checkServer('DATABASE_URL', url).then(
    () => 'it was accepted',
    (error: Error) => error.message,
  )
}

const shared =
  /^The database of DATABASE_URL at 127\.0\.0\.1:\d+\/\w+ is behind a pooler that shares sessions .*: set pool_mode = session .*, or connect to PostgreSQL directly\.\n?$/

for (const mode of ['transaction', 'statement']) {
  t.test(`PgBouncer's ${mode} pooling is refused at the start in one sentence`, skip, async (t) => {
    const { url, adminUrl } = await testDatabase(t)
    const cases = [
      { default_pool_size: '1' },
      { default_pool_size: '20' },
      { default_pool_size: '20', server_round_robin: '1', min_pool_size: '5' },
    ]
    for (const settings of cases) {
      const [through = ''] = await pgbouncer(t, [url], { pool_mode: mode, ...settings })
      t.match(await refusal(through), shared)
      // And again with the sessions that the first one left behind.
      t.match(await refusal(through), shared)
    }
    const [through = ''] = await pgbouncer(t, [url, adminUrl], { pool_mode: mode })
    const { code, stderr, stdout } = await started(through)
    t.equal(code, 1)
    t.match(stderr, shared)
    t.notMatch(stdout, /ready/)
  })
}

t.test('a pooler that other clients keep busy is recognised', skip, async (t) => {
  const { url } = await testDatabase(t)
  const settings = { pool_mode: 'transaction', default_pool_size: '4', server_round_robin: '1' }
  const [through = ''] = await pgbouncer(t, [url], settings)
  const stop = new AbortController()
  const others = Array.from({ length: 8 }, async () => {
    const client = new pg.Client({ connectionString: through })
    await client.connect()
    while (!stop.signal.aborted) await client.query('SELECT 1')
    await client.end()
  })
  t.match(await refusal(through), shared)
  stop.abort()
  await Promise.all(others)
})

t.test('the start leaves no setting behind in a pool that it refuses', skip, async (t) => {
  const { url } = await testDatabase(t)
  const [through = ''] = await pgbouncer(t, [url], {
    pool_mode: 'transaction',
    default_pool_size: '1',
  })
  t.match(await refusal(through), shared)
  const client = new pg.Client({ connectionString: through })
  await client.connect()
  const { rows } = await client.query(
    `SELECT name FROM pg_settings WHERE source = 'session' ORDER BY name`,
  )
  t.same(rows, [])
  await client.end()
})

t.test('a pooler without enough sessions is named', skip, async (t) => {
  const { url } = await testDatabase(t)
  const [through = ''] = await pgbouncer(t, [url], { pool_mode: 'session', default_pool_size: '1' })
  const sentence = `starts no session: .* raise its pool size\\. .* up to ${sessionsPerProcessMax}\\.$`
  t.match(await refusal(through), new RegExp(sentence))
})

t.test('a startup parameter that PgBouncer refuses is named', skip, async (t) => {
  const { url } = await testDatabase(t)
  const [through = ''] = await pgbouncer(t, [url], { pool_mode: 'session' })
  const refused = (name: string) =>
    new RegExp(`behind a pooler that refuses the startup parameter ${name}: remove it from the`)
  t.match(await refusal(`${through}?options=-c%20work_mem%3D4MB`), refused('(options|work_mem)'))
  t.match(await refusal(`${through}?statement_timeout=5000`), refused('statement_timeout'))
})

t.test(
  "a process creates shipments through PgBouncer's session pooling with the documented number of sessions",
  skip,
  async (t) => {
    const page = readFileSync(join(projectRoot, 'docs/guides/operating.md'), 'utf8')
    t.match(page, new RegExp(`up to ${sessionsPerProcessMax} sessions`))
    const all = await fleet(t)
    const { url, adminUrl } = all.database
    const [through = '', admin = ''] = await pgbouncer(t, [url, adminUrl], {
      pool_mode: 'session',
      default_pool_size: String(sessionsPerProcessMax),
    })
    const first = await serve(all, through, admin)
    await createThrough(t, first, 'first')
    // A process that follows a killed one gets the sessions that PgBouncer kept.
    first.signal('SIGKILL')
    await first.ended
    await createThrough(t, await serve(all, through, admin), 'second')
  },
)

function serve(all: Fleet, url: string, adminUrl: string): Promise<ServiceProcess> {
  return all.start({ env: { DATABASE_URL: url, DATABASE_ADMIN_URL: adminUrl } })
}

async function createThrough(t: Test, shop: ServiceProcess, name: string): Promise<void> {
  const keys = Array.from({ length: 40 }, (_, n) => `${name}-${n}`)
  const answers = await Promise.all(keys.map((key) => shop.create(key)))
  t.same([...new Set(answers.map(({ status }) => status))], [201])
  const listed = await eventually(
    () => shop.call(`/v1/shipments?external_reference=${name}-39`),
    ({ body }) => body.data.length === 1,
  )
  t.equal(listed.status, 200)
}

/** The whole process with a stub app, which opens the database as the service does. */
async function started(url: string) {
  const key = Buffer.alloc(32, 5).toString('base64')
  const secrets = { SECRETS_KEY: key, API_KEY_PEPPER: key, CHECKPOINT_KEY: key }
  const env = { PORT: '0', METRICS_PORT: '0', ROLES: 'api', DATABASE_URL: url, ...secrets }
  return await runProcess('test/faults/stub-main.ts', { env }).ended
}
