import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { isSessionGone, thisSession } from '../../database/session.ts'
import { type Claims, claimTimes, type DutyName } from './claims.ts'

/** The column of `due` with the due time. */
export const dueAt: Readonly<Record<DutyName, RawBuilder<unknown>>> = {
  reconcile: sql`d.reconcile_at`,
  track: sql`d.check_at`,
  label: sql`d.label_at`,
  erase: sql`d.erase_at`,
}

const leasedUntil = sql`now() + ${sql.lit(claimTimes.leaseMs)} * interval '1 millisecond'`

/**
 * Claims in the rows of due work. A sandbox clock is never behind the wall clock, so anything due
 * by the wall clock is due everywhere: one index scan by time finds it. In addition, each workspace
 * whose clock is ahead is queried on its own.
 */
export function postgresClaims(db: Kysely<ReadModels>): Claims {
  return {
    async claim(duty, owner, limit) {
      const turn =
        duty === 'label'
          ? sql`, label_requested_at = now() + picked.offset_ms * interval '1 millisecond'`
          : sql``
      const { rows } = await sql<{ shipment_id: string; offset_ms: string }>`
        ${claimable(duty, limit)}, taken AS (
          UPDATE due d SET owner = ${owner}::uuid, leased_until = ${leasedUntil} ${turn}
          FROM picked WHERE d.shipment_id = picked.shipment_id
          RETURNING d.shipment_id, picked.offset_ms
        ), held AS (
          INSERT INTO claims AS k (work, owner, leased_until, session_pid, session_started, held)
          SELECT ${workOf(owner)}, ${owner}::uuid, ${leasedUntil}, mine.pid, mine.backend_start,
            ARRAY(SELECT shipment_id FROM taken)
          FROM ${thisSession} mine WHERE EXISTS (SELECT FROM taken)
          ON CONFLICT (work) DO UPDATE
            SET owner = excluded.owner, leased_until = excluded.leased_until, held = excluded.held,
              session_pid = excluded.session_pid, session_started = excluded.session_started
        )
        SELECT shipment_id, offset_ms FROM taken`.execute(db)
      return rows.map((row) => ({
        shipmentId: row.shipment_id,
        clockOffsetMs: Number(row.offset_ms),
      }))
    },

    async renew(owner) {
      await sql`
        WITH mine AS (
          UPDATE claims k SET leased_until = ${leasedUntil},
            session_pid = session.pid, session_started = session.backend_start
          FROM ${thisSession} session WHERE work = ${workOf(owner)}
          RETURNING k.held
        ), ${locked(sql`shipment_id IN (SELECT unnest(held) FROM mine)`, owner)}
        UPDATE due d SET leased_until = ${leasedUntil} FROM locked
        WHERE d.shipment_id = locked.shipment_id`.execute(db)
    },

    async release(owner, released) {
      // Null: it failed, and its wait depends on how often it has before.
      const waits = released.map(({ performed }) =>
        performed === 'failed' ? null : claimTimes.leftAloneMs[performed],
      )
      const ids = released.map(({ shipmentId }) => shipmentId)
      await sql`
        WITH ${locked(sql`shipment_id = ANY (${ids})`, owner)}
        UPDATE due d SET owner = NULL,
          leased_until = now() + coalesce(mine.wait_ms, ${failedWait}) * interval '1 millisecond',
          work_failures = CASE WHEN mine.wait_ms IS NULL THEN d.work_failures + 1 ELSE 0 END
        FROM unnest(${ids}::text[], ${waits}::int[]) AS mine (shipment_id, wait_ms)
        JOIN locked ON locked.shipment_id = mine.shipment_id
        WHERE d.shipment_id = locked.shipment_id`.execute(db)
    },
  }
}

/**
 * A WITH clause that locks the owner's rows in the order of their ids, as the follower does: two
 * statements that lock several rows each would otherwise wait for each other.
 */
function locked(where: RawBuilder<unknown>, owner: string): RawBuilder<unknown> {
  return sql`locked AS MATERIALIZED (
    SELECT shipment_id FROM due WHERE ${where} AND owner = ${owner}::uuid
    ORDER BY shipment_id FOR UPDATE
  )`
}

/** `failedWaitMs` in SQL; the exponent is bounded because it could overflow otherwise. */
const failedWait = sql`least(
  ${sql.lit(claimTimes.failedMs)} * 2 ^ least(d.work_failures, 30), ${sql.lit(claimTimes.failedMsMax)})`

/** The row of `claims` with the owner's process and the shipments it holds. */
function workOf(owner: string): string {
  return `worker:${owner}`
}

/** Rows of `claims` that a living worker would have renewed by now. */
export const unrenewed = sql`owner IS NOT NULL AND session_pid IS NOT NULL AND leased_until > now()
  AND leased_until < now() + ${sql.lit(claimTimes.leaseMs - claimTimes.deadMs)} * interval '1 millisecond'`

/** Releases claims of dead workers: not renewed, and the session that last renewed them is gone. */
export async function releaseDeadWorkers(db: Kysely<ReadModels>): Promise<number> {
  const { rows } = await sql<{ freed: string }>`
    WITH gone AS (
      SELECT session_pid, session_started FROM (
        SELECT DISTINCT session_pid, session_started FROM claims WHERE ${unrenewed}
      ) named
      WHERE ${isSessionGone(sql`session_pid`, sql`session_started`)}
    ), dead AS (
      SELECT work, owner, held FROM claims
      WHERE ${unrenewed} AND (session_pid, session_started) IN (SELECT * FROM gone)
      FOR UPDATE SKIP LOCKED
    ), ended AS (
      UPDATE claims SET owner = NULL, leased_until = now() WHERE work IN (SELECT work FROM dead)
      RETURNING held
    ), freed AS (
      UPDATE due d SET owner = NULL, leased_until = NULL
      FROM dead CROSS JOIN LATERAL unnest(dead.held) AS of (shipment_id)
      WHERE d.shipment_id = of.shipment_id AND d.owner = dead.owner
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM freed) + (SELECT count(*) FROM ended WHERE held IS NULL) AS freed`.execute(
    db,
  )
  return Number(rows[0]?.freed ?? 0)
}

/** The rows that may be claimed now, longest overdue first: a WITH clause that ends in `picked`. */
export function claimable(duty: DutyName, limit: number): RawBuilder<unknown> {
  const at = dueAt[duty]
  const apart = sql`${sql.lit(claimTimes.labelApartMs)} * interval '1 millisecond'`
  const isFree = (clock: RawBuilder<unknown>) =>
    duty === 'label'
      ? sql`(d.leased_until > now()) IS NOT TRUE
          AND (d.label_requested_at > ${clock} - ${apart}) IS NOT TRUE`
      : sql`(d.leased_until > now()) IS NOT TRUE`
  // Scalar subqueries, one per scanned row: a join would first read all due rows, and sort them.
  const clock = sql`sandbox_clocks c WHERE c.workspace_id = d.workspace_id AND NOT d.livemode`
  const offset = sql`coalesce((SELECT c.offset_ms FROM ${clock}), 0)`
  return sql`
    WITH by_wall AS (
      SELECT d.shipment_id, ${at} AS due_at, ${offset} AS offset_ms FROM due d
      WHERE ${at} <= now() AND (SELECT c.advancing_to FROM ${clock}) IS NULL
        AND ${isFree(sql`(now() + ${offset} * interval '1 millisecond')`)}
      ORDER BY ${at} LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED
    ), ahead AS (
      SELECT own.shipment_id, own.due_at, c.offset_ms
      FROM sandbox_clocks c
      CROSS JOIN LATERAL (SELECT now() + c.offset_ms * interval '1 millisecond' AS now) clock
      CROSS JOIN LATERAL (
        SELECT d.shipment_id, ${at} AS due_at FROM due d
        WHERE ${ofWorkspace(sql`c.workspace_id`, sql`clock.now`)}
          AND ${at} <= clock.now AND ${isFree(sql`clock.now`)}
        ORDER BY d.workspace_id, d.first_at LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED
      ) own
      WHERE c.offset_ms > 0 AND c.advancing_to IS NULL
    ), picked AS MATERIALIZED (
      SELECT shipment_id, offset_ms FROM (SELECT * FROM by_wall UNION SELECT * FROM ahead) both_lists
      ORDER BY due_at - offset_ms * interval '1 millisecond' LIMIT ${limit}
    )`
}

/**
 * The work due in a test workspace up to a moment. Written as a range of pairs, because an equality
 * would let the planner scan another index, past all other workspaces' rows.
 */
export function ofWorkspace(workspaceId: RawBuilder<unknown>, until: RawBuilder<unknown>) {
  return sql`NOT d.livemode AND d.first_at IS NOT NULL
    AND (d.workspace_id, d.first_at) > (${workspaceId}, '-infinity'::timestamptz)
    AND (d.workspace_id, d.first_at) <= (${workspaceId}, ${until})`
}
