import t from 'tap'
import { foldBatch } from '../../projections/fold-batch.ts'
import { decodeEvent } from '../../src/service/event-store/codec.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { outboxEventsOf } from '../../src/service/webhooks/outbox.ts'
import type { OutboxEvent } from '../../src/service/webhooks/store-webhooks.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { request } from '../support/given.ts'

const shipments = 60
const readMax = 1_000

t.test('webhooks do not depend on how many states are cached between batches', async (t) => {
  const store = memoryEventStore()
  await fillLedger(store, shipments, {
    organizationId: request.organization_id,
    workspaceId: request.workspace_id,
  })
  const { events } = await store.readAll(null, { limit: readMax })
  t.ok(events.length > 3 * shipments)

  async function webhooksWith(keptMax: number, batchMax: number): Promise<readonly OutboxEvent[]> {
    const webhooks: OutboxEvent[] = []
    const webhooksOf = outboxEventsOf(store, keptMax)
    const states = new Map()
    for (let at = 0; at < events.length; at += batchMax) {
      const batch = events.slice(at, at + batchMax).map((event) => decodeEvent(event))
      webhooks.push(...(await webhooksOf((await foldBatch(store, batch, states)).steps)))
    }
    return webhooks
  }

  const all = await webhooksWith(shipments, events.length)
  t.ok(all.length >= shipments)
  for (const keptMax of [1, 7, shipments / 2, shipments - 1]) {
    for (const batchMax of [1, 13, 50]) {
      t.strictSame(
        await webhooksWith(keptMax, batchMax),
        all,
        `${keptMax} kept, batches of ${batchMax}`,
      )
    }
  }
})
