import { LRUCache } from 'lru-cache'
import { type ReadCache, readThrough } from '../../database/read-through.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { RouteDeps, ShipmentOwners } from '../deps.ts'

/** Shipments remembered at once. Beyond that, the one that was asked for longest ago is forgotten. */
const knownMax = 10_000

/**
 * Finds a shipment's owner before anything of its stream is read: the time that another
 * organization's stream takes would distinguish it from one that never existed. The vault knows the
 * owner before the first event and keeps it after an erasure. The owner never changes, so a found
 * one is remembered.
 */
export function shipmentOwners(db: RouteDeps['db']): ShipmentOwners {
  const cache: ReadCache<true> = new LRUCache({ max: knownMax })
  return {
    async require(principal, shipmentId) {
      const { organizationId, livemode, workspaceId } = principal
      // The key includes the caller's reach: a caller never benefits from what another one looked
      // up.
      const key = [organizationId, livemode, workspaceId, shipmentId].join(' ')
      const isOwn = await readThrough(cache, key, () => read(db, principal, shipmentId))
      if (isOwn !== true) throw new Problem('not_found')
    },
  }
}

async function read(
  db: RouteDeps['db'],
  { organizationId, livemode, workspaceId }: Principal,
  shipmentId: string,
): Promise<true | null> {
  const own = db
    .selectFrom('vault')
    .innerJoin('workspaces', 'workspaces.id', 'vault.workspace_id')
    .select('vault.shipment_id')
    .where('vault.shipment_id', '=', shipmentId)
    .where('vault.organization_id', '=', organizationId)
    .where('workspaces.livemode', '=', livemode)
    .limit(1)
  const reached = workspaceId === null ? own : own.where('vault.workspace_id', '=', workspaceId)
  return (await reached.executeTakeFirst()) === undefined ? null : true
}
