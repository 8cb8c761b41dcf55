import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { courierTimes } from '../../couriers/courier.ts'
import { thisSession } from '../../database/session.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { operationOf, operationsOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { claimTimes } from '../due/claims.ts'
import { isAtWork } from '../due/duties.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { type AdvanceReading, readAdvance } from './advance-progress.ts'
import {
  type Advance,
  type AdvanceDeps,
  type Made,
  makeAdvance,
  renewAdvance,
} from './make-advance.ts'
import { readClock } from './workspace-clock.ts'

/**
 * Sets the target; false while another advance runs. A worker continues from there, even after
 * restarts.
 */
export async function startAdvance(
  db: Kysely<ReadModels>,
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
 * Waits until no advance runs: at most the caller's waiting time, and no longer than one worker
 * continues it.
 */
export async function advanceEnded(
  { db, advance }: Pick<ProcessDeps, 'db' | 'advance'>,
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

/** Most advances end in a moment; a longer wait polls less often. */
const pollMsMax = 150

/** Whether a worker has made its share of steps of this advance and released it. */
async function isLeftAlone(db: Kysely<ReadModels>, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM claims
    WHERE work = ${`advance:${workspaceId}`} AND owner IS NULL AND leased_until > now()`.execute(db)
  return rows.length > 0
}

/** Steps, which may call a courier, take longer than a lease: the lease is renewed meanwhile. */
const { leaseMs, renewEveryMs } = claimTimes
/**
 * After its share of steps an advance rests: callers see it and answer, other workspaces come
 * first.
 */
const leftAloneSeconds = 1

/** Claims one advance that no worker is making, and makes it. Returns how many were claimed. */
export async function advanceOnce(deps: AdvanceDeps, signal: AbortSignal): Promise<number> {
  const owner = randomUUID()
  const { rows } = await sql<{ workspace_id: string; advancing_to: Date }>`
    WITH wanted AS (
      SELECT workspace_id, advancing_to FROM sandbox_clocks c
      WHERE advancing_to IS NOT NULL AND NOT EXISTS (
        SELECT FROM claims k
        WHERE k.work = 'advance:' || c.workspace_id AND k.leased_until > now())
      ORDER BY advancing_since LIMIT 1
    ), taken AS (
      INSERT INTO claims AS k (work, owner, leased_until, session_pid, session_started)
      SELECT 'advance:' || workspace_id, ${owner}::uuid, now() + ${leaseMs} * interval '1 millisecond',
        mine.pid, mine.backend_start
      FROM wanted CROSS JOIN ${thisSession} mine
      ON CONFLICT (work) DO UPDATE
        SET leased_until = excluded.leased_until, owner = excluded.owner,
          session_pid = excluded.session_pid, session_started = excluded.session_started
        WHERE k.leased_until <= now()
      RETURNING work
    )
    SELECT wanted.* FROM wanted, taken`.execute(deps.db)
  const [wanted] = rows
  if (wanted === undefined) return 0
  const workspaceId = wanted.workspace_id
  const advance = { workspaceId, target: wanted.advancing_to.getTime(), owner }
  const renewing = setInterval(() => {
    // If it fails, another worker continues, and this one notices at its next step.
    renewAdvance(deps.db, advance).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'the lease of an advance could not be renewed'),
    )
  }, renewEveryMs)
  let made: Made = 'ended'
  try {
    await attemptsEnded(deps, advance)
    made = await makeAdvance(deps, advance, signal)
  } finally {
    clearInterval(renewing)
    await letGo(deps.db, advance, made)
  }
  return 1
}

async function letGo(
  db: Kysely<ReadModels>,
  { workspaceId, owner }: Advance,
  made: Made,
): Promise<void> {
  const work = `advance:${workspaceId}`
  if (made === 'ended') {
    await sql`DELETE FROM claims WHERE work = ${work} AND owner = ${owner}::uuid`.execute(db)
    return
  }
  await sql`
    UPDATE claims SET owner = NULL, leased_until = now() + ${leftAloneSeconds} * interval '1 second'
    WHERE work = ${work} AND owner = ${owner}::uuid`.execute(db)
}

/** An attempt registered for an existing stream is appended within this, or has lost its race. */
const registeredMs = 2_000
/** Streams read at once. */
const readTogetherMax = 100

/**
 * An attempt registers by its vault row or, if that already exists, by a row of its own. Waits
 * until no attempt of the workspace is before its real call deadline without an outcome, and no
 * worker has begun work there at the old time. Attempts registered after the advance began have
 * seen it, withdraw and wait themselves; the extra second is for those that were registering while
 * its target was written.
 */
async function attemptsEnded(
  deps: Pick<ProcessDeps, 'advance' | 'db' | 'deliveries' | 'store'>,
  advance: Advance,
): Promise<void> {
  const { workspaceId } = advance
  const until = performance.now() + deps.advance.attemptsMs
  while (performance.now() < until && (await renewAdvance(deps.db, advance))) {
    const { rows } = await sql<Registered>`
      SELECT a.shipment_id, a.operation_id,
        extract(epoch FROM clock_timestamp() - max(a.registered_at))::float8 * 1000 AS age_ms
      FROM (
        SELECT workspace_id, shipment_id, operation_id, registered_at, false AS may_be_withdrawn
        FROM sandbox_attempts WHERE NOT is_withdrawn
        UNION ALL
        SELECT workspace_id, shipment_id, NULL, created_at, true FROM vault
        -- Not the notes of decisions, which belong to operations.
        WHERE starts_with(shipment_id, 'shp_')
      ) a JOIN sandbox_clocks c USING (workspace_id)
      WHERE a.workspace_id = ${workspaceId} AND a.registered_at > now() - interval '60 seconds'
        AND a.registered_at <= c.advancing_since + interval '1 second'
        AND NOT (a.may_be_withdrawn AND a.registered_at > c.advancing_since AND EXISTS (
          SELECT FROM sandbox_attempts w
          WHERE w.shipment_id = a.shipment_id AND w.is_withdrawn))
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

/** A registered attempt; a cancellation names its operation. */
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
  // Between its registration and its append a later attempt is not in the stream yet.
  const { operation_id: operationId, age_ms: ageMs } = registered
  const isAwaited =
    operationId === null
      ? state.attempts.at(-1)?.state === 'not_sent'
      : operationOf(state, operationId) === null
  return isAwaited && ageMs < registeredMs
}

/** Takes back the registration of an attempt that saw an advance and waits for it. */
export async function withdrawAttempt(
  db: Kysely<ReadModels>,
  attempt: { readonly workspaceId: string; readonly shipmentId: string },
): Promise<void> {
  await sql`
    WITH withdrawn AS (
      DELETE FROM sandbox_attempts a USING sandbox_clocks c
      WHERE a.shipment_id = ${attempt.shipmentId} AND c.workspace_id = ${attempt.workspaceId}
        AND a.registered_at > c.advancing_since
    )
    INSERT INTO sandbox_attempts (workspace_id, shipment_id, is_withdrawn)
    VALUES (${attempt.workspaceId}, ${attempt.shipmentId}, true)`.execute(db)
}

/** Deletes registrations older than any attempt's call; they carry no information any more. */
export async function forgetAttempts(db: Kysely<ReadModels>): Promise<void> {
  await sql`
    DELETE FROM sandbox_attempts WHERE registered_at < now() - interval '10 minutes'`.execute(db)
  await sql`DELETE FROM claims WHERE leased_until < now() - interval '10 minutes'`.execute(db)
}
