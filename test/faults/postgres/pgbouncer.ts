import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { postgresUser } from '../../../src/service/embedded-postgres/postgres-user.ts'
import { freePort } from '../../../src/service/embedded-postgres/postmaster.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A different PgBouncer than the installed one, to try a version. */
const program = process.env.TEST_PGBOUNCER ?? 'pgbouncer'

/** For a test's `skip`: false if PgBouncer is installed. */
export const withoutPgbouncer: string | false =
  spawnSync(program, ['--version']).status === 0 ? false : 'pgbouncer is not installed'

/**
 * Starts a real PgBouncer in front of the server of `urls`; returns the URLs of the same databases
 * through it.
 */
export async function pgbouncer(
  t: Test,
  urls: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-pgbouncer-'))
  const { hostname, port } = new URL(urls[0] as string)
  const own = await freePort()
  const users = urls.map((url) => new URL(url))
  const file = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`, { mode: 0o644 })
    return join(folder, name)
  }
  const ini = file('pgbouncer.ini', [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${file(
      'users.txt',
      users.map(({ username, password }) => `"${username}" "${password}"`),
    )}`,
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ])
  // It refuses to run as root.
  const runAs = postgresUser(folder)
  chmodSync(folder, 0o755)
  if (runAs) chownSync(folder, runAs.uid, runAs.gid)
  const child = spawn(program, [ini], {
    ...runAs,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const lines: string[] = []
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      if (line.includes('process up')) resolve()
    })
    ended.then(() => reject(new Error(`PgBouncer ended: ${lines.join('\n')}`)))
  })
  return users.map((url) => {
    url.port = String(own)
    return url.href
  })
}
