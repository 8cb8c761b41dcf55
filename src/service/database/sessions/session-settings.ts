import type pg from 'pg'

export type SessionSettings = Readonly<Record<string, string>>

/**
 * Settings that every session of the service needs, regardless of the defaults of the server, the
 * database or the role. They are set by statements after connecting, because poolers refuse or ignore
 * startup parameters. Names that a version of PostgreSQL does not know are skipped.
 */
const requiredSettings = {
  // Each statement must see what was committed before it.
  default_transaction_isolation: 'read committed',
  // An acknowledged commit is on disk. `remote_write` and `remote_apply` promise more and are kept.
  synchronous_commit: 'on',
  // The service sets its own limits on statements and transactions for each kind of work.
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
} satisfies SessionSettings

/** How the service reads and writes values. A server with other formats needs no warning. */
const formats = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
} satisfies SessionSettings

const applySql = `SELECT set_config(name, value, false)
  FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
  WHERE current_setting(name, true) IS NOT NULL
    AND NOT (name = 'synchronous_commit' AND value = 'on' AND current_setting(name) LIKE 'remote%')`

/** The statement that applies the service's settings to a session; `own` takes precedence. */
export function applySettings(own: SessionSettings = {}): pg.QueryConfig {
  const wanted = { ...requiredSettings, ...formats, ...own }
  return { text: applySql, values: [Object.keys(wanted), Object.values(wanted)] }
}

const overriddenSql = `SELECT name, concat_ws(' ', reset_val, unit) AS value FROM pg_settings
  WHERE name = ANY ($1) AND reset_val <> boot_val AND reset_val <> setting
  ORDER BY name`

/**
 * The defaults of the server, the database or the role that the service's sessions override, as
 * `name = value`. The client's session must have the service's settings.
 */
export async function overriddenSettings(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; value: string }>(overriddenSql, [
    Object.keys(requiredSettings),
  ])
  return rows.map(({ name, value }) => `${name} = ${value}`)
}
