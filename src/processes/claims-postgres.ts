import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { isSessionGone, thisSession } from '../database/session.ts'
import { type Claims, claimTimes, type DutyName } from './claims.ts'

/** Rows (shipment_id, workspace_id, livemode, due_at) of all that is owed, due or not. */
export const owedOf: Readonly<Record<DutyName, RawBuilder<unknown>>> = {
  reconcile: sql`
    SELECT shipment_id, workspace_id, livemode, due_at FROM projections.timers
    WHERE due_at IS NOT NULL`,
  track: sql`
    SELECT shipment_id, workspace_id, livemode, next_check_at AS due_at FROM polls`,
  label: sql`
    SELECT shipment_id, workspace_id, livemode, next_at AS due_at FROM label_requests
    WHERE next_at IS NOT NULL`,
  erase: sql`
    SELECT shipment_id, workspace_id, livemode, due_at FROM erasures WHERE due_at IS NOT NULL`,
}

export function workOf(duty: DutyName, shipmentId: string): string {
  return `${duty}:${shipmentId}`
}

/**
 * Claims as rows. A sandbox clock is never behind the wall clock, so what is due by the wall is due
 * everywhere: that is one walk along an index by time. Besides, each workspace whose clock is ahead
 * is asked for its own.
 */
export function postgresClaims(db: Kysely<ReadModels>): Claims {
  return {
    async claim(duty, owner, limit) {
      const { rows } = await sql<{ shipment_id: string; offset_ms: string }>`
        ${claimable(duty, limit)}, taken AS (
          INSERT INTO claims AS k (work, owner, leased_until, session_pid, session_started)
          SELECT ${`${duty}:`} || shipment_id, ${owner}::uuid, ${leasedUntil},
            mine.pid, mine.backend_start
          FROM due CROSS JOIN ${thisSession} mine ORDER BY shipment_id
          ON CONFLICT (work) DO UPDATE
            SET leased_until = excluded.leased_until, owner = excluded.owner,
              session_pid = excluded.session_pid, session_started = excluded.session_started
            WHERE k.leased_until <= now()
          RETURNING work
        )
        SELECT due.shipment_id, due.offset_ms FROM due
        JOIN taken ON taken.work = ${`${duty}:`} || due.shipment_id`.execute(db)
      return rows.map((row) => ({
        shipmentId: row.shipment_id,
        clockOffsetMs: Number(row.offset_ms),
      }))
    },

    async stillDue(duty, claimed) {
      const ids = claimed.map(({ shipmentId }) => shipmentId)
      const offsets = claimed.map(({ clockOffsetMs }) => clockOffsetMs)
      const { rows } = await sql<{ shipment_id: string }>`
        SELECT o.shipment_id
        FROM unnest(${ids}::text[], ${offsets}::bigint[]) AS mine (shipment_id, offset_ms)
        JOIN (${owedOf[duty]}) o ON o.shipment_id = mine.shipment_id COLLATE "C"
        WHERE o.due_at <= now() + mine.offset_ms * interval '1 millisecond'`.execute(db)
      return new Set(rows.map((row) => row.shipment_id))
    },

    async renew(owner) {
      await sql`
        UPDATE claims SET leased_until = ${leasedUntil},
          session_pid = mine.pid, session_started = mine.backend_start
        FROM ${thisSession} mine WHERE owner = ${owner}::uuid`.execute(db)
    },

    async release(owner, released) {
      const worksOf = (wanted: string) =>
        released
          .filter(({ performed }) => performed === wanted)
          .map(({ duty, shipmentId }) => workOf(duty, shipmentId))
      const done = worksOf('done')
      if (done.length > 0) {
        await sql`
          DELETE FROM claims WHERE work = ANY (${done}) AND owner = ${owner}::uuid`.execute(db)
      }
      for (const [performed, waitMs] of Object.entries(claimTimes.leftAloneMs)) {
        const works = worksOf(performed)
        if (works.length === 0) continue
        await sql`
          UPDATE claims
          SET owner = NULL, leased_until = now() + ${waitMs} * interval '1 millisecond'
          WHERE work = ANY (${works}) AND owner = ${owner}::uuid`.execute(db)
      }
    },
  }
}

/** Frees what processes held that died: nobody has renewed it, and the session that did last is gone. */
export async function freeOfTheDead(db: Kysely<ReadModels>): Promise<number> {
  const unrenewed = sql`owner IS NOT NULL AND session_pid IS NOT NULL AND leased_until > now()
    AND leased_until < now() + ${sql.lit(claimTimes.leaseMs - claimTimes.deadMs)} * interval '1 millisecond'`
  const { numAffectedRows } = await sql`
    WITH gone AS (
      SELECT session_pid, session_started FROM (
        SELECT DISTINCT session_pid, session_started FROM claims WHERE ${unrenewed}
      ) named
      WHERE ${isSessionGone(sql`session_pid`, sql`session_started`)}
    ), held AS (
      SELECT work FROM claims
      WHERE ${unrenewed} AND (session_pid, session_started) IN (SELECT * FROM gone)
      FOR UPDATE SKIP LOCKED
    )
    UPDATE claims SET owner = NULL, leased_until = now()
    WHERE work IN (SELECT work FROM held)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

const leasedUntil = sql`now() + ${sql.lit(claimTimes.leaseMs)} * interval '1 millisecond'`

/**
 * What a workspace owes up to a moment. Said as a range of pairs, because an equality would let the
 * planner walk along the index by time, past everybody else's rows.
 */
export function ofWorkspace(workspaceId: RawBuilder<unknown>, until: RawBuilder<unknown>) {
  return sql`(o.workspace_id, o.due_at) > (${workspaceId}, '-infinity'::timestamptz)
    AND (o.workspace_id, o.due_at) <= (${workspaceId}, ${until})`
}

/** What may be claimed now, the longest overdue first: a WITH clause that ends in `due`. */
export function claimable(name: DutyName, limit: number): RawBuilder<unknown> {
  const owed = owedOf[name]
  // Scalar looks, one for each row of the walk: a join would first read all that is due, and sort it.
  const isFree = sql`(
    SELECT k.leased_until FROM claims k WHERE k.work = ${`${name}:`} || o.shipment_id
  ) > now() IS NOT TRUE`
  const clock = sql`sandbox_clocks c WHERE c.workspace_id = o.workspace_id AND NOT o.livemode`
  return sql`
    WITH by_wall AS (
      SELECT o.shipment_id, o.due_at, coalesce((SELECT c.offset_ms FROM ${clock}), 0) AS offset_ms
      FROM (${owed}) o
      WHERE o.due_at <= now() AND ${isFree} AND (SELECT c.advancing_to FROM ${clock}) IS NULL
      ORDER BY o.due_at LIMIT ${limit}
    ), ahead AS (
      SELECT own.shipment_id, own.due_at, c.offset_ms
      FROM sandbox_clocks c CROSS JOIN LATERAL (
        SELECT o.shipment_id, o.due_at FROM (${owed}) o
        WHERE NOT o.livemode AND ${isFree}
          AND ${ofWorkspace(sql`c.workspace_id`, sql`now() + c.offset_ms * interval '1 millisecond'`)}
        ORDER BY o.workspace_id, o.due_at LIMIT ${limit}
      ) own
      WHERE c.offset_ms > 0 AND c.advancing_to IS NULL
    ), due AS (
      SELECT shipment_id, offset_ms FROM (SELECT * FROM by_wall UNION SELECT * FROM ahead) both_lists
      ORDER BY due_at - offset_ms * interval '1 millisecond' LIMIT ${limit}
    )`
}
