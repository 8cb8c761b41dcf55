import { shipmentIdOfStream } from '../src/service/domain/ids.ts'
import {
  evolve,
  initialState,
  type Shipment,
  type State,
} from '../src/service/domain/shipment/shipment.ts'
import { type Act, decodeEvent, type LedgerEvent } from '../src/service/event-store/codec.ts'
import type { Position, StoredEvent } from '../src/service/event-store/event-store.ts'
import { evictOldest, loadStates, type StreamReader } from './load-states.ts'

/** Number of shipments whose states are kept between batches: enough for the currently active ones. */
const keptMax = 5_000

/** States after the last batches, by shipment id, so that they need not be read again. */
export type StateCache = Map<string, State>

/** A shipment after a batch. */
export type Changed = {
  readonly shipmentId: string
  readonly state: Shipment
  /** Position of its last event. */
  readonly position: Position
}

/** One event, and the shipment before and after it. */
export type Step = {
  readonly shipmentId: string
  readonly before: State
  readonly event: LedgerEvent
  readonly after: Shipment
}

/** The effects of a batch of events: each event's step, and each changed shipment. */
export type Folded = {
  readonly steps: readonly Step[]
  readonly changed: readonly Changed[]
  /** The events of audit streams, which are not folded because each stands alone. */
  readonly acts: readonly Act[]
}

/**
 * Folds a batch of shipment events onto the states before it; `acts` are the audit events of the batch.
 * A missing earlier event stops the follower, because rows built without it would stay wrong forever.
 */
export async function foldBatch(
  store: StreamReader,
  events: readonly LedgerEvent[],
  states: StateCache,
  acts: readonly Act[] = [],
): Promise<Folded> {
  await loadStates(store, events, states, folded)
  const steps: Step[] = []
  const changed = new Map<string, Changed>()
  for (const event of events) {
    const id = shipmentIdOfStream(event.stored.stream)
    const before = states.get(id) ?? null
    const expected = (before?.version ?? 0) + 1
    if (event.version !== expected) {
      throw new Error(
        `Stream ${event.stored.stream} continues with version ${event.version} where ${expected} was expected.`,
      )
    }
    const after = evolve(before, event) as Shipment
    // Moves it to the end of the map, because states at the beginning are evicted first.
    states.delete(id)
    states.set(id, after)
    steps.push({ shipmentId: id, before, event, after })
    changed.set(id, { shipmentId: id, state: after, position: event.stored.position })
  }
  evictOldest(states, keptMax)
  return { steps, changed: [...changed.values()], acts }
}

function folded(_shipmentId: string, past: readonly StoredEvent[]): State {
  let state: State = initialState
  for (const event of past) state = evolve(state, decodeEvent(event))
  return state
}
