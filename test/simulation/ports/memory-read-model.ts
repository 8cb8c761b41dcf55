import { foldBatch, type StateCache } from '../../../projections/fold-batch.ts'
import type { StreamReader } from '../../../projections/load-states.ts'
import type { Projection } from '../../../projections/projection.ts'
import { auditStreamPrefix } from '../../../src/service/domain/ids.ts'
import { actOf, decodeEvent } from '../../../src/service/event-store/codec.ts'
import type { Position, StoredEvent } from '../../../src/service/event-store/event-store.ts'
import { plansOf } from '../../../src/service/processes/due/list.ts'

type Row = { readonly shipment_id: string; readonly version: number }

/** Another process has moved the checkpoint. */
export class CheckpointConflict extends Error {
  override readonly name = 'CheckpointConflict'
}

/**
 * A read model in memory that uses the projection's own row functions: rows and checkpoint change
 * together or not at all, as in the database transaction.
 */
export class MemoryReadModel {
  readonly #projection: Projection
  readonly #tables = new Map<string, Map<string, Row>>()
  /** When shipments are to be reconciled: the list of due work, under the same checkpoint. */
  readonly reconcileAt = new Map<string, string>()
  position: Position | null = null

  constructor(projection: Projection) {
    this.#projection = projection
    for (const table of Object.keys(projection.tables)) this.#tables.set(table, new Map())
  }

  get projection(): Projection {
    return this.#projection
  }

  get prefixes(): readonly string[] {
    return this.#projection.prefixes
  }

  rows<R extends object>(table: string): readonly (R & Row)[] {
    return [...(this.#tables.get(table)?.values() ?? [])] as unknown as readonly (R & Row)[]
  }

  /** Computes the changes of a batch; applying them is one step. Throws Fenced. */
  async prepare(
    store: StreamReader,
    events: readonly StoredEvent[],
    kept: StateCache,
  ): Promise<(from: Position | null, to: Position) => void> {
    const isAct = ({ stream }: StoredEvent) => stream.startsWith(auditStreamPrefix)
    const folded = await foldBatch(
      store,
      events.filter((event) => !isAct(event)).map((event) => decodeEvent(event)),
      kept,
      events.filter(isAct).map(actOf),
    )
    return (from, to) => {
      if (this.position !== from) throw new CheckpointConflict()
      this.position = to
      for (const [table, { key, rows }] of Object.entries(this.#projection.tables)) {
        for (const row of rows(folded)) this.#keep(table, key, row as unknown as Row)
      }
      for (const plan of plansOf(folded)) this.#plan(plan)
    }
  }

  #plan({ shipment_id: id, reconcile_at: at }: ReturnType<typeof plansOf>[number]): void {
    if (at === null) this.reconcileAt.delete(id)
    else this.reconcileAt.set(id, at)
  }

  #keep(table: string, key: string, row: Row): void {
    const rows = this.#tables.get(table)
    const id = String((row as unknown as Record<string, unknown>)[key])
    const before = rows?.get(id)
    if (before === undefined || before.version < row.version) rows?.set(id, row)
  }
}
