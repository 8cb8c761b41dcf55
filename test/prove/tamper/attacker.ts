import pg from 'pg'
import { projections } from '../../../projections/all.ts'
import type { Table } from '../../../projections/table.ts'
import type { EvidenceLedger } from './evidence-ledger.ts'

export type Column = { readonly table: string; readonly column: string; readonly type: string }

/** A table and its writable columns. */
type Kept = { readonly name: string; readonly columns: string }

const db: Readonly<Record<string, Table>> = Object.assign(
  {},
  ...projections.map(({ tables }) => tables),
)

/** The superuser, whom no trigger and no foreign key stops, with a copy of every table. */
export class Attacker {
  readonly client: pg.Client
  #tables: readonly Kept[] = []

  constructor(adminUrl: string) {
    this.client = new pg.Client({ connectionString: adminUrl })
  }

  async begin(): Promise<void> {
    const { client } = this
    await client.connect()
    await client.query(`SET session_replication_role = replica`)
    await client.query('ALTER TABLE ledger.event DISABLE TRIGGER ALL')
    const { rows } = await client.query<Kept>(`
      SELECT format('%I.%I', table_schema, table_name) AS name,
        string_agg(format('%I', column_name), ', ' ORDER BY ordinal_position) AS columns
      FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema IN ('ledger', 'public', 'projections') AND table_type = 'BASE TABLE'
        AND is_generated = 'NEVER'
      GROUP BY 1 ORDER BY 1`)
    this.#tables = rows
    await client.query('CREATE SCHEMA untouched')
    for (const { name, columns } of rows) {
      await client.query(`CREATE TABLE ${copyOf(name)} AS SELECT ${columns} FROM ${name}`)
    }
  }

  /** Restores every table. */
  async restore(): Promise<void> {
    const statements = this.#tables.map(
      ({ name, columns }) =>
        `DELETE FROM ${name}; INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${columns} FROM ${copyOf(name)}`,
    )
    await this.client.query(statements.join(';'))
  }

  /** Changes the value of a column in one row. */
  async change({ table, column, type }: Column, { ids }: EvidenceLedger): Promise<void> {
    const value = special[`${table}.${column}`] ?? others[type]?.(column)
    if (value === undefined) throw new Error(`no other value is known for ${table}.${column}`)
    const { rowCount } = await this.client.query(
      `UPDATE ${table} SET ${column} = ${value} WHERE ${rowOf(table, ids)}`,
    )
    if (rowCount !== 1) throw new Error(`${table} has no row to change`)
  }

  async end(): Promise<void> {
    await this.client.end()
  }
}

function copyOf(table: string): string {
  return `untouched."${table}"`
}

/** The row to change. */
function rowOf(table: string, ids: EvidenceLedger['ids']): string {
  const key = db[table.replace('projections.', '')]?.key
  if (key !== undefined) return `${key} = (SELECT min(${key}) FROM ${table})`
  const ofIssued = `(SELECT ref FROM vault WHERE shipment_id = '${ids.issued}')`
  switch (table) {
    case 'vault':
      return `ref = ${ofIssued}`
    case 'vault_items':
      return `ref = (SELECT min(ref::text)::uuid FROM vault_items WHERE vault_ref = ${ofIssued})`
    case 'workspaces':
      return `id = '${ids.heldWorkspace}'`
    case 'operators':
      return `id = '${ids.operatorId}'`
    case 'sealed_batches':
      return `first_index = (SELECT first_index FROM sealed_batches
        ORDER BY (SELECT count(DISTINCT s) FROM unnest(streams) AS s) DESC LIMIT 1)`
    case 'ledger.event':
      return `stream_id = 'shipment-${ids.issued.slice(4)}' AND type = 'GuideIssued'`
    default:
      return `ctid = (SELECT min(ctid) FROM ${table})`
  }
}

/** SQL for another value where constraints allow only some. */
const special: Readonly<Record<string, string>> = {
  'organizations.type': `'platform'`,
  'operators.status': `'disabled'`,
  'workspaces.legal_hold_since': 'NULL',
}

/** SQL for another value of the same type. */
const others: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  uuid: () => 'gen_random_uuid()',
  boolean: (column) => `NOT ${column}`,
  smallint: (column) => `${column} + 100`,
  integer: (column) => `coalesce(${column}, 0) + 1000`,
  bigint: (column) => `coalesce(${column}, 0) + 1000`,
  'timestamp with time zone': (column) =>
    `coalesce(${column}, '2026-01-01Z') + interval '1 second'`,
  json: (column) => `jsonb_set(coalesce(${column}::jsonb, '{}'), '{updatedAt}', '1')::json`,
  bytea: (column) => `set_byte(${column}, 20, 255 - get_byte(${column}, 20))`,
  ARRAY: (column) =>
    `CASE WHEN cardinality(${column}) > 1 THEN ${column}[2:] || ${column}[1:1]
       ELSE array_append(${column}, NULL) END`,
}

/** Every column of every table, and of the views through which the read models are read. */
export async function columnsOf(client: pg.Client): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(`
    SELECT CASE table_schema WHEN 'public' THEN '' ELSE table_schema || '.' END || table_name
        AS "table", column_name AS "column", data_type AS "type"
    FROM information_schema.columns
    WHERE table_schema IN ('ledger', 'public')
      OR (table_schema = 'projections' AND table_name IN (
        SELECT viewname FROM pg_views WHERE schemaname = 'projections'))
    ORDER BY table_schema, table_name, ordinal_position`)
  return rows
}
