import pg from 'pg'
import { StartError } from '../start-error.ts'

/** The oldest PostgreSQL that by default does not let every role create tables in schema public. */
const versionMin = 15
/** A start does not wait for an unreachable database; the supervisor restarts the process. */
const connectTimeoutMs = 5_000

type Described = { readonly version: number; readonly role: string; readonly mayMigrate: boolean }

/** Connects once and says in one sentence what is wrong with the address or the server. */
export async function checkServer(
  variable: 'DATABASE_URL' | 'DATABASE_ADMIN_URL' | '--from' | '--to',
  url: string,
): Promise<{ readonly role: string; readonly mayMigrate: boolean }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Described>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version, current_user AS role,
         coalesce(
           (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'migrations'),
           has_database_privilege(current_database(), 'CREATE')) AS "mayMigrate"`,
    )
    const { version = 0, role = '', mayMigrate = false } = rows[0] ?? {}
    if (version < versionMin) {
      throw new StartError(
        `The database of ${variable} is PostgreSQL ${version}: use PostgreSQL ${versionMin} or newer.`,
      )
    }
    return { role, mayMigrate }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      `The database of ${variable} at ${placeOf(url)} cannot be used (${reasonOf(error)}): check that it runs and that the address, user, password and database name are right.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** Host, port and database: never the user's name or password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port || 5432}${pathname}`
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host is not known',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'it does not answer',
  '28P01': 'the password is wrong',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
}

function reasonOf(error: unknown): string {
  const { code, message, errors } = error as Error & { code?: string; errors?: { code?: string }[] }
  const known = code ?? errors?.[0]?.code
  if (known !== undefined) return reasons[known] ?? known
  return /timeout/i.test(message) ? 'it does not answer' : 'it gave no reason'
}
