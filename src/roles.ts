import { projections } from '../projections/all.ts'
import type { Projection } from '../projections/projection.ts'
import { runSealer } from './ledger/sealer.ts'
import type { Parts } from './parts.ts'
import { ensureProjection, forgetOthers } from './processes/checkpoint.ts'
import { runProjector } from './processes/projector.ts'
import { forever, runWorker } from './processes/worker.ts'
import { runDeliveries } from './webhooks/deliver.ts'
import { discardLeft } from './webhooks/disable.ts'
import { expireDeliveries } from './webhooks/expire.ts'
import { forgetEvents } from './webhooks/forget.ts'
import { tellNotices } from './webhooks/notices.ts'
import { outbox } from './webhooks/outbox.ts'

/** What is kept up to date with the ledger: the read models, and what is told of it. */
function keptUpToDate({ readModels, store }: Parts): readonly Projection[] {
  return [...projections, outbox(readModels, store)]
}

export async function ensureProjections(parts: Parts): Promise<void> {
  const kept = keptUpToDate(parts)
  for (const each of kept) await ensureProjection(parts.readModels, each)
  await forgetOthers(parts.readModels, kept)
}

/** The role `projector`: a loop each, until the signal, and the sealer of the ledger. */
export function projectorLoops(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const deps = { db: parts.readModels, store: parts.store, log: parts.processes.log }
  return [
    ...keptUpToDate(parts).map((each) => runProjector(deps, each, signal)),
    runSealer({ ...deps, ...parts.seal }, signal),
  ]
}

/** Of parked connections and quotas: nobody waits for them to the moment. */
const noticesEveryMs = 1_000
/** Nobody waits for what is discarded, expired or forgotten. */
const tidyEveryMs = 5_000

async function tidyWebhooks({ db, rules }: Parts['deliver']): Promise<number> {
  const ended = (await discardLeft(db)) + (await expireDeliveries(db, rules))
  return ended + (await forgetEvents(db))
}

/** The role `worker`: what falls due for shipments and sandboxes, and the webhooks. */
export function workerLoops(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const { processes, pool, deliver, readModels } = parts
  return [
    runWorker(processes, pool, signal),
    runDeliveries(deliver, signal),
    forever('notices', processes.log, signal, () => tellNotices(readModels), noticesEveryMs),
    forever('tidy webhooks', processes.log, signal, () => tidyWebhooks(deliver), tidyEveryMs),
  ]
}
