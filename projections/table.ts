import type { Columns, WrittenRow } from './columns.ts'
import type { Folded } from './fold-batch.ts'

/** What rows are derived from: changed shipments and administrative acts. */
export type RowSource = Pick<Folded, 'changed' | 'acts'>

/** The column that identifies the shipment or act from which a row is derived. */
export const sourceColumns = { shipments: 'shipment_id', acts: 'position' } as const

/** A table whose rows are derived from the folded states of shipments, or from single acts. */
export type Table<Of extends Columns = Columns> = {
  /** What rows are derived from. The table has the column that `sourceColumns` names for it. */
  readonly madeOf: keyof typeof sourceColumns
  /** Its primary key. The table also has a column `version`. */
  readonly key: string
  readonly columns: Of
  /** Its indexes apart from the primary key; `name` is the table's qualified name. */
  readonly indexes: (name: string) => readonly string[]
  /** All rows of these shipments and acts. */
  readonly rows: (source: RowSource) => readonly WrittenRow<Of>[]
}

export function table<Of extends Columns>(definition: Table<Of>): Table<Of> {
  return definition
}

/**
 * An index for each filter of a list, by purpose: the columns that the filter fixes, then the list's
 * order, so that a page reads only as many rows as it shows.
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
