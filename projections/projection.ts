import { type Kysely, sql, type Transaction } from 'kysely'
import { createTableSql } from './columns.ts'
import type { Folded } from './fold-batch.ts'
import { addJsonSql, type Rollup } from './rollup.ts'
import type { Table } from './table.ts'
import type { ReadModels } from './tables.ts'

/**
 * A comparison of read models with the ledger takes it shared, a swap takes it exclusively. A swap
 * drops tables: it would wait for the comparison while all other queries wait for the swap.
 */
export const swapLock = 'swap of read models'

export type Tx = Transaction<ReadModels>

/** Data derived from the ledger and kept up to date with it, under its own checkpoint. */
export type Projection = {
  readonly name: string
  /**
   * Raised when tables or their meaning change: the next start builds the new one beside the old.
   */
  readonly version: number
  /** Stream name prefixes it reads. */
  readonly prefixes: readonly string[]
  /** Base names of its tables, each with a view of that name in schema `projections`. */
  readonly tables: Readonly<Record<string, Table>>
  /** The same for its sums over the events. */
  readonly rollups?: Readonly<Record<string, Rollup>>
  /** Statements with fixed text per generation; each writes the rows that it is given. */
  readonly writes: (tableOf: TableName) => readonly Write[]
  /**
   * The rows for each of `writes`, in order; writes nothing itself. Writing rows of a table again
   * changes nothing; those of a rollup are added, so write them only together with the checkpoint.
   */
  readonly rows: (folded: Folded) => Promise<readonly (readonly object[])[]>
}

/** A statement that writes rows: `rows` is SQL for a JSON array of them. */
export type Write = (rows: string) => string

/**
 * A read model: tables that are a function of the ledger alone, so that they can be dropped and
 * rebuilt at any time. Each generation has its own tables; the view of the same name shows the
 * active one. Rows are defined once: the follower that updates the tables and the comparison with
 * the ledger both use the tables' `rows`.
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

/** Base names and shapes of everything that a generation has. */
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

/** Inserts or replaces rows, unless the existing row has the same or a later version. */
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

/** Creates a generation's tables, without their indexes; safe to repeat. */
export async function createTables(
  db: Kysely<ReadModels>,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const [base, { key, columns }] of shapesOf(projection)) {
    await sql.raw(createTableSql(tableOf(generation)(base), key, columns)).execute(db)
  }
}

/** The statements that create a generation's indexes, besides those of the keys. */
export function indexesOf(projection: Projection, generation: number): readonly string[] {
  return shapesOf(projection).flatMap(([base, { indexes }]) => indexes(tableOf(generation)(base)))
}

/** Each keeps one processor busy, and a small machine has two. */
const indexesAtOnce = 2

/**
 * Creates the indexes of a generation; safe to repeat. Concurrent callers create each index once. A
 * large table takes longer than the service's statement timeout.
 */
export async function createIndexes(
  db: Kysely<ReadModels>,
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
 * The generations that have a table of the projection, registered or left behind: an earlier
 * version of the code kept the tables in several projections, each with its own generations.
 */
export async function generationsOf(
  db: Kysely<ReadModels>,
  projection: Projection,
): Promise<readonly number[]> {
  const { rows } = await sql<{ generation: number }>`
    SELECT DISTINCT substring(relname FROM '_g([0-9]+)$')::int AS generation
    FROM pg_class WHERE relnamespace = to_regnamespace('projections') AND relkind = 'r'
      AND substring(relname FROM '^(.*)_g[0-9]+$') = ANY (${namesOf(projection)})`.execute(db)
  return rows.map((row) => row.generation)
}

export async function dropTables(
  db: Kysely<ReadModels>,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const base of namesOf(projection)) {
    await sql.raw(`DROP TABLE IF EXISTS ${tableOf(generation)(base)} CASCADE`).execute(db)
  }
}

/**
 * Points the views at a generation. They are recreated, because a new version may have other
 * columns.
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
