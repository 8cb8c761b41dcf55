import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { courierTimes } from '../../couriers/courier.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { operationOf, operationsOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { claimTimes, whileClaimed } from '../../queue/claim.ts'
import { releaseLease, renewLease, takeLease } from '../../queue/lease.ts'
import { isAtWork } from '../due/job-kinds.ts'
import type { ProcessServices } from '../process-services.ts'
import { type AdvanceReading, readAdvance } from './advance-progress.ts'
import { type Advance, type AdvanceDeps, type Made, makeAdvance } from './make-advance.ts'
import { readClock } from './workspace-clock.ts'

/**
 * Sets the target. Returns false while another advance runs. A worker takes over from there, even
 * after restarts.
 */
export async function startAdvance(
  db: Kysely<Tables>,
  workspaceId: string,
  byMs: number,
): Promise<boolean> {
  await sql`INSERT INTO sandbox_clocks (workspace_id) VALUES (${workspaceId}) ON CONFLICT DO NOTHING`.execute(
    db,
  )
  const { now } = await readClock(db, { workspaceId, livemode: false })
  const { numAffectedRows } = await sql`
    UPDATE sandbox_clocks SET advancing_to = ${rfc3339(now + byMs)}, advancing_since = clock_timestamp(),
      advanced_to = ${rfc3339(now + byMs)}, steps_done = 0, skipped = '[]', skipped_more = 0
    WHERE workspace_id = ${workspaceId} AND advancing_to IS NULL`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Waits until no advance runs, or the caller's waiting time is over, or the worker has done its
 * share of steps.
 */
export async function advanceEnded(
  { db, advance }: Pick<ProcessServices, 'db' | 'advance'>,
  workspaceId: string,
): Promise<AdvanceReading> {
  const until = performance.now() + advance.answerMs
  for (let pollMs = 20; ; pollMs = Math.min(pollMs * 1.5, pollMsMax)) {
    const { advancingTo } = await readClock(db, { workspaceId, livemode: false })
    const isOver = advancingTo === null || performance.now() >= until
    if (isOver || (pollMs === pollMsMax && (await isLeftAlone(db, workspaceId)))) break
    await delay(pollMs)
  }
  return await readAdvance(db, workspaceId)
}

/** Most advances end at once; a longer wait polls less often. */
const pollMsMax = 150

/** Whether a worker has done its share of steps of this advance and released it. */
async function isLeftAlone(db: Kysely<Tables>, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM claims
    WHERE work = ${leaseName(workspaceId)} AND owner IS NULL AND leased_until > now()`.execute(db)
  return rows.length > 0
}

/**
 * After its share of steps an advance pauses, so that callers see it and respond, and other
 * workspaces come first.
 */
const leftAloneMs = 1_000

function leaseName(workspaceId: string): string {
  return `advance:${workspaceId}`
}

/** Claims one advance that no worker holds, and performs it. Returns the number claimed. */
export async function advanceOnce(deps: AdvanceDeps, signal: AbortSignal): Promise<number> {
  const { rows } = await sql<{ workspace_id: string }>`
    SELECT workspace_id FROM sandbox_clocks c
    WHERE advancing_to IS NOT NULL AND NOT EXISTS (
      SELECT FROM claims k
      WHERE k.work = ${leaseName('')} || c.workspace_id AND k.leased_until > now())
    ORDER BY advancing_since LIMIT 1`.execute(deps.db)
  const [wanted] = rows
  if (wanted === undefined) return 0
  const workspaceId = wanted.workspace_id
  const lease = { name: leaseName(workspaceId), owner: randomUUID(), leaseMs: claimTimes.leaseMs }
  if (!(await takeLease(deps.db, lease, 'session'))) return 0
  const make = async (lost: AbortSignal): Promise<Made> => {
    const { advancingTo: target } = await readClock(deps.db, { workspaceId, livemode: false })
    if (target === null) return 'ended'
    const advance = { workspaceId, target, lease }
    await attemptsEnded(deps, advance)
    return await makeAdvance(deps, advance, AbortSignal.any([signal, lost]))
  }
  let made: Made = 'ended'
  try {
    made = await whileClaimed(() => renewLease(deps.db, lease), make)
  } finally {
    await releaseLease(deps.db, lease, made === 'share_made' ? leftAloneMs : 0)
  }
  return 1
}

/**
 * An attempt noted for an existing stream is appended within this time, or has lost its race.
 */
const registeredMs = 2_000
/** Streams read at once. */
const readTogetherMax = 100

/**
 * An attempt is noted by its vault row or, if that exists already, by a row of its own. Waits
 * until every attempt of the workspace has an outcome or has passed its real call deadline, and no
 * worker is still doing work there at the old time. Attempts that come after the advance began
 * wait themselves, and nothing of them is stored; the extra second is for those that were being
 * stored while the target was written.
 */
async function attemptsEnded(
  deps: Pick<ProcessServices, 'advance' | 'db' | 'deliveries' | 'store'>,
  advance: Advance,
): Promise<void> {
  const { workspaceId } = advance
  const until = performance.now() + deps.advance.attemptsMs
  while (performance.now() < until && (await renewLease(deps.db, advance.lease))) {
    const { rows } = await sql<Registered>`
      SELECT a.shipment_id, a.operation_id,
        extract(epoch FROM clock_timestamp() - max(a.registered_at))::float8 * 1000 AS age_ms
      FROM (
        SELECT workspace_id, shipment_id, operation_id, registered_at FROM sandbox_attempts
        -- A process of an earlier version withdraws an attempt that saw the advance.
        WHERE NOT is_withdrawn
        UNION ALL
        SELECT workspace_id, shipment_id, NULL, created_at FROM vault
        -- Excludes the notes of decisions, which belong to operations.
        WHERE starts_with(shipment_id, 'shp_')
      ) a JOIN sandbox_clocks c USING (workspace_id)
      WHERE a.workspace_id = ${workspaceId} AND a.registered_at > now() - interval '60 seconds'
        AND a.registered_at <= c.advancing_since + interval '1 second'
      GROUP BY a.shipment_id, a.operation_id`.execute(deps.db)
    const { now } = await readClock(deps.db, { workspaceId, livemode: false })
    let isUnderway = await isAtWork(deps, workspaceId)
    for (let at = 0; at < rows.length && !isUnderway; at += readTogetherMax) {
      const read = await Promise.all(
        rows.slice(at, at + readTogetherMax).map(async (registered) => {
          const { state } = await loadShipment(deps.store, registered.shipment_id)
          if (state === null) return registered.age_ms < courierTimes.callDeadlineMs
          return mayStillCall(state, registered, now)
        }),
      )
      isUnderway = read.includes(true)
    }
    if (!isUnderway) return
    await delay(50)
  }
}

/** A registered attempt; a cancellation identifies its operation. */
type Registered = {
  readonly shipment_id: string
  readonly operation_id: string | null
  readonly age_ms: number
}

function mayStillCall(state: Shipment, registered: Registered, now: Instant): boolean {
  const isCalling = operationsOf(state).some(
    (each) => each.state === 'calling' && now < each.callDeadline,
  )
  if (isCalling) return true
  // An attempt is not in the stream yet between its registration and its append.
  const { operation_id: operationId, age_ms: ageMs } = registered
  const isAwaited =
    operationId === null
      ? state.attempts.at(-1)?.state === 'not_sent'
      : operationOf(state, operationId) === null
  return isAwaited && ageMs < registeredMs
}

/** Deletes registrations older than any attempt's call, which no longer carry information. */
export async function forgetAttempts(db: Kysely<Tables>): Promise<void> {
  await sql`
    DELETE FROM sandbox_attempts WHERE registered_at < now() - interval '10 minutes'`.execute(db)
  await sql`DELETE FROM claims WHERE leased_until < now() - interval '10 minutes'`.execute(db)
}
