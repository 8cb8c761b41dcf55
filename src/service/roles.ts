import { projections } from '../../projections/all.ts'
import type { Projection } from '../../projections/projection.ts'
import { Attention, type CheckTimes } from './event-store/attention.ts'
import type { EventStore, StoredEvent } from './event-store/event-store.ts'
import { problemOf } from './http/problems/faults.ts'
import { findDamage } from './ledger/recovery/find-damage.ts'
import { runSealer } from './ledger/sealer.ts'
import { witnessStates } from './ledger/witnesses/stored-cosignatures.ts'
import type { Log } from './log.ts'
import type { Parts } from './parts.ts'
import { runBatches } from './processes/batches/run-batches.ts'
import { dueList } from './processes/due/list.ts'
import { forever, runWorker } from './processes/due/worker.ts'
import { recheckInvoices, runInvoices } from './processes/invoices/run-invoices.ts'
import { noteLostOwners } from './processes/lost-owners.ts'
import { tidyStatistics } from './processes/statistics/tidy-statistics.ts'
import { ensureProjection, forgetOthers } from './projector/checkpoint.ts'
import { runFollower } from './projector/follow.ts'
import { storedConditions, witnessSilent } from './webhooks/alerts/alert-conditions.ts'
import { checkAlerts } from './webhooks/alerts/check-alerts.ts'
import { runDeliveries } from './webhooks/deliver.ts'
import { discardLeft } from './webhooks/disable.ts'
import { expireDeliveries } from './webhooks/expire.ts'
import { forgetEvents } from './webhooks/forget.ts'
import { convertNotices } from './webhooks/notices.ts'
import { outbox } from './webhooks/outbox.ts'

type Ledger = Pick<Parts, 'readModels' | 'store'>

/** What follows the ledger: the read models, the webhook outbox and the due work. */
function keptUpToDate({ readModels, store }: Ledger): readonly Projection[] {
  return [...projections, outbox(readModels, store), dueList]
}

export async function ensureProjections(parts: Ledger): Promise<void> {
  const kept = keptUpToDate(parts)
  for (const each of kept) await ensureProjection(parts.readModels, each)
  await forgetOthers(parts.readModels, kept)
}

/**
 * Compares the ledger with all that remembers it, before any other loop begins; answers the loop that
 * watches over it from then on.
 */
export async function guardLoop(
  { guard, remembered }: Pick<Parts, 'guard' | 'remembered'>,
  signal: AbortSignal,
): Promise<Promise<void>[]> {
  await guard.read()
  const found = guard.damage === null ? await findDamage(remembered) : null
  if (found !== null) guard.notice(found)
  return [guard.run(signal)]
}

/** The role `projector`, until the signal: the follower, and the sealer of the ledger. */
export function projectorLoops(
  parts: Ledger & Pick<Parts, 'guard' | 'pool' | 'seal' | 'processes'>,
  signal: AbortSignal,
): readonly Promise<void>[] {
  const { readModels: db, pool, store, guard, processes } = parts
  const deps = { db, pool, store, log: processes.log }
  const witnessed = async () => witnessSilent(await witnessStates(db, parts.seal.witnesses))
  const alerts = {
    what: 'witness alerts',
    times: alertCheckTimes,
    runOnce: async () => await checkAlerts(db, [await witnessed()]),
  }
  const onCatchUp = (events: readonly StoredEvent[]) => noteLostOwners(db, events)
  return [
    // A new outbox each time: it counts the webhooks of streams that may have lost their ends.
    guard.whileIntact(signal, (intact) =>
      runFollower({ ...deps, onCatchUp }, keptUpToDate(parts), intact),
    ),
    guard.whileIntact(signal, (intact) => runSealer({ ...deps, ...parts.seal }, intact)),
    runFollowUp(deps, alerts, signal),
  ]
}

/** For parked connections and quotas, where nothing waits for the exact moment. */
const noticeTimes = { soonMs: 1_000, idleMs: 10_000 }
/** For lines of invoices whose shipment has changed. */
const billedTimes = { soonMs: 2_000, idleMs: 20_000 }
/** For alerts, which report what has lasted for minutes. */
const alertCheckTimes = { soonMs: 10_000, idleMs: 30_000 }
/** For what is discarded, expired or forgotten, where nothing waits. */
const tidyTimes = { soonMs: 5_000, idleMs: 60_000 }

/** For sums that are merged or deleted, where nothing waits. */
const statisticsTimes = { soonMs: 60_000, idleMs: 600_000 }

async function tidyWebhooks({ db, rules }: Parts['deliver']): Promise<number> {
  const ended = (await discardLeft(db)) + (await expireDeliveries(db, rules))
  return ended + (await forgetEvents(db))
}

/** Work that follows from events. `runOnce` answers how much it did. */
type FollowUp = {
  readonly what: string
  readonly times: CheckTimes
  readonly runOnce: () => Promise<number>
}

/** Repeats the work until the signal: at once while there is more, else as events arrive. */
async function runFollowUp(
  { store, log }: { readonly store: EventStore; readonly log: Log },
  { what, times, runOnce }: FollowUp,
  signal: AbortSignal,
): Promise<void> {
  const attention = new Attention(store)
  const runAndRest = async () => {
    const done = await runOnce()
    if (done === 0) await attention.rest(times, signal)
    return done
  }
  await forever({ name: what, runOnce: runAndRest, restMs: 0 }, log, signal)
}

/** The role `worker`: due work of shipments and sandboxes, batches, and the webhooks. */
export function workerLoops(
  {
    processes,
    guard,
    pool,
    deliver,
    readModels,
  }: Pick<Parts, 'processes' | 'guard' | 'pool' | 'deliver' | 'readModels'>,
  signal: AbortSignal,
): readonly Promise<void>[] {
  const notices = { what: 'notices', times: noticeTimes, runOnce: () => convertNotices(readModels) }
  const alerts = {
    what: 'alerts',
    times: alertCheckTimes,
    runOnce: () => checkAlerts(readModels, storedConditions),
  }
  const tidying = { what: 'tidy webhooks', times: tidyTimes, runOnce: () => tidyWebhooks(deliver) }
  const statistics = {
    what: 'tidy statistics',
    times: statisticsTimes,
    runOnce: () => tidyStatistics(readModels),
  }
  const billed = {
    what: 'billed lines',
    times: billedTimes,
    runOnce: recheckInvoices(processes),
  }
  return [
    guard.whileIntact(signal, (intact) => runWorker(processes, pool, intact)),
    guard.whileIntact(signal, (intact) => runBatches({ ...processes, problemOf }, intact)),
    guard.whileIntact(signal, (intact) => runInvoices(processes, intact)),
    runDeliveries(deliver, signal),
    guard.whileIntact(signal, (intact) => runFollowUp(deliver, billed, intact)),
    runFollowUp(deliver, notices, signal),
    runFollowUp(deliver, alerts, signal),
    runFollowUp(deliver, tidying, signal),
    runFollowUp(deliver, statistics, signal),
  ]
}
