import { join } from 'node:path'
import pg from 'pg'
import type { Log } from '../log.ts'
import { pause } from '../pause.ts'
import { StartError } from '../start-error.ts'
import { findBinaries } from './binaries.ts'
import {
  checkClusterVersion,
  clusterExists,
  initCluster,
  resetPassword,
  superuser,
} from './cluster.ts'
import { stopOrphan } from './cluster-processes.ts'
import { adoptCluster, postgresUser } from './postgres-user.ts'
import {
  freePort,
  PortTaken,
  type Postmaster,
  type PostmasterOptions,
  startPostmaster,
} from './postmaster.ts'

/** The service's role, which owns nothing and cannot change the ledger. */
export const applicationRole = 'shipping_ledger'
export const databaseName = 'shipping_ledger'

type EmbeddedOptions = {
  /** Must exist and be writable, and the caller holds its lock. The cluster is in `postgres` in it. */
  readonly dataDir: string
  readonly adminPassword: string
  readonly applicationPassword: string
  readonly log: Log
  /** Set if the cluster was created with another password, which is lost. */
  readonly resetPassword?: boolean
  /** False only for scratch servers of tests, which sync nothing to disk. */
  readonly durable?: boolean
}

export type EmbeddedDatabase = {
  /** Connects as the application's role. */
  readonly url: string
  /** Connects as the superuser, for migrations. */
  readonly adminUrl: string
  /** The port on the loopback interface, which stays the same while this process lives. */
  readonly port: number
  readonly pid: () => number | undefined
  stop(): Promise<void>
}

/** How often another port is tried if the chosen one is taken before PostgreSQL binds it. */
const portTriesMax = 5
/** Wait before a server that died is restarted, doubled each time up to the longest wait. */
const firstRestartDelayMs = 100
const longestRestartDelayMs = 5_000
/** A server that lived this long was healthy, so the next restart is quick again. */
const healthyAfterMs = 30_000

/**
 * For a small machine shared with our own process. The working set of a shipping ledger fits the cache,
 * and long checkpoint distances keep full-page writes, the largest part of the log, rare.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '512MB',
  wal_compression: 'on',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log shows states of the server, never statements or values, which may be personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_statement: 'none',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const scratchSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // With a hundred databases, autovacuum would start a process every half second.
  autovacuum: 'off',
}

/**
 * Starts PostgreSQL from npm on the cluster in the data directory, which it creates if necessary, and
 * keeps it running on one port until `stop`. First stops a server left running by a killed process.
 * Throws StartError that says what to do.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log } = options
  const durable = options.durable ?? true
  const clusterDir = join(options.dataDir, 'postgres')
  const runAs = postgresUser(clusterDir)
  const bin = findBinaries(runAs)
  if (clusterExists(clusterDir)) {
    checkClusterVersion(clusterDir)
    adoptCluster(clusterDir, runAs)
    await stopOrphan(clusterDir, log)
    if (options.resetPassword) {
      await resetPassword({ clusterDir, bin, runAs, adminPassword: options.adminPassword })
    }
  } else {
    await initCluster({ ...options, clusterDir, bin, runAs, durable })
  }
  const server = await startOnFreePort({
    clusterDir,
    bin,
    runAs,
    log,
    port: 0,
    settings: { ...settings, ...(durable ? durableSettings : scratchSettings) },
  })
  const supervised = supervise(server.postmaster, server.options)
  const { port } = server.options
  try {
    await makeDatabase(urlOf(superuser, options.adminPassword, port, 'postgres'), options)
  } catch (error) {
    await supervised.stop()
    throw error
  }
  return {
    port,
    url: urlOf(applicationRole, options.applicationPassword, port, databaseName),
    adminUrl: urlOf(superuser, options.adminPassword, port, databaseName),
    ...supervised,
  }
}

export function urlOf(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
}

async function startOnFreePort(template: PostmasterOptions) {
  for (let attempt = 1; ; attempt++) {
    const options = { ...template, port: await freePort() }
    try {
      return { postmaster: await startPostmaster(options), options }
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt >= portTriesMax) throw error
    }
  }
}

/** Restarts the server on the same port whenever it ends unexpectedly, so that clients recover. */
function supervise(first: Postmaster, options: PostmasterOptions) {
  const { log, clusterDir } = options
  const stopping = new AbortController()
  let current: Postmaster | undefined = first
  const loop = (async () => {
    let delayMs = firstRestartDelayMs
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      if (current) {
        const reason = await current.ended
        current = undefined
        if (stopping.signal.aborted) break
        log.error({ reason }, 'PostgreSQL exited unexpectedly; restarting it')
      }
      if (performance.now() - startedAt > healthyAfterMs) delayMs = firstRestartDelayMs
      await pause(delayMs, stopping.signal)
      delayMs = Math.min(delayMs * 2, longestRestartDelayMs)
      if (stopping.signal.aborted) break
      try {
        await stopOrphan(clusterDir, log)
        // Looked up again: a copy in a temporary folder may have been deleted.
        current = await startPostmaster({ ...options, bin: findBinaries(options.runAs) })
        log.info({ port: options.port, pid: current.pid }, 'PostgreSQL is running again')
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL could not be restarted; trying again')
      }
    }
    await current?.stop()
  })()
  return {
    pid: () => current?.pid,
    async stop() {
      stopping.abort()
      await current?.stop()
      await loop
    },
  }
}

async function makeDatabase(url: string, options: EmbeddedOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [applicationRole])
    await client.query(
      `${role.rowCount ? 'ALTER' : 'CREATE'} ROLE ${applicationRole} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(options.applicationPassword)}`,
    )
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName])
    if (!found.rowCount) await client.query(`CREATE DATABASE ${databaseName}`)
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') {
      throw new StartError(
        `The database in ${options.dataDir} was created with another password: restore the secrets.json that belongs to this data.`,
        { cause: error },
      )
    }
    throw error
  } finally {
    await client.end()
  }
}
