import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import type { Json } from '../../domain/decider.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { LineSealer } from '../../security/encryption/batch-keys.ts'
import { leaveCompleted } from './leave-completed.ts'
import type { BatchRow } from './shown-batch.ts'

/** Another process takes a lane over after this if its holder died. */
const leaseMs = 10_000

/** The lines of one connection, which are done by one holder at a time. */
export type Lane = {
  readonly connectionId: string
  /** Names this holding of the lane. */
  readonly owner: string
  /** Grows when lines are added. */
  readonly version: string
}

/** A line to do, with what its batch says of it. */
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
  /** The shipment that has the order of the line, or may have: the line makes nothing. */
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

export type LineLater = {
  readonly batchId: string
  readonly line: number
  readonly waitMs: number
  /** Whether it counts among the tries of the line. */
  readonly counts: boolean
}

const leased = sql`now() + ${sql.lit(leaseMs)} * interval '1 millisecond'`

/**
 * Leases a lane that has lines to do. The organization that was served longest ago comes first, so
 * that one with many connections or lines delays the others by a turn only. Null: there is none.
 */
export async function holdLane(db: Kysely<ReadModels>, owner: string): Promise<Lane | null> {
  const { rows } = await sql<{ connection_id: string; version: string }>`
    UPDATE batch_lanes l SET owner = ${owner}::uuid, leased_until = ${leased}, served_at = now()
    WHERE l.connection_id = (
      SELECT c.connection_id FROM batch_lanes c
      WHERE c.next_at <= now() AND (c.leased_until > now()) IS NOT TRUE
      ORDER BY (
        SELECT max(o.served_at) FROM batch_lanes o WHERE o.organization_id = c.organization_id
      ), c.served_at
      LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING l.connection_id, l.version`.execute(db)
  const [row] = rows
  return row === undefined ? null : { connectionId: row.connection_id, owner, version: row.version }
}

/** Extends the lease. False: another process holds the lane. */
export async function renewLane(db: Kysely<ReadModels>, lane: Lane): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE batch_lanes SET leased_until = ${leased}
    WHERE connection_id = ${lane.connectionId} AND owner = ${lane.owner}::uuid`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Gives the lane back. It is due again when its next line is, and closed if there is none; lines
 * that are added meanwhile keep it open.
 */
export async function releaseLane(db: Kysely<ReadModels>, lane: Lane): Promise<void> {
  const { connectionId, owner, version } = lane
  await sql`
    WITH next AS (
      SELECT min(not_before) AS at FROM batch_lines
      WHERE connection_id = ${connectionId} AND state IN ('waiting', 'begun')
    )
    UPDATE batch_lanes l SET owner = NULL, leased_until = NULL,
      next_at = CASE WHEN l.version = ${version} THEN coalesce(next.at, 'infinity') ELSE now() END
    FROM next WHERE l.connection_id = ${connectionId} AND l.owner = ${owner}::uuid`.execute(db)
  await sql`
    DELETE FROM batch_lanes
    WHERE connection_id = ${connectionId} AND version = ${version} AND owner IS NULL
      AND next_at = 'infinity'`.execute(db)
}

/** Lines that could not be done now wait. */
export async function postponeLines(
  db: Kysely<ReadModels>,
  later: readonly LineLater[],
): Promise<void> {
  if (later.length === 0) return
  const column = <T>(value: (line: LineLater) => T) => later.map(value)
  await sql`
    UPDATE batch_lines l SET state = 'waiting', begun_by = NULL, tries = l.tries + e.counts::int,
      not_before = now() + e.wait_ms * interval '1 millisecond'
    FROM unnest(${column(({ batchId }) => batchId)}::text[], ${column(({ line }) => line)}::int[],
      ${column(({ waitMs }) => waitMs)}::int[], ${column(({ counts }) => counts)}::boolean[]
    ) AS e (batch_id, line, wait_ms, counts)
    WHERE l.batch_id = e.batch_id COLLATE "C" AND l.line = e.line AND l.state = 'begun'`.execute(db)
}

/** Records how lines ended. A batch whose last line this was is complete, and its webhook is sent. */
export async function endLines(db: Kysely<ReadModels>, ends: readonly LineEnd[]): Promise<void> {
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
    for (const row of rows) {
      if (row.ended_at === null || row.cancelled_at !== null) continue
      await leaveCompleted(tx, row)
    }
  })
}

/** When the next lane is due, in milliseconds; null: no lane is open. */
export async function nextLaneMs(db: Kysely<ReadModels>): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    SELECT (extract(epoch FROM min(greatest(next_at, coalesce(leased_until, next_at))) - now()) * 1000)::float8 AS ms
    FROM batch_lanes WHERE next_at < 'infinity'`.execute(db)
  return rows[0]?.ms ?? null
}
