import { withinReach } from '../../security/reach.ts'
import { reachCheck } from '../rules/resources/reach-check.ts'
import type { ReachCheck, RouteDeps } from '../server-deps.ts'

/**
 * Finds a shipment's owner before anything of its stream is read: the time that another
 * organization's stream takes would distinguish it from one that never existed. The vault knows the
 * owner before the first event and keeps it after an erasure.
 */
export function shipmentOwners(db: RouteDeps['db']): ReachCheck {
  return reachCheck(async (principal, shipmentId) => {
    const row = await db
      .selectFrom('vault')
      .innerJoin('workspaces', 'workspaces.id', 'vault.workspace_id')
      .select('vault.shipment_id')
      .where('vault.shipment_id', '=', shipmentId)
      .where(withinReach(principal, ownerOfShipment))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  })
}

/** Of the vault's row and its workspace. */
export const ownerOfShipment = {
  organizationId: 'vault.organization_id',
  livemode: 'workspaces.livemode',
  workspaceId: 'vault.workspace_id',
}
