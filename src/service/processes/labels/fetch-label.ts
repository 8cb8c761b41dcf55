import { sql } from 'kysely'
import type { LabelSize } from '../../couriers/courier.ts'
import { batched } from '../../database/batched.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { currentAttempt, hasStandingGuide } from '../../domain/shipment/shipment.ts'
import { restsUntil } from '../../domain/tracking/polling.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, loadShipment, type Snapshot, transact } from '../../event-store/transact.ts'
import { courierOf } from '../calls/courier-calls.ts'
import { claimTimes } from '../due/claims.ts'
import type { ProcessDeps } from '../process-deps.ts'

const labeler: Actor = { type: 'system', keyId: null }
const minuteMs = 60_000
/** Right after a creation there are requests to answer; a client can ask for the label sooner. */
const firstMs = 10_000

export const labelTimes = {
  firstMs,
  /** Requested at these times after issue, then hourly until the end. */
  afterIssueMs: [firstMs, minuteMs, 2 * minuteMs, 5 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  everyMs: 60 * minuteMs,
  untilMs: 24 * 60 * minuteMs,
  /** The courier is asked at most once in this time, however often a shop asks. */
  askApartMs: claimTimes.labelApartMs,
} as const

/**
 * When the courier is next asked for the label after a read at `now`; null = no more automatically.
 */
export function nextLabelAt(issuedAt: Instant, now: Instant): Instant | null {
  const early = labelTimes.afterIssueMs.find((wait) => issuedAt + wait > now)
  if (early !== undefined) return issuedAt + early
  const hours = Math.floor((now - issuedAt) / labelTimes.everyMs) + 1
  const at = issuedAt + hours * labelTimes.everyMs
  return at - issuedAt <= labelTimes.untilMs ? at : null
}

type CourierDeps = Pick<ProcessDeps, 'accounts' | 'couriers' | 'unreadableLabels'>
type FetchDeps = CourierDeps & Pick<ProcessDeps, 'db' | 'store' | 'vault'>

/** The shipment whose label is wanted, as it was read, and the time on its workspace's clock. */
type WantedLabel = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly now: Instant
}

/**
 * Asks the courier for the label, at most once in ten seconds across all callers, and keeps it in
 * the vault. A claimed label has already taken its turn. Returns whether the courier was asked.
 */
export async function fetchLabel(
  deps: FetchDeps,
  shipmentId: string,
  now: Instant,
  isClaimed = false,
): Promise<boolean> {
  const snapshot = await loadShipment(deps.store, shipmentId)
  const { state } = snapshot
  if (state === null) return false
  const isOver = state.label !== null || state.erasedAt !== null
  if (isOver || !hasStandingGuide(state)) {
    await postponeLabel(deps.db, shipmentId, isOver ? null : restsUntil(state.updatedAt, now))
    return false
  }
  const issuedAt = currentAttempt(state).endedAt ?? state.updatedAt
  const nextAt = nextLabelAt(issuedAt, now)
  const wanted = { shipmentId, snapshot, now }
  if (!isClaimed) {
    if (!(await takeLabelTurn(deps.db, wanted, nextAt))) return false
    await keepLabel(deps, wanted)
    return true
  }
  const isKept = await keepLabel(deps, wanted)
  await planLabel(deps.db, { shipmentId, now, nextAt: isKept ? null : nextAt })
  return true
}

/** Fetches the label and records it; false while the courier has none or does not answer. */
async function keepLabel(
  deps: CourierDeps & Pick<ProcessDeps, 'store' | 'vault'>,
  wanted: WantedLabel,
): Promise<boolean> {
  const { shipmentId, snapshot, now } = wanted
  const { vault_ref: vaultRef } = existing(snapshot).request
  const pdf = await askLabel(deps, wanted, 'a6')
  if (pdf === null) return false
  const keeper = deps.vault.keeper(vaultRef)
  const ref = await keeper.put(pdf)
  if (ref === null) return false
  const a4 = await askLabel(deps, wanted, 'a4')
  const label = {
    label_ref: ref,
    a4_ref: a4 === null ? null : await keeper.put(a4),
    content_type: 'application/pdf',
    size_bytes: pdf.length,
  }
  await transact(
    deps.store,
    shipmentId,
    { do: 'record_label', label },
    {
      actor: labeler,
      requestId: null,
      now,
      from: snapshot,
      append: { reserved: true },
      commitments: keeper.commitments,
    },
  )
  return true
}

/**
 * Asks for a label of a size that is not stored, at most once in ten seconds. Null when it is too
 * soon, or while the courier has none or does not answer.
 */
export async function askLabelInTurn(
  deps: CourierDeps & Pick<ProcessDeps, 'db'>,
  wanted: WantedLabel,
  size: LabelSize,
): Promise<Buffer | null> {
  if (!(await takeLabelTurn(deps.db, wanted, null))) return null
  return await askLabel(deps, wanted, size)
}

/** The label in a size, from the courier; null while it has none or does not answer. */
async function askLabel(
  deps: CourierDeps,
  { shipmentId, snapshot, now }: WantedLabel,
  size: LabelSize,
): Promise<Buffer | null> {
  const state = existing(snapshot)
  const guideNumber = currentAttempt(state).guide?.guideNumber
  const at = await courierOf(deps, state, now)
  if (at.kind === 'deferred' || guideNumber === undefined) return null
  const answer = await at.courier.label({
    ...at.context,
    clientReference: shipmentId,
    guideNumber,
    size,
  })
  if (answer.kind === 'unauthorized') await deps.accounts.park(at.account)
  if (answer.kind === 'not_a_pdf' && state.label === null) {
    const { organization_id: organizationId } = state.request
    const why = 'not_a_pdf'
    await deps.unreadableLabels.note({ shipmentId, organizationId, labelRef: null, why })
  }
  return answer.kind === 'label' ? Buffer.from(answer.pdf) : null
}

/** Moves the planned request, if there is one; null = no more automatic requests. */
async function postponeLabel(
  db: ProcessDeps['db'],
  shipmentId: string,
  nextAt: Instant | null,
): Promise<void> {
  await sql`
    UPDATE due SET label_at = ${nextAt === null ? null : rfc3339(nextAt)}
    WHERE shipment_id = ${shipmentId} AND label_at IS NOT NULL`.execute(db)
}

type LabelPlan = {
  readonly shipmentId: string
  readonly now: Instant
  /** Null = no more automatic requests. */
  readonly nextAt: Instant | null
}

/**
 * Plans the next time, unless another guide's label was planned meanwhile, and releases the
 * shipment.
 */
const planLabel = batched(async (db: ProcessDeps['db'], plans: readonly LabelPlan[]) => {
  const times = plans.map(({ nextAt }) => (nextAt === null ? null : rfc3339(nextAt)))
  await sql`
    UPDATE due d SET owner = NULL, leased_until = NULL, work_failures = 0,
      label_at = CASE WHEN d.label_at <= plan.now THEN plan.label_at ELSE d.label_at END
    FROM unnest(${plans.map(({ shipmentId }) => shipmentId)}::text[],
        ${plans.map(({ now }) => rfc3339(now))}::timestamptz[], ${times}::timestamptz[])
      AS plan (shipment_id, now, label_at)
    WHERE d.shipment_id = plan.shipment_id COLLATE "C"`.execute(db)
  return plans.map(() => undefined)
})

/** Takes the shipment's turn to ask for its label; the next automatic request is then `nextAt`. */
async function takeLabelTurn(
  db: ProcessDeps['db'],
  { shipmentId, snapshot, now }: WantedLabel,
  nextAt: Instant | null,
): Promise<boolean> {
  const { request } = existing(snapshot)
  const isTaken = await writeTurn(db, {
    shipment_id: shipmentId,
    workspace_id: request.workspace_id,
    livemode: request.livemode,
    label_requested_at: rfc3339(now),
    label_at: nextAt === null ? null : rfc3339(nextAt),
  })
  if (isTaken) return true
  // A turn that fell due too soon after a client's request is postponed until it is allowed.
  await sql`
    UPDATE due
    SET label_at = label_requested_at + ${labelTimes.askApartMs} * interval '1 millisecond'
    WHERE shipment_id = ${shipmentId} AND label_at <= ${rfc3339(now)}`.execute(db)
  return false
}

type TurnRow = {
  readonly shipment_id: string
  readonly workspace_id: string
  readonly livemode: boolean
  readonly label_requested_at: string
  readonly label_at: string | null
}

/** Whether each gets its turn; of two at once for one shipment, the first does. */
const writeTurn = batched(async (db: ProcessDeps['db'], turns: readonly TurnRow[]) => {
  const first = new Map(turns.toReversed().map((turn) => [turn.shipment_id, turn]))
  const { rows } = await sql<{ shipment_id: string }>`
    INSERT INTO due AS d (shipment_id, workspace_id, livemode, label_requested_at, label_at)
    SELECT * FROM json_to_recordset(${JSON.stringify([...first.values()])}::json) AS turn (
      shipment_id text, workspace_id text, livemode boolean, label_requested_at timestamptz,
      label_at timestamptz)
    ORDER BY shipment_id
    ON CONFLICT (shipment_id) DO UPDATE
      SET label_requested_at = excluded.label_requested_at, label_at = excluded.label_at
      WHERE d.label_requested_at IS NULL
        OR d.label_requested_at
          <= excluded.label_requested_at - ${labelTimes.askApartMs} * interval '1 millisecond'
    RETURNING shipment_id`.execute(db)
  const taken = new Set(rows.map((row) => row.shipment_id))
  return turns.map((turn) => taken.has(turn.shipment_id) && first.get(turn.shipment_id) === turn)
})
