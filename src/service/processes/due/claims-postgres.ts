import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { claimRows, isFree, queueTables, releaseRows, renewClaim } from '../../queue/claim.ts'
import { msUntil } from '../../queue/run.ts'
import { type Claims, cooldownMs, type JobName, jobNames, labelApartMs } from './claims.ts'

/** The column of `due` that has the due time. */
export const dueAt: Readonly<Record<JobName, RawBuilder<unknown>>> = {
  reconcile: sql`d.reconcile_at`,
  track: sql`d.check_at`,
  label: sql`d.label_at`,
  erase: sql`d.erase_at`,
}

/**
 * Claims work in the rows of `due`. A sandbox clock is never behind the wall clock, so work that is
 * due by the wall clock is due everywhere, and one index scan by time finds it. In addition, each
 * workspace whose clock is ahead is queried separately.
 */
export function postgresClaims(db: Kysely<Tables>): Claims {
  const { due } = queueTables
  return {
    async claim(job, owner, limit) {
      const rows = await claimRows<{ shipment_id: string; offset_ms: string }>(
        db,
        due,
        { slot: owner, owner },
        {
          picked: claimable(job, limit),
          set:
            job === 'label'
              ? sql`, label_requested_at = now() + picked.offset_ms * interval '1 millisecond'`
              : sql``,
          columns: sql`d.shipment_id, picked.offset_ms`,
        },
      )
      return rows.map((row) => ({
        shipmentId: row.shipment_id,
        clockOffsetMs: Number(row.offset_ms),
      }))
    },
    renew: (owner) => renewClaim(db, due, { slot: owner, owner }),
    async release(owner, released) {
      const rows = released.map(({ shipmentId, performed }) => ({
        key: shipmentId,
        waitMs: performed === 'failed' ? null : cooldownMs[performed],
      }))
      await releaseRows(db, due, owner, { released: rows })
    },
  }
}

/** SQL: milliseconds until the next work of each kind, and of any kind where a clock is ahead. */
export const dueInMs = {
  ...Object.fromEntries(
    jobNames.map((name) => {
      const at = dueAt[name]
      return [
        name,
        sql`SELECT ${msUntil(at)} FROM due d WHERE ${at} IS NOT NULL AND ${isFree(sql`d`)}
          ORDER BY ${at} LIMIT 1`,
      ]
    }),
  ),
  ahead: sql`SELECT min((
      SELECT ${msUntil(sql`d.first_at`)} FROM due d
      WHERE ${ofWorkspace(sql`c.workspace_id`, sql`'infinity'::timestamptz`)} AND ${isFree(sql`d`)}
      ORDER BY d.workspace_id, d.first_at LIMIT 1
    ) - c.offset_ms)
    FROM sandbox_clocks c WHERE c.offset_ms > 0 AND c.advancing_to IS NULL`,
} as Readonly<Record<JobName | 'ahead', RawBuilder<unknown>>>

/** The rows that may be claimed now, longest overdue first: a WITH clause that ends in `picked`. */
export function claimable(job: JobName, limit: number): RawBuilder<unknown> {
  const at = dueAt[job]
  const apart = sql`${sql.lit(labelApartMs)} * interval '1 millisecond'`
  const mayBeClaimed = (clock: RawBuilder<unknown>) =>
    job === 'label'
      ? sql`${isFree(sql`d`)} AND (d.label_requested_at > ${clock} - ${apart}) IS NOT TRUE`
      : isFree(sql`d`)
  // A scalar subquery per scanned row: a join would first read and sort all due rows.
  const clock = sql`sandbox_clocks c WHERE c.workspace_id = d.workspace_id AND NOT d.livemode`
  const offset = sql`coalesce((SELECT c.offset_ms FROM ${clock}), 0)`
  return sql`
    WITH by_wall AS (
      SELECT d.shipment_id, ${at} AS due_at, ${offset} AS offset_ms FROM due d
      WHERE ${at} <= now() AND (SELECT c.advancing_to FROM ${clock}) IS NULL
        AND ${mayBeClaimed(sql`(now() + ${offset} * interval '1 millisecond')`)}
      ORDER BY ${at} LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED
    ), ahead AS (
      SELECT own.shipment_id, own.due_at, c.offset_ms
      FROM sandbox_clocks c
      CROSS JOIN LATERAL (SELECT now() + c.offset_ms * interval '1 millisecond' AS now) clock
      CROSS JOIN LATERAL (
        SELECT d.shipment_id, ${at} AS due_at FROM due d
        WHERE ${ofWorkspace(sql`c.workspace_id`, sql`clock.now`)}
          AND ${at} <= clock.now AND ${mayBeClaimed(sql`clock.now`)}
        ORDER BY d.workspace_id, d.first_at LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED
      ) own
      WHERE c.offset_ms > 0 AND c.advancing_to IS NULL
    ), picked AS MATERIALIZED (
      SELECT shipment_id, offset_ms FROM (SELECT * FROM by_wall UNION SELECT * FROM ahead) both_lists
      ORDER BY due_at - offset_ms * interval '1 millisecond' LIMIT ${limit}
    )`
}

/**
 * The work due in a test workspace up to a time. Written as a range of pairs, because with an
 * equality the planner might scan another index, past the rows of all other workspaces.
 */
export function ofWorkspace(workspaceId: RawBuilder<unknown>, until: RawBuilder<unknown>) {
  return sql`NOT d.livemode AND d.first_at IS NOT NULL
    AND (d.workspace_id, d.first_at) > (${workspaceId}, '-infinity'::timestamptz)
    AND (d.workspace_id, d.first_at) <= (${workspaceId}, ${until})`
}
