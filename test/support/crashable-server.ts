import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/service/database/migrate.ts'
import { findBinaries } from '../../src/service/embedded-postgres/binaries.ts'
import { initCluster, superuser } from '../../src/service/embedded-postgres/cluster.ts'
import { stopOrphan } from '../../src/service/embedded-postgres/cluster-processes.ts'
import {
  applicationRole,
  databaseName,
  urlOf,
} from '../../src/service/embedded-postgres/embedded.ts'
import { postgresUser } from '../../src/service/embedded-postgres/postgres-user.ts'
import {
  freePort,
  type Postmaster,
  startPostmaster,
} from '../../src/service/embedded-postgres/postmaster.ts'
import { noLog } from './no-log.ts'
import type { TestDatabase } from './test-database.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A PostgreSQL for one test that can be killed and restarted on its port with its data. */
export type CrashableServer = TestDatabase & {
  /** The files of the server, including its write-ahead log. */
  readonly folder: string
  /** Kills the server; confirmed writes survive, as after a crash of the process. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Backs up the running server into a folder; `restore` starts the copy on a port of its own. */
  backUp(): Promise<{ readonly folder: string; readonly restore: () => Promise<TestDatabase> }>
}

export const passwords = { admin: 'admin', application: 'application' }
/**
 * Confirmed writes are in the operating system's cache, which survives, so `fsync` is not needed.
 */
export const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'on',
}

export async function crashableServer(t: Test): Promise<CrashableServer> {
  const folder = mkdtempSync(join(tmpdir(), `shipping-ledger-test-${process.pid}-`))
  const clusterDir = join(folder, 'postgres')
  const runAs = postgresUser(clusterDir)
  const bin = findBinaries(runAs)
  const log = noLog
  await initCluster({ clusterDir, bin, runAs, adminPassword: passwords.admin, durable: false })
  const options = { clusterDir, bin, runAs, port: await freePort(), settings, log }
  let server: Postmaster = await startPostmaster(options)
  const stops: (() => Promise<void>)[] = []
  t.teardown(async () => {
    await server.stop()
    for (const stop of stops) await stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const { adminUrl, url } = addressAt(options.port)
  await makeDatabase(urlOf(superuser, passwords.admin, options.port, 'postgres'))
  await migrate({ adminUrl, applicationRole })
  return {
    folder: clusterDir,
    adminUrl,
    url,
    async kill() {
      process.kill(server.pid, 'SIGKILL')
      await server.ended
      await stopOrphan(clusterDir, log)
    },
    async restart() {
      server = await startPostmaster(options)
    },
    async backUp() {
      const copyDir = join(folder, 'backup')
      await copyCluster(adminUrl, clusterDir, copyDir)
      return {
        folder: copyDir,
        restore: async () => {
          const copied = { ...options, clusterDir: copyDir, port: await freePort() }
          const restored = await startPostmaster(copied)
          stops.push(() => restored.stop())
          return { adminUrl: addressAt(copied.port).adminUrl, url: addressAt(copied.port).url }
        },
      }
    },
  }
}

export function addressAt(port: number): TestDatabase {
  return {
    adminUrl: urlOf(superuser, passwords.admin, port, databaseName),
    url: urlOf(applicationRole, passwords.application, port, databaseName),
  }
}

/** A base backup as PostgreSQL documents it: files copied between two calls, plus the label. */
export async function copyCluster(adminUrl: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('backup', true)`)
    // Keeps owners, because the server does not run as the user of the tests.
    copyFolder(from, to)
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
    rmSync(join(to, 'postmaster.pid'), { force: true })
    writeFileSync(join(to, 'backup_label'), rows[0].labelfile)
    const { uid, gid } = statSync(join(from, 'PG_VERSION'))
    chownSync(join(to, 'backup_label'), uid, gid)
    // Writes during the copy are in the log, which the label tells the server to replay.
    copyFolder(join(from, 'pg_wal'), to)
  } finally {
    await client.end()
  }
}

/** Copies files with their owners. Files that the running server removes meanwhile are ignored. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  const isGone = (line: string) => line.endsWith(': No such file or directory')
  if (status === 0 || stderr.trimEnd().split('\n').every(isGone)) return
  throw new Error(`${from} was not copied: ${stderr}`)
}

export async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`CREATE ROLE ${applicationRole} LOGIN PASSWORD '${passwords.application}'`)
    await client.query(`CREATE DATABASE ${databaseName}`)
  } finally {
    await client.end()
  }
}
