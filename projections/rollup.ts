import type { Columns, WrittenRow } from './columns.ts'
import type { Step } from './fold-batch.ts'

/**
 * A table of sums over events. (The rows of a `Table` are derived from a shipment's state instead.) Rows
 * are added to those with the same key, so each event must be counted exactly once, which the checkpoint
 * written with them guarantees.
 */
export type Rollup<Of extends Columns = Columns> = {
  /** Its primary key: every column except `counts`. */
  readonly key: readonly string[]
  /** `counts` holds the sums by name, without zeros. */
  readonly columns: Of
  /** Its indexes apart from the primary key; `name` is the table's qualified name. */
  readonly indexes: (name: string) => readonly string[]
  /** The sums that these events add, one row per key. `now` is the wall clock. */
  readonly rows: (steps: readonly Step[], now: number) => readonly WrittenRow<Of>[]
}

export function rollup<Of extends Columns>(definition: Rollup<Of>): Rollup<Of> {
  return definition
}

/** SQL for the sums of two rows, added name by name. */
function addedSql(one: string, other: string): string {
  return `(
    SELECT jsonb_object_agg(name, total) FROM (
      SELECT name, sum(value::bigint) AS total
      FROM (SELECT * FROM jsonb_each_text(${one}) UNION ALL SELECT * FROM jsonb_each_text(${other}))
        AS both_of (name, value)
      GROUP BY name
    ) added)`
}

/** The names of all columns of a table of sums, and of its key columns. */
export type SumColumns = { readonly key: readonly string[]; readonly columns: readonly string[] }

/** SQL that adds rows to a table with these columns; `rows` is a query that returns them. */
export function addRowsSql(name: string, { key, columns }: SumColumns, rows: string): string {
  const names = columns.join(', ')
  // Sorted by key, so that two writers cannot deadlock.
  return `
    INSERT INTO ${name} AS t (${names})
    SELECT ${names} FROM (${rows}) AS more ORDER BY ${key.join(', ')}
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET counts = ${addedSql('t.counts', 'excluded.counts')}`
}

/** The same for a JSON array of rows. */
export function addJsonSql(name: string, { key, columns }: Rollup, rows: string): string {
  const each = `SELECT * FROM json_populate_recordset(NULL::${name}, ${rows})`
  return addRowsSql(name, { key, columns: Object.keys(columns) }, each)
}
