import { nextTurn } from '../../couriers/slices.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { isWithinReach, type Reach } from '../../security/reach.ts'
import type { LeftOut } from './paper-messages.ts'

/** Folding these many streams takes a few milliseconds of the event loop. */
const readAtOnceMax = 20
/** As many wrong fields as a client can correct in one go. */
const errorsMax = 50

/** Shipments to print. Thousands may be named. */
export type Named = {
  /** The caller's. */
  readonly reach: Reach
  readonly shipmentIds: readonly string[]
  /** What was asked for with them and has no shipment: it is named, and not printed. */
  readonly withoutShipment?: readonly LeftOut[]
}

type Read = { readonly shipmentId: string; readonly state: Shipment }

/**
 * What a paper needs of each shipment, in the order of the ids; nothing else of a stream is kept, so
 * that there may be thousands. Throws `not_found` for an id without a stream, or out of reach.
 */
export async function readShipments<T>(
  store: EventStore,
  { reach, shipmentIds }: Named,
  needed: (read: Read) => T,
): Promise<readonly T[]> {
  const found: T[] = []
  for (let at = 0; at < shipmentIds.length; at += readAtOnceMax) {
    if (at > 0) await nextTurn()
    const ids = shipmentIds.slice(at, at + readAtOnceMax)
    const states = await Promise.all(ids.map(async (id) => (await loadShipment(store, id)).state))
    for (const [index, state] of states.entries()) {
      if (state === null || !isWithinReach(reach, state.request)) {
        throw unknownShipments([at + index])
      }
      found.push(needed({ shipmentId: shipmentIds[at + index] as string, state }))
    }
  }
  return found
}

/** The same for ids that do not exist and for ids that the key does not reach. */
export function unknownShipments(indexes: readonly number[]): Problem {
  return new Problem('not_found', {
    errors: indexes.slice(0, errorsMax).map((index) => ({
      pointer: `/shipment_ids/${index}`,
      reason: 'shipment_not_found',
      detail: 'There is no such shipment.',
    })),
  })
}
