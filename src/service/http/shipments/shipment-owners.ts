import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices, TenantScopeCheck } from '../api-services.ts'
import { tenantScopeCheck } from '../rules/resources/tenant-scope-check.ts'

/**
 * Finds a shipment's owner before its stream is read: otherwise the time that reading another
 * organization's stream takes would show that it exists. The vault knows the owner before the first
 * event and keeps it after an erasure.
 */
export function shipmentOwners(db: ApiServices['db']): TenantScopeCheck {
  return tenantScopeCheck(async (principal, shipmentId) => {
    const row = await db
      .selectFrom('vault')
      .innerJoin('workspaces', 'workspaces.id', 'vault.workspace_id')
      .select('vault.shipment_id')
      .where('vault.shipment_id', '=', shipmentId)
      .where(inTenantScope(principal, ownerOfShipment))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  })
}

/** The columns of the vault's row and its workspace that name the owner. */
export const ownerOfShipment = {
  organizationId: 'vault.organization_id',
  livemode: 'workspaces.livemode',
  workspaceId: 'vault.workspace_id',
}
