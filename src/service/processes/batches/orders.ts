import { type QueryExecutorProvider, sql } from 'kysely'
import type { ShipmentStatus } from '../../domain/shipment/shipment.ts'

/** A guide stands for the order, or may. */
export const standing: readonly ShipmentStatus[] = [
  'creating',
  'created',
  'unknown_outcome',
  'cancelling',
]

const derivedKeys = '^batch-[A-Za-z0-9_-]{43}$'
const derivedKeyForm = new RegExp(derivedKeys)

/** Whether a line gave no key. Lines with a key of their own ship an order again on purpose. */
function isDerivedKey(key: string): boolean {
  return derivedKeyForm.test(key)
}

/** A line that is about to begin. */
type BeginningLine = {
  readonly organizationId: string
  readonly batchId: string
  readonly idempotencyKey: string
  readonly shipmentId: string
  /** Null: it names no order. */
  readonly orderKey: string | null
}

/** What is known of a line's order. */
type OrderFacts = {
  /** A guide of the line's own key stands, or may. */
  readonly is_own: boolean
  /** A shipment of another key that has a guide, or may have one. */
  readonly other: string | null
  /** A shipment that a line with a key of its own is making. */
  readonly beside: string | null
  /** The shipment that the order's row names. */
  readonly holder: string
  /** Whether that has a guide, or may have one or get one. */
  readonly is_held: boolean
}

/**
 * Lets the lines begin whose order no other shipment has, or may have, and writes them into the rows
 * of their orders; answers for each of the others which shipment has it. Call it in the transaction that begins
 * the lines, after the read models were found to have every event that was there: the rows stay
 * locked, so lines of one order that begin elsewhere wait, and then see these.
 */
export async function takeOrders(
  tx: QueryExecutorProvider,
  lines: readonly BeginningLine[],
): Promise<ReadonlyMap<BeginningLine, string>> {
  const ordered = lines.filter(({ orderKey }) => orderKey !== null)
  if (ordered.length === 0) return new Map()
  await lockOrders(tx, ordered)
  // A statement of its own: it sees what those that held the rows have written.
  const facts = await readFacts(tx, ordered)
  const taken = new Map<BeginningLine, string>()
  const holders = new Map<string, BeginningLine>()
  for (const [at, line] of ordered.entries()) {
    const orderKey = line.orderKey as string
    const known = facts[at] as OrderFacts
    const before = holders.get(orderKey)
    const isDerived = isDerivedKey(line.idempotencyKey)
    const other = known.is_own ? null : (otherOf(known) ?? otherBefore(before, line))
    if (isDerived && other !== null) taken.set(line, other)
    else if (isDerived || (before === undefined && !known.is_held)) holders.set(orderKey, line)
  }
  await writeHolders(tx, [...holders.values()])
  return taken
}

function otherOf({ other, beside, holder, is_held: isHeld }: OrderFacts): string | null {
  return other ?? beside ?? (isHeld ? holder : null)
}

/** A line that begins in the same turn. */
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
        WHERE s.shipment_id = o.shipment_id COLLATE "C" AND s.status = ANY (${standing})) AS is_own,
      (SELECT s.shipment_id FROM projections.shipments s
        WHERE s.order_key = o.order_key COLLATE "C"
          AND s.organization_id = o.organization_id COLLATE "C" AND s.status = ANY (${standing})
          AND s.shipment_id <> o.shipment_id COLLATE "C" AND NOT ${isOtherParcel('s.shipment_id')}
        LIMIT 1) AS other,
      (SELECT l.shipment_id FROM batch_lines l
        WHERE l.order_key = o.order_key COLLATE "C" AND l.state = 'begun'
          AND l.shipment_id <> o.shipment_id COLLATE "C" AND l.batch_id <> o.batch_id COLLATE "C"
          AND l.idempotency_key !~ ${derivedKeys} LIMIT 1) AS beside,
      r.shipment_id <> o.shipment_id COLLATE "C" AND NOT ${isOtherParcel('r.shipment_id')} AND (
        EXISTS (SELECT FROM batch_lines l
          WHERE l.shipment_id = r.shipment_id AND l.state IN ('waiting', 'begun'))
        -- It was answered, and a ledger that lost its end has forgotten it: its guide may exist.
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
