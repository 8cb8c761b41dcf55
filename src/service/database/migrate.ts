import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { StartError } from '../start-error.ts'
import { SessionClient, type SessionConfig } from './sessions/session-client.ts'

const folder = join(import.meta.dirname, 'migrations')
const schema = 'migrations'
/** An arbitrary advisory lock id, by which concurrent starts grant one after the other. */
const grantLock = 7_310_002
/** The longest that another start holds the lock while it migrates a large database. */
const migrateTimeoutMs = 10 * 60_000

type MigrateOptions = {
  /** The URL for the role that owns the tables or will own them. */
  readonly adminUrl: string
  /** The service's role. If it is the role of `adminUrl`, it owns everything and needs no grants. */
  readonly applicationRole: string
}

/** The names of the numbered migrations, in order. */
export function migrationNames(): string[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort()
}

export function migrationText(name: string): string {
  return readFileSync(join(folder, `${name}.sql`), 'utf8')
}

/**
 * Brings the database to this code's version, in one transaction, and grants the application's role
 * its rights. Safe to repeat and to run from many processes at once. Throws StartError if the database
 * is newer than the code.
 */
export async function migrate(options: MigrateOptions): Promise<{ readonly applied: string[] }> {
  const db = openOne({
    connectionString: options.adminUrl,
    settings: { statement_timeout: String(migrateTimeoutMs) },
    application_name: 'shipping-ledger migrations',
  })
  try {
    await refuseNewer(db)
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations() },
      migrationTableSchema: schema,
    })
    const { error, results } = await migrator.migrateToLatest()
    if (error) throw error
    await grant(db, options.applicationRole)
    return { applied: (results ?? []).map((result) => result.migrationName) }
  } finally {
    await db.destroy()
  }
}

/** A database with one session. */
function openOne(config: SessionConfig): Kysely<unknown> {
  const onePool: pg.PoolConfig & SessionConfig = { ...config, Client: SessionClient, max: 1 }
  const pool = new pg.Pool(onePool)
  pool.on('error', () => {})
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}

function migrations(): Record<string, Migration> {
  return Object.fromEntries(
    migrationNames().map((name) => [
      name,
      {
        async up(db: Kysely<unknown>) {
          await sql.raw(migrationText(name)).execute(db)
        },
      },
    ]),
  )
}

/**
 * For a role that may not migrate: throws StartError unless the database is already at this code's
 * version.
 */
export async function checkMigrated(url: string): Promise<void> {
  const db = openOne({ connectionString: url })
  try {
    const applied = await refuseNewer(db)
    const missing = migrationNames().filter((name) => !applied.includes(name))
    if (missing.length > 0) throw new StartError(notMigrated(missing.length))
  } finally {
    await db.destroy()
  }
}

function notMigrated(count: number): string {
  return `The database lacks ${count} migration${count === 1 ? '' : 's'} of this version, and the role of DATABASE_URL may not apply migrations: run the command \`database migrate\` with DATABASE_ADMIN_URL set to the role that owns the tables.`
}

/** Returns the names of the applied migrations. Throws StartError if the database is newer. */
async function refuseNewer(db: Kysely<unknown>): Promise<readonly string[]> {
  const table = sql.table(`${schema}.kysely_migration`)
  const there = await sql<{
    there: boolean
  }>`SELECT to_regclass('migrations.kysely_migration') IS NOT NULL AS there`.execute(db)
  if (!there.rows[0]?.there) return []
  const applied = await sql<{ name: string }>`SELECT name FROM ${table} ORDER BY name`.execute(db)
  const names = applied.rows.map((row) => row.name)
  const known = new Set(migrationNames())
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length === 0) return names
  throw new StartError(
    `The database is newer than this version of shipping-ledger (it has the migration ${unknown.at(-1)}): start the version that migrated it, or a newer one.`,
  )
}

/**
 * The application's rights on tables that are evidence or that bind the database to its ledger. Rows are
 * added and never changed, except that the tree grows in place. Functions of the owner erase and rewrap
 * rows of the vault.
 */
const evidence: Readonly<Record<string, string>> = {
  sealed_batches: 'INSERT',
  checkpoints: 'INSERT',
  checkpoint_keys: 'INSERT',
  checkpoint_cosignatures: 'INSERT',
  merkle_tiles: 'INSERT, UPDATE (hashes)',
  merkle_tree: 'INSERT, UPDATE (size, position, event_id)',
  lost_sealed_batches: 'SELECT',
  lost_checkpoints: 'SELECT',
  event_store_binding: 'INSERT',
  vault: 'INSERT',
  workspace_hold_notes: 'INSERT, UPDATE (note)',
  vault_items: 'INSERT',
}
export const evidenceTables = Object.keys(evidence)

/**
 * Grants the application's role its rights: it reads and writes its tables, creates the tables of read
 * models and adds to evidence. It reaches the ledger only through functions and SELECT, so none of its
 * statements can change an event.
 */
async function grant(db: Kysely<unknown>, applicationRole: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(grantLock)})`.execute(tx)
    const current = await sql<{
      same: boolean
    }>`SELECT current_user = ${applicationRole} AS same`.execute(tx)
    if (current.rows[0]?.same) return
    const role = sql.id(applicationRole)
    for (const statement of [
      sql`GRANT USAGE ON SCHEMA public, ledger, migrations TO ${role}`,
      sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
      sql`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
      sql`REVOKE ALL ON ALL TABLES IN SCHEMA ledger FROM ${role}`,
      sql`GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO ${role}`,
      sql`GRANT SELECT ON migrations.kysely_migration TO ${role}`,
      sql`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ledger TO ${role}`,
      sql`GRANT USAGE, CREATE ON SCHEMA projections TO ${role}`,
      ...Object.entries(evidence).flatMap(([table, rights]) => [
        sql`REVOKE INSERT, UPDATE, DELETE ON ${sql.table(table)} FROM ${role}`,
        sql`GRANT ${sql.raw(rights)} ON ${sql.table(table)} TO ${role}`,
      ]),
    ]) {
      await statement.execute(tx)
    }
    await transferOwnership(tx, applicationRole)
  })
}

/**
 * Hands over read models that were created when the owner was also the application's role. Otherwise the
 * application could not rebuild them.
 */
async function transferOwnership(db: Kysely<unknown>, applicationRole: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'projections'::regnamespace AND relkind = 'r'
      AND pg_get_userbyid(relowner) = current_user`.execute(db)
  for (const { name } of rows) {
    const table = sql.table(`projections.${name}`)
    await sql`ALTER TABLE ${table} OWNER TO ${sql.id(applicationRole)}`.execute(db)
  }
}
