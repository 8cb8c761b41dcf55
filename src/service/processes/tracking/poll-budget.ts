import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'

/** Limits the tracking reads of a live connection, to protect the courier's account. */
export const pollBudgetLimits = {
  /**
   * Ten thousand shipments, read every half hour, need 333 per minute; couriers' own limits are
   * usually lower.
   */
  perMinuteMax: 300,
  /**
   * Burst capacity saved up while nothing is due, so that a few simultaneous reads are not spread
   * over minutes.
   */
  atOnceMax: 60,
} as const

const stepMs = 60_000 / pollBudgetLimits.perMinuteMax
const savedMs = stepMs * pollBudgetLimits.atOnceMax

const now = sql`clock_timestamp()`
const step = sql`${stepMs}::float8 * interval '1 millisecond'`
const saved = sql`${savedMs}::float8 * interval '1 millisecond'`

/**
 * Uses one request of the connection's budget for a poll. If none is available, reserves the next,
 * moves the poll to that time and returns false: a thousand polls due at once run one after the
 * other, each postponed once.
 */
export async function takeSlot(
  db: Kysely<Tables>,
  connectionId: string,
  shipmentId: string,
): Promise<boolean> {
  const { rows } = await sql<{ is_put_off: boolean }>`
    WITH slot AS (
      INSERT INTO poll_budgets AS b (courier_connection_id, free_at)
      SELECT ${connectionId}, ${now} - ${saved} + ${step}
      WHERE NOT EXISTS (SELECT FROM due WHERE shipment_id = ${shipmentId} AND has_slot)
      ON CONFLICT (courier_connection_id) DO UPDATE
        SET free_at = greatest(b.free_at, ${now} - ${saved}) + ${step}
      RETURNING free_at - ${step} AS at
    ), put_off AS (
      UPDATE due SET check_at = slot.at, has_slot = true
      FROM slot WHERE shipment_id = ${shipmentId} AND slot.at > ${now}
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM put_off) AS is_put_off`.execute(db)
  return rows[0]?.is_put_off !== true
}

/**
 * The same for an unplanned request: null if one was available, otherwise the time until the next.
 */
export async function takeSlotNow(
  db: Kysely<Tables>,
  connectionId: string,
): Promise<number | null> {
  const { numAffectedRows } = await sql`
    INSERT INTO poll_budgets AS b (courier_connection_id, free_at)
    VALUES (${connectionId}, ${now} - ${saved} + ${step})
    ON CONFLICT (courier_connection_id) DO UPDATE
      SET free_at = greatest(b.free_at, ${now} - ${saved}) + ${step}
      WHERE b.free_at <= ${now}`.execute(db)
  if (numAffectedRows === 1n) return null
  const { rows } = await sql<{ wait_ms: number }>`
    SELECT extract(epoch FROM free_at - ${now})::float8 * 1000 AS wait_ms FROM poll_budgets
    WHERE courier_connection_id = ${connectionId}`.execute(db)
  return Math.max(0, rows[0]?.wait_ms ?? 0)
}

/** Throws `rate_limited` if none was available. */
export async function takeSlotOrRefuse(db: Kysely<Tables>, connectionId: string): Promise<void> {
  const waitMs = await takeSlotNow(db, connectionId)
  if (waitMs === null) return
  throw new Problem('rate_limited', {
    detail: 'The courier account of this connection has reached its request limit for now.',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}
