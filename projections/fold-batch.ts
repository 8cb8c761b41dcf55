import { shipmentIdOfStream } from '../src/domain/ids.ts'
import { evolve, initialState, type Shipment, type State } from '../src/domain/shipment.ts'
import { decodeEvent, type LedgerEvent } from '../src/event-store/codec.ts'
import type { Position, StoredEvent } from '../src/event-store/event-store.ts'
import type { KeptStates, StreamReader } from './projection.ts'
import { forgetOldest, recall } from './recall.ts'

/** Shipments whose states are kept between batches: those that something happens to just now. */
const keptMax = 5_000

export type Changed = {
  readonly shipmentId: string
  readonly state: Shipment
  /** Of its last event. */
  readonly position: Position
}

/**
 * Folds a batch onto the states before it, and answers those that changed. An event that is missing
 * before another stops the projection, because a row made without it would be wrong for ever.
 */
export async function foldBatch(
  store: StreamReader,
  events: readonly LedgerEvent[],
  states: KeptStates,
): Promise<readonly Changed[]> {
  await recall(store, events, states, folded)
  const changed = new Map<string, Position>()
  for (const event of events) {
    const id = shipmentIdOfStream(event.stored.stream)
    const state = states.get(id) ?? null
    const expected = (state?.version ?? 0) + 1
    if (event.version !== expected) {
      throw new Error(
        `Stream ${event.stored.stream} continues with version ${event.version} where ${expected} was expected.`,
      )
    }
    // Again at the end of the map, whose beginning is forgotten first.
    states.delete(id)
    states.set(id, evolve(state, event))
    changed.set(id, event.stored.position)
  }
  const answer = [...changed].map(([shipmentId, position]) => ({
    shipmentId,
    state: states.get(shipmentId) as Shipment,
    position,
  }))
  forgetOldest(states, keptMax)
  return answer
}

function folded(_shipmentId: string, past: readonly StoredEvent[]): State {
  let state: State = initialState
  for (const event of past) state = evolve(state, decodeEvent(event))
  return state
}

/** The columns that every folded table has. */
export function foldedColumns({ shipmentId, state }: Changed) {
  return {
    shipment_id: shipmentId,
    version: state.version,
    organization_id: state.request.organization_id,
    workspace_id: state.request.workspace_id,
    livemode: state.request.livemode,
  }
}

export const foldedDdl = `
  shipment_id text COLLATE "C" PRIMARY KEY,
  version int NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  livemode boolean NOT NULL`
