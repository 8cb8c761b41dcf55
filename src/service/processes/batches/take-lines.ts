import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Json } from '../../domain/decider.ts'
import { orderKeyOf } from '../../domain/shipment/order-key.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { BatchSealer, LineSealer } from '../../security/encryption/own-key.ts'
import type { ConnectionQueue, Line } from './connection-queues.ts'
import { takeOrders } from './orders.ts'

type Taken = {
  readonly batch_id: string
  readonly line: number
  readonly organization_id: string
  readonly workspace_id: string
  readonly livemode: boolean
  readonly actor: Actor
  readonly request_id: string
  readonly idempotency_key: string
  readonly shipment_id: string
  readonly order_key: string | null
  readonly scenario: string | null
  readonly tries: number
  readonly body: Buffer
  readonly master_key_id: string
  readonly wrapped_key: Buffer
}

/**
 * Takes the next lines of a leased connection, first those that a dead holder had begun. Call it
 * once the read models have caught up with the ledger.
 */
export async function takeLines(
  db: Kysely<Tables>,
  sealer: BatchSealer,
  queue: ConnectionQueue,
  limit: number,
): Promise<readonly Line[]> {
  return await db.transaction().execute(async (tx) => {
    const picked = await pickLines(tx, queue, limit)
    if (picked.length === 0) return []
    const opened = openLines(sealer, picked)
    const taken = await takeOrders(tx, opened)
    await beginLines(tx, queue, opened)
    return opened.map((line) => ({ ...line, orderTakenBy: taken.get(line) ?? null }))
  })
}

async function pickLines(
  tx: Kysely<Tables>,
  { connection_id: connectionId, owner }: ConnectionQueue,
  limit: number,
): Promise<readonly Taken[]> {
  const { rows } = await sql<Taken>`
    SELECT l.batch_id, l.line, b.organization_id, b.workspace_id, b.livemode, b.actor, b.request_id,
      l.idempotency_key, l.shipment_id, l.order_key, l.scenario, l.tries, l.body, b.master_key_id,
      b.wrapped_key
    FROM batch_lines l JOIN batches b ON b.id = l.batch_id
    WHERE l.connection_id = ${connectionId} AND l.state IN ('waiting', 'begun')
      AND l.not_before <= now() AND l.begun_by IS DISTINCT FROM ${owner}::uuid
      AND EXISTS (
        SELECT FROM batch_lanes WHERE connection_id = ${connectionId} AND owner = ${owner}::uuid
          AND leased_until > now())
    ORDER BY l.not_before, l.batch_id, l.line LIMIT ${limit}
    FOR UPDATE OF l SKIP LOCKED`.execute(tx)
  return rows.toSorted((a, b) => a.batch_id.localeCompare(b.batch_id) || a.line - b.line)
}

function openLines(sealer: BatchSealer, rows: readonly Taken[]) {
  const sealers = new Map<string, LineSealer>()
  return rows.map((row) => {
    const at = { organizationId: row.organization_id, batchId: row.batch_id }
    const wrapped = { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key }
    const opened = sealers.get(row.batch_id) ?? sealer.open(at, wrapped)
    sealers.set(row.batch_id, opened)
    const body = opened.open({ line: row.line, what: 'body' }, row.body)
    return {
      ...at,
      line: row.line,
      livemode: row.livemode,
      actor: row.actor,
      requestId: row.request_id,
      idempotencyKey: row.idempotency_key,
      shipmentId: row.shipment_id,
      orderKey: row.order_key ?? orderKeyIn(row, body),
      scenario: row.scenario,
      tries: row.tries,
      body,
      sealer: opened,
    }
  })
}

/** For a line stored before lines had an order key. */
function orderKeyIn({ workspace_id: workspaceId, livemode }: Taken, body: Json): string | null {
  const { external_reference: reference } = body as { readonly external_reference?: string }
  return reference === undefined ? null : orderKeyOf({ workspaceId, livemode, reference })
}

async function beginLines(
  tx: Kysely<Tables>,
  { owner }: ConnectionQueue,
  lines: ReturnType<typeof openLines>,
): Promise<void> {
  await sql`
    UPDATE batch_lines l SET state = 'begun', begun_by = ${owner}::uuid, order_key = e.order_key
    FROM unnest(${lines.map(({ batchId }) => batchId)}::text[],
      ${lines.map(({ line }) => line)}::int[], ${lines.map(({ orderKey }) => orderKey)}::text[]
    ) AS e (batch_id, line, order_key)
    WHERE l.batch_id = e.batch_id COLLATE "C" AND l.line = e.line`.execute(tx)
}
