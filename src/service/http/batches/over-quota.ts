import { sql } from 'kysely'
import { forEachInSlices, yieldToEventLoop } from '../../couriers/slices.ts'
import { shipmentIdOf } from '../../domain/ids.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import { planOf } from '../rules/plan-limits.ts'

type Creations = { readonly workspaceId: string; readonly keys: readonly string[] }

/**
 * How many creations with these idempotency keys exceed what is left of the plan's shipments this
 * month. A shipment that counts already takes no second place. Reserves nothing.
 */
export async function countOverQuota(
  deps: Pick<ApiServices, 'db'>,
  principal: Principal,
  { workspaceId, keys }: Creations,
): Promise<number> {
  const { organizationId, livemode } = principal
  const { shipments_per_month: limit, used } = await planOf(deps, principal)
  const left = limit === null ? null : Math.max(0, limit - used)
  if (left === null || keys.length <= left) return 0
  const ids: string[] = []
  await forEachInSlices(
    keys,
    (idempotencyKey) => {
      ids.push(shipmentIdOf({ organizationId, workspaceId, livemode, idempotencyKey }))
    },
    yieldToEventLoop,
  )
  const { rows } = await sql<{ added: number }>`
    SELECT count(*)::int AS added FROM unnest(${ids}::text[]) AS id
    WHERE NOT EXISTS (SELECT FROM quota_reservations r
      WHERE r.shipment_id = id COLLATE "C" AND r.organization_id = ${organizationId}
        AND r.is_held)`.execute(deps.db)
  return Math.max(0, (rows[0]?.added ?? 0) - left)
}
