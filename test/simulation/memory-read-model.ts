import { foldBatch } from '../../projections/fold-batch.ts'
import type { FoldedProjection } from '../../projections/folded.ts'
import type { KeptStates, StreamReader } from '../../projections/projection.ts'
import { decodeEvent } from '../../src/event-store/codec.ts'
import type { Position, StoredEvent } from '../../src/event-store/event-store.ts'

type Row = { readonly shipment_id: string; readonly version: number }

/** Another has moved the checkpoint. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
}

/**
 * A read model in memory, made by the projection's own rows: rows and checkpoint change together, or
 * not at all, as in the transaction that carries them out in the database.
 */
export class MemoryReadModel {
  readonly #projection: FoldedProjection
  readonly #tables = new Map<string, Map<string, Row>>()
  position: Position | null = null

  constructor(projection: FoldedProjection) {
    this.#projection = projection
    for (const table of projection.tables) this.#tables.set(table, new Map())
  }

  get projection(): FoldedProjection {
    return this.#projection
  }

  get prefixes(): readonly string[] {
    return this.#projection.prefixes
  }

  rows<R extends object>(table: string): readonly (R & Row)[] {
    return [...(this.#tables.get(table)?.values() ?? [])] as unknown as readonly (R & Row)[]
  }

  /** Works out what a batch changes; carrying that out is one step. Throws Fenced. */
  async prepare(
    store: StreamReader,
    events: readonly StoredEvent[],
    kept: KeptStates,
  ): Promise<(from: Position | null, to: Position) => void> {
    const changed = await foldBatch(
      store,
      events.map((event) => decodeEvent(event)),
      kept,
    )
    return (from, to) => {
      if (this.position !== from) throw new Fenced()
      this.position = to
      for (const [table, { key, rows }] of Object.entries(this.#projection.rowsOf)) {
        for (const row of rows(changed)) this.#keep(table, key, row as Row)
      }
    }
  }

  #keep(table: string, key: string, row: Row): void {
    const rows = this.#tables.get(table)
    const id = String((row as unknown as Record<string, unknown>)[key])
    const before = rows?.get(id)
    if (before === undefined || before.version < row.version) rows?.set(id, row)
  }
}
