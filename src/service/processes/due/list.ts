import type { Folded, Step } from '../../../../projections/fold-batch.ts'
import type { Projection, Write } from '../../../../projections/projection.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { shipmentStreamPrefix } from '../../domain/ids.ts'
import { nextDue } from '../../domain/operation/reconciliation.ts'
import {
  isTracked,
  operationsWithWork,
  type Shipment,
  type State,
} from '../../domain/shipment/shipment.ts'
import { firstPollAt, issuedAtOf, pollJitterShare } from '../../domain/tracking/polling.ts'
import { hasEnded } from '../../domain/tracking/tracking.ts'
import { labelTimes } from '../labels/fetch-label.ts'

export const dueListName = 'due'

const beginsAgain = `(excluded.guide_number IS NOT NULL
  AND (d.guide_number IS DISTINCT FROM excluded.guide_number OR d.check_at IS NULL))`

/**
 * Plans when a shipment is reconciled and, for a new guide or one whose monitoring was resumed, its
 * first tracking read and label request. Existing plans stay. Rows are written in the order in
 * which claims lock them.
 */
const writePlans: Write = (rows) => `
  INSERT INTO due AS d
    (shipment_id, workspace_id, livemode, reconcile_at, guide_number, check_at, label_at)
  SELECT shipment_id, workspace_id, livemode, reconcile_at, guide_number, check_at, label_at
  FROM json_populate_recordset(NULL::due, ${rows}) ORDER BY shipment_id
  ON CONFLICT (shipment_id) DO UPDATE SET
    reconcile_at = excluded.reconcile_at,
    guide_number = coalesce(excluded.guide_number, d.guide_number),
    check_at = CASE WHEN ${beginsAgain} THEN excluded.check_at ELSE d.check_at END,
    label_at = CASE WHEN ${beginsAgain}
        OR (d.label_at IS NULL AND d.label_requested_at IS NULL AND excluded.label_at IS NOT NULL)
      THEN excluded.label_at ELSE d.label_at END,
    last_checked_at = CASE WHEN ${beginsAgain} AND d.guide_number <> excluded.guide_number
      THEN NULL ELSE d.last_checked_at END,
    failures = CASE WHEN ${beginsAgain} THEN 0 ELSE d.failures END,
    has_slot = d.has_slot AND NOT (${beginsAgain})`

/**
 * The list of due work, as far as events determine it. The follower maintains it like a read model,
 * but it always has one generation, because workers write their plans into it too.
 */
export const dueList: Projection = {
  name: dueListName,
  version: 1,
  prefixes: [shipmentStreamPrefix],
  tables: {},
  writes: () => [writePlans],
  rows: async (folded) => [plansOf(folded)],
}

type Plan = {
  readonly shipment_id: string
  readonly workspace_id: string
  readonly livemode: boolean
  readonly reconcile_at: string | null
  /** Set if the guide is new or its monitoring was resumed. */
  readonly guide_number?: string | null
  readonly check_at?: string
  readonly label_at?: string
}

/** A row for each shipment whose plan the events change. */
export function plansOf({ steps }: Pick<Folded, 'steps'>): readonly Plan[] {
  const firsts = new Map<string, Step>()
  for (const step of steps) if (!firsts.has(step.shipmentId)) firsts.set(step.shipmentId, step)
  const lasts = new Map(steps.map((step) => [step.shipmentId, step.after]))
  return [...lasts].flatMap(([shipmentId, after]) => {
    const before = firsts.get(shipmentId)?.before ?? null
    const reconcileAt = reconcileAtOf(after)
    const isNewlyFollowed = followed(after) !== null && followed(after) !== followed(before)
    if (reconcileAt === reconcileAtOf(before) && !isNewlyFollowed) return []
    const { workspace_id, livemode } = after.request
    return [
      {
        shipment_id: shipmentId,
        workspace_id,
        livemode,
        reconcile_at: reconcileAt === null ? null : rfc3339(reconcileAt),
        ...(isNewlyFollowed ? firstPolls(after) : {}),
      },
    ]
  })
}

function reconcileAtOf(state: State): Instant | null {
  return state === null ? null : (nextDue(operationsWithWork(state))?.at ?? null)
}

/** The guide being followed and since when, as text that changes when its monitoring is resumed. */
function followed(state: State): string | null {
  if (state === null || state.followedGuide === null) return null
  if (!isTracked(state) || hasEnded(state.tracking)) return null
  return `${state.followedGuide} ${followedFrom(state)}`
}

function followedFrom(state: Shipment): Instant {
  return state.tracking.resumedAt ?? issuedAtOf(state)
}

function firstPolls(state: Shipment) {
  const from = followedFrom(state)
  const firstAt = firstPollAt(state)
  // Due times in live mode are spread, like those of later polls.
  const share = state.request.livemode ? pollJitterShare * (2 * Math.random() - 1) : 0
  return {
    guide_number: state.followedGuide,
    check_at: rfc3339(Math.round(firstAt + share * (firstAt - from))),
    label_at: rfc3339(from + labelTimes.firstMs),
  }
}
