import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findBinaries } from '../../src/database/binaries.ts'
import { initCluster, superuser } from '../../src/database/cluster.ts'
import { stopOrphan } from '../../src/database/cluster-processes.ts'
import { applicationRole, databaseName, urlOf } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { postgresUser } from '../../src/database/postgres-user.ts'
import { freePort, type Postmaster, startPostmaster } from '../../src/database/postmaster.ts'
import { noLog } from './no-log.ts'
import type { TestDatabase } from './test-database.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A PostgreSQL of the test's own that dies when told to, and comes back on its port with its data. */
export type CrashableServer = TestDatabase & {
  /** The files of the server, its write-ahead log among them. */
  readonly folder: string
  /** Kills it outright; what it had confirmed survives, as after a crash of the server. */
  kill(): Promise<void>
  restart(): Promise<void>
}

const passwords = { admin: 'admin', application: 'application' }
/** What was confirmed is with the system, which lives on: no disk has to be waited for. */
const settings = {
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
  t.teardown(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const adminUrl = urlOf(superuser, passwords.admin, options.port, databaseName)
  await makeDatabase(urlOf(superuser, passwords.admin, options.port, 'postgres'))
  await migrate({ adminUrl, applicationRole })
  return {
    folder: clusterDir,
    adminUrl,
    url: urlOf(applicationRole, passwords.application, options.port, databaseName),
    async kill() {
      process.kill(server.pid, 'SIGKILL')
      await server.ended
      await stopOrphan(clusterDir, log)
    },
    async restart() {
      server = await startPostmaster(options)
    },
  }
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`CREATE ROLE ${applicationRole} LOGIN PASSWORD '${passwords.application}'`)
    await client.query(`CREATE DATABASE ${databaseName}`)
  } finally {
    await client.end()
  }
}
