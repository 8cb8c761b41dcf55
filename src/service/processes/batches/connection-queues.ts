import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Json } from '../../domain/decider.ts'
import type { Actor } from '../../event-store/codec.ts'
import { type Claimant, queueTables, releaseRows } from '../../queue/claim.ts'
import type { LineSealer } from '../../security/encryption/own-key.ts'
import type { BatchRow } from './batch-to-api.ts'
import { enqueueCompleted } from './enqueue-completed.ts'

/** The lines of one connection, which are done by one owner at a time. */
export type ConnectionQueue = Claimant & {
  readonly connection_id: string
  /** Grows when lines are added. */
  readonly version: string
}

/** A line to process, with what it takes from its batch. */
export type Line = {
  readonly batchId: string
  readonly line: number
  readonly organizationId: string
  readonly livemode: boolean
  readonly actor: Actor
  readonly requestId: string
  readonly idempotencyKey: string
  readonly scenario: string | null
  readonly tries: number
  readonly body: Json
  readonly sealer: LineSealer
  /** The shipment that has the order of the line, or may have it; the line then creates nothing. */
  readonly orderTakenBy: string | null
}

export type LineEnd = {
  readonly batchId: string
  readonly line: number
  readonly state: 'answered' | 'failed'
  readonly status: string | null
  readonly reason: string | null
  /** Sealed. */
  readonly refusal: Buffer | null
}

export type PostponedLine = {
  readonly batchId: string
  readonly line: number
  readonly waitMs: number
  /** Whether the postponement counts as one of the line's tries. */
  readonly counts: boolean
}

/**
 * Returns the connection: it becomes due with its next line, or is closed if it has no more. Lines
 * added meanwhile keep it open.
 */
export async function releaseQueue(db: Kysely<Tables>, queue: ConnectionQueue): Promise<void> {
  const { connection_id: connectionId, owner, version } = queue
  const nextAt = sql`SELECT min(not_before) FROM batch_lines
    WHERE connection_id = ${connectionId} AND state IN ('waiting', 'begun')`
  await releaseRows(db, queueTables.connections, owner, {
    released: [{ key: connectionId, waitMs: 0 }],
    set: sql`, next_at = CASE WHEN d.version = ${version}
      THEN coalesce((${nextAt}), 'infinity') ELSE now() END`,
  })
  await sql`
    DELETE FROM batch_lanes
    WHERE connection_id = ${connectionId} AND version = ${version} AND owner IS NULL
      AND next_at = 'infinity'`.execute(db)
}

/** Postpones lines that could not be processed now. */
export async function postponeLines(
  db: Kysely<Tables>,
  later: readonly PostponedLine[],
): Promise<void> {
  if (later.length === 0) return
  const column = <T>(value: (line: PostponedLine) => T) => later.map(value)
  await sql`
    UPDATE batch_lines l SET state = 'waiting', begun_by = NULL, tries = l.tries + e.counts::int,
      not_before = now() + e.wait_ms * interval '1 millisecond'
    FROM unnest(${column(({ batchId }) => batchId)}::text[], ${column(({ line }) => line)}::int[],
      ${column(({ waitMs }) => waitMs)}::int[], ${column(({ counts }) => counts)}::boolean[]
    ) AS e (batch_id, line, wait_ms, counts)
    WHERE l.batch_id = e.batch_id COLLATE "C" AND l.line = e.line AND l.state = 'begun'`.execute(db)
}

/** Records how lines ended. The last line of a batch completes it and enqueues its webhook. */
export async function endLines(db: Kysely<Tables>, ends: readonly LineEnd[]): Promise<void> {
  if (ends.length === 0) return
  const column = <T>(value: (end: LineEnd) => T) => ends.map(value)
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<BatchRow>`
      WITH ended AS (
        UPDATE batch_lines l SET state = e.state, status = e.status, reason = e.reason,
          refusal = e.refusal, body = NULL, begun_by = NULL
        FROM unnest(${column(({ batchId }) => batchId)}::text[], ${column(({ line }) => line)}::int[],
          ${column(({ state }) => state)}::text[], ${column(({ status }) => status)}::text[],
          ${column(({ reason }) => reason)}::text[], ${column(({ refusal }) => refusal)}::bytea[]
        ) AS e (batch_id, line, state, status, reason, refusal)
        WHERE l.batch_id = e.batch_id COLLATE "C" AND l.line = e.line AND l.state = 'begun'
        RETURNING l.batch_id
      )
      UPDATE batches b SET ended = b.ended + counted.lines,
        ended_at = CASE WHEN b.ended + counted.lines = b.total THEN now() END
      FROM (SELECT batch_id, count(*)::int AS lines FROM ended GROUP BY batch_id) counted
      WHERE b.id = counted.batch_id
      RETURNING b.*`.execute(tx)
    await enqueueCompleted(
      tx,
      rows.filter((row) => row.ended_at !== null && row.cancelled_at === null),
    )
  })
}
