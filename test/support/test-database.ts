import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { migrate, migrationNames, migrationText } from '../../src/service/database/migrate.ts'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'
import { type ScratchServer, scratchServer, scratchVariable } from './scratch-server.ts'

export type TestDatabase = {
  /** The URL for the application's role. */
  readonly url: string
  /** The URL for the superuser. */
  readonly adminUrl: string
}

type Teardown = { teardown(fn: () => Promise<unknown>): unknown }

/** Where nothing must survive, copying the files is eight times as fast as logging each page. */
function copied(name: string, template: string): string {
  return `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`
}

/** An arbitrary number: processes that create the template wait for each other. */
const templateLock = 7_310_099
let server: Promise<string> | undefined

/**
 * A fresh database with every migration applied, dropped when `test` ends. The server is the run's
 * (TEST_POSTGRES_ADMIN_URL), or one that this file starts on first use and stops at its end, so
 * that `node test/some.test.ts` works alone. `fsync` is off: see scratch-server.ts.
 */
export async function testDatabase(test: Teardown): Promise<TestDatabase> {
  server ??= adminServer()
  const root = await server
  const template = await migratedTemplate(root)
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(root, (client) => client.query(copied(name, template)))
  test.teardown(() => asAdmin(root, (client) => dropDatabase(client, name)))
  return { url: applicationUrl(root, name), adminUrl: databaseUrl(root, name) }
}

/** A fresh database without tables, for tests of migrations. */
export async function emptyDatabase(test: Teardown): Promise<TestDatabase> {
  server ??= adminServer()
  const root = await server
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(root, (client) => client.query(copied(name, 'template0')))
  test.teardown(() => asAdmin(root, (client) => dropDatabase(client, name)))
  return { url: applicationUrl(root, name), adminUrl: databaseUrl(root, name) }
}

/**
 * A pool reports its end before its connections are closed, and a connection that the server closes
 * first is an error of the test: they get two seconds to close.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const deadline = Date.now() + 2_000
  while (Date.now() < deadline) {
    const open = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
    if (!open.rowCount) break
    await setTimeout(20)
  }
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

async function adminServer(): Promise<string> {
  const given = process.env[scratchVariable]
  if (given) return databaseUrl(given, 'postgres')
  // Imported only when a test file runs alone: tap would end a proof after a while.
  const { default: t } = await import('tap')
  const own: ScratchServer = await scratchServer()
  t.teardown(() => own.stop())
  return databaseUrl(own.adminUrl, 'postgres')
}

/**
 * One template per set of migrations, created once per server, even if many files need it at once.
 */
async function migratedTemplate(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of migrationNames()) hash.update(name).update(migrationText(name))
  const template = `template_${hash.digest('hex').slice(0, 16)}`
  await asAdmin(root, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [templateLock])
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])
    if (found.rowCount) return
    // Under another name until it is complete: a failed migration must not leave a template behind.
    await client.query(`DROP DATABASE IF EXISTS ${template}_new`)
    await client.query(copied(`${template}_new`, 'template0'))
    await migrate({ adminUrl: databaseUrl(root, `${template}_new`), applicationRole })
    await client.query(`ALTER DATABASE ${template}_new RENAME TO ${template}`)
  })
  return template
}

async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function databaseUrl(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

function applicationUrl(url: string, name: string): string {
  const changed = new URL(databaseUrl(url, name))
  changed.username = applicationRole
  changed.password = 'application'
  return changed.href
}
