import { sql } from 'kysely'
import { shipmentIdOfStream } from '../src/domain/ids.ts'
import { evolve, type Shipment, type State } from '../src/domain/shipment.ts'
import type { LedgerEvent } from '../src/event-store/codec.ts'
import type { Position } from '../src/event-store/event-store.ts'
import type { Tx } from './projection.ts'

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
  tx: Tx,
  table: string,
  events: readonly LedgerEvent[],
): Promise<readonly Changed[]> {
  const ids = [...new Set(events.map((event) => shipmentIdOfStream(event.stored.stream)))]
  if (ids.length === 0) return []
  const { rows } = await sql<{ shipment_id: string; state: Shipment }>`
    SELECT shipment_id, state FROM ${sql.raw(table)} WHERE shipment_id = ANY (${ids})`.execute(tx)
  const states = new Map<string, State>(rows.map((row) => [row.shipment_id, row.state]))
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
    states.set(id, evolve(state, event))
    changed.set(id, event.stored.position)
  }
  return [...changed].map(([shipmentId, position]) => ({
    shipmentId,
    state: states.get(shipmentId) as Shipment,
    position,
  }))
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
