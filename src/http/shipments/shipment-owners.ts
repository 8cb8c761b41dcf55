import { FreshCache } from '../../database/fresh-cache.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { HttpDeps, ShipmentOwners } from '../deps.ts'

/** Shipments remembered at once; of more, the one that was read first is read again. */
const knownMax = 10_000

/**
 * Who owns a shipment, before anything of its stream is read: what another organization's takes would
 * tell it from one that never existed. The vault knows it before the first event does, and keeps it
 * when the person is erased. It never changes, so what a caller found is read once.
 */
export function shipmentOwners(db: HttpDeps['db']): ShipmentOwners {
  const cache = new FreshCache<true>({ freshMs: Number.POSITIVE_INFINITY, keptMax: knownMax })
  return {
    async require(principal, shipmentId) {
      const { organizationId, livemode, workspaceId } = principal
      // Of this reach only: what others have found is looked for as if it had never been.
      const key = [organizationId, livemode, workspaceId, shipmentId].join(' ')
      const isOwn = await cache.get(key, () => read(db, principal, shipmentId))
      if (isOwn !== true) throw new Problem('not_found')
    },
  }
}

async function read(
  db: HttpDeps['db'],
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
