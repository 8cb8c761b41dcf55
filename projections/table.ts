import type { Columns, WrittenRow } from './columns.ts'
import type { Folded } from './fold-batch.ts'

/** What rows are made of: changed shipments and administrative acts. */
export type RowSource = Pick<Folded, 'changed' | 'acts'>

/** The column that says which shipment, or which act, a row comes from. */
export const sourceColumns = { shipments: 'shipment_id', acts: 'position' } as const

/** A table whose rows are a function of the folded states of shipments, or of single acts. */
export type Table<Of extends Columns = Columns> = {
  /** It has the column that `sourceColumns` names. */
  readonly madeOf: keyof typeof sourceColumns
  /** Its primary key. It also has `version`. */
  readonly key: string
  readonly columns: Of
  /** Its indexes besides the key's; `name` is the table's qualified name. */
  readonly indexes: (name: string) => readonly string[]
  /** All rows of these shipments and acts. */
  readonly rows: (source: RowSource) => readonly WrittenRow<Of>[]
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
