import { sql } from 'kysely'
import type { LabelSize } from '../../couriers/courier.ts'
import { batched } from '../../database/batcher.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { currentAttempt, hasActiveGuide } from '../../domain/shipment/shipment.ts'
import { restsUntil } from '../../domain/tracking/polling.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, loadShipment, type Snapshot, transact } from '../../event-store/transact.ts'
import { courierOf } from '../calls/courier-calls.ts'
import { labelApartMs } from '../due/claims.ts'
import type { ProcessServices } from '../process-services.ts'

const labeler: Actor = { type: 'system', keyId: null }
const minuteMs = 60_000
/** Right after a creation, requests have priority; a client can ask for the label sooner. */
const firstMs = 10_000

export const labelTimes = {
  firstMs,
  /** Times after issue at which the label is requested; then hourly until the end. */
  afterIssueMs: [firstMs, minuteMs, 2 * minuteMs, 5 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  everyMs: 60 * minuteMs,
  untilMs: 24 * 60 * minuteMs,
  /** At most one request to the courier in this time, however often clients ask. */
  askApartMs: labelApartMs,
} as const

/**
 * When to request the label again after a request at `now`; null when automatic requests are over.
 */
export function nextLabelAt(issuedAt: Instant, now: Instant): Instant | null {
  const early = labelTimes.afterIssueMs.find((wait) => issuedAt + wait > now)
  if (early !== undefined) return issuedAt + early
  const hours = Math.floor((now - issuedAt) / labelTimes.everyMs) + 1
  const at = issuedAt + hours * labelTimes.everyMs
  return at - issuedAt <= labelTimes.untilMs ? at : null
}

type CourierDeps = Pick<ProcessServices, 'accounts' | 'couriers' | 'unreadableLabels'>
type FetchDeps = CourierDeps & Pick<ProcessServices, 'db' | 'store' | 'vault'>

/** The shipment whose label is wanted, as read, and the time on its workspace's clock. */
type WantedLabel = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly now: Instant
}

/**
 * Requests the label from the courier, at most once in ten seconds across all callers, and stores
 * it in the vault. A claimed label has already used its rate limit. Returns whether the courier was
 * called.
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
  if (isOver || !hasActiveGuide(state)) {
    await postponeLabel(deps.db, shipmentId, isOver ? null : restsUntil(state.updatedAt, now))
    return false
  }
  const issuedAt = currentAttempt(state).endedAt ?? state.updatedAt
  const nextAt = nextLabelAt(issuedAt, now)
  const wanted = { shipmentId, snapshot, now }
  if (!isClaimed) {
    if (!(await reserveLabelRequest(deps.db, wanted, nextAt))) return false
    await storeLabel(deps, wanted)
    return true
  }
  const isStored = await storeLabel(deps, wanted)
  await planLabel(deps.db, { shipmentId, now, nextAt: isStored ? null : nextAt })
  return true
}

/**
 * Fetches the label and records it. Returns false while the courier has no label or does not
 * answer.
 */
async function storeLabel(
  deps: CourierDeps & Pick<ProcessServices, 'store' | 'vault'>,
  wanted: WantedLabel,
): Promise<boolean> {
  const { shipmentId, snapshot, now } = wanted
  const { vault_ref: vaultRef } = existing(snapshot).request
  const pdf = await requestLabel(deps, wanted, 'a6')
  if (pdf === null) return false
  const writer = await deps.vault.writer(vaultRef)
  const ref = writer.write(pdf)
  if (ref === null) return false
  const a4 = await requestLabel(deps, wanted, 'a4')
  const label = {
    label_ref: ref,
    a4_ref: a4 === null ? null : writer.write(a4),
    content_type: 'application/pdf',
    size_bytes: pdf.length,
  }
  const done = await transact(
    deps.store,
    shipmentId,
    { do: 'record_label', label },
    {
      actor: labeler,
      requestId: null,
      now,
      from: snapshot,
      append: { reserved: true },
      ...writer,
    },
  )
  return done.kind === 'done'
}

/**
 * Requests a label in a size that is not stored, at most once in ten seconds. Null if it is too
 * soon, or while the courier has no label or does not answer.
 */
export async function requestLabelWithinLimit(
  deps: CourierDeps & Pick<ProcessServices, 'db'>,
  wanted: WantedLabel,
  size: LabelSize,
): Promise<Buffer | null> {
  if (!(await reserveLabelRequest(deps.db, wanted, null))) return null
  return await requestLabel(deps, wanted, size)
}

/** Requests the label in one size; null while the courier has no label or does not answer. */
async function requestLabel(
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

/** Moves the planned request, if there is one; null for no more automatic requests. */
async function postponeLabel(
  db: ProcessServices['db'],
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
  /** Null for no more automatic requests. */
  readonly nextAt: Instant | null
}

/**
 * Plans the next request, unless another guide's label was planned meanwhile, and releases the
 * shipment. Locks the rows in the order of their ids, as the follower does: otherwise the two could
 * deadlock.
 */
export const planLabel = batched(async (db: ProcessServices['db'], plans: readonly LabelPlan[]) => {
  const times = plans.map(({ nextAt }) => (nextAt === null ? null : rfc3339(nextAt)))
  const ids = plans.map(({ shipmentId }) => shipmentId)
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT shipment_id FROM due WHERE shipment_id = ANY (${ids}) ORDER BY shipment_id FOR UPDATE
    )
    UPDATE due d SET owner = NULL, leased_until = NULL, work_failures = 0,
      label_at = CASE WHEN d.label_at <= plan.now THEN plan.label_at ELSE d.label_at END
    FROM unnest(${ids}::text[],
        ${plans.map(({ now }) => rfc3339(now))}::timestamptz[], ${times}::timestamptz[])
      AS plan (shipment_id, now, label_at)
    JOIN locked ON locked.shipment_id = plan.shipment_id COLLATE "C"
    WHERE d.shipment_id = locked.shipment_id`.execute(db)
  return plans.map(() => undefined)
})

/**
 * Reserves the one label request that the rate limit allows; the next automatic request is then
 * `nextAt`.
 */
async function reserveLabelRequest(
  db: ProcessServices['db'],
  { shipmentId, snapshot, now }: WantedLabel,
  nextAt: Instant | null,
): Promise<boolean> {
  const { request } = existing(snapshot)
  const isTaken = await reserveLabelRequests(db, {
    shipment_id: shipmentId,
    workspace_id: request.workspace_id,
    livemode: request.livemode,
    label_requested_at: rfc3339(now),
    label_at: nextAt === null ? null : rfc3339(nextAt),
  })
  if (isTaken) return true
  // A request that is due too soon after a client's is postponed until it is allowed.
  await sql`
    UPDATE due
    SET label_at = label_requested_at + ${labelTimes.askApartMs} * interval '1 millisecond'
    WHERE shipment_id = ${shipmentId} AND label_at <= ${rfc3339(now)}`.execute(db)
  return false
}

type LabelRequestRow = {
  readonly shipment_id: string
  readonly workspace_id: string
  readonly livemode: boolean
  readonly label_requested_at: string
  readonly label_at: string | null
}

/** Whether each request is allowed; of two at once for one shipment, only the first is. */
const reserveLabelRequests = batched(
  async (db: ProcessServices['db'], requests: readonly LabelRequestRow[]) => {
    const first = new Map(requests.toReversed().map((request) => [request.shipment_id, request]))
    const { rows } = await sql<{ shipment_id: string }>`
    INSERT INTO due AS d (shipment_id, workspace_id, livemode, label_requested_at, label_at)
    SELECT * FROM json_to_recordset(${JSON.stringify([...first.values()])}::json) AS requested (
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
    return requests.map(
      (request) => taken.has(request.shipment_id) && first.get(request.shipment_id) === request,
    )
  },
)
