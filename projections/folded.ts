import { type Changed, foldBatch } from './fold-batch.ts'
import { type Projection, type TableName, upsert } from './projection.ts'

/** A table whose rows are a function of the folded states of shipments. */
export type FoldedTable = {
  /** Its primary key. Besides it has `shipment_id` and `version`. */
  readonly key: string
  /** Every row of these shipments, as JSON of its columns. */
  readonly rows: (changed: readonly Changed[]) => readonly object[]
  /** The column that holds most of a row, and is JSON. */
  readonly apart?: string
}

/** Tables of one subject, with their indexes. */
export type FoldedPart = {
  readonly rowsOf: Readonly<Record<string, FoldedTable>>
  readonly ddl: (table: TableName) => readonly string[]
  readonly indexes: (table: TableName) => readonly string[]
}

/**
 * A read model that is made of folded shipments. What a row is, is said once: whoever keeps the tables
 * up to date and whoever compares them with the ledger both ask `rowsOf`.
 */
export type FoldedProjection = Projection & Pick<FoldedPart, 'rowsOf'>

/**
 * Everything that is made of folded shipments, as one projection: an event is read and folded once. The
 * parts come in the order in which queries that join their tables name them: a swap locks their views in
 * this order, and in another the two would wait for each other.
 */
export function folded(definition: {
  readonly name: string
  readonly version: number
  readonly prefixes: readonly string[]
  readonly parts: readonly FoldedPart[]
}): FoldedProjection {
  const { parts, ...described } = definition
  const rowsOf = Object.assign({}, ...parts.map((part) => part.rowsOf)) as FoldedPart['rowsOf']
  return {
    ...described,
    rowsOf,
    tables: Object.keys(rowsOf),
    ddl: (table) => parts.flatMap((part) => part.ddl(table)),
    indexes: (table) => parts.flatMap((part) => part.indexes(table)),
    async changes(store, table, events, kept) {
      const changed = await foldBatch(store, events, kept)
      return Object.entries(rowsOf).flatMap(([name, { key, rows, apart }]) =>
        upsert(table(name), key, rows(changed), apart ?? null),
      )
    },
  }
}
