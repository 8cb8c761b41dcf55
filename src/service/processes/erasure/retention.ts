import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { hasColumn } from '../has-column.ts'

const dayMs = 24 * 60 * 60_000

/** Erasures noted by one call: the worker needs about a minute for them. */
export const plannedMax = 1_000

/**
 * Until when a shipment's workspace keeps its personal data; null for no limit, or while the
 * workspace has a legal hold.
 */
export async function keptUntil(
  db: Kysely<Tables>,
  { request, createdAt }: Shipment,
): Promise<Instant | null> {
  const { rows } = await sql<{ days: number | null }>`
    SELECT personal_data_retention_days AS days FROM workspaces
    WHERE id = ${request.workspace_id} AND legal_hold_since IS NULL`.execute(db)
  const days = rows[0]?.days ?? null
  return days === null ? null : createdAt + days * dayMs
}

/**
 * Notes the erasures that workspaces' retention has made due, oldest first: for one workspace up to
 * a time on its clock, otherwise for all workspaces by the wall clock. Returns the number.
 * Shipments under a legal hold are not in the index that this reads. Existing notes are looked up
 * one by one: a join would read every due shipment and every note to find the first few.
 */
export async function planRetention(
  db: Kysely<Tables>,
  of: { readonly workspaceId: string; readonly until: Instant } | null = null,
): Promise<number> {
  if (!(await hasColumn(db, 'projections.shipments', 'held_since'))) return 0
  const within = of === null ? sql`` : sql`AND w.id = ${of.workspaceId}`
  const until =
    of === null
      ? sql`now() + coalesce(c.offset_ms, 0) * interval '1 millisecond'`
      : sql`${rfc3339(of.until)}::timestamptz`
  const { numAffectedRows = 0n } = await sql`
    WITH old AS MATERIALIZED (
      SELECT old.shipment_id, w.id AS workspace_id, w.livemode, old.created_at + kept.time AS due_at
      FROM workspaces w
      LEFT JOIN sandbox_clocks c ON c.workspace_id = w.id AND NOT w.livemode
      CROSS JOIN LATERAL (
        SELECT make_interval(hours => 24 * w.personal_data_retention_days) AS time
      ) kept
      CROSS JOIN LATERAL (
        SELECT s.shipment_id, s.created_at FROM projections.shipments s
        WHERE s.workspace_id = w.id AND s.erased_at IS NULL AND s.held_since IS NULL
          AND s.created_at <= ${until} - kept.time
          AND (SELECT e.shipment_id FROM erasures e WHERE e.shipment_id = s.shipment_id) IS NULL
        ORDER BY s.created_at LIMIT ${plannedMax}
      ) old
      WHERE w.personal_data_retention_days IS NOT NULL AND w.legal_hold_since IS NULL ${within}
      LIMIT ${plannedMax}
    ), noted AS (
      INSERT INTO erasures (shipment_id, workspace_id, livemode, because)
      SELECT shipment_id, workspace_id, livemode, 'retention' FROM old
      ON CONFLICT DO NOTHING RETURNING shipment_id
    )
    INSERT INTO due (shipment_id, workspace_id, livemode, erase_at)
    SELECT old.* FROM old JOIN noted USING (shipment_id) ORDER BY shipment_id
    ON CONFLICT (shipment_id) DO UPDATE SET erase_at = excluded.erase_at`.execute(db)
  return Number(numAffectedRows)
}
