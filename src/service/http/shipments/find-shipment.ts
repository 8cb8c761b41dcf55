import { shipmentStream } from '../../domain/ids.ts'
import { evolve, type Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { decodeEvent } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { loadShipment, type Snapshot } from '../../event-store/transact.ts'
import type { Principal, Scope } from '../../security/api-keys.ts'
import { isWithinReach } from '../../security/reach.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'
import type { RouteDeps } from '../server-deps.ts'

export type Found = { readonly snapshot: Snapshot; readonly state: Shipment }

/**
 * The shipment from its stream, or 404. A missing one takes the same work as an id that never
 * existed.
 */
export async function findShipment(
  { owners, store }: Pick<RouteDeps, 'owners' | 'store'>,
  principal: Principal,
  shipmentId: string,
): Promise<Found> {
  await owners.require(principal, shipmentId)
  const snapshot = await loadShipment(store, shipmentId)
  const { state } = snapshot
  if (state === null || !isWithinReach(principal, state.request)) throw new Problem('not_found')
  return { snapshot, state }
}

/** The shipment that a route is about. */
export function shipmentResource(
  deps: Pick<RouteDeps, 'owners' | 'store'>,
  scope: Scope,
): Resource<Found> {
  return resource(scope, ({ principal }, id) => findShipment(deps, principal, id))
}

/**
 * The state at a version (a number of events, from 1) or at a moment; null if there was none yet.
 */
export async function shipmentAsOf(
  store: EventStore,
  shipmentId: string,
  asOf: { readonly version: number } | { readonly at: number },
): Promise<Shipment | null> {
  const events = (await store.readStream(shipmentStream(shipmentId))).map((event) =>
    decodeEvent(event),
  )
  const last =
    'version' in asOf
      ? asOf.version
      : events.findLastIndex((event) => event.recordedAt <= asOf.at) + 1
  if (last < 1 || last > events.length) return null
  return events.slice(0, last).reduce(evolve, null as Shipment | null)
}
