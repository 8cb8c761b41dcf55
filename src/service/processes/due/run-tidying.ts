import type { Pool } from 'pg'
import { forever } from '../../queue/run.ts'
import { sweepOrphans } from '../../security/vault/vault-sweep.ts'
import { forgetBatches } from '../batches/batch-rows.ts'
import { eraseLateRows } from '../erasure/erasure.ts'
import { forgetErasures } from '../erasure/erasure-rows.ts'
import { planRetention } from '../erasure/retention.ts'
import { forgetAnswers } from '../forget-answers.ts'
import { forgetRequests } from '../forget-requests.ts'
import { forgetInvoiceDetails } from '../invoices/store-invoice.ts'
import type { ProcessServices } from '../process-services.ts'
import { correctQuotas, sweepReservations, sweptMax } from '../quota/quota-correction.ts'
import { forgetQuotes } from '../quotes/quote-rows.ts'
import { forgetRequestTraces } from '../request-traces.ts'
import { forgetAttempts } from '../sandbox/sandbox-clock.ts'

/** How soon a released place in the quota is usable. */
const correctEveryMs = 2_000
const tidyEveryMs = 5 * 60_000
/** Retention need not be exact to the minute. */
const retentionEveryMs = 60_000
/**
 * Pages of reservations per sweep: a hundred thousand reservations, as many as a busy service makes
 * in the interval.
 */
const sweptPagesMax = 100
/**
 * Pages of vault rows per sweep: at most fifty thousand rows, fourteen times what a million
 * shipments a day add in five minutes. Other tidying waits meanwhile.
 */
const orphanPagesMax = 250

/**
 * Returns 0, so that the next run is a minute later: the worker needs that time for what was noted.
 */
async function noteRetention(db: ProcessServices['db']): Promise<number> {
  await planRetention(db)
  return 0
}

type TidyingDeps = Pick<
  ProcessServices,
  'db' | 'erasureRows' | 'erasures' | 'log' | 'store' | 'vault'
>

/** Notes whose retention has ended, corrects quotas and forgets what is no longer needed. */
export async function runTidying(
  deps: TidyingDeps,
  pool: Pool,
  signal: AbortSignal,
): Promise<void> {
  const tidy = async () => {
    const tasks = [
      () => forgetAttempts(deps.db),
      () => forgetQuotes(deps.db),
      () => forgetAnswers(deps.db),
      () => forgetRequests(deps.db),
      () => forgetRequestTraces(deps.db),
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
        // The other tasks still run.
        if (!signal.aborted) deps.log.error({ err: error, task: 'tidy' }, 'tidying failed')
      })
    }
    return 0
  }
  const loops = [
    { name: 'retention', runOnce: () => noteRetention(deps.db), restMs: retentionEveryMs },
    { name: 'tidy', runOnce: tidy, restMs: tidyEveryMs },
    { name: 'quota', runOnce: () => correctQuotas(deps), restMs: correctEveryMs },
  ]
  await Promise.all(loops.map((loop) => forever(loop, deps.log, signal)))
}
