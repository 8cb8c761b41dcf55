import type { Instant, JsonObject } from '../domain/decider.ts'
import { shipmentStream } from '../domain/ids.ts'
import { type ChangedField, changedFields } from '../domain/ledger/changed-fields.ts'
import { noOperatorNotes, operationToApi } from '../domain/operation/operation-to-api.ts'
import {
  evolve,
  initialState,
  operationsOf,
  type Shipment,
  type State,
} from '../domain/shipment/shipment.ts'
import { shipmentToApi } from '../domain/shipment/shipment-to-api.ts'
import { trackingToApi } from '../domain/tracking/tracking-to-api.ts'
import { decodeEvent, leafHolds } from '../event-store/codec.ts'
import type { EventStore, StoredEvent } from '../event-store/event-store.ts'

/** Events per read: about a MB. */
const pageMax = 500
/** The most events that are replayed. Shipments have far fewer, and decisions read no more. */
export const replayedMax = 10_000

/** The shipment, its operations and its tracking as the API shows them, without personal data. */
type ReplayedState = JsonObject

export type ReplayStep = {
  readonly event: StoredEvent
  readonly leafIsRight: boolean
  readonly state: ReplayedState
  /**
   * The differences from the state after the previous event, without fields that every event
   * changes.
   */
  readonly changes: readonly ChangedField[]
}

/** The last event to replay, inclusive. */
export type Until = (version: number, recordedAt: Instant) => boolean

/** Folds a shipment's events one by one and reports what each changed. */
export async function* replayShipment(
  store: EventStore,
  shipmentId: string,
  isWithin: Until,
): AsyncGenerator<ReplayStep> {
  let state: State = initialState
  let shown: ReplayedState = {}
  for (let from = 0; from < replayedMax; ) {
    const page = await store.readStream(shipmentStream(shipmentId), { from, limit: pageMax })
    for (const event of page) {
      const decoded = decodeEvent(event)
      if (!isWithin(decoded.version, decoded.recordedAt)) return
      state = evolve(state, decoded)
      const next = replayedState(shipmentId, state as Shipment)
      const changes = changedFields(shown, next).filter(isTelling)
      // The leaf covers the stored data, before it is upcast.
      yield { event, leafIsRight: leafHolds(event), state: next, changes }
      shown = next
    }
    if (page.length < pageMax) return
    from += page.length
  }
}

function replayedState(shipmentId: string, state: Shipment): ReplayedState {
  const operations = operationsOf(state).map((each) =>
    operationToApi(shipmentId, state, each, noOperatorNotes),
  )
  const shown = {
    shipment: shipmentToApi(shipmentId, state, state.erasedAt !== null),
    operations,
    tracking: trackingToApi(shipmentId, state),
  }
  return JSON.parse(JSON.stringify(shown))
}

/** Fields that every event changes, and fields of the tracking that repeat the shipment's. */
const uninformative =
  /(^|\.)(updated_at|version|last_changed_at)$|^tracking\.(id|object|shipment_id|livemode)$/

function isTelling({ path, before, after }: ChangedField): boolean {
  return !uninformative.test(path) && (before ?? null) !== (after ?? null)
}
