import { foldBatch } from '../../projections/fold-batch.ts'
import { nextDue } from '../../src/service/domain/operation/reconciliation.ts'
import { operationsWithWork, type Shipment } from '../../src/service/domain/shipment/shipment.ts'
import { decodeEvent } from '../../src/service/event-store/codec.ts'
import { erasureTimes } from '../../src/service/processes/erasure/erasure.ts'
import { outboxEventsOf } from '../../src/service/webhooks/outbox.ts'
import { eraseDue, type Outside, reconcileDue, type ServiceNode } from './service-node.ts'

/** Far more than all steps that become due in a run. */
const stepsMax = 2_000
const never = Number.POSITIVE_INFINITY

/**
 * One process does everything that is due, moving the clock from one due time to the next. False if
 * it never ends.
 */
export async function comeToRest(
  outside: Outside,
  node: ServiceNode,
  states: ReadonlyMap<string, Shipment>,
): Promise<boolean> {
  for (let step = 0; step < stepsMax; step++) {
    await catchUp(outside, node)
    outside.correctQuota()
    const first = Math.min(nextOperation(states), nextErasure(outside, states))
    if (first === never) {
      await tellRest(outside, node)
      return true
    }
    await outside.world.sleep(Math.max(0, first - Date.now()) + 1_000)
    await reconcileDue(node)
    await eraseDue(outside, node)
  }
  return false
}

function nextOperation(states: ReadonlyMap<string, Shipment>): number {
  const due = [...states.values()].flatMap((state) => nextDue(operationsWithWork(state)) ?? [])
  return due.reduce((least, { at }) => Math.min(least, at), never)
}

/** An erasure that was noted but never recorded is visited again only to withdraw it. */
function nextErasure({ erasures }: Outside, states: ReadonlyMap<string, Shipment>): number {
  return [...erasures.open].reduce((least, [shipmentId, { createdAt, dueAt }]) => {
    const isRecorded = states.get(shipmentId)?.erasedAt != null
    const at = isRecorded ? dueAt : Math.max(dueAt, createdAt + erasureTimes.unrecordedMs)
    return Math.min(least, at)
  }, never)
}

async function tellRest(outside: Outside, { deps }: ServiceNode): Promise<void> {
  const { outbox: webhookOutbox, store } = outside
  const { events, last } = await store.readAll(webhookOutbox.position, { limit: 10_000 })
  if (last === null || last === webhookOutbox.position) return
  const decoded = events.map((event) => decodeEvent(event))
  const rest = await outboxEventsOf(deps.store)(
    (await foldBatch(deps.store, decoded, new Map())).steps,
  )
  webhookOutbox.commit(webhookOutbox.position, last, rest)
}

async function catchUp({ models, store }: Outside, { deps }: ServiceNode): Promise<void> {
  for (const model of models) {
    for (;;) {
      const page = await store.readAll(model.position, { limit: 500, prefixes: model.prefixes })
      if (page.last === null || page.last === model.position) break
      const apply = await model.prepare(deps.store, page.events, new Map())
      apply(model.position, page.last)
    }
  }
}
