import { yieldToEventLoop } from '../../couriers/slices.ts'
import type { Language } from '../../domain/language.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { isInTenantScope, type TenantScope } from '../../security/tenant-scope.ts'
import type { ExcludedShipment } from './print-messages.ts'

/** Folding this many streams takes a few milliseconds of the event loop. */
const readAtOnceMax = 20
/** As many errors as a client can correct in one go. */
const errorsMax = 50

/** The shipments to print; there may be thousands. */
export type PrintOrder = {
  readonly scope: TenantScope
  readonly language: Language
  readonly shipmentIds: readonly string[]
  /** Requested items that have no shipment: they are listed, not printed. */
  readonly withoutShipment?: readonly ExcludedShipment[]
}

type Read = { readonly shipmentId: string; readonly state: Shipment }

/**
 * Reads what a document needs of each shipment, in the order of the ids. Nothing else of a stream
 * is kept, so that memory suffices for thousands. Throws `not_found` for an id without a stream or
 * out of scope.
 */
export async function readShipments<T>(
  store: EventStore,
  { scope, shipmentIds }: Pick<PrintOrder, 'scope' | 'shipmentIds'>,
  needed: (read: Read) => T,
): Promise<readonly T[]> {
  const found: T[] = []
  for (let at = 0; at < shipmentIds.length; at += readAtOnceMax) {
    if (at > 0) await yieldToEventLoop()
    const ids = shipmentIds.slice(at, at + readAtOnceMax)
    const states = await Promise.all(ids.map(async (id) => (await loadShipment(store, id)).state))
    for (const [index, state] of states.entries()) {
      if (state === null || !isInTenantScope(scope, state.request)) {
        throw unknownShipments([at + index])
      }
      found.push(needed({ shipmentId: shipmentIds[at + index] as string, state }))
    }
  }
  return found
}

/** The same error for ids that do not exist and ids outside the key's scope. */
export function unknownShipments(indexes: readonly number[]): Problem {
  return new Problem('not_found', {
    errors: indexes.slice(0, errorsMax).map((index) => ({
      pointer: `/shipment_ids/${index}`,
      reason: 'shipment_not_found',
      detail: 'No such shipment.',
    })),
  })
}
