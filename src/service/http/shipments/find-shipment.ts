import type { Instant } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { loadShipment, type Snapshot } from '../../event-store/transact.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import type { Principal, Scope } from '../../security/api-keys.ts'
import { isInTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'

export type Found = { readonly snapshot: Snapshot; readonly state: Shipment }

/**
 * Reads the shipment from its stream, or throws 404. One out of reach takes the same work as an id
 * that never existed.
 */
export async function findShipment(
  { owners, store }: Pick<ApiServices, 'owners' | 'store'>,
  principal: Principal,
  shipmentId: string,
): Promise<Found> {
  await owners.require(principal, shipmentId)
  const snapshot = await loadShipment(store, shipmentId)
  const { state } = snapshot
  if (state === null || !isInTenantScope(principal, state.request)) throw new Problem('not_found')
  return { snapshot, state }
}

/** The shipment that a route is about. */
export function shipmentResource(
  deps: Pick<ApiServices, 'owners' | 'store'>,
  scope: Scope,
): Resource<Found> {
  return resource(scope, ({ principal }, id) => findShipment(deps, principal, id))
}

/** The current time on the clock of the shipment's workspace. */
export async function clockOf(
  { db }: Pick<ApiServices, 'db'>,
  { request }: Shipment,
): Promise<Instant> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  return (await readClock(db, workspace)).now
}
