import type { Columns, WrittenRow } from './columns.ts'
import type { Changed } from './fold-batch.ts'

/** A table whose rows are a function of the folded states of shipments. */
export type Table<Of extends Columns = Columns> = {
  /** Its primary key. It also has `shipment_id` and `version`. */
  readonly key: string
  readonly columns: Of
  /** Its indexes besides the key's; `name` is the table's qualified name. */
  readonly indexes: (name: string) => readonly string[]
  /** All rows of these shipments. */
  readonly rows: (changed: readonly Changed[]) => readonly WrittenRow<Of>[]
}

export function table<Of extends Columns>(definition: Table<Of>): Table<Of> {
  return definition
}

/**
 * An index for each filter of a list, by its purpose: the columns that the filter fixes, then the
 * list's order, so that a page always reads only as many rows as it shows.
 */
export function listIndexes(
  name: string,
  key: string,
  columnsFor: Readonly<Record<string, string>>,
  where?: string,
): readonly string[] {
  return Object.entries(columnsFor).map(
    ([purpose, columns]) =>
      `CREATE INDEX IF NOT EXISTS ${index(name, purpose)} ON ${name}
        (${columns}, created_at DESC, ${key} DESC)${where === undefined ? '' : ` WHERE ${where}`}`,
  )
}

export function index(name: string, purpose: string): string {
  return `${name.slice(name.indexOf('.') + 1)}_by_${purpose}`
}
