import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import { loadShipment } from '../event-store/transact.ts'
import type { ProcessDeps } from './deps.ts'
import { type NextDuty, nextDuties } from './duties.ts'
import { projectionsReached } from './projector.ts'
import { type ClockReading, readClock } from './workspace-clock.ts'

export const advanceLimits = {
  /** One call goes at most this far. Source: sandbox design. */
  byMsMax: 60 * 24 * 60 * 60_000,
  /** Then the call answers 202 and the worker goes on. */
  answerMs: 30_000,
  steps: 10_000,
  /** An attempt under way is waited for so long: its real call deadline. */
  attemptsMs: 21_000,
} as const

/** Sets the target; false while another advance runs. A worker takes it from there, restarts included. */
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
    UPDATE sandbox_clocks SET advancing_to = ${rfc3339(now + byMs)}, advancing_since = now()
    WHERE workspace_id = ${workspaceId} AND advancing_to IS NULL`.execute(db)
  return numAffectedRows === 1n
}

/** Waits until no advance runs, at most the time that a caller waits. */
export async function advanceEnded(
  db: Kysely<ReadModels>,
  workspaceId: string,
  timeoutMs: number = advanceLimits.answerMs,
): Promise<ClockReading> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const reading = await readClock(db, { workspaceId, livemode: false })
    if (reading.advancingTo === null || Date.now() >= until) return reading
    await delay(20)
  }
}

/** Longer than one step of an advance; a worker that died is replaced after it. */
const leaseSeconds = 30

/** Takes up one advance that nobody is making, and makes it. Answers how many were taken up. */
export async function advanceOnce(deps: ProcessDeps, signal: AbortSignal): Promise<number> {
  const { rows } = await sql<{ workspace_id: string; advancing_to: Date }>`
    WITH wanted AS (
      SELECT workspace_id, advancing_to FROM sandbox_clocks c
      WHERE advancing_to IS NOT NULL AND NOT EXISTS (
        SELECT FROM claims k
        WHERE k.work = 'advance:' || c.workspace_id AND k.leased_until > now())
      ORDER BY advancing_since LIMIT 1
    ), taken AS (
      INSERT INTO claims AS k (work, leased_until)
      SELECT 'advance:' || workspace_id, now() + ${leaseSeconds} * interval '1 second' FROM wanted
      ON CONFLICT (work) DO UPDATE SET leased_until = excluded.leased_until
        WHERE k.leased_until <= now()
      RETURNING work
    )
    SELECT wanted.* FROM wanted, taken`.execute(deps.db)
  const [wanted] = rows
  if (wanted === undefined) return 0
  const workspaceId = wanted.workspace_id
  try {
    await advance(deps, workspaceId, wanted.advancing_to.getTime(), signal)
  } finally {
    await sql`DELETE FROM claims WHERE work = ${`advance:${workspaceId}`}`.execute(deps.db)
  }
  return 1
}

async function advance(
  deps: ProcessDeps,
  workspaceId: string,
  target: Instant,
  signal: AbortSignal,
): Promise<void> {
  await attemptsEnded(deps, workspaceId)
  const stuck = new Set<string>()
  const tries = new Map<string, number>()
  for (let steps = 0; steps < advanceLimits.steps && !signal.aborted; steps++) {
    await projectionsReached(deps.db, await deps.store.head(), leaseSeconds * 1_000)
    const next = await nextStep(deps, workspaceId, target, stuck)
    if (next === null) {
      await arrive(deps.db, workspaceId, target)
      return
    }
    const step = stepKey(next)
    const tried = (tries.get(step) ?? 0) + 1
    tries.set(step, tried)
    // What stays due after it was done is deferred (a parked connection): it must not hold the clock.
    if (tried > stepTriesMax) {
      stuck.add(step)
      continue
    }
    await moveTo(deps.db, workspaceId, next.at)
    await next.duty.perform(deps, next.shipmentId, () => next.at)
  }
}

/** One shipment may owe two steps at the same moment, a review and its escalation; not more. */
const stepTriesMax = 3

function stepKey(next: NextDuty): string {
  return `${next.duty.name}:${next.shipmentId}:${next.at}`
}

async function nextStep(
  deps: ProcessDeps,
  workspaceId: string,
  target: Instant,
  stuck: ReadonlySet<string>,
): Promise<NextDuty | null> {
  const due = await nextDuties(deps.db, workspaceId, target, stuck.size + 1)
  return due.find((each) => !stuck.has(stepKey(each))) ?? null
}

/** The clock only goes forward; a step that was due before now is made as of its own time. */
async function moveTo(db: Kysely<ReadModels>, workspaceId: string, at: Instant): Promise<void> {
  await sql`
    UPDATE sandbox_clocks SET offset_ms = greatest(offset_ms, ${at - Date.now()}::bigint)
    WHERE workspace_id = ${workspaceId}`.execute(db)
  await sql`
    UPDATE claims SET leased_until = now() + ${leaseSeconds} * interval '1 second'
    WHERE work = ${`advance:${workspaceId}`}`.execute(db)
}

async function arrive(db: Kysely<ReadModels>, workspaceId: string, target: Instant): Promise<void> {
  await sql`
    UPDATE sandbox_clocks
    SET offset_ms = greatest(offset_ms, ${target - Date.now()}::bigint),
      advancing_to = NULL, advancing_since = NULL
    WHERE workspace_id = ${workspaceId}`.execute(db)
}

/** A registered attempt is between its vault row and its append for no longer than this. */
const registeredMs = 1_000

/** No attempt of the workspace is before its real call deadline without an outcome. */
async function attemptsEnded(deps: ProcessDeps, workspaceId: string): Promise<void> {
  const until = Date.now() + advanceLimits.attemptsMs
  while (Date.now() < until) {
    const { rows } = await sql<{ shipment_id: string; age_ms: number }>`
      SELECT shipment_id, extract(epoch FROM now() - max(registered_at)) * 1000 AS age_ms
      FROM sandbox_attempts
      WHERE workspace_id = ${workspaceId} AND registered_at > now() - interval '60 seconds'
      GROUP BY shipment_id`.execute(deps.db)
    const { now } = await readClock(deps.db, { workspaceId, livemode: false })
    let underway = false
    for (const row of rows) {
      const { state } = await loadShipment(deps.store, row.shipment_id)
      const isCalling = state?.attempts.some((a) => a.status === 'calling' && now < a.callDeadline)
      if (isCalling === true || Number(row.age_ms) < registeredMs) underway = true
    }
    if (!underway) return
    await delay(50)
  }
}

/** Registrations older than any attempt's call; the rest of the table says nothing any more. */
export async function forgetAttempts(db: Kysely<ReadModels>): Promise<void> {
  await sql`
    DELETE FROM sandbox_attempts WHERE registered_at < now() - interval '10 minutes'`.execute(db)
}
