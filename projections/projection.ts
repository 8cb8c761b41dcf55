import { type Kysely, sql, type Transaction } from 'kysely'
import type { LedgerEvent } from '../src/event-store/codec.ts'
import type { ReadModels } from './tables.ts'

/**
 * Held shared by whoever compares read models with the ledger, taken alone by whoever swaps one: a
 * swap drops tables, and would wait for the reader while everybody waits for it.
 */
export const swapLock = 'swap of read models'

export type Tx = Transaction<ReadModels>

/**
 * A read model: tables that are a function of the ledger alone, so that they can be dropped and made
 * again at any time. Each generation has tables of its own; the view of the same name shows the
 * active one.
 */
export type Projection = {
  readonly name: string
  /** Raised when tables or their meaning change: the next start builds the new one beside the old. */
  readonly version: number
  /** Stream name prefixes it reads. */
  readonly prefixes: readonly string[]
  /** Base names of its tables, each with a view of that name in schema `projections`. */
  readonly tables: readonly string[]
  /** The DDL of one generation; `table` gives a base name's qualified, quoted name in it. */
  readonly ddl: (table: TableName) => readonly string[]
  /** Applies events in order. Applying events again that were applied before changes nothing. */
  readonly apply: (tx: Tx, table: TableName, events: readonly LedgerEvent[]) => Promise<void>
}

export type TableName = (base: string) => string

export function tableOf(generation: number): TableName {
  return (base) => `projections.${base}_g${generation}`
}

/** Inserts or replaces rows given as JSON, unless what stands there is of the same or a later version. */
export async function upsertRows(
  tx: Tx,
  table: string,
  key: string,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const assignments = columns
    .filter((column) => column !== key)
    .map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  await sql`
    INSERT INTO ${sql.raw(table)} AS t (${list})
    SELECT ${list} FROM json_populate_recordset(NULL::${sql.raw(table)}, ${JSON.stringify(rows)}::json)
    ON CONFLICT (${sql.ref(key)}) DO UPDATE SET ${sql.join(assignments)}
    WHERE t.version < excluded.version`.execute(tx)
}

/** Makes a generation's tables; safe to repeat. */
export async function createTables(
  db: Kysely<ReadModels>,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const statement of projection.ddl(tableOf(generation))) await sql.raw(statement).execute(db)
}

export async function dropTables(
  db: Kysely<ReadModels>,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const base of projection.tables) {
    await sql.raw(`DROP TABLE IF EXISTS ${tableOf(generation)(base)} CASCADE`).execute(db)
  }
}

/**
 * Points the views at a generation. They are made anew, because a new version may have other columns.
 */
export async function showGeneration(
  tx: Tx,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const base of projection.tables) {
    await sql.raw(`DROP VIEW IF EXISTS projections.${base}`).execute(tx)
    const table = tableOf(generation)(base)
    await sql.raw(`CREATE VIEW projections.${base} AS SELECT * FROM ${table}`).execute(tx)
  }
}
