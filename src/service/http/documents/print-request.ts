import { z } from 'zod'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { unknownShipments } from '../../processes/documents/read-shipments.ts'
import type { Principal } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'
import { exampleShipment } from '../openapi/examples.ts'
import { idOf } from '../openapi/schemas.ts'
import { ownerOfShipment } from '../shipments/shipment-owners.ts'

/** What a label printer prints in a few minutes. */
const shipmentsMax = 200

const shipmentIds = z
  .array(idOf('shp'))
  .min(1)
  .max(shipmentsMax)
  .superRefine((ids, context) => {
    const seen = new Set<string>()
    for (const [index, id] of ids.entries()) {
      const params = { reason: 'duplicate' }
      if (seen.has(id)) {
        context.addIssue({
          code: 'custom',
          path: [index],
          message: 'The shipment is named twice.',
          params,
        })
      }
      seen.add(id)
    }
  })

export const exampleIds = [exampleShipment.id]

/** The `shipment_ids` of a request. `things` are what is printed, in their order. */
export function shipmentIdsFor(things: string) {
  return shipmentIds.meta({
    description: `The shipments, in the order of the ${things}: 1 to ${shipmentsMax} different shipments within the key's reach. An id that does not exist, or that the key does not reach, is 404 \`not_found\` with its pointer in \`errors\`, and nothing is printed.`,
    uniqueItems: true,
    example: exampleIds,
  })
}

/** A suspended organization still reads: these routes change nothing. */
export const readOnly = {
  collectionScope: 'shipments:read',
  whileSuspended: true,
} as const

export const busy =
  'One file is printed at a time and a few requests wait; others get 503 `overloaded` with `Retry-After`.'

/**
 * Prints these shipments once the key is known to reach all of them. The routes use POST only
 * because of their body, and whatever fails has changed nothing.
 */
export async function printShipments<File>(
  db: ApiServices['db'],
  principal: Principal,
  shipmentIds: readonly string[],
  print: () => Promise<File>,
): Promise<File> {
  try {
    await requireShipments(db, principal, shipmentIds)
    return await print()
  } catch (error) {
    throw beforeExecution(error)
  }
}

/**
 * Throws `not_found`, with a pointer to each shipment that the key does not reach. Like for one
 * shipment, owners are checked before any stream is read.
 */
async function requireShipments(
  db: ApiServices['db'],
  principal: Principal,
  shipmentIds: readonly string[],
): Promise<void> {
  const rows = await db
    .selectFrom('vault')
    .innerJoin('workspaces', 'workspaces.id', 'vault.workspace_id')
    .select('vault.shipment_id')
    .distinct()
    .where('vault.shipment_id', 'in', shipmentIds)
    .where(inTenantScope(principal, ownerOfShipment))
    .execute()
  const reached = new Set(rows.map((row) => row.shipment_id))
  const unknown = shipmentIds.flatMap((id, index) => (reached.has(id) ? [] : [index]))
  if (unknown.length > 0) throw unknownShipments(unknown)
}
