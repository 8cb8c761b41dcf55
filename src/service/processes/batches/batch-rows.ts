import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { WrappedKey } from '../../security/encryption/encryption.ts'
import type { BatchRow } from './batch-to-api.ts'
import { enqueueCompleted } from './enqueue-completed.ts'

/** Lines written by one statement: a few milliseconds of the event loop. */
const storedTogether = 200
/** Sealed bytes after which a statement is full: a few milliseconds. */
const storedTogetherBytes = 256 * 1024
/** How long a batch and its lines are kept after it ended. */
export const batchKeptDays = 90
/** Batches deleted by one call, each with up to 10,000 lines. */
const forgottenMax = 20

type NewBatch = {
  readonly id: string
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
  readonly externalReference: string
  readonly actor: Actor
  readonly requestId: string
  readonly wrapped: WrappedKey
}

/** A line to process, or one that was refused when it was read. */
export type NewLine = {
  readonly line: number
  readonly connectionId: string | null
  readonly idempotencyKey: string | null
  readonly shipmentId: string | null
  /** As from `orderKeyOf`; null for a refused line. */
  readonly orderKey: string | null
  readonly scenario: string | null
  /** Sealed. */
  readonly body: Buffer | null
  readonly refused: { readonly reason: string; readonly refusal: Buffer } | null
  /** Whether a refused line is `invalid`: the client asked to skip such lines. */
  readonly isInvalid?: boolean
}

/**
 * Stores a batch with all its lines, or nothing. Its lines are processed from then on. They are taken
 * one after the other, so that not all of them need to be in memory.
 */
export async function storeBatch(
  db: Kysely<Tables>,
  batch: NewBatch,
  lines: AsyncIterable<NewLine> | Iterable<NewLine>,
): Promise<void> {
  let total = 0
  let ended = 0
  const connections = new Set<string | null>()
  await db.transaction().execute(async (tx) => {
    await sql`
      INSERT INTO batches (id, organization_id, workspace_id, livemode, external_reference, actor,
        request_id, master_key_id, wrapped_key, total, ended)
      VALUES (${batch.id}, ${batch.organizationId}, ${batch.workspaceId}, ${batch.livemode},
        ${batch.externalReference}, ${JSON.stringify(batch.actor)}::jsonb, ${batch.requestId},
        ${batch.wrapped.masterKeyId}, ${batch.wrapped.wrappedKey}, 0, 0)`.execute(tx)
    for await (const some of together(lines)) {
      await insertLines(tx, batch, some)
      total += some.length
      for (const { refused, connectionId } of some) {
        if (refused === null) connections.add(connectionId)
        else ended += 1
      }
    }
    const { rows } = await sql<BatchRow>`
      UPDATE batches SET total = ${total}, ended = ${ended},
        ended_at = CASE WHEN ${ended} = ${total}::int THEN now() END
      WHERE id = ${batch.id} RETURNING *`.execute(tx)
    await sql`
      INSERT INTO batch_lanes (connection_id, organization_id)
      SELECT connection_id, ${batch.organizationId} FROM unnest(${[...connections]}::text[]) AS of (connection_id)
      ORDER BY connection_id
      ON CONFLICT (connection_id) DO UPDATE
        SET next_at = least(batch_lanes.next_at, now()), version = batch_lanes.version + 1`.execute(
      tx,
    )
    await enqueueCompleted(
      tx,
      rows.filter((row) => row.ended_at !== null),
    )
  })
}

/** The lines in groups that one statement writes. */
async function* together(
  lines: AsyncIterable<NewLine> | Iterable<NewLine>,
): AsyncGenerator<readonly NewLine[]> {
  let some: NewLine[] = []
  let bytes = 0
  for await (const line of lines) {
    some.push(line)
    bytes += line.body?.length ?? line.refused?.refusal.length ?? 0
    if (some.length < storedTogether && bytes < storedTogetherBytes) continue
    yield some
    some = []
    bytes = 0
  }
  if (some.length > 0) yield some
}

async function insertLines(
  tx: Kysely<Tables>,
  batch: NewBatch,
  lines: readonly NewLine[],
): Promise<void> {
  const column = <T>(value: (line: NewLine) => T) => lines.map(value)
  await sql`
    INSERT INTO batch_lines (batch_id, organization_id, line, connection_id, idempotency_key,
      shipment_id, order_key, scenario, body, state, reason, refusal)
    SELECT ${batch.id}, ${batch.organizationId}, line, connection_id, idempotency_key, shipment_id,
      order_key, scenario, body, CASE WHEN reason IS NULL THEN 'waiting' WHEN is_invalid THEN 'invalid'
        ELSE 'failed' END, reason, refusal
    FROM unnest(
      ${column(({ line }) => line)}::int[], ${column((line) => line.connectionId)}::text[],
      ${column((line) => line.idempotencyKey)}::text[], ${column((line) => line.shipmentId)}::text[],
      ${column(({ orderKey }) => orderKey)}::text[],
      ${column(({ scenario }) => scenario)}::text[], ${column(({ body }) => body)}::bytea[],
      ${column(({ refused }) => refused?.reason ?? null)}::text[],
      ${column(({ refused }) => refused?.refusal ?? null)}::bytea[],
      ${column(({ isInvalid = false }) => isInvalid)}::boolean[]
    ) AS of (line, connection_id, idempotency_key, shipment_id, order_key, scenario, body, reason,
      refusal, is_invalid)`.execute(tx)
}

/**
 * Cancels the lines that have not begun. Lines that have begun go on, because the courier may have
 * received them.
 */
export async function cancelBatch(db: Kysely<Tables>, batchId: string): Promise<void> {
  await sql`
    WITH cancelled AS (
      UPDATE batch_lines SET state = 'cancelled', body = NULL
      WHERE batch_id = ${batchId} AND state = 'waiting' RETURNING 1
    )
    UPDATE batches b SET cancelled_at = now(), ended = b.ended + counted.lines,
      ended_at = CASE WHEN b.ended + counted.lines = b.total THEN now() END
    FROM (SELECT count(*)::int AS lines FROM cancelled) counted
    WHERE b.id = ${batchId} AND b.cancelled_at IS NULL AND b.ended_at IS NULL`.execute(db)
}

/** Deletes batches that ended long ago; their shipments stay. Returns the number. */
export async function forgetBatches(db: Kysely<Tables>): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM batches WHERE id IN (
      SELECT id FROM batches WHERE ended_at < now() - ${sql.lit(batchKeptDays)} * interval '1 day'
      ORDER BY ended_at LIMIT ${forgottenMax} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
