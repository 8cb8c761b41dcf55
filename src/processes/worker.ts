import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '../log.ts'
import { type SweepCursor, sweepOrphans } from '../security/vault-sweep.ts'
import { freeOfTheDead } from './claims-postgres.ts'
import type { ProcessDeps } from './deps.ts'
import { duties, performDue } from './duties.ts'
import { eraseLateRows } from './erasure.ts'
import { forgetErasures } from './erasure-rows.ts'
import { forgetAnswers } from './forget-answers.ts'
import { followNew } from './poll-plan.ts'
import { settleQuotas, sweepReservations, sweptMax } from './quota-settlement.ts'
import { forgetQuotes } from './quote-rows.ts'
import { planRetention } from './retention.ts'
import { advanceOnce, forgetAttempts } from './sandbox-clock.ts'

/** Between two looks at what is due when nothing was: the first look of an operation is due after 2 s. */
const idleMs = 400
const failedMs = 1_000
/** A place that is given back is there a moment later. */
const settleEveryMs = 1_000
/** Between two looks for what processes held that died. */
const freeEveryMs = 1_000
const tidyEveryMs = 5 * 60_000
/** Nobody waits for an erasure to be finished, nor for retention to the minute. */
const unhurriedMs = 1_000
const retentionEveryMs = 60_000
/** Pages of reservations in one tidying: a hundred thousand, as many as a busy service makes in it. */
const sweptPagesMax = 100

/** Repeats `runOnce` until the signal; rests when it found nothing to do, longer when it failed. */
export async function forever(
  what: string,
  log: Log,
  signal: AbortSignal,
  runOnce: () => Promise<number>,
  foundNothingMs = idleMs,
): Promise<void> {
  while (!signal.aborted) {
    let restMs = foundNothingMs
    try {
      if ((await runOnce()) > 0) restMs = 0
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error, task: what }, 'a process failed; it goes on')
      restMs = failedMs
    }
    await delay(restMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Loops of each kind: a courier that does not answer holds one of them for ten seconds. */
const loopsEach = 4

/** They look by turns, so that together they ask no more often than one that is alone. */
function loopsOf(
  what: string,
  log: Log,
  signal: AbortSignal,
  runOnce: () => Promise<number>,
): readonly Promise<void>[] {
  return Array.from({ length: loopsEach }, async (_, turn) => {
    await delay(turn * idleMs, undefined, { signal }).catch(() => undefined)
    await forever(what, log, signal, runOnce, loopsEach * idleMs)
  })
}

/** However many were noted, the next are noted a minute later: the worker has time for them. */
async function retentionTurn({ db }: ProcessDeps): Promise<number> {
  await planRetention(db)
  return 0
}

/** All that happens by itself: looks, expiries, reviews, polls, labels, erasures, sandbox clocks. */
export async function runWorker(deps: ProcessDeps, pool: Pool, signal: AbortSignal): Promise<void> {
  let tidiedAt = Number.NEGATIVE_INFINITY
  let orphans: SweepCursor | null = null
  const loops = [
    ...duties.flatMap((duty) => {
      const once = () => performDue(deps, duty)
      return duty.isUnhurried === true
        ? [forever(duty.name, deps.log, signal, once, unhurriedMs)]
        : loopsOf(duty.name, deps.log, signal, once)
    }),
    forever('retention', deps.log, signal, () => retentionTurn(deps), retentionEveryMs),
    forever('follow', deps.log, signal, () => followNew(deps.db)),
    ...loopsOf('advance', deps.log, signal, () => advanceOnce(deps, signal)),
    forever('tidy', deps.log, signal, async () => {
      if (performance.now() - tidiedAt < tidyEveryMs) return 0
      tidiedAt = performance.now()
      await forgetAttempts(deps.db)
      await forgetQuotes(deps.db)
      await forgetAnswers(deps.db)
      await forgetErasures(deps.db)
      await eraseLateRows(deps)
      // The next page of rows that may be orphans; after the last, from the start again.
      orphans = (await sweepOrphans(pool, deps.store, orphans)).cursor
      for (let page = 0; page < sweptPagesMax && !signal.aborted; page++) {
        if ((await sweepReservations(deps)) < sweptMax) break
      }
      return 0
    }),
    forever('free', deps.log, signal, () => freeOfTheDead(deps.db), freeEveryMs),
    forever('quota', deps.log, signal, () => settleQuotas(deps), settleEveryMs),
  ]
  await Promise.all(loops)
}
