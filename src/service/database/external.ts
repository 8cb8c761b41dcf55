import type pg from 'pg'
import { StartError } from '../start-error.ts'
import { LeanClient } from './lean-client.ts'
import { SessionClient, untilNotCancelled } from './sessions/session-client.ts'
import { overriddenSettings } from './sessions/session-settings.ts'
import { startSentence } from './start-sentences.ts'

/** The oldest PostgreSQL where, by default, not every role may create tables in the schema public. */
const versionMin = 15
/** A start does not wait long for an unreachable database: the supervisor restarts the process. */
const connectTimeoutMs = 5_000
/** Several rounds, because a busy pooler may return the same session by chance. */
const poolingRounds = 10

type DatabaseVariable = 'DATABASE_URL' | 'DATABASE_ADMIN_URL' | '--from' | '--to'

export type CheckedServer = {
  readonly role: string
  readonly mayMigrate: boolean
  /** Settings that the service's sessions override, as `name = value`. */
  readonly overridden: readonly string[]
  /** Number of connected standbys if no commit waits for any of them; otherwise 0. */
  readonly asynchronousStandbys: number
}

/** Checks the address and the server. Throws StartError with one sentence that says what is wrong. */
export async function checkServer(variable: DatabaseVariable, url: string): Promise<CheckedServer> {
  const place = `The database of ${variable} at ${placeOf(url)}`
  try {
    await refuseSharedSessions(place, url)
    return await withClient(
      () => new SessionClient({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs }),
      (client) => describe(client, place, variable),
    )
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(startSentence(place, url, error), { cause: error })
  }
}

async function withClient<T>(
  open: () => pg.Client,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = open()
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Refuses a pooler that hands a session to another client after each transaction or statement: through
 * it, two clients get the same session. The check changes nothing in the session.
 */
async function refuseSharedSessions(place: string, url: string): Promise<void> {
  const plain = () =>
    new LeanClient({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
    })
  const areShared = await withClient(plain, (one) =>
    withClient(plain, async (other) => {
      const own = await sessionOf(one)
      for (let round = 0; round < poolingRounds; round++) {
        if ((await sessionOf(other)) === own || (await sessionOf(one)) !== own) return true
      }
      return false
    }),
  )
  if (!areShared) return
  throw new StartError(
    `${place} is behind a pooler that shares sessions between transactions, which the service does not support: set pool_mode = session for this database in PgBouncer, or connect to PostgreSQL directly.`,
  )
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await untilNotCancelled(() =>
    client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
  )
  return rows[0]?.pid ?? 0
}

type Described = {
  readonly version: number
  readonly role: string
  readonly mayMigrate: boolean
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  readonly asynchronousStandbys: number
}

// Roles without pg_monitor see only that a standby is connected.
const describeSql = `SELECT current_setting('server_version_num')::int / 10000 AS version,
    current_user AS role,
    coalesce(
      (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'migrations'),
      has_database_privilege(current_database(), 'CREATE')) AS "mayMigrate",
    pg_is_in_recovery() AS "isStandby",
    current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
    (SELECT count(*)::int FROM pg_stat_replication r
      WHERE current_setting('synchronous_standby_names') = ''
        AND r.state IS DISTINCT FROM 'backup'
        AND NOT EXISTS (SELECT FROM pg_replication_slots s
          WHERE s.active_pid = r.pid AND s.slot_type = 'logical')) AS "asynchronousStandbys"`

async function describe(
  client: pg.Client,
  place: string,
  variable: DatabaseVariable,
): Promise<CheckedServer> {
  const { rows } = await client.query<Described>(describeSql)
  const [found] = rows
  if (found === undefined) throw new Error('bug: the server returned no row')
  const { version, isStandby, isReadOnly, ...server } = found
  if (version < versionMin) {
    throw new StartError(
      `The database of ${variable} is PostgreSQL ${version}: use PostgreSQL ${versionMin} or newer.`,
    )
  }
  const isOnlyRead = variable === '--from'
  if (isStandby && !isOnlyRead) {
    throw new StartError(
      `${place} is a standby, which accepts no writes: set ${variable} to the address of the primary, or promote this server.`,
    )
  }
  if (isReadOnly && !isOnlyRead) {
    throw new StartError(
      `${place} makes every transaction of this role read-only (default_transaction_read_only = on): use a role that may write, or reset the setting where it is set (ALTER ROLE … RESET, ALTER DATABASE … RESET or postgresql.conf).`,
    )
  }
  return { ...server, overridden: await overriddenSettings(client) }
}

/** Host, port and database: never the user's name or password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port || 5432}${pathname}`
}
