import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { WrappedKey } from '../../security/encryption/encryption.ts'
import { leaveCompleted } from './leave-completed.ts'
import type { BatchRow } from './shown-batch.ts'

/** Lines written by one statement: a few milliseconds of the event loop. */
const storedTogether = 200
/** Sealed bytes written by one statement, with the line that exceeds them: a few milliseconds. */
const storedTogetherBytes = 256 * 1024
/** A batch and its lines are kept this long after it ended. */
export const batchKeptDays = 90
/** Batches forgotten in one go, with at most 10,000 lines each. */
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

/** A line that is to be done, or that was refused when it was read. */
export type NewLine = {
  readonly line: number
  readonly connectionId: string | null
  readonly idempotencyKey: string | null
  readonly shipmentId: string | null
  /** As `orderKeyOf`; null for a line that was refused. */
  readonly orderKey: string | null
  readonly scenario: string | null
  /** Sealed. */
  readonly body: Buffer | null
  readonly refused: { readonly reason: string; readonly refusal: Buffer } | null
}

/** Stores a batch with all its lines, or nothing; from then on the lines are done. */
export async function storeBatch(
  db: Kysely<ReadModels>,
  batch: NewBatch,
  lines: readonly NewLine[],
): Promise<void> {
  const ended = lines.filter(({ refused }) => refused !== null).length
  const connections = new Set(
    lines.filter(({ refused }) => refused === null).map(({ connectionId }) => connectionId),
  )
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<BatchRow>`
      INSERT INTO batches (id, organization_id, workspace_id, livemode, external_reference, actor,
        request_id, master_key_id, wrapped_key, total, ended, ended_at)
      VALUES (${batch.id}, ${batch.organizationId}, ${batch.workspaceId}, ${batch.livemode},
        ${batch.externalReference}, ${JSON.stringify(batch.actor)}::jsonb, ${batch.requestId},
        ${batch.wrapped.masterKeyId}, ${batch.wrapped.wrappedKey}, ${lines.length}, ${ended},
        CASE WHEN ${ended} = ${lines.length} THEN now() END)
      RETURNING *`.execute(tx)
    for (const some of together(lines)) await insertLines(tx, batch, some)
    for (const row of rows) if (row.ended_at !== null) await leaveCompleted(tx, row)
    await sql`
      INSERT INTO batch_lanes (connection_id, organization_id)
      SELECT connection_id, ${batch.organizationId} FROM unnest(${[...connections]}::text[]) AS of (connection_id)
      ORDER BY connection_id
      ON CONFLICT (connection_id) DO UPDATE
        SET next_at = least(batch_lanes.next_at, now()), version = batch_lanes.version + 1`.execute(
      tx,
    )
  })
}

/** The lines in groups that one statement writes. */
function* together(lines: readonly NewLine[]): Generator<readonly NewLine[]> {
  let some: NewLine[] = []
  let bytes = 0
  for (const line of lines) {
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
  tx: Kysely<ReadModels>,
  batch: NewBatch,
  lines: readonly NewLine[],
): Promise<void> {
  const column = <T>(value: (line: NewLine) => T) => lines.map(value)
  await sql`
    INSERT INTO batch_lines (batch_id, organization_id, line, connection_id, idempotency_key,
      shipment_id, order_key, scenario, body, state, reason, refusal)
    SELECT ${batch.id}, ${batch.organizationId}, line, connection_id, idempotency_key, shipment_id,
      order_key, scenario, body, CASE WHEN reason IS NULL THEN 'waiting' ELSE 'failed' END, reason, refusal
    FROM unnest(
      ${column(({ line }) => line)}::int[], ${column((line) => line.connectionId)}::text[],
      ${column((line) => line.idempotencyKey)}::text[], ${column((line) => line.shipmentId)}::text[],
      ${column(({ orderKey }) => orderKey)}::text[],
      ${column(({ scenario }) => scenario)}::text[], ${column(({ body }) => body)}::bytea[],
      ${column(({ refused }) => refused?.reason ?? null)}::text[],
      ${column(({ refused }) => refused?.refusal ?? null)}::bytea[]
    ) AS of (line, connection_id, idempotency_key, shipment_id, order_key, scenario, body, reason,
      refusal)`.execute(tx)
}

/**
 * Cancels the lines that have not begun. A line that has begun goes on: the courier may have been
 * asked.
 */
export async function cancelBatch(db: Kysely<ReadModels>, batchId: string): Promise<void> {
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

/** Forgets batches that ended long ago. Their shipments stay. Answers how many. */
export async function forgetBatches(db: Kysely<ReadModels>): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM batches WHERE id IN (
      SELECT id FROM batches WHERE ended_at < now() - ${sql.lit(batchKeptDays)} * interval '1 day'
      ORDER BY ended_at LIMIT ${forgottenMax} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
