import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../../src/service/database/migrate.ts'
import { findBinaries } from '../../../src/service/embedded-postgres/binaries.ts'
import { initCluster, superuser } from '../../../src/service/embedded-postgres/cluster.ts'
import { applicationRole, urlOf } from '../../../src/service/embedded-postgres/embedded.ts'
import { postgresUser } from '../../../src/service/embedded-postgres/postgres-user.ts'
import {
  freePort,
  type Postmaster,
  startPostmaster,
} from '../../../src/service/embedded-postgres/postmaster.ts'
import {
  addressAt,
  copyCluster,
  makeDatabase,
  passwords,
  settings,
} from '../../support/crashable-server.ts'
import { eventually } from '../../support/eventually.ts'
import { noLog } from '../../support/no-log.ts'
import type { TestDatabase } from '../../support/test-database.ts'
import { type Forwarder, forwarder } from './forwarder.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** The files of a stopped, migrated cluster, from which others can start. */
export type ClusterFiles = { readonly folder: string }

/** A PostgreSQL with a streaming replica; `url` and `adminUrl` lead to the current primary. */
export type ReplicaPair = TestDatabase & {
  /** Nothing committed from now on reaches the replica. */
  cutReplication(): void
  /** The primary is gone at once, as if with its machine; there is no primary. */
  losePrimary(): Promise<void>
  /** Promotes the replica. */
  promote(): Promise<void>
  /** The URL of the promoted server before clients are switched to it. */
  promotedUrl(): string
  /** Switches all clients to the promoted server; the former primary stops. */
  switchOver(): Promise<void>
  /** Creates a new replica of the current primary. */
  replicate(): Promise<void>
  /** Whether the replica has caught up. */
  hasCaughtUp(): Promise<boolean>
}

export async function clusterFiles(t: Test): Promise<ClusterFiles> {
  const folder = mkdtempSync(join(tmpdir(), `shipping-ledger-test-${process.pid}-`))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const clusterDir = join(folder, 'postgres')
  const runAs = postgresUser(clusterDir)
  const bin = findBinaries(runAs)
  await initCluster({ clusterDir, bin, runAs, adminPassword: passwords.admin, durable: false })
  const port = await freePort()
  const server = await startPostmaster({ clusterDir, bin, runAs, port, settings, log: noLog })
  try {
    await makeDatabase(urlOf(superuser, passwords.admin, port, 'postgres'))
    await migrate({ adminUrl: addressAt(port).adminUrl, applicationRole })
  } finally {
    await server.stop()
  }
  return { folder: clusterDir }
}

type Server = {
  readonly clusterDir: string
  readonly port: number
  readonly postmaster: Postmaster
}

export async function replicaPair(t: Test, from: ClusterFiles): Promise<ReplicaPair> {
  const folder = mkdtempSync(join(tmpdir(), `shipping-ledger-test-${process.pid}-`))
  const runAs = postgresUser(from.folder)
  const bin = findBinaries(runAs)
  const running = new Set<Postmaster>()
  let made = 0
  const nextFolder = () => join(folder, `server-${++made}`)
  const start = async (clusterDir: string, more: Readonly<Record<string, string>>) => {
    const port = await freePort()
    const own = { ...settings, ...more }
    const postmaster = await startPostmaster({
      clusterDir,
      bin,
      runAs,
      port,
      settings: own,
      log: noLog,
    })
    running.add(postmaster)
    return { clusterDir, port, postmaster }
  }
  const stop = async ({ clusterDir, postmaster }: Server) => {
    running.delete(postmaster)
    await postmaster.stop()
    rmSync(clusterDir, { recursive: true, force: true, maxRetries: 3 })
  }
  t.teardown(async () => {
    await Promise.all([...running].map((postmaster) => postmaster.stop()))
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  const first = nextFolder()
  execFileSync('cp', ['-a', from.folder, first])
  let primary: Server = await start(first, {})
  let replica: Server | null = null
  let isPrimaryLost = false
  const front: Forwarder = await forwarder(primary.port)
  const replication: Forwarder = await forwarder(primary.port)
  t.teardown(() => Promise.all([front.close(), replication.close()]))
  const theReplica = () => {
    if (replica === null) throw new Error('there is no replica')
    return replica
  }

  const hasCaughtUp = async () => {
    const rows = await queryAt(
      primary.port,
      `SELECT FROM pg_stat_replication
       WHERE state = 'streaming' AND replay_lsn >= pg_current_wal_lsn()`,
    )
    return rows.length > 0
  }
  const replicate = async () => {
    replication.pointTo(primary.port)
    const clusterDir = nextFolder()
    await copyCluster(addressAt(primary.port).adminUrl, primary.clusterDir, clusterDir)
    const signal = join(clusterDir, 'standby.signal')
    writeFileSync(signal, '')
    const { uid, gid } = statSync(join(clusterDir, 'PG_VERSION'))
    chownSync(signal, uid, gid)
    const source = `host=127.0.0.1 port=${replication.port} user=${superuser} password=${passwords.admin}`
    replica = await start(clusterDir, { primary_conninfo: source })
    await eventually(hasCaughtUp, (isSo) => isSo)
  }
  await replicate()
  return {
    ...addressAt(front.port),
    hasCaughtUp,
    replicate,
    cutReplication: () => replication.cut(),
    async losePrimary() {
      front.cut()
      process.kill(primary.postmaster.pid, 'SIGQUIT')
      await primary.postmaster.ended
      isPrimaryLost = true
    },
    async promote() {
      await queryAt(theReplica().port, 'SELECT pg_promote(true, 30)')
      const isPromoted = async () => {
        const [row] = await queryAt(theReplica().port, 'SELECT pg_is_in_recovery() AS waits')
        return row?.waits === false
      }
      await eventually(isPromoted, (isSo) => isSo)
    },
    promotedUrl: () => addressAt(theReplica().port).adminUrl,
    async switchOver() {
      const former = primary
      primary = theReplica()
      replica = null
      front.pointTo(primary.port)
      if (isPrimaryLost) running.delete(former.postmaster)
      isPrimaryLost = false
      await stop(former)
    },
  }
}

async function queryAt(port: number, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: addressAt(port).adminUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
