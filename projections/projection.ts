import { type Kysely, sql, type Transaction } from 'kysely'
import { createTableSql } from './columns.ts'
import type { Folded } from './fold-batch.ts'
import { addJsonSql, type Rollup } from './rollup.ts'
import type { Table } from './table.ts'
import type { Tables } from './tables.ts'

/**
 * A lock that comparisons of read models with the ledger take shared and swaps take exclusively. Without
 * it, a swap, which drops tables, would wait for a comparison while all other queries wait for the swap.
 */
export const swapLock = 'swap of read models'

export type Tx = Transaction<Tables>

/** Data derived from the ledger and kept up to date, with its own checkpoint. */
export type Projection = {
  readonly name: string
  /**
   * Increase it when tables or their meaning change: the next start builds the new one beside the old.
   */
  readonly version: number
  /** The prefixes of the streams that it reads. */
  readonly prefixes: readonly string[]
  /** Its tables by base name. Each has a view of that name in the schema `projections`. */
  readonly tables: Readonly<Record<string, Table>>
  /** Its rollups by base name, each with such a view. */
  readonly rollups?: Readonly<Record<string, Rollup>>
  /** Statements that write the rows they are given. Their text is fixed per generation. */
  readonly writes: (tableOf: TableName) => readonly Write[]
  /**
   * Returns the rows for each of `writes`, in order. Writing the rows of a table again changes nothing,
   * but rows of a rollup are added: write them only together with the checkpoint.
   */
  readonly rows: (folded: Folded) => Promise<readonly (readonly object[])[]>
}

/** Builds a statement that writes rows, given SQL for a JSON array of them. */
export type Write = (rows: string) => string

/**
 * A read model: tables derived from the ledger alone, so they can be dropped and rebuilt at any time.
 * Each generation has its own tables, and the view with the base name shows the active one. Rows are
 * defined once: the follower that updates the tables and the comparison with the ledger both use the
 * tables' `rows`.
 */
export function readModel(
  definition: Pick<Projection, 'name' | 'version' | 'prefixes' | 'tables' | 'rollups'>,
): Projection {
  const tables = Object.entries(definition.tables)
  const rollups = Object.entries(definition.rollups ?? {})
  return {
    ...definition,
    writes: (tableOf) => [
      ...tables.map(([name, table]) => upsert(tableOf(name), table)),
      ...rollups.map(
        ([name, each]) =>
          (rows: string) =>
            addJsonSql(tableOf(name), each, rows),
      ),
    ],
    rows: async (folded) => [
      ...tables.map(([, table]) => table.rows(folded)),
      ...rollups.map(([, each]) => each.rows(folded.steps, Date.now())),
    ],
  }
}

type Shape = Pick<Rollup, 'key' | 'columns' | 'indexes'>

/** Base names and shapes of all tables of a generation. */
function shapesOf({ tables, rollups = {} }: Projection): readonly (readonly [string, Shape])[] {
  const ofTables = Object.entries(tables).map(([name, table]): [string, Shape] => [
    name,
    { ...table, key: [table.key] },
  ])
  return [...ofTables, ...Object.entries(rollups)]
}

function namesOf(projection: Projection): readonly string[] {
  return shapesOf(projection).map(([name]) => name)
}

type TableName = (base: string) => string

export function tableOf(generation: number): TableName {
  return (base) => `projections.${base}_g${generation}`
}

/** Inserts or replaces rows, except where the existing row has the same or a later version. */
function upsert(name: string, { key, columns }: Table): Write {
  const names = Object.keys(columns)
  const assignments = names
    .filter((column) => column !== key)
    .map((column) => `${column} = excluded.${column}`)
  return (rows) => `
    INSERT INTO ${name} AS t (${names.join(', ')})
    SELECT ${names.join(', ')} FROM json_populate_recordset(NULL::${name}, ${rows})
    ON CONFLICT (${key}) DO UPDATE SET ${assignments.join(', ')}
    WHERE t.version < excluded.version`
}

/** Creates a generation's tables without their indexes. Safe to repeat. */
export async function createTables(
  db: Kysely<Tables>,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const [base, { key, columns }] of shapesOf(projection)) {
    await sql.raw(createTableSql(tableOf(generation)(base), key, columns)).execute(db)
  }
}

/** The statements that create a generation's indexes, apart from primary keys. */
export function indexesOf(projection: Projection, generation: number): readonly string[] {
  return shapesOf(projection).flatMap(([base, { indexes }]) => indexes(tableOf(generation)(base)))
}

/** Each index build keeps one processor busy, and a small machine has two. */
const indexesAtOnce = 2

/**
 * Creates the indexes of a generation. Safe to repeat; concurrent callers create each index once. There
 * is no statement timeout, because a large table takes longer than the service's.
 */
export async function createIndexes(
  db: Kysely<Tables>,
  projection: Projection,
  generation: number,
): Promise<void> {
  const left = indexesOf(projection, generation).values()
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
 * The generations that have a table of the projection, registered or not: an earlier version of the code
 * had the tables in several projections, each with its own generations.
 */
export async function generationsOf(
  db: Kysely<Tables>,
  projection: Projection,
): Promise<readonly number[]> {
  const { rows } = await sql<{ generation: number }>`
    SELECT DISTINCT substring(relname FROM '_g([0-9]+)$')::int AS generation
    FROM pg_class WHERE relnamespace = to_regnamespace('projections') AND relkind = 'r'
      AND substring(relname FROM '^(.*)_g[0-9]+$') = ANY (${namesOf(projection)})`.execute(db)
  return rows.map((row) => row.generation)
}

export async function dropTables(
  db: Kysely<Tables>,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const base of namesOf(projection)) {
    await sql.raw(`DROP TABLE IF EXISTS ${tableOf(generation)(base)} CASCADE`).execute(db)
  }
}

/**
 * Points the views at a generation. They are recreated, because a new version may have other columns.
 */
export async function showGeneration(
  tx: Tx,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const base of namesOf(projection)) {
    await sql.raw(`DROP VIEW IF EXISTS projections.${base}`).execute(tx)
    const table = tableOf(generation)(base)
    await sql.raw(`CREATE VIEW projections.${base} AS SELECT * FROM ${table}`).execute(tx)
  }
}
