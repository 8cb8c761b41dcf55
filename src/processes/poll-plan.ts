import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { batched } from '../database/batched.ts'
import { type Instant, instant, rfc3339 } from '../domain/decider.ts'
import { firstPollAt, pollJitterShare } from '../domain/polling.ts'
import type { Shipment } from '../domain/shipment.ts'
import type { PollTimes } from '../domain/shown-tracking.ts'
import { hasColumn } from './has-column.ts'
import { labelTimes } from './label.ts'

/** When a shipment was read and when it is read next. Operational: no event tells it. */
export type PlannedPoll = {
  readonly guideNumber: string | null
  readonly lastCheckedAt: Instant | null
  readonly nextCheckAt: Instant
  /** Reads in a row that failed. */
  readonly failures: number
}

/** A read that is not to be repeated is planned for the end of time, so that its row still says when. */
const neverAgain = '9999-12-31T00:00:00Z'

/** Guides taken up at once; more come with the next turn, a moment later. */
const followedMax = 1_000

/**
 * Plans the first read and the label of guides that are new, and the next read of those whose reading
 * begins again. Takes them up in the order of the ledger, and what was taken up and how far stands in
 * one statement: a restart or a second worker plans nothing twice and forgets nothing. Answers how
 * many were looked at; 0 when everything that the read model holds is planned.
 */
export async function followNew(db: Kysely<ReadModels>): Promise<number> {
  if (!(await hasColumn(db, 'projections.tracking', 'position'))) return 0
  // Without a lock at first: at most times there is nothing.
  const { rows: waiting } = await sql`
    SELECT FROM projections.tracking
    WHERE is_followed AND position > (SELECT position FROM follow_progress)
    LIMIT 1`.execute(db)
  if (waiting.length === 0) return 0
  const { rows } = await sql<{ looked_at: string }>`
    WITH progress AS (
      SELECT position FROM follow_progress FOR UPDATE
    ), news AS MATERIALIZED (
      SELECT shipment_id, workspace_id, livemode, guide_number, position, followed_from,
        -- What falls due live is spread: as the polls after it are.
        first_check_at + CASE WHEN livemode THEN ${pollJitterShare}::float8 * (2 * random() - 1)
          ELSE 0 END * (first_check_at - followed_from) AS check_at
      FROM projections.tracking
      WHERE is_followed AND position > (SELECT position FROM progress)
      ORDER BY position LIMIT ${followedMax}
    ), moved AS (
      UPDATE follow_progress SET position = (SELECT max(position) FROM news)
      WHERE EXISTS (SELECT FROM news)
    ), followed AS (
      INSERT INTO polls AS p (shipment_id, workspace_id, livemode, guide_number, next_check_at)
      SELECT shipment_id, workspace_id, livemode, guide_number, check_at FROM news
      ORDER BY shipment_id
      ON CONFLICT (shipment_id) DO UPDATE
        SET guide_number = excluded.guide_number, next_check_at = excluded.next_check_at,
          last_checked_at = CASE WHEN p.guide_number = excluded.guide_number
            THEN p.last_checked_at END,
          failures = 0, has_slot = false
        WHERE p.guide_number IS DISTINCT FROM excluded.guide_number
          OR p.next_check_at = ${neverAgain}
      RETURNING p.shipment_id
    ), labelled AS (
      INSERT INTO label_requests AS l (shipment_id, workspace_id, livemode, next_at)
      SELECT shipment_id, workspace_id, livemode,
        followed_from + ${labelTimes.firstMs} * interval '1 millisecond'
      FROM news
      ORDER BY shipment_id
      ON CONFLICT (shipment_id) DO UPDATE SET next_at = excluded.next_at
        -- Another guide than the one whose label was asked for.
        WHERE l.shipment_id IN (SELECT shipment_id FROM followed)
    )
    SELECT count(*) AS looked_at FROM news`.execute(db)
  return Number(rows[0]?.looked_at)
}

export async function readPoll(
  db: Kysely<ReadModels>,
  shipmentId: string,
): Promise<PlannedPoll | null> {
  const { rows } = await sql<{
    guide_number: string | null
    last_checked_at: Date | null
    next_check_at: Date
    failures: number
  }>`
    SELECT guide_number, last_checked_at, next_check_at, failures FROM polls
    WHERE shipment_id = ${shipmentId}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    guideNumber: row.guide_number,
    lastCheckedAt: row.last_checked_at?.getTime() ?? null,
    nextCheckAt: row.next_check_at.getTime(),
    failures: row.failures,
  }
}

/** When a guide was and will be read; what is not planned yet is told as it will be. */
export async function pollTimesOf(
  db: Kysely<ReadModels>,
  shipmentId: string,
  state: Shipment,
): Promise<PollTimes | null> {
  if (state.followedGuide === null) return null
  const poll = await readPoll(db, shipmentId)
  const own = poll?.guideNumber === state.followedGuide ? poll : null
  const isPlanned = own !== null && own.nextCheckAt < instant(neverAgain)
  return {
    lastCheckedAt: own?.lastCheckedAt ?? null,
    nextCheckAt: isPlanned ? own.nextCheckAt : firstPollAt(state),
  }
}

/** Writes down how a read went and when the next is due. */
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
  await writePlan(db, {
    shipment_id: shipmentId,
    workspace_id: workspaceId,
    livemode,
    guide_number: state.followedGuide,
    last_checked_at: checkedAt === null ? null : rfc3339(checkedAt),
    next_check_at: nextAt === null ? neverAgain : rfc3339(nextAt),
    failures,
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
}

const writePlan = batched(async (db: Kysely<ReadModels>, plans: readonly PlanRow[]) => {
  // Of a shipment that was read twice at once the later plan stands.
  const rows = [...new Map(plans.map((plan) => [plan.shipment_id, plan])).values()]
  await sql`
    INSERT INTO polls AS p
      (shipment_id, workspace_id, livemode, guide_number, last_checked_at, next_check_at, failures)
    SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS plan (
      shipment_id text, workspace_id text, livemode boolean, guide_number text,
      last_checked_at timestamptz, next_check_at timestamptz, failures int)
    ORDER BY shipment_id
    ON CONFLICT (shipment_id) DO UPDATE SET
      guide_number = excluded.guide_number,
      last_checked_at = coalesce(excluded.last_checked_at, p.last_checked_at),
      next_check_at = excluded.next_check_at, failures = excluded.failures,
      has_slot = false`.execute(db)
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
