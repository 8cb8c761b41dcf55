import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { thisSession } from '../../database/session.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { projectionsReached } from '../../projector/checkpoint.ts'
import { claimTimes, type Performed } from '../due/claims.ts'
import { type DutyDeps, isOutage, nextSteps } from '../due/duties.ts'
import type { AdvanceStep, ProcessDeps } from '../process-deps.ts'
import type { Skipped, SkipReason, StepKind } from './advance-progress.ts'
import { offsetTo } from './workspace-clock.ts'

export type AdvanceDeps = DutyDeps & Pick<ProcessDeps, 'advance' | 'deliveries'>

export type Advance = {
  readonly workspaceId: string
  readonly target: Instant
  /** The lease's owner: a worker paused past its lease must not touch its successor's. */
  readonly owner: string
}

/** The result of a claimed advance; `ended`: it arrived, or another worker continues it. */
export type Made = 'ended' | 'share_made'

/** How long an advance waits for the projections before it is released and tried again. */
const caughtUpMs = 10_000
/** How long it waits for a store that was unreachable. */
const outageMs = 1_000

/**
 * Makes what falls due until the target, in rounds: the first steps of many shipments, and the first
 * deliveries, side by side, each as of its own moment. A shipment's next step, and what the steps of
 * a round have planned, belong to later rounds. It arrives when nothing is due that was not skipped.
 */
export async function makeAdvance(
  deps: AdvanceDeps,
  advance: Advance,
  signal: AbortSignal,
): Promise<Made> {
  const { workspaceId, target } = advance
  const { steps: stepsMax, together: limit, togetherMs } = deps.advance
  const steps = new TriedSteps(deps.advance)
  let done = 0
  while (done < stepsMax) {
    if (signal.aborted) return 'ended'
    // Stopped or slow read models do not show all due work: the target stays and is tried again.
    if (!(await projectionsReached(deps.db, await deps.store.head(), caughtUpMs))) return 'ended'
    const leftOut = [...steps.skipped.keys()]
    const due = await nextSteps(deps, workspaceId, target, { limit, leftOut })
    const [first] = due
    if (first === undefined) {
      await arrive(deps, advance, steps.skipped)
      return 'ended'
    }
    const round = due.filter(({ at }) => at <= first.at + togetherMs).slice(0, limit)
    await steps.restBefore(round, signal)
    if (!(await moveTo(deps.db, advance, round.at(-1)?.at ?? first.at))) return 'ended'
    const made = await makeRound(deps, steps, round, signal)
    await addDone(deps.db, advance, made)
    done += made
  }
  return 'share_made'
}

/** Makes the steps and returns how many were done. */
async function makeRound(
  { log }: AdvanceDeps,
  steps: TriedSteps,
  round: readonly AdvanceStep[],
  signal: AbortSignal,
): Promise<number> {
  let done = 0
  let isOut = false
  const make = async (step: AdvanceStep) => {
    try {
      const performed = await step.perform()
      if (performed === 'done') done += 1
      steps.note(step, performed)
    } catch (error) {
      log.error({ err: error, step: step.key }, 'a step of an advance failed')
      if (isOutage(error)) isOut = true
      else steps.note(step, 'failed')
    }
  }
  const again = round.filter((step) => steps.hasTried(step))
  await Promise.all(round.filter((step) => !steps.hasTried(step)).map(make))
  // Steps share statements, so that one which fails can make others fail: alone it cannot.
  for (const step of again) await make(step)
  if (isOut) await pause(outageMs, signal)
  return done
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

type Outcome = Performed | 'failed'

/** What was tried in one share of an advance, and what was skipped in the end. */
class TriedSteps {
  readonly skipped = new Map<AdvanceStep, SkipReason>()
  readonly #limits: Pick<AdvanceDeps['advance'], 'retryMs' | 'tries'>
  readonly #tried = new Map<string, { readonly count: number; readonly last: Outcome }>()

  constructor(limits: Pick<AdvanceDeps['advance'], 'retryMs' | 'tries'>) {
    this.#limits = limits
  }

  hasTried(step: AdvanceStep): boolean {
    return this.#tried.has(nameOf(step))
  }

  /** A step that is still due after so many tries is skipped; deferred work cannot be done now. */
  note(step: AdvanceStep, last: Outcome): void {
    const count = (this.#tried.get(nameOf(step))?.count ?? 0) + 1
    this.#tried.set(nameOf(step), { count, last })
    if (last === 'deferred') this.skipped.set(step, 'deferred')
    else if (count >= this.#limits.tries) {
      this.skipped.set(step, last === 'failed' ? 'failed' : 'still_due')
    }
  }

  /** Waits before steps that did not get done are tried again, longer each time. */
  async restBefore(round: readonly AdvanceStep[], signal: AbortSignal): Promise<void> {
    const tries = round.map((step) => this.#tried.get(nameOf(step)))
    const undone = tries.flatMap((tried) => (tried && tried.last !== 'done' ? [tried.count] : []))
    if (undone.length === 0) return
    await pause(this.#limits.retryMs * 2 ** (Math.max(...undone) - 1), signal)
  }
}

function nameOf({ key, at }: AdvanceStep): string {
  return `${key}:${at}`
}

/** Keeps the lease; false when another worker has taken over. */
export async function renewAdvance(
  db: Kysely<ReadModels>,
  { workspaceId, owner }: Advance,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE claims SET leased_until = now() + ${claimTimes.leaseMs} * interval '1 millisecond',
      session_pid = mine.pid, session_started = mine.backend_start
    FROM ${thisSession} mine
    WHERE work = ${`advance:${workspaceId}`} AND owner = ${owner}::uuid`.execute(db)
  return numAffectedRows === 1n
}

/** The clock only goes forward; a step due before now is made as of its own time. */
async function moveTo(db: Kysely<ReadModels>, advance: Advance, at: Instant): Promise<boolean> {
  if (!(await renewAdvance(db, advance))) return false
  await sql`
    UPDATE sandbox_clocks SET offset_ms = greatest(offset_ms, ${offsetTo(at)}::bigint)
    WHERE workspace_id = ${advance.workspaceId}
      AND advancing_to = ${rfc3339(advance.target)}`.execute(db)
  return true
}

async function addDone(db: Kysely<ReadModels>, advance: Advance, steps: number): Promise<void> {
  await sql`
    UPDATE sandbox_clocks SET steps_done = steps_done + ${steps}
    WHERE workspace_id = ${advance.workspaceId}
      AND advancing_to = ${rfc3339(advance.target)}`.execute(db)
}

async function arrive(
  { db, advance: { skippedNamed } }: AdvanceDeps,
  { workspaceId, target }: Advance,
  skipped: ReadonlyMap<AdvanceStep, SkipReason>,
): Promise<void> {
  const named = [...skipped]
    .slice(0, skippedNamed)
    .map(([{ shipmentId, what }, reason]): Skipped => {
      return { shipment_id: shipmentId, what: kinds[what], reason }
    })
  await sql`
    UPDATE sandbox_clocks
    SET offset_ms = greatest(offset_ms, ${offsetTo(target)}::bigint),
      advancing_to = NULL, advancing_since = NULL,
      skipped = ${JSON.stringify(named)}::jsonb, skipped_more = ${skipped.size - named.length}
    WHERE workspace_id = ${workspaceId} AND advancing_to = ${rfc3339(target)}`.execute(db)
}

/** What the API calls the kinds of work. */
const kinds: Readonly<Record<AdvanceStep['what'], StepKind>> = {
  reconcile: 'reconciliation',
  track: 'tracking',
  label: 'label',
  erase: 'erasure',
  deliver: 'webhook',
}
