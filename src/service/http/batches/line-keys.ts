import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { shipmentIdOf } from '../../domain/ids.ts'
import { orderKeyOf } from '../../domain/shipment/order-key.ts'
import type { ShipmentStatus } from '../../domain/shipment/shipment.ts'
import { activeStatuses } from '../../processes/batches/orders.ts'
import { foundShipment } from '../../processes/batches/refusals.ts'
import { hasColumn } from '../../processes/has-column.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'

/** Shipments that one statement looks up: deriving their ids takes a few milliseconds. */
const lookedUpMax = 200
/** A line that is sent more often keeps its last key, and gets the outcome of that key. */
const triesMax = 20

/** Shipments in these statuses certainly have no guide, and their keys will never create one. */
const finalWithoutGuide: readonly ShipmentStatus[] = ['rejected', 'not_created']

/**
 * The key of an order's n-th attempt in a batch. An order has the same keys wherever its line
 * stands, so that a line added above it does not lead to a second guide.
 */
function derivedKey(batch: string, order: string, attempt: number): string {
  const digest = createHash('sha256')
  digest.update(JSON.stringify(['batch line', batch, order, attempt]))
  return `batch-${digest.digest('base64url')}`
}

type Order = { readonly order: string; readonly key: string }

/**
 * The key for each order of a batch: the first of its keys that is not spent. A batch that is sent
 * again therefore finds the shipments that have a guide or may have one, and tries the other orders
 * again.
 */
export async function usableKeys(
  { db }: Pick<ApiServices, 'db'>,
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
      next.push(...(await ordersToTryAgain(db, principal, batch.workspaceId, some)))
    }
    open = next
  }
  return keys
}

async function ordersToTryAgain(
  db: ApiServices['db'],
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
      AND status = ANY (${finalWithoutGuide})`.execute(db)
  return rows.map(({ shipment_id }) => orderOf.get(shipment_id) as string)
}

/** What is needed to look up the orders of a batch. */
type Orders = {
  readonly workspaceId: string
  /** The key of each order whose line gives none. */
  readonly keys: ReadonlyMap<string, string>
  /** The keys that lines give for other parcels of these orders. */
  readonly given: readonly string[]
}

/**
 * The orders that cannot use their keys, with the reason: under another key they have a guide or
 * may have one, or they wait in another batch. Differences in spelling do not count. Each line is
 * checked again when it begins.
 */
export async function occupiedOrders(
  { db }: Pick<ApiServices, 'db'>,
  principal: Principal,
  { workspaceId, keys, given }: Orders,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  // The list of the previous version is being replaced, and no line begins until then.
  if (!(await hasColumn(db, 'projections.shipments', 'order_key'))) return found
  const { organizationId, livemode } = principal
  const open = [...keys]
  for (let at = 0; at < open.length; at += lookedUpMax) {
    const some = open.slice(at, at + lookedUpMax).map(([reference, idempotencyKey]) => ({
      reference,
      orderKey: orderKeyOf({ workspaceId, livemode, reference }),
      shipmentId: shipmentIdOf({ organizationId, workspaceId, livemode, idempotencyKey }),
    }))
    const { rows } = await sql<{ place: number; shipment: string | null; batch: string | null }>`
      SELECT o.place::int - 1 AS place,
        (SELECT s.shipment_id FROM projections.shipments s
          WHERE s.order_key = o.order_key COLLATE "C" AND s.organization_id = ${organizationId}
            AND s.status = ANY (${activeStatuses}) AND s.shipment_id <> o.shipment_id COLLATE "C"
            AND s.idempotency_key <> ALL (${given}) LIMIT 1) AS shipment,
        (SELECT l.batch_id FROM batch_lines l
          WHERE l.order_key = o.order_key COLLATE "C" AND l.organization_id = ${organizationId}
            AND l.state IN ('waiting', 'begun') AND l.shipment_id <> o.shipment_id COLLATE "C"
            AND l.idempotency_key <> ALL (${given}) LIMIT 1) AS batch
      FROM unnest(${some.map(({ orderKey }) => orderKey)}::text[],
        ${some.map(({ shipmentId }) => shipmentId)}::text[]
      ) WITH ORDINALITY AS o (order_key, shipment_id, place)
      WHERE NOT EXISTS (SELECT FROM projections.shipments s
        WHERE s.shipment_id = o.shipment_id COLLATE "C" AND s.status = ANY (${activeStatuses}))`.execute(
      db,
    )
    for (const { place, shipment, batch } of rows) {
      const { reference } = some[place] as (typeof some)[number]
      if (shipment !== null) found.set(reference, foundShipment(shipment))
      else if (batch !== null) found.set(reference, `The order waits in batch ${batch}.`)
    }
  }
  return found
}
