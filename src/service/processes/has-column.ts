import { type QueryExecutorProvider, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'

/** Columns found so far: a read model never loses one. */
const seen = new WeakMap<QueryExecutorProvider, Set<string>>()

/**
 * Whether a read model has the column. A read model of an earlier version lacks it until it is
 * rebuilt. Code that needs the column waits; no data is lost, because the rebuild reads it from the
 * ledger.
 */
export async function hasColumn<Table extends keyof ReadModels>(
  db: QueryExecutorProvider,
  table: Table,
  column: keyof ReadModels[Table] & string,
): Promise<boolean> {
  const known = seen.get(db) ?? new Set()
  seen.set(db, known)
  const name = `${table}.${column}`
  if (known.has(name)) return true
  const { rows } = await sql`
    SELECT FROM pg_attribute
    WHERE attrelid = to_regclass(${table}) AND attname = ${column}`.execute(db)
  if (rows.length > 0) known.add(name)
  return rows.length > 0
}
