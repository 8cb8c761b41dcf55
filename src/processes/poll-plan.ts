import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { batched } from '../database/batched.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import { currentAttempt, type Shipment } from '../domain/shipment.ts'

/** When a shipment was read and when it is read next. Operational: no event tells it. */
export type PlannedPoll = {
  readonly lastCheckedAt: Instant | null
  readonly nextCheckAt: Instant
  /** Reads in a row that failed. */
  readonly failures: number
}

/** A read that is not to be repeated is planned for the end of time, so that its row still says when. */
const neverAgain = '9999-12-31T00:00:00Z'

/** New guides that are taken up at once; more come with the next turn, a moment later. */
const followedMax = 1_000

/**
 * Plans the first read of guides that were not followed yet, due when they were issued, and of those
 * whose reading had ended and is to begin again. The read model says which: so one that was missed
 * for any reason is found the next time.
 */
export async function followNew(
  db: Kysely<ReadModels>,
  workspaceId: string | null = null,
): Promise<number> {
  const within = workspaceId === null ? sql`` : sql`AND t.workspace_id = ${workspaceId}`
  const { rows } = await sql<{ followed: string }>`
    WITH unfollowed AS (
      SELECT t.shipment_id, t.workspace_id, t.livemode, t.guide_number, t.issued_at
      FROM projections.tracking t
      WHERE t.is_followed AND t.monitoring = 'not_started' ${within} AND NOT EXISTS (
        SELECT FROM polls p
        WHERE p.shipment_id = t.shipment_id AND p.guide_number IS NOT DISTINCT FROM t.guide_number
          AND p.next_check_at < ${neverAgain})
      LIMIT ${followedMax}
    ), followed AS (
      INSERT INTO polls AS p (shipment_id, workspace_id, livemode, guide_number, next_check_at)
      SELECT shipment_id, workspace_id, livemode, guide_number, issued_at FROM unfollowed
      ORDER BY shipment_id
      ON CONFLICT (shipment_id) DO UPDATE
        SET guide_number = excluded.guide_number, next_check_at = excluded.next_check_at,
          failures = 0, has_slot = false
        WHERE p.guide_number IS DISTINCT FROM excluded.guide_number
          OR p.next_check_at = ${neverAgain}
      RETURNING p.shipment_id, p.next_check_at
    ), labelled AS (
      -- Another guide than the one whose label was asked for.
      UPDATE label_requests l SET next_at = f.next_check_at
      FROM followed f WHERE f.shipment_id = l.shipment_id
    )
    SELECT count(*) AS followed FROM followed`.execute(db)
  return Number(rows[0]?.followed)
}

export async function readPoll(
  db: Kysely<ReadModels>,
  shipmentId: string,
): Promise<PlannedPoll | null> {
  const { rows } = await sql<{
    last_checked_at: Date | null
    next_check_at: Date
    failures: number
  }>`
    SELECT last_checked_at, next_check_at, failures FROM polls
    WHERE shipment_id = ${shipmentId}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    lastCheckedAt: row.last_checked_at?.getTime() ?? null,
    nextCheckAt: row.next_check_at.getTime(),
    failures: row.failures,
  }
}

/**
 * Writes down how a read went and when the next is due. The first plan of a guide asks for its
 * label too: after the first read, so that a scenario's history is the same at every play.
 */
export async function planPoll(
  db: Kysely<ReadModels>,
  shipmentId: string,
  state: Shipment,
  poll: {
    /** Null: the courier was not asked, the last time stands. */
    readonly checkedAt: Instant | null
    /** Null: not again. */
    readonly nextAt: Instant | null
    readonly failures: number
  },
): Promise<void> {
  const { checkedAt, nextAt, failures } = poll
  const { workspace_id: workspaceId, livemode } = state.request
  const attempt = currentAttempt(state)
  const issuedAt = rfc3339(attempt.concludedAt ?? state.createdAt)
  const wantsLabel = state.label === null && state.erasedAt === null
  await writePlan(db, {
    shipment_id: shipmentId,
    workspace_id: workspaceId,
    livemode,
    guide_number: attempt.guide?.guideNumber ?? null,
    last_checked_at: checkedAt === null ? null : rfc3339(checkedAt),
    next_check_at: nextAt === null ? neverAgain : rfc3339(nextAt),
    failures,
    label_at: wantsLabel ? issuedAt : null,
  })
}

type PlanRow = {
  readonly shipment_id: string
  readonly workspace_id: string
  readonly livemode: boolean
  readonly guide_number: string | null
  readonly last_checked_at: string | null
  readonly next_check_at: string
  readonly failures: number
  /** Null: its label is not asked for. */
  readonly label_at: string | null
}

const writePlan = batched(async (db: Kysely<ReadModels>, plans: readonly PlanRow[]) => {
  // Of a shipment that was read twice at once the later plan stands.
  const rows = [...new Map(plans.map((plan) => [plan.shipment_id, plan])).values()]
  await sql`
    WITH plan AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS plan (
        shipment_id text, workspace_id text, livemode boolean, guide_number text,
        last_checked_at timestamptz, next_check_at timestamptz, failures int, label_at timestamptz)
      ORDER BY shipment_id
    ), planned AS (
      INSERT INTO polls AS p
        (shipment_id, workspace_id, livemode, guide_number, last_checked_at, next_check_at, failures)
      SELECT shipment_id, workspace_id, livemode, guide_number, last_checked_at, next_check_at,
        failures
      FROM plan
      ON CONFLICT (shipment_id) DO UPDATE SET
        guide_number = excluded.guide_number,
        last_checked_at = coalesce(excluded.last_checked_at, p.last_checked_at),
        next_check_at = excluded.next_check_at, failures = excluded.failures, has_slot = false
    )
    INSERT INTO label_requests (shipment_id, workspace_id, livemode, next_at)
    SELECT shipment_id, workspace_id, livemode, label_at FROM plan WHERE label_at IS NOT NULL
    ON CONFLICT DO NOTHING`.execute(db)
  return plans.map(() => undefined)
})

/** Moves what is planned, if anything is; null = to the end of time. */
export async function postponePoll(
  db: Kysely<ReadModels>,
  shipmentId: string,
  nextAt: Instant | null,
): Promise<void> {
  await sql`
    UPDATE polls SET next_check_at = ${nextAt === null ? neverAgain : rfc3339(nextAt)}
    WHERE shipment_id = ${shipmentId}`.execute(db)
}
