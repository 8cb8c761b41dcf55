import { type Kysely, sql } from 'kysely'
import { shipmentIdOfStream } from '../src/domain/ids.ts'
import { evolve, type Shipment } from '../src/domain/shipment.ts'
import type { LedgerEvent } from '../src/event-store/codec.ts'
import type { Position } from '../src/event-store/event-store.ts'
import type { KeptStates } from './projection.ts'
import type { ReadModels } from './tables.ts'

/** Shipments whose states are kept between batches: those that something happens to just now. */
const keptMax = 2_000

export type Changed = {
  readonly shipmentId: string
  readonly state: Shipment
  /** Of its last event. */
  readonly position: Position
}

/**
 * Folds a batch onto the states that a read model's table keeps, and answers those that changed.
 * An event that was applied before is left out; one that is missing before another stops the
 * projection, because a row made without it would be wrong for ever.
 */
export async function foldBatch(
  db: Kysely<ReadModels>,
  table: string,
  events: readonly LedgerEvent[],
  states: KeptStates,
): Promise<readonly Changed[]> {
  await recall(db, table, events, states)
  const changed = new Map<string, Position>()
  for (const event of events) {
    const id = shipmentIdOfStream(event.stored.stream)
    const state = states.get(id) ?? null
    const expected = (state?.version ?? 0) + 1
    if (event.version < expected) continue
    if (event.version > expected) {
      throw new Error(
        `Stream ${event.stored.stream} continues with version ${event.version} where ${expected} was expected.`,
      )
    }
    // Again at the end of the map, whose beginning is forgotten first.
    states.delete(id)
    states.set(id, evolve(state, event))
    changed.set(id, event.stored.position)
  }
  const folded = [...changed].map(([shipmentId, position]) => ({
    shipmentId,
    state: states.get(shipmentId) as Shipment,
    position,
  }))
  for (const id of states.keys()) {
    if (states.size <= keptMax) break
    states.delete(id)
  }
  return folded
}

/** Reads the states that the batch goes on from and that are not at hand. */
async function recall(
  db: Kysely<ReadModels>,
  table: string,
  events: readonly LedgerEvent[],
  states: KeptStates,
): Promise<void> {
  const ids = new Set<string>()
  for (const event of events) {
    const id = shipmentIdOfStream(event.stored.stream)
    if (event.version > 1 && !states.has(id)) ids.add(id)
  }
  if (ids.size === 0) return
  const { rows } = await sql<{ shipment_id: string; state: Shipment }>`
    SELECT shipment_id, state FROM ${sql.raw(table)}
    WHERE shipment_id = ANY (${[...ids]})`.execute(db)
  for (const row of rows) states.set(row.shipment_id, row.state)
}

/** The columns that every folded table has. */
export function foldedColumns({ shipmentId, state }: Changed) {
  return {
    shipment_id: shipmentId,
    version: state.version,
    organization_id: state.request.organization_id,
    workspace_id: state.request.workspace_id,
    livemode: state.request.livemode,
    state,
  }
}

export const foldedDdl = `
  shipment_id text COLLATE "C" PRIMARY KEY,
  version int NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL,
  state json NOT NULL`
