import { projections } from '../../projections/all.ts'
import type { Projection } from '../../projections/projection.ts'
import type { EventStore, StoredEvent } from './event-store/event-store.ts'
import { problemOf } from './http/problems/faults.ts'
import { type FindDamageDeps, findDamage } from './ledger/recovery/find-damage.ts'
import { runSealer } from './ledger/sealer.ts'
import { witnessStates } from './ledger/witnesses/stored-cosignatures.ts'
import type { Log } from './log.ts'
import { batchLines } from './processes/batches/run-batches.ts'
import { dueList } from './processes/due/list.ts'
import { runTidying } from './processes/due/run-tidying.ts'
import { shipmentKinds } from './processes/due/shipment-kinds.ts'
import { comparisons, recheckInvoices } from './processes/invoices/run-invoices.ts'
import { noteLostOwners } from './processes/lost-owners.ts'
import { enqueueThresholds } from './processes/quota/enqueue-thresholds.ts'
import { tidyStatistics } from './processes/statistics/tidy-statistics.ts'
import { ensureProjection, forgetOthers } from './projector/checkpoint.ts'
import { runFollower } from './projector/follow.ts'
import { forever, runQueue } from './queue/run.ts'
import { AdaptivePoll, type CheckTimes } from './queue/signal.ts'
import type { Services } from './services.ts'
import { storedConditions, witnessSilent } from './webhooks/alerts/alert-conditions.ts'
import { checkAlerts } from './webhooks/alerts/check-alerts.ts'
import { deadSenders } from './webhooks/claim-deliveries.ts'
import { runDeliveries } from './webhooks/deliver.ts'
import { outbox } from './webhooks/outbox.ts'
import { tidyWebhooks } from './webhooks/tidy-webhooks.ts'

type Ledger = Pick<Services, 'db' | 'store' | 'links'>

/** The projections that follow the ledger: the read models, the webhook outbox and the due work. */
function followedProjections({ db, store, links }: Ledger): readonly Projection[] {
  return [...projections, outbox(db, store, links), dueList]
}

export async function ensureProjections(services: Ledger): Promise<void> {
  const kept = followedProjections(services)
  for (const each of kept) await ensureProjection(services.db, each)
  await forgetOthers(services.db, kept)
}

/**
 * Compares the ledger with everything that remembers it, before any other loop begins. Returns the loop
 * that guards it from then on.
 */
export async function guardLoop(
  services: Pick<Services, keyof FindDamageDeps | 'guard'>,
  signal: AbortSignal,
): Promise<Promise<void>[]> {
  const { guard } = services
  await guard.read()
  const found = guard.damage === null ? await findDamage(services) : null
  if (found !== null) guard.notice(found)
  return [guard.run(signal)]
}

/** Runs the role `projector` until the signal aborts: the follower and the sealer of the ledger. */
export function projectorLoops(services: Services, signal: AbortSignal): readonly Promise<void>[] {
  const { db, guard, witnesses } = services
  const witnessed = async () => witnessSilent(await witnessStates(db, witnesses))
  const alerts = {
    what: 'witness alerts',
    times: alertCheckTimes,
    runOnce: async () => await checkAlerts(db, [await witnessed()]),
  }
  const onCatchUp = (events: readonly StoredEvent[]) => noteLostOwners(db, events)
  return [
    // A new outbox each time, because it counts webhooks of streams that may have lost their ends.
    guard.whileIntact(signal, (intact) =>
      runFollower({ ...services, onCatchUp }, followedProjections(services), intact),
    ),
    guard.whileIntact(signal, (intact) => runSealer(services, intact)),
    runPeriodicJob(services, alerts, signal),
  ]
}

/** For webhooks of quotas, which need no exact moment. */
const thresholdTimes = { soonMs: 1_000, idleMs: 10_000 }
/** For invoice lines whose shipment has changed. */
const billedTimes = { soonMs: 2_000, idleMs: 20_000 }
/** For alerts, which report conditions that have lasted for minutes. */
const alertCheckTimes = { soonMs: 10_000, idleMs: 30_000 }
/** For discarding and expiring data, for which nothing waits. */
const tidyTimes = { soonMs: 5_000, idleMs: 60_000 }

/** For merging and deleting statistics, for which nothing waits. */
const statisticsTimes = { soonMs: 60_000, idleMs: 600_000 }

/** Work that events cause. `runOnce` returns how much it did. */
type PeriodicJob = {
  readonly what: string
  readonly times: CheckTimes
  readonly runOnce: () => Promise<number>
}

/** Repeats the work until the signal aborts: at once while there is more, otherwise as events arrive. */
async function runPeriodicJob(
  { store, log }: { readonly store: EventStore; readonly log: Log },
  { what, times, runOnce }: PeriodicJob,
  signal: AbortSignal,
): Promise<void> {
  const poll = new AdaptivePoll(store)
  const runAndRest = async () => {
    const done = await runOnce()
    if (done === 0) await poll.wait(times, signal)
    return done
  }
  await forever({ name: what, runOnce: runAndRest, restMs: 0 }, log, signal)
}

/** Runs the role `worker`: due work of shipments and sandboxes, batches, invoices and webhooks. */
export function workerLoops(services: Services, signal: AbortSignal): readonly Promise<void>[] {
  const { db, guard } = services
  const thresholds = {
    what: 'quota thresholds',
    times: thresholdTimes,
    runOnce: () => enqueueThresholds(db),
  }
  const alerts = {
    what: 'alerts',
    times: alertCheckTimes,
    runOnce: () => checkAlerts(db, storedConditions),
  }
  const tidying = { what: 'tidy webhooks', times: tidyTimes, runOnce: () => tidyWebhooks(services) }
  const statistics = {
    what: 'tidy statistics',
    times: statisticsTimes,
    runOnce: () => tidyStatistics(db),
  }
  const billed = {
    what: 'billed lines',
    times: billedTimes,
    runOnce: recheckInvoices(services),
  }
  const kinds = [
    ...shipmentKinds(services),
    batchLines({ ...services, problemOf }),
    comparisons(services),
    deadSenders(services),
  ]
  return [
    guard.whileIntact(signal, (intact) => runQueue(services, kinds, intact)),
    guard.whileIntact(signal, (intact) => runTidying(services, services.pool, intact)),
    runDeliveries(services, signal),
    guard.whileIntact(signal, (intact) => runPeriodicJob(services, billed, intact)),
    runPeriodicJob(services, thresholds, signal),
    runPeriodicJob(services, alerts, signal),
    runPeriodicJob(services, tidying, signal),
    runPeriodicJob(services, statistics, signal),
  ]
}
