import { type Kysely, sql, type Transaction } from 'kysely'
import { joinedTexts, textsOf } from '../src/database/joined-texts.ts'
import type { State } from '../src/domain/shipment.ts'
import type { LedgerEvent } from '../src/event-store/codec.ts'
import type { EventStore } from '../src/event-store/event-store.ts'
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
  /** The tables of one generation; `table` gives a base name's qualified, quoted name in it. */
  readonly ddl: (table: TableName) => readonly string[]
  /** Their indexes, besides what keys bring: made at once where a table is filled before it is read. */
  readonly indexes: (table: TableName) => readonly string[]
  /**
   * What events change, in order; writes nothing itself. Carrying out changes again that were carried
   * out before changes nothing. `kept` belongs to whoever follows one generation, and is thrown away
   * when a batch was not applied.
   */
  readonly changes: (
    store: StreamReader,
    table: TableName,
    events: readonly LedgerEvent[],
    kept: KeptStates,
  ) => Promise<readonly Change[]>
}

/** Where states are folded from that are not kept. */
export type StreamReader = Pick<EventStore, 'readStream'>

/** States as the last batches left them, by shipment, so that they need not be read again. */
export type KeptStates = Map<string, State>

/**
 * A statement, whose `$1` is rows as a JSON array. Its `$2` is what was left out of each of them, one
 * text a row, joined; null = nothing was.
 */
export type Change = {
  readonly statement: string
  readonly rows: string
  readonly texts: string | null
}

export type TableName = (base: string) => string

export function tableOf(generation: number): TableName {
  return (base) => `projections.${base}_g${generation}`
}

/**
 * Inserts or replaces rows, unless what stands there is of the same or a later version. They go as
 * JSON, but for the column `apart`, whose JSON is larger than all the others.
 */
export function upsert(
  table: string,
  key: string,
  rows: readonly object[],
  apart: string | null,
): readonly Change[] {
  const [first] = rows
  if (first === undefined) return []
  const names = Object.keys(first)
  const columns = names.map((name) => `"${name}"`)
  const assignments = names
    .filter((name) => name !== key)
    .map((name) => `"${name}" = excluded."${name}"`)
  const values = names.map((name) => (name === apart ? 'string_to_table::json' : `"${name}"`))
  const recordset = `json_populate_recordset(NULL::${table}, $1)`
  const statement = `
    INSERT INTO ${table} AS t (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM ${apart === null ? recordset : `ROWS FROM (${recordset}, ${textsOf('$2')})`}
    ON CONFLICT ("${key}") DO UPDATE SET ${assignments.join(', ')}
    WHERE t.version < excluded.version`
  if (apart === null) return [{ statement, rows: JSON.stringify(rows), texts: null }]
  return [
    {
      statement,
      rows: JSON.stringify(rows.map((row) => ({ ...row, [apart]: undefined }))),
      texts: joinedTexts(rows.map((row) => JSON.stringify(Reflect.get(row, apart)))),
    },
  ]
}

/** Makes a generation's tables, without their indexes; safe to repeat. */
export async function createTables(
  db: Kysely<ReadModels>,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const statement of projection.ddl(tableOf(generation))) await sql.raw(statement).execute(db)
}

/** Each is the work of one processor, of which a small machine has two. */
const indexesAtOnce = 2

/**
 * Makes the indexes of a generation; safe to repeat. Of those who do so at a time one makes each, and
 * a large table takes longer than a statement of the service may.
 */
export async function createIndexes(
  db: Kysely<ReadModels>,
  projection: Projection,
  generation: number,
): Promise<void> {
  const left = projection.indexes(tableOf(generation)).values()
  const makeNext = async () => {
    for (const statement of left) {
      await db.transaction().execute(async (tx) => {
        await sql`SET LOCAL statement_timeout = 0`.execute(tx)
        await sql`SET LOCAL maintenance_work_mem = '128MB'`.execute(tx)
        await sql`SET LOCAL max_parallel_maintenance_workers = 0`.execute(tx)
        await sql`SELECT pg_advisory_xact_lock(hashtext(${statement}))`.execute(tx)
        await sql.raw(statement).execute(tx)
      })
    }
  }
  await Promise.all(Array.from({ length: indexesAtOnce }, makeNext))
}

/**
 * The generations that have a table of the projection's, known or left behind: an earlier version of the
 * code kept the tables by several projections, each with generations of its own.
 */
export async function generationsOf(
  db: Kysely<ReadModels>,
  projection: Projection,
): Promise<readonly number[]> {
  const { rows } = await sql<{ generation: number }>`
    SELECT DISTINCT substring(relname FROM '_g([0-9]+)$')::int AS generation
    FROM pg_class WHERE relnamespace = to_regnamespace('projections') AND relkind = 'r'
      AND substring(relname FROM '^(.*)_g[0-9]+$') = ANY (${projection.tables})`.execute(db)
  return rows.map((row) => row.generation)
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
