import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '../../log.ts'
import { sweepOrphans } from '../../security/vault/vault-sweep.ts'
import { forgetBatches } from '../batches/batch-rows.ts'
import { eraseLateRows } from '../erasure/erasure.ts'
import { forgetErasures } from '../erasure/erasure-rows.ts'
import { planRetention } from '../erasure/retention.ts'
import { forgetAnswers } from '../forget-answers.ts'
import { forgetRequests } from '../forget-requests.ts'
import { forgetInvoiceDetails } from '../invoices/store-invoice.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { correctQuotas, sweepReservations, sweptMax } from '../quota/quota-correction.ts'
import { forgetQuotes } from '../quotes/quote-rows.ts'
import { forgetAttempts } from '../sandbox/sandbox-clock.ts'
import { type DueDeps, runDue } from './run-due.ts'

const failedMs = 1_000
/** A released place in the quota is usable a moment later. */
const correctEveryMs = 2_000
const tidyEveryMs = 5 * 60_000
/** Retention need not be exact to the minute. */
const retentionEveryMs = 60_000
/**
 * Pages of reservations per sweep: a hundred thousand, as many as a busy service makes in between.
 */
const sweptPagesMax = 100
/**
 * Pages of vault rows per sweep: at most fifty thousand rows, fourteen times what a million
 * shipments a day add in five minutes. The rest of the tidying waits meanwhile.
 */
const orphanPagesMax = 250

type Loop = {
  readonly name: string
  /** Returns how much it did. */
  readonly runOnce: () => Promise<number>
  /** The rest after a run that found nothing to do. */
  readonly restMs: number
}

/** Repeats the loop until the signal aborts. It rests longer after a failure. */
export async function forever(
  { name, runOnce, restMs }: Loop,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = restMs
    try {
      if ((await runOnce()) > 0) waitMs = 0
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error, task: name }, 'a background task failed and will be retried')
      waitMs = failedMs
    }
    await delay(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

/** However many were noted, the next are noted a minute later: the worker has time for them. */
async function retentionTurn(db: ProcessDeps['db']): Promise<number> {
  await planRetention(db)
  return 0
}

/** All automatic work: looks, expiries, reviews, polls, labels, erasures, sandbox clocks. */
export async function runWorker(deps: DueDeps, pool: Pool, signal: AbortSignal): Promise<void> {
  const tidy = async () => {
    const tasks = [
      () => forgetAttempts(deps.db),
      () => forgetQuotes(deps.db),
      () => forgetAnswers(deps.db),
      () => forgetRequests(deps.db),
      () => forgetBatches(deps.db),
      () => forgetInvoiceDetails(deps.db),
      () => forgetErasures(deps.db),
      () => eraseLateRows(deps),
      async () => {
        for (let page = 0; page < orphanPagesMax && !signal.aborted; page++) {
          if (!(await sweepOrphans(pool, deps.store)).goOn) break
        }
      },
      async () => {
        for (let page = 0; page < sweptPagesMax && !signal.aborted; page++) {
          if ((await sweepReservations(deps)) < sweptMax) break
        }
      },
    ]
    for (const task of tasks) {
      await task().catch((error: unknown) => {
        // The others run nevertheless.
        if (!signal.aborted) deps.log.error({ err: error, task: 'tidy' }, 'tidying failed')
      })
    }
    return 0
  }
  const retention = {
    name: 'retention',
    runOnce: () => retentionTurn(deps.db),
    restMs: retentionEveryMs,
  }
  const quota = { name: 'quota', runOnce: () => correctQuotas(deps), restMs: correctEveryMs }
  const loops = [
    runDue(deps, signal),
    forever(retention, deps.log, signal),
    forever({ name: 'tidy', runOnce: tidy, restMs: tidyEveryMs }, deps.log, signal),
    forever(quota, deps.log, signal),
  ]
  await Promise.all(loops)
}
