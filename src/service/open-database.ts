import { join } from 'node:path'
import type pg from 'pg'
import { type DataDirectory, runningProcess } from './database/data-directory.ts'
import { type CheckedServer, checkServer } from './database/external.ts'
import { checkMigrated, migrate } from './database/migrate.ts'
import { SessionClient } from './database/sessions/session-client.ts'
import { clusterExists } from './embedded-postgres/cluster.ts'
import {
  applicationRole,
  databaseName,
  startEmbedded,
  urlOf,
} from './embedded-postgres/embedded.ts'
import type { Log } from './log.ts'
import { checkSecrets } from './secrets/secret-checks.ts'
import {
  embeddedSecrets,
  externalSecrets,
  type GivenSecrets,
  readSecretsFile,
  type Secrets,
  secretsFile,
  takeNextKey,
} from './secrets/secrets.ts'

type OpenOptions = GivenSecrets & {
  readonly databaseUrl: string | undefined
  readonly databaseAdminUrl: string | undefined
  /** The caller holds its lock. The embedded database and the simulator's key need it. */
  readonly directory: DataDirectory | undefined
  readonly log: Log
}

type OpenDatabase = {
  /** URL with the application's role. */
  readonly url: string
  /**
   * URL with the role that owns the tables, if it is known: for what the application's role may not do.
   */
  readonly adminUrl: string
  readonly secrets: Secrets
  readonly isEmbedded: boolean
  /** Stops the embedded PostgreSQL. Close pools first: its fast shutdown ends their connections. */
  close(): Promise<void>
}

/**
 * Starts the embedded database or connects to DATABASE_URL, migrates it to this code's version and
 * checks that the secrets match its data. Throws a StartError that says what to do.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { databaseUrl, directory } = options
  if (databaseUrl !== undefined) return openExternal(databaseUrl, options)
  if (!directory) throw new Error('bug: the embedded database needs the data directory')
  const { path } = directory
  const exists = clusterExists(join(path, 'postgres'))
  if (options.secretsKey === undefined) takeNextKey(path)
  const own = embeddedSecrets(path, options, exists)
  if (own.made) options.log.info(`created the secrets: keep ${secretsFile} with the data`)
  const server = await startEmbedded({
    dataDir: path,
    log: options.log,
    adminPassword: own.adminPassword,
    applicationPassword: own.applicationPassword,
    resetPassword: exists && own.passwordsMade,
  })
  try {
    await migrate({ adminUrl: server.adminUrl, applicationRole })
    await withClient(server.adminUrl, (client) => checkSecrets(client, own.secrets))
    directory.describe({ databasePort: server.port })
  } catch (error) {
    await server.stop()
    throw error
  }
  const { url, adminUrl } = server
  return { url, adminUrl, secrets: own.secrets, isEmbedded: true, close: server.stop }
}

async function openExternal(url: string, options: OpenOptions): Promise<OpenDatabase> {
  const secrets = externalSecrets(options.directory?.path, options)
  const { server } = await migrateExternal(url, options.databaseAdminUrl)
  warnOf(server, options.log)
  await withClient(url, (client) => checkSecrets(client, secrets))
  const adminUrl = options.databaseAdminUrl ?? url
  return { url, adminUrl, secrets, isEmbedded: false, close: async () => {} }
}

/**
 * Migrates the database of DATABASE_URL to this code's version with the role of DATABASE_ADMIN_URL.
 * Without that variable, the role of DATABASE_URL migrates if it owns the tables; otherwise no migration
 * may be pending. `applied` has the names of the migrations. Throws StartError.
 */
export async function migrateExternal(
  url: string,
  adminUrl: string | undefined,
): Promise<{ readonly server: CheckedServer; readonly applied: readonly string[] }> {
  const server = await checkServer('DATABASE_URL', url)
  if (adminUrl !== undefined) await checkServer('DATABASE_ADMIN_URL', adminUrl)
  if (adminUrl === undefined && !server.mayMigrate) {
    await checkMigrated(url)
    return { server, applied: [] }
  }
  const { applied } = await migrate({ adminUrl: adminUrl ?? url, applicationRole: server.role })
  return { server, applied }
}

/** Warns of what an operator should know but does not stop a start. */
function warnOf({ overridden, asynchronousStandbys }: CheckedServer, log: Log): void {
  for (const setting of overridden) {
    log.warn({ setting }, "the service's sessions override a setting of the database")
  }
  if (asynchronousStandbys > 0) {
    log.warn(
      { standbyCount: asynchronousStandbys },
      'no standby confirms commits (synchronous_standby_names is empty): a failover may lose guides that were paid for; see "Replication, failover, restore" in docs/guides/operating.md',
    )
  }
}

/**
 * Finds the embedded database of a process that runs on this data directory, for commands; undefined if
 * no process runs. Throws StartError if its secrets cannot be read.
 */
export function runningDatabase(
  dataDir: string,
  given: GivenSecrets,
): { readonly url: string; readonly secrets: Secrets } | undefined {
  const port = runningProcess(dataDir)?.databasePort
  if (port === undefined || readSecretsFile(dataDir) === undefined) return undefined
  const own = embeddedSecrets(dataDir, given, true)
  return {
    url: urlOf(applicationRole, own.applicationPassword, port, databaseName),
    secrets: own.secrets,
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new SessionClient({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
