import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { shipmentIdOf } from '../../domain/ids.ts'
import type { ShipmentStatus } from '../../domain/shipment/shipment.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { RouteDeps } from '../server-deps.ts'

/** Shipments looked up by one statement: their ids take a few milliseconds. */
const lookedUpMax = 200
/** A line that is sent more often keeps its last key, which answers what came of it. */
const triesMax = 20

/** These made no guide for certain, and their keys never will. */
const spent: readonly ShipmentStatus[] = ['rejected', 'not_created']

/**
 * The key of an order's n-th try in a batch. The same order always has the same keys, wherever its
 * line is: a line that is added above it must not make a second guide.
 */
function derivedKey(batch: string, order: string, attempt: number): string {
  const digest = createHash('sha256')
  digest.update(JSON.stringify(['batch line', batch, order, attempt]))
  return `batch-${digest.digest('base64url')}`
}

type Order = { readonly order: string; readonly key: string }

/**
 * The keys that the orders of a batch take, by order: the first of each that is not spent. So a
 * batch that is sent again finds the shipments that have a guide, or may have one, and tries the
 * others again.
 */
export async function unspentKeys(
  { db }: Pick<RouteDeps['processes'], 'db'>,
  principal: Principal,
  batch: { readonly workspaceId: string; readonly reference: string },
  orders: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>()
  let open = orders
  for (let attempt = 1; attempt <= triesMax && open.length > 0; attempt++) {
    const next: string[] = []
    for (let at = 0; at < open.length; at += lookedUpMax) {
      const some = open.slice(at, at + lookedUpMax).map((order) => ({
        order,
        key: derivedKey(batch.reference, order, attempt),
      }))
      for (const { order, key } of some) keys.set(order, key)
      next.push(...(await spentOrders(db, principal, batch.workspaceId, some)))
    }
    open = next
  }
  return keys
}

async function spentOrders(
  db: RouteDeps['processes']['db'],
  { organizationId, livemode }: Principal,
  workspaceId: string,
  orders: readonly Order[],
): Promise<readonly string[]> {
  const orderOf = new Map(
    orders.map(({ order, key: idempotencyKey }) => [
      shipmentIdOf({ organizationId, workspaceId, livemode, idempotencyKey }),
      order,
    ]),
  )
  const { rows } = await sql<{ shipment_id: string }>`
    SELECT shipment_id FROM projections.shipments
    WHERE shipment_id = ANY (${[...orderOf.keys()]}) AND organization_id = ${organizationId}
      AND status = ANY (${spent})`.execute(db)
  return rows.map(({ shipment_id }) => orderOf.get(shipment_id) as string)
}

/** A guide stands for the order, or may. */
const standing: readonly ShipmentStatus[] = ['creating', 'created', 'unknown_outcome', 'cancelling']

/**
 * The orders of the workspace that have a guide, or may have one, under another key than the one that
 * they would take: the shipment of each. Such an order was sent alone, or in a batch of another name.
 */
export async function shippedOrders(
  { db }: Pick<RouteDeps['processes'], 'db'>,
  { organizationId, livemode }: Principal,
  workspaceId: string,
  keys: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const orders = [...keys.keys()]
  for (let at = 0; at < orders.length; at += lookedUpMax) {
    const { rows } = await sql<{ external_reference: string; idempotency_key: string; id: string }>`
      SELECT external_reference, idempotency_key, shipment_id AS id FROM projections.shipments
      WHERE organization_id = ${organizationId} AND livemode = ${livemode}
        AND external_reference = ANY (${orders.slice(at, at + lookedUpMax)})
        AND workspace_id = ${workspaceId} AND status = ANY (${standing})`.execute(db)
    for (const { external_reference: order, idempotency_key: key, id } of rows) {
      if (keys.get(order) !== key) found.set(order, id)
    }
  }
  return found
}
