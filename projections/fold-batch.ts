import { shipmentIdOfStream } from '../src/domain/ids.ts'
import { evolve, initialState, type Shipment, type State } from '../src/domain/shipment.ts'
import { decodeEvent, type LedgerEvent } from '../src/event-store/codec.ts'
import type { Position } from '../src/event-store/event-store.ts'
import type { KeptStates, StreamReader } from './projection.ts'

/** Shipments whose states are kept between batches: those that something happens to just now. */
const keptMax = 5_000
/** Streams read at once for states that are not kept. */
const recalledMax = 64

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
  await recall(store, events, states)
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

/** Folds what came before the batch of the streams whose states are not at hand. */
async function recall(
  store: StreamReader,
  events: readonly LedgerEvent[],
  states: KeptStates,
): Promise<void> {
  const first = new Map<string, LedgerEvent>()
  for (const event of events) {
    if (!first.has(event.stored.stream)) first.set(event.stored.stream, event)
  }
  const missing: LedgerEvent[] = []
  for (const event of first.values()) {
    const id = shipmentIdOfStream(event.stored.stream)
    // A batch that was not applied may have left a later state than the one that is needed.
    if (event.version === 1) states.delete(id)
    else if (states.get(id)?.version !== event.version - 1) missing.push(event)
  }
  for (let at = 0; at < missing.length; at += recalledMax) {
    await Promise.all(
      missing.slice(at, at + recalledMax).map(async ({ stored: { stream }, version }) => {
        const past = await store.readStream(stream, { limit: version - 1 })
        let state: State = initialState
        for (const event of past) state = evolve(state, decodeEvent(event))
        states.set(shipmentIdOfStream(stream), state)
      }),
    )
  }
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
