import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { projectRoot } from '../../support/source-files.ts'
import { emptyDatabase } from '../../support/test-database.ts'

export type DatabaseRoles = {
  /** The URL for the service's role. */
  readonly url: string
  /** The URL for the role that owns the tables, which is not a superuser. */
  readonly ownerUrl: string
  /** The URL for the server's superuser. */
  readonly superuserUrl: string
  readonly role: string
}

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/**
 * Creates the roles and the empty database of docs/database-roles.sql under unique names, as an
 * administrator who is not a superuser, as on a managed PostgreSQL. Dropped at the end of the test.
 */
export async function databaseRoles(t: Test): Promise<DatabaseRoles> {
  const { adminUrl: root } = await emptyDatabase(t)
  const name = `pair_${randomBytes(6).toString('hex')}`
  const administrator = `${name}_administrator`
  await onServer(root, [
    `CREATE ROLE ${administrator} LOGIN CREATEROLE CREATEDB PASSWORD 'administrator'`,
  ])
  const urlOf = (user: string, password: string, database: string) => {
    const url = new URL(root)
    url.username = user
    url.password = password
    url.pathname = `/${database}`
    return url.href
  }
  t.teardown(() =>
    onServer(root, [
      `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
      ...[name, `${name}_owner`, administrator].map((role) => `DROP ROLE IF EXISTS ${role}`),
    ]),
  )
  await onServer(urlOf(administrator, 'administrator', 'postgres'), statementsFor(name))
  const superuser = new URL(root)
  superuser.pathname = `/${name}`
  return {
    url: urlOf(name, 'application', name),
    ownerUrl: urlOf(`${name}_owner`, 'owner', name),
    superuserUrl: superuser.href,
    role: name,
  }
}

/** The SQL that psql would send; psql's own commands are executed here. */
function statementsFor(name: string): readonly string[] {
  return readFileSync(join(projectRoot, 'docs/database-roles.sql'), 'utf8')
    .replaceAll(/^(--|\\).*\n/gm, '')
    .replaceAll('shipping_ledger', name)
    .replaceAll(":'owner_password'", "'owner'")
    .replaceAll(":'password'", "'application'")
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

async function onServer(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
