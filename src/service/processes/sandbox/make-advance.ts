import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { pause } from '../../pause.ts'
import { projectionsReached } from '../../projector/checkpoint.ts'
import { type Lease, renewLease } from '../../queue/lease.ts'
import type { JobResult } from '../due/claims.ts'
import { isOutage, type JobDeps, nextSteps } from '../due/job-kinds.ts'
import type { AdvanceStep, ProcessServices } from '../process-services.ts'
import type { Skipped, SkipReason, StepKind } from './advance-progress.ts'
import { offsetTo } from './workspace-clock.ts'

export type AdvanceDeps = JobDeps & Pick<ProcessServices, 'advance' | 'deliveries'>

export type Advance = {
  readonly workspaceId: string
  readonly target: Instant
  readonly lease: Lease
}

/**
 * `ended`: the advance reached its target, or another worker continues it. `share_made`: the worker
 * has done its share.
 */
export type Made = 'ended' | 'share_made'

/** How long an advance waits for the projections before it is released and retried. */
const caughtUpMs = 10_000
/** The wait after a store was unreachable. */
const outageMs = 1_000

/**
 * Performs what is due until the target, in rounds: the first steps of many shipments and the first
 * deliveries run concurrently, each as of its own time. A shipment's next step, and steps planned
 * by a round, belong to later rounds. The target is reached when nothing is due except skipped
 * steps.
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
    // Read models that are stopped or slow do not show all due work: the target stays, and the
    // advance is retried.
    if (!(await projectionsReached(deps.db, await deps.store.head(), caughtUpMs))) return 'ended'
    const excluded = [...steps.skipped.keys()]
    const due = await nextSteps(deps, workspaceId, target, { limit, excluded })
    const [first] = due
    if (first === undefined) {
      await endAdvance(deps, advance, steps.skipped)
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

/** Performs the steps and returns how many were done. */
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
  // Steps share statements, so one that fails can make others fail; alone it cannot.
  for (const step of again) await make(step)
  if (isOut) await pause(outageMs, signal)
  return done
}

type Outcome = JobResult | 'failed'

/** What was tried in one share of an advance, and what was skipped. */
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

  /** A step that is still due after so many tries is skipped; a deferred one is skipped at once. */
  note(step: AdvanceStep, last: Outcome): void {
    const count = (this.#tried.get(nameOf(step))?.count ?? 0) + 1
    this.#tried.set(nameOf(step), { count, last })
    if (last === 'deferred') this.skipped.set(step, 'deferred')
    else if (count >= this.#limits.tries) {
      this.skipped.set(step, last === 'failed' ? 'failed' : 'still_due')
    }
  }

  /** Waits before unfinished steps are tried again, longer each time. */
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

/** The clock only moves forward; a step due earlier than now is performed as of its own time. */
async function moveTo(db: Kysely<Tables>, advance: Advance, at: Instant): Promise<boolean> {
  if (!(await renewLease(db, advance.lease))) return false
  await sql`
    UPDATE sandbox_clocks SET offset_ms = greatest(offset_ms, ${offsetTo(at)}::bigint)
    WHERE workspace_id = ${advance.workspaceId}
      AND advancing_to = ${rfc3339(advance.target)}`.execute(db)
  return true
}

async function addDone(db: Kysely<Tables>, advance: Advance, steps: number): Promise<void> {
  await sql`
    UPDATE sandbox_clocks SET steps_done = steps_done + ${steps}
    WHERE workspace_id = ${advance.workspaceId}
      AND advancing_to = ${rfc3339(advance.target)}`.execute(db)
}

async function endAdvance(
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

/** The API's names for the kinds of work. */
const kinds: Readonly<Record<AdvanceStep['what'], StepKind>> = {
  reconcile: 'reconciliation',
  track: 'tracking',
  label: 'label',
  erase: 'erasure',
  deliver: 'webhook',
}
