import { type QueryExecutorProvider, sql } from 'kysely'
import type { ShipmentStatus } from '../../domain/shipment/shipment.ts'

/** The statuses of a shipment that has a guide or may have one. */
export const activeStatuses: readonly ShipmentStatus[] = [
  'creating',
  'created',
  'unknown_outcome',
  'cancelling',
]

const derivedKeys = '^batch-[A-Za-z0-9_-]{43}$'
const derivedKeyForm = new RegExp(derivedKeys)

/**
 * Whether the key was derived because the line has none. A line with its own key ships an order
 * again on purpose.
 */
function isDerivedKey(key: string): boolean {
  return derivedKeyForm.test(key)
}

/** A line that is about to begin. */
type BeginningLine = {
  readonly organizationId: string
  readonly batchId: string
  readonly idempotencyKey: string
  readonly shipmentId: string
  /** Null if it names no order. */
  readonly orderKey: string | null
}

/** What the read models and the queue know about a line's order. */
type OrderFacts = {
  /** The line's own key has a guide, or may have one. */
  readonly is_own: boolean
  /** A shipment under another key that has a guide, or may have one. */
  readonly other: string | null
  /** A shipment being created by a line with its own key. */
  readonly beside: string | null
  /** The shipment in the order's row. */
  readonly holder: string
  /** Whether that shipment has a guide, may have one, or is waiting to get one. */
  readonly is_held: boolean
}

/**
 * Decides which lines may begin: those whose order no other shipment has or may have. Writes them
 * into the rows of their orders, and returns for each other line the shipment that has its order.
 * Call it in the transaction that begins the lines, after the read models have caught up: the rows
 * stay locked, so lines of one order that begin elsewhere wait and then see these.
 */
export async function takeOrders(
  tx: QueryExecutorProvider,
  lines: readonly BeginningLine[],
): Promise<ReadonlyMap<BeginningLine, string>> {
  const ordered = lines.filter(({ orderKey }) => orderKey !== null)
  if (ordered.length === 0) return new Map()
  await lockOrders(tx, ordered)
  // A separate statement, to see what the previous holders of the row locks have written.
  const facts = await readFacts(tx, ordered)
  const taken = new Map<BeginningLine, string>()
  const holders = new Map<string, BeginningLine>()
  for (const [at, line] of ordered.entries()) {
    const orderKey = line.orderKey as string
    const known = facts[at] as OrderFacts
    const before = holders.get(orderKey)
    const isDerived = isDerivedKey(line.idempotencyKey)
    const other = known.is_own ? null : (otherShipmentOf(known) ?? otherBefore(before, line))
    if (isDerived && other !== null) taken.set(line, other)
    else if (isDerived || (before === undefined && !known.is_held)) holders.set(orderKey, line)
  }
  await writeHolders(tx, [...holders.values()])
  return taken
}

function otherShipmentOf({ other, beside, holder, is_held: isHeld }: OrderFacts): string | null {
  return other ?? beside ?? (isHeld ? holder : null)
}

/** An earlier line of the same order that begins in the same statement. */
function otherBefore(before: BeginningLine | undefined, line: BeginningLine): string | null {
  if (before === undefined || before.shipmentId === line.shipmentId) return null
  const isOtherParcel = before.batchId === line.batchId && !isDerivedKey(before.idempotencyKey)
  return isOtherParcel ? null : before.shipmentId
}

async function lockOrders(
  tx: QueryExecutorProvider,
  lines: readonly BeginningLine[],
): Promise<void> {
  const column = (value: (line: BeginningLine) => string | null) => lines.map(value)
  await sql`
    INSERT INTO batch_orders (order_key, organization_id, batch_id, shipment_id)
    SELECT DISTINCT ON (order_key COLLATE "C") * FROM unnest(
      ${column(({ orderKey }) => orderKey)}::text[],
      ${column(({ organizationId }) => organizationId)}::text[],
      ${column(({ batchId }) => batchId)}::text[], ${column(({ shipmentId }) => shipmentId)}::text[]
    ) AS of (order_key, organization_id, batch_id, shipment_id)
    ORDER BY order_key COLLATE "C"
    ON CONFLICT (order_key) DO UPDATE SET order_key = excluded.order_key`.execute(tx)
}

async function readFacts(
  tx: QueryExecutorProvider,
  lines: readonly BeginningLine[],
): Promise<readonly OrderFacts[]> {
  const column = (value: (line: BeginningLine) => string | null) => lines.map(value)
  const isOtherParcel = (shipmentId: string) => sql`
    EXISTS (SELECT FROM batch_lines b
      WHERE b.shipment_id = ${sql.ref(shipmentId)} AND b.batch_id = o.batch_id COLLATE "C"
        AND b.idempotency_key !~ ${derivedKeys})`
  const { rows } = await sql<OrderFacts>`
    SELECT r.shipment_id AS holder,
      EXISTS (SELECT FROM projections.shipments s
        WHERE s.shipment_id = o.shipment_id COLLATE "C" AND s.status = ANY (${activeStatuses})) AS is_own,
      (SELECT s.shipment_id FROM projections.shipments s
        WHERE s.order_key = o.order_key COLLATE "C"
          AND s.organization_id = o.organization_id COLLATE "C" AND s.status = ANY (${activeStatuses})
          AND s.shipment_id <> o.shipment_id COLLATE "C" AND NOT ${isOtherParcel('s.shipment_id')}
        LIMIT 1) AS other,
      (SELECT l.shipment_id FROM batch_lines l
        WHERE l.order_key = o.order_key COLLATE "C" AND l.state = 'begun'
          AND l.shipment_id <> o.shipment_id COLLATE "C" AND l.batch_id <> o.batch_id COLLATE "C"
          AND l.idempotency_key !~ ${derivedKeys} LIMIT 1) AS beside,
      r.shipment_id <> o.shipment_id COLLATE "C" AND NOT ${isOtherParcel('r.shipment_id')} AND (
        EXISTS (SELECT FROM batch_lines l
          WHERE l.shipment_id = r.shipment_id AND l.state IN ('waiting', 'begun'))
        -- The line was answered, but the ledger lost its events: its guide may exist.
        OR EXISTS (SELECT FROM batch_lines l
          WHERE l.shipment_id = r.shipment_id AND l.state = 'answered')
        AND NOT EXISTS (SELECT FROM projections.shipments s WHERE s.shipment_id = r.shipment_id)
      ) AS is_held
    FROM unnest(
      ${column(({ orderKey }) => orderKey)}::text[],
      ${column(({ organizationId }) => organizationId)}::text[],
      ${column(({ batchId }) => batchId)}::text[], ${column(({ shipmentId }) => shipmentId)}::text[]
    ) WITH ORDINALITY AS o (order_key, organization_id, batch_id, shipment_id, place)
    JOIN batch_orders r ON r.order_key = o.order_key COLLATE "C"
    ORDER BY o.place`.execute(tx)
  return rows
}

async function writeHolders(
  tx: QueryExecutorProvider,
  lines: readonly BeginningLine[],
): Promise<void> {
  const column = (value: (line: BeginningLine) => string | null) => lines.map(value)
  await sql`
    UPDATE batch_orders r SET shipment_id = o.shipment_id, batch_id = o.batch_id
    FROM unnest(
      ${column(({ orderKey }) => orderKey)}::text[], ${column(({ batchId }) => batchId)}::text[],
      ${column(({ shipmentId }) => shipmentId)}::text[]) AS o (order_key, batch_id, shipment_id)
    WHERE r.order_key = o.order_key COLLATE "C"
      AND r.shipment_id <> o.shipment_id COLLATE "C"`.execute(tx)
}
