import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { batched } from '../../database/batcher.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { firstPollAt } from '../../domain/tracking/polling.ts'
import type { PollTimes } from '../../domain/tracking/tracking-to-api.ts'

/** When a shipment was last read and is to be read next. Operational data: no event records it. */
type PlannedPoll = {
  readonly guideNumber: string | null
  readonly lastCheckedAt: Instant | null
  /** Null for no more reads. */
  readonly nextCheckAt: Instant | null
  /** Consecutive failed reads. */
  readonly failures: number
}

export async function readPoll(
  db: Kysely<Tables>,
  shipmentId: string,
): Promise<PlannedPoll | null> {
  const { rows } = await sql<{
    guide_number: string | null
    last_checked_at: Date | null
    check_at: Date | null
    failures: number
  }>`
    SELECT guide_number, last_checked_at, check_at, failures FROM due
    WHERE shipment_id = ${shipmentId}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    guideNumber: row.guide_number,
    lastCheckedAt: row.last_checked_at?.getTime() ?? null,
    nextCheckAt: row.check_at?.getTime() ?? null,
    failures: row.failures,
  }
}

/** When a guide was and will be read. A read that is not planned yet is predicted. */
export async function pollTimesOf(
  db: Kysely<Tables>,
  shipmentId: string,
  state: Shipment,
): Promise<PollTimes | null> {
  if (state.followedGuide === null) return null
  const poll = await readPoll(db, shipmentId)
  const own = poll?.guideNumber === state.followedGuide ? poll : null
  return {
    lastCheckedAt: own?.lastCheckedAt ?? null,
    nextCheckAt: own?.nextCheckAt ?? firstPollAt(state),
  }
}

/** Records the result of a read and when the next is due, and releases the shipment. */
export async function planPoll(
  db: Kysely<Tables>,
  shipmentId: string,
  state: Shipment,
  poll: {
    /** Null if the courier was not called; the previous time stays. */
    readonly checkedAt: Instant | null
    /** Null for no more reads. */
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
    check_at: nextAt === null ? null : rfc3339(nextAt),
    failures,
  })
}

type PlanRow = {
  readonly shipment_id: string
  readonly workspace_id: string
  readonly livemode: boolean
  readonly guide_number: string | null
  readonly last_checked_at: string | null
  readonly check_at: string | null
  readonly failures: number
}

const writePlan = batched(async (db: Kysely<Tables>, plans: readonly PlanRow[]) => {
  // If a shipment was read twice at once, the later plan wins.
  const rows = [...new Map(plans.map((plan) => [plan.shipment_id, plan])).values()]
  await sql`
    INSERT INTO due AS d
      (shipment_id, workspace_id, livemode, guide_number, last_checked_at, check_at, failures)
    SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS plan (
      shipment_id text, workspace_id text, livemode boolean, guide_number text,
      last_checked_at timestamptz, check_at timestamptz, failures int)
    ORDER BY shipment_id COLLATE "C"
    ON CONFLICT (shipment_id) DO UPDATE SET
      guide_number = excluded.guide_number,
      last_checked_at = coalesce(excluded.last_checked_at, d.last_checked_at),
      check_at = excluded.check_at, failures = excluded.failures,
      has_slot = false, owner = NULL, leased_until = NULL`.execute(db)
  return plans.map(() => undefined)
})

/** Moves the planned read, if there is one; null for no more reads. */
export async function postponePoll(
  db: Kysely<Tables>,
  shipmentId: string,
  nextAt: Instant | null,
): Promise<void> {
  await sql`
    UPDATE due SET check_at = ${nextAt === null ? null : rfc3339(nextAt)}
    WHERE shipment_id = ${shipmentId}`.execute(db)
}
