import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '../../log.ts'
import { type SweepCursor, sweepOrphans } from '../../security/vault-sweep.ts'
import type { ProcessDeps } from '../deps.ts'
import { eraseLateRows } from '../erasure/erasure.ts'
import { forgetErasures } from '../erasure/erasure-rows.ts'
import { planRetention } from '../erasure/retention.ts'
import { forgetAnswers } from '../forget-answers.ts'
import { settleQuotas, sweepReservations, sweptMax } from '../quota/quota-settlement.ts'
import { forgetQuotes } from '../quotes/quote-rows.ts'
import { forgetAttempts } from '../sandbox/sandbox-clock.ts'
import { runDue } from './run.ts'

const failedMs = 1_000
/** A released place in the quota is usable a moment later. */
const settleEveryMs = 2_000
const tidyEveryMs = 5 * 60_000
/** Retention need not be exact to the minute. */
const retentionEveryMs = 60_000
/**
 * Pages of reservations per sweep: a hundred thousand, as many as a busy service makes in between.
 */
const sweptPagesMax = 100

/**
 * Repeats `runOnce` until the signal aborts; rests when it found nothing to do, longer after a
 * failure.
 */
export async function forever(
  what: string,
  log: Log,
  signal: AbortSignal,
  runOnce: () => Promise<number>,
  foundNothingMs: number,
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

/** However many were noted, the next are noted a minute later: the worker has time for them. */
async function retentionTurn({ db }: ProcessDeps): Promise<number> {
  await planRetention(db)
  return 0
}

/** All automatic work: looks, expiries, reviews, polls, labels, erasures, sandbox clocks. */
export async function runWorker(deps: ProcessDeps, pool: Pool, signal: AbortSignal): Promise<void> {
  let orphans: SweepCursor | null = null
  const tidy = async () => {
    await forgetAttempts(deps.db)
    await forgetQuotes(deps.db)
    await forgetAnswers(deps.db)
    await forgetErasures(deps.db)
    await eraseLateRows(deps)
    // The next page of rows that may be orphans; starts over after the last.
    orphans = (await sweepOrphans(pool, deps.store, orphans)).cursor
    for (let page = 0; page < sweptPagesMax && !signal.aborted; page++) {
      if ((await sweepReservations(deps)) < sweptMax) break
    }
    return 0
  }
  const loops = [
    runDue(deps, signal),
    forever('retention', deps.log, signal, () => retentionTurn(deps), retentionEveryMs),
    forever('tidy', deps.log, signal, tidy, tidyEveryMs),
    forever('quota', deps.log, signal, () => settleQuotas(deps), settleEveryMs),
  ]
  await Promise.all(loops)
}
