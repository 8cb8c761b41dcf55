import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { checkServer } from '../../../src/service/database/external.ts'
import { migrate } from '../../../src/service/database/migrate.ts'
import { pool as openPool } from '../../../src/service/database/pool.ts'
import { SessionClient } from '../../../src/service/database/sessions/session-client.ts'
import { sessionsPerProcessMax } from '../../../src/service/database/sessions/sessions-per-process.ts'
import { postgresEventStore } from '../../../src/service/event-store/postgres/postgres.ts'
import { crashableServer } from '../../support/crashable-server.ts'
import { eventually } from '../../support/eventually.ts'
import { noLog } from '../../support/no-log.ts'
import { runProcess } from '../../support/run-process.ts'
import { databaseRoles } from './database-roles.ts'

const key = Buffer.alloc(32, 5).toString('base64')
const secrets = { SECRETS_KEY: key, API_KEY_PEPPER: key, CHECKPOINT_KEY: key }
const environment = { PORT: '0', METRICS_PORT: '0', ROLES: 'api', ...secrets }

async function sentenceOf(url: string): Promise<string> {
  return await checkServer('DATABASE_URL', url).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
}

async function asAdmin(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Starts the process with a stub app and stops it when it is ready. */
async function start(DATABASE_URL: string) {
  const run = runProcess('test/faults/stub-main.ts', { env: { ...environment, DATABASE_URL } })
  const ready = run.said(/"msg":"ready"/).then(() => run.child.kill('SIGTERM'))
  await ready.catch(() => undefined)
  return await run.ended
}

type Line = {
  readonly level: number
  readonly msg: string
  readonly setting?: string
  readonly standbyCount?: number
}

function warnings(stdout: string): readonly Line[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
}

async function migratedRoles(t: Test) {
  const roles = await databaseRoles(t)
  await migrate({ adminUrl: roles.ownerUrl, applicationRole: roles.role })
  return roles
}

t.test('a role that is read-only by default is told so', async (t) => {
  const { url, superuserUrl, role } = await databaseRoles(t)
  await asAdmin(superuserUrl, `ALTER ROLE ${role} SET default_transaction_read_only = on`)
  const sentence =
    /^The database of DATABASE_URL at \S+ makes every transaction of this role read-only .*: use a role that may write, or reset/
  t.match(await sentenceOf(url), sentence)
  t.equal((await checkServer('--from', url)).role, role, 'a copy only reads')
})

t.test('a role without sessions left is told how many a process takes', async (t) => {
  const { url, superuserUrl, role } = await databaseRoles(t)
  const sentence = new RegExp(
    `has no session left: .*CONNECTION LIMIT\\. .* uses up to ${sessionsPerProcessMax}\\.$`,
  )
  for (const limit of [0, 1]) {
    await asAdmin(superuserUrl, `ALTER ROLE ${role} CONNECTION LIMIT ${limit}`)
    t.match(await sentenceOf(url), sentence)
  }
})

/**
 * What a role may have that would weaken or hinder the service, and what its sessions have instead.
 */
const weak = [
  ['default_transaction_isolation', 'repeatable read', 'read committed'],
  ['idle_in_transaction_session_timeout', '50 ms', '0'],
  ['lock_timeout', '30 ms', '0'],
  ['statement_timeout', '40 ms', '15s'],
  ['synchronous_commit', 'off', 'on'],
] as const

t.test('weak settings of a role are overridden and logged once at the start', async (t) => {
  const { url, superuserUrl, role } = await migratedRoles(t)
  const names = weak.map(([name]) => name)
  await asAdmin(
    superuserUrl,
    ...weak.map(([name, value]) => `ALTER ROLE ${role} SET ${name} = '${value}'`),
    `ALTER ROLE ${role} SET TimeZone = 'Asia/Kolkata'`,
    `ALTER ROLE ${role} SET DateStyle = 'German'`,
  )
  const { code, stdout, stderr } = await start(url)
  t.equal(code, 0, stderr)
  const named = warnings(stdout).map(({ setting }) => setting)
  t.same(
    named,
    weak.map(([name, value]) => `${name} = ${value}`),
  )

  const pool = openPool({ connectionString: url, log: noLog })
  t.teardown(() => pool.end())
  const { rows } = await pool.query(
    `SELECT pg_sleep(0.2), array_agg(current_setting(name) ORDER BY n) AS values
     FROM unnest($1::text[]) WITH ORDINALITY AS asked (name, n)`,
    [names],
  )
  t.same(
    rows[0].values,
    weak.map(([, , value]) => value),
  )
  const [{ at } = { at: null }] = (await pool.query(`SELECT timestamptz '2026-01-02 03:04Z' AS at`))
    .rows
  t.same(at, new Date('2026-01-02T03:04:00Z'))

  const store = postgresEventStore({ url })
  t.teardown(() => store.close())
  const event = { id: crypto.randomUUID(), type: 'Tested', data: {}, metadata: {} }
  t.match(await store.append('shipment-shp_1', 'no_stream', [event]), { kind: 'committed' })
})

t.test('a stronger commit than required stays, and a weaker one is overridden', async (t) => {
  const { url, superuserUrl, role } = await databaseRoles(t)
  await asAdmin(
    superuserUrl,
    `ALTER ROLE ${role} SET synchronous_commit = remote_apply`,
    `ALTER ROLE ${role} SET statement_timeout = 0`,
  )
  t.same((await checkServer('DATABASE_URL', url)).overridden, [])
  const commitOf = async () => {
    const client: pg.Client = new SessionClient({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('SHOW synchronous_commit')
    await client.end()
    return rows[0].synchronous_commit
  }
  t.equal(await commitOf(), 'remote_apply')
  await asAdmin(superuserUrl, `ALTER ROLE ${role} SET synchronous_commit = local`)
  t.equal(await commitOf(), 'on')
  t.same((await checkServer('DATABASE_URL', url)).overridden, ['synchronous_commit = local'])
})

const openssl = spawnSync('openssl', ['version']).status === 0

t.test(
  'TLS that cannot be trusted names the file of the authority',
  { skip: openssl ? false : 'openssl is not installed' },
  async (t) => {
    const server = await crashableServer(t)
    const folder = t.testdir()
    const [certificate, privateKey] = [join(folder, 'server.crt'), join(folder, 'server.key')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject]
    execFileSync('openssl', ['req', ...made, '-keyout', privateKey, '-out', certificate], {
      stdio: 'ignore',
    })
    const { uid, gid } = statSync(join(server.folder, 'PG_VERSION'))
    for (const [name, from] of [
      ['server.crt', certificate],
      ['server.key', privateKey],
    ] as const) {
      const file = join(server.folder, name)
      execFileSync('install', ['-m', '600', from, file])
      chownSync(file, uid, gid)
    }
    const plain = new URL(server.url)
    plain.hostname = 'localhost'
    const over = (more: Record<string, string>) => {
      const url = new URL(plain)
      for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value)
      return url.href
    }
    const sslmode = 'verify-full'
    t.match(await sentenceOf(over({ sslmode })), /does not support TLS: enable TLS in the server/)
    await asAdmin(server.adminUrl, 'ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()')
    const trusted = over({ sslmode, sslrootcert: certificate })
    await eventually(
      () => sentenceOf(trusted),
      (sentence) => sentence === 'accepted',
    )
    const untrusted = await sentenceOf(over({ sslmode }))
    t.match(
      untrusted,
      /presents a certificate whose authority is not trusted here \(\w+\): add the file .*, as sslrootcert=FILE\.$/,
    )
    t.notMatch(untrusted, /password/)
    t.match(
      await sentenceOf(over({ sslmode, sslrootcert: join(folder, 'missing.crt') })),
      /^sslrootcert in the address of the database of DATABASE_URL at \S+ names a file that cannot be read \(ENOENT\): name/,
    )
    const byAddress = new URL(trusted)
    byAddress.hostname = '127.0.0.1'
    t.match(
      await sentenceOf(byAddress.href),
      /presents a certificate for another host: use the host/,
    )
  },
)

t.test('an asynchronous standby is warned of, and a standby itself is refused', async (t) => {
  const primary = await crashableServer(t)
  t.same(standbyWarnings((await start(primary.url)).stdout), [], 'without a standby')

  const backup = await primary.backUp()
  const { uid, gid } = statSync(join(primary.folder, 'PG_VERSION'))
  const { port, username, password } = new URL(primary.adminUrl)
  for (const [name, text] of [
    ['standby.signal', ''],
    [
      'postgresql.auto.conf',
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby'\n`,
    ],
  ] as const) {
    const file = join(backup.folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    chownSync(file, uid, gid)
  }
  const standby = await backup.restore()
  await eventually(
    () => checkServer('DATABASE_URL', primary.url),
    ({ asynchronousStandbys }) => asynchronousStandbys === 1,
  )
  const { code, stdout } = await start(primary.url)
  t.equal(code, 0)
  t.same(standbyWarnings(stdout), [1])
  t.match(
    await sentenceOf(standby.url),
    /^The database of DATABASE_URL at \S+ is a standby, which accepts no writes: set DATABASE_URL to the address of the primary/,
  )

  await asAdmin(
    primary.adminUrl,
    `ALTER SYSTEM SET synchronous_standby_names = 'standby'`,
    'SELECT pg_reload_conf()',
  )
  await eventually(
    () => checkServer('DATABASE_URL', primary.url),
    ({ asynchronousStandbys }) => asynchronousStandbys === 0,
  )
  t.same(standbyWarnings((await start(primary.url)).stdout), [], 'with a synchronous one')
})

function standbyWarnings(stdout: string) {
  return warnings(stdout)
    .filter(({ msg }) => msg.startsWith('no standby confirms commits'))
    .map(({ standbyCount }) => standbyCount)
}
