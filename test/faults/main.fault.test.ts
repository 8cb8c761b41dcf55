import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import {
  type Ended,
  type RunningProcess,
  runCommand,
  runProcess,
  watchProcess,
} from '../support/run-process.ts'
import { testDatabase } from '../support/test-database.ts'

const file = 'test/faults/stub-main.ts'
const isRoot = process.getuid?.() === 0
const nobody = 65_534

function folderOf(t: { teardown(fn: () => void): unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-main-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** One folder for the whole file, filled by the first test: creating a cluster takes a second. */
const dataDir = join(folderOf(t), 'data')

async function listening(run: RunningProcess): Promise<string> {
  const found = await run.said(/listening on (http:\S+)\n[\s\S]*"msg":"ready"/)
  return found[1] as string
}

/**
 * Asserts that it fails with exactly one sentence: nothing else on standard error, no stack, code
 * 1.
 */
function failsWith(t: Test, ended: Ended, pattern: RegExp): void {
  t.equal(ended.code, 1)
  t.match(ended.stderr, pattern)
  t.match(ended.stderr, /^[^\n]+[.\n]$/, 'one line')
  t.notMatch(ended.stderr, / {4}at /)
}

t.test('a process on the embedded database locks, drains and recovers its data', async (t) => {
  const env = { DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0' }
  const first = runProcess(file, { env })
  const url = await listening(first)

  const busy = new URL(url).port
  const second = await runProcess(file, { env }).ended
  const where = `pid ${first.child.pid} on port ${busy}`
  failsWith(t, second, new RegExp(`^Another shipping-ledger \\(${where}\\) is using .*: stop it`))

  // SIGTERM during a request: the answer is complete, no new request is accepted, and the exit is
  // clean.
  const slow = fetch(`${url}/?delay_ms=700`)
  await first.said(/./)
  await until(async () => (await activeStatements()) > 0)
  first.child.kill('SIGTERM')
  t.same(await (await slow).json(), { n: 0 })
  const end = await first.ended
  t.equal(end.code, 0)
  t.match(end.stdout, /"signal":"SIGTERM".*"msg":"stopping"[\s\S]*app closed/)
  t.equal(end.stderr, '')
  for (const left of ['process.json', 'postgres/postmaster.pid']) {
    t.notOk(existsSync(join(dataDir, left)), left)
  }

  // The data is found again, even after kill -9.
  const third = runProcess(file, { env })
  await listening(third)
  third.child.kill('SIGKILL')
  await third.ended
  const fourth = runProcess(file, { env })
  t.same(await (await fetch(await listening(fourth))).json(), { n: 0 })
  t.equal(readFileSync(join(dataDir, 'secrets.json'), 'utf8').includes('SECRETS_KEY'), true)

  // PostgreSQL dies: the process recovers without a restart.
  const address = await listening(fourth)
  process.kill(postmasterOf(), 'SIGKILL')
  await until(async () => (await fetch(address)).status === 200)
  fourth.child.kill('SIGINT')
  t.equal((await fourth.ended).code, 0)
})

t.test('data with missing or different secrets stops the start', async (t) => {
  const env = { DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0' }
  const secrets = join(dataDir, 'secrets.json')
  renameSync(secrets, `${secrets}.kept`)
  failsWith(
    t,
    await runProcess(file, { env }).ended,
    /cannot be read without the secrets .*\. Restore its secrets\.json/,
  )
  const changed = JSON.parse(readFileSync(`${secrets}.kept`, 'utf8'))
  changed.SECRETS_KEY = Buffer.alloc(32, 1).toString('base64')
  writeFileSync(secrets, JSON.stringify(changed), { mode: 0o600 })
  failsWith(
    t,
    await runProcess(file, { env }).ended,
    /^This data was created with other secrets \(SECRETS_KEY\)\. Start with the original/,
  )
  renameSync(`${secrets}.kept`, secrets)
})

function postmasterOf(): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

/** Statements of the application that are running now. */
async function activeStatements(): Promise<number> {
  const { databasePort } = JSON.parse(readFileSync(join(dataDir, 'process.json'), 'utf8'))
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  const client = new pg.Client({
    host: '127.0.0.1',
    port: databasePort,
    database: 'shipping_ledger',
    user: 'postgres',
    password: secrets.DATABASE_ADMIN_PASSWORD,
  })
  await client.connect()
  const { rows } = await client.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`,
  )
  await client.end()
  return rows[0].n
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 20_000
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error('the condition did not hold')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

t.test(
  'processes share an external database, and each start failure is one sentence',
  async (t) => {
    const { url, adminUrl } = await testDatabase(t)
    const key = Buffer.alloc(32, 5).toString('base64')
    const env = {
      PORT: '0',
      METRICS_PORT: '0',
      ROLES: 'api,worker',
      DATA_DIR: join(folderOf(t), 'unused'),
      DATABASE_URL: url,
      DATABASE_ADMIN_URL: adminUrl,
      SECRETS_KEY: key,
      API_KEY_PEPPER: key,
      CHECKPOINT_KEY: key,
    }
    const runs = [runProcess(file, { env }), runProcess(file, { env })]
    const urls = await Promise.all(runs.map(listening))
    for (const url of urls) t.same(await (await fetch(url)).json(), { n: 0 })
    const busy = new URL(urls[0] as string).port
    failsWith(
      t,
      await runProcess(file, { env: { ...env, PORT: busy } }).ended,
      new RegExp(`^Port ${busy} on 127.0.0.1 is in use: stop what listens there, or set PORT`),
    )
    t.notOk(existsSync(env.DATA_DIR), 'without a simulator no folder is needed')
    for (const run of runs) run.child.kill('SIGTERM')
    for (const run of runs) t.equal((await run.ended).code, 0)

    const nothingThere = 'postgres://someone:hunter2@127.0.0.1:1/ledger'
    const [unreachable, wrongPassword, otherSecrets, missing] = await Promise.all(
      [
        { ...env, DATABASE_URL: nothingThere },
        { ...env, DATABASE_URL: url.replace(/:[^:@]+@/, ':hunter2@') },
        { ...env, API_KEY_PEPPER: Buffer.alloc(32, 6).toString('base64') },
        { ...env, SECRETS_KEY: '' },
      ].map((one) => runProcess(file, { env: one }).ended),
    )
    failsWith(
      t,
      unreachable as Ended,
      /^The database of DATABASE_URL at 127.0.0.1:1\/ledger cannot be used \(nothing is listening there\): check/,
    )
    failsWith(t, wrongPassword as Ended, /cannot be used \(the password is wrong\)/)
    for (const ended of [unreachable, wrongPassword]) t.notMatch(ended?.stderr, /hunter2|someone/)
    failsWith(t, otherSecrets as Ended, /created with other secrets \(API_KEY_PEPPER\)/)
    failsWith(
      t,
      missing as Ended,
      /SECRETS_KEY is missing\. Create each with `openssl rand -base64 32`/,
    )

    const admin = new pg.Client({ connectionString: adminUrl })
    await admin.connect()
    await admin.query(`INSERT INTO migrations.kysely_migration VALUES ('9999-later', '')`)
    await admin.end()
    failsWith(
      t,
      await runProcess(file, { env }).ended,
      /^The database is newer than this version .*: start the version that migrated it/,
    )
  },
)

t.test('a bad variable or an unwritable data directory stops the start', async (t) => {
  const folder = folderOf(t)
  chmodSync(folder, 0o755)
  const closed = join(folder, 'data')
  mkdirSync(closed, { mode: 0o500 })
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  const [bad, notOurs] = await Promise.all([
    runProcess(file, { env: { PORT: 'http' } }).ended,
    runProcess(file, { env: { DATA_DIR: closed }, ...as }).ended,
  ])
  failsWith(t, bad, /^PORT is not valid: it must be a whole number from 0 .* to 65535\.\n$/)
  // If that user cannot run this Node.js, nothing can be checked.
  if (/Cannot find module|EACCES.*open/.test(notOurs.stderr)) return
  failsWith(
    t,
    notOurs,
    /^The data directory .* cannot be written by this user \(uid \d+\): EACCES\. Give the folder/,
  )
})

t.test('a later second signal ends the process and its PostgreSQL at once', async (t) => {
  const run = runProcess(file, { env: { DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0' } })
  const url = await listening(run)
  const cut = fetch(`${url}/?delay_ms=10000`).catch((error: Error) => error)
  await until(async () => (await activeStatements()) > 0)
  run.child.kill('SIGINT')
  await run.said(/"msg":"stopping"/)
  // The same Ctrl-C may arrive twice; only a later one ends the process at once.
  run.child.kill('SIGINT')
  t.equal(run.child.exitCode, null)
  const again = setInterval(() => run.child.kill('SIGINT'), 100)
  const { code } = await run.ended
  clearInterval(again)
  t.equal(code, 130)
  t.ok((await cut) instanceof Error)
  await until(async () => !existsSync(join(dataDir, 'postgres/postmaster.pid')))
})

t.test('Ctrl-C at a terminal reaches npm and the process, which still drains', async (t) => {
  const folder = folderOf(t)
  const start = `"${process.execPath}" --disable-warning=ExperimentalWarning "${join(import.meta.dirname, '../..', file)}"`
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start } }))
  const child = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    detached: true,
    stdio: 'pipe',
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0' },
  })
  const run = watchProcess(child)
  const url = await listening(run)
  const slow = fetch(`${url}/?delay_ms=500`)
  await until(async () => (await activeStatements()) > 0)
  process.kill(-(child.pid as number), 'SIGINT')
  t.same(await (await slow).json(), { n: 0 })
  await run.ended
  await until(async () => !existsSync(join(dataDir, 'process.json')))
  t.notOk(existsSync(join(dataDir, 'postgres/postmaster.pid')))
})

t.test('a new master key is used from the next start and then becomes the only one', async (t) => {
  const env = { DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0' }
  const kept = () => JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  const rotate = async () => {
    const { code, stdout, stderr } = await runCommand(env, 'secrets', 'rotate')
    t.equal(code, 0, stderr)
    return stdout
  }
  const before = kept().SECRETS_KEY
  const first = runProcess(file, { env })
  await listening(first)
  t.match(await rotate(), /^A new master key was created\. Restart the service/)
  const { SECRETS_KEY_NEXT: next, ...rest } = kept()
  t.equal(rest.SECRETS_KEY, before, 'running processes keep using the old one')
  t.match(await rotate(), /^A new master key was created/)
  t.equal(kept().SECRETS_KEY_NEXT, next, 'a repeat returns the same')
  first.child.kill('SIGTERM')
  t.equal((await first.ended).code, 0)

  const second = runProcess(file, { env })
  await listening(second)
  t.match(kept(), { SECRETS_KEY: next, SECRETS_KEY_PREVIOUS: [before] })
  t.match(await rotate(), /^Every secret is under the current master key \(0 rows/)
  t.same(kept(), { ...rest, SECRETS_KEY: next })
  second.child.kill('SIGTERM')
  t.equal((await second.ended).code, 0)
  const third = runProcess(file, { env })
  await listening(third)
  third.child.kill('SIGTERM')
  t.equal((await third.ended).code, 0)
})
