import { unknownShipments } from '../../processes/papers/read-shipments.ts'
import type { Principal } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import type { RouteDeps } from '../server-deps.ts'
import { ownerOfShipment } from '../shipments/shipment-owners.ts'

/**
 * Throws `not_found`, with a pointer to each, if the key does not reach all of these shipments. As for
 * one shipment, their owner is known before anything of a stream is read.
 */
export async function requireShipments(
  db: RouteDeps['db'],
  principal: Principal,
  shipmentIds: readonly string[],
): Promise<void> {
  const rows = await db
    .selectFrom('vault')
    .innerJoin('workspaces', 'workspaces.id', 'vault.workspace_id')
    .select('vault.shipment_id')
    .distinct()
    .where('vault.shipment_id', 'in', shipmentIds)
    .where(withinReach(principal, ownerOfShipment))
    .execute()
  const reached = new Set(rows.map((row) => row.shipment_id))
  const unknown = shipmentIds.flatMap((id, index) => (reached.has(id) ? [] : [index]))
  if (unknown.length > 0) throw unknownShipments(unknown)
}
