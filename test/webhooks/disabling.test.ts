import t from 'tap'
import { auditStream } from '../../src/service/domain/ids.ts'
import { deliveryRules } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import type { EventStore } from '../../src/service/event-store/event-store.ts'
import { attemptRecorder } from '../../src/service/webhooks/deliver.ts'
import type { Attempted } from '../../src/service/webhooks/record-attempts.ts'
import { request, start, uuid } from '../support/given.ts'
import { noLog } from '../support/no-log.ts'
import { processParts } from '../support/process-parts.ts'

const { deps, query } = await processParts(t)
const { db, store } = deps
const { organization_id: organizationId, workspace_id: workspaceId } = request
const url = 'https://shop.example/hooks'

async function endpoint(number: number): Promise<string> {
  const id = `whe_${String(number).padStart(22, '0')}`
  await query(
    `INSERT INTO webhook_endpoints (id, organization_id, workspace_id, livemode, url, event_types,
       status, secret, created_at, updated_at)
     VALUES ($1, $2, $3, false, $4, ARRAY['shipment.*'], 'enabled', '', now(), now())`,
    [id, organizationId, workspaceId, url],
  )
  return id
}

/** An attempt that the endpoint answered with this status. */
function answered(endpointId: string, statusCode: number): Attempted {
  return {
    deliveryId: endpointId.replace('whe_', 'dlv_'),
    endpointId,
    url,
    lease: uuid(1),
    tries: 0,
    atOnce: false,
    attempt: null,
    answer: { statusCode, retryAfterMs: null },
    after: { state: 'delivered' },
    now: start,
  }
}

async function statusOf(id: string) {
  const [row] = await query('SELECT status, version FROM webhook_endpoints WHERE id = $1', [id])
  return row
}

/** The store with appends that wait until `open` is called, or fail after `fail` was. */
function heldStore() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  promise.catch(() => undefined)
  const asked = Promise.withResolvers<void>()
  const held: EventStore = {
    ...store,
    append: async (...appended) => {
      asked.resolve()
      await promise
      return await store.append(...appended)
    },
  }
  return { store: held, open: resolve, fail: reject, asked: asked.promise }
}

t.test('while the event store is away, a 410 holds up no other attempt', async (t) => {
  const held = heldStore()
  const record = attemptRecorder({ db, store: held.store, deliveryRules, log: noLog })
  const gone = await endpoint(1)
  const other = await endpoint(2)
  const disabling = record(answered(gone, 410))
  await held.asked
  await record(answered(other, 200))
  t.same(await statusOf(gone), { status: 'enabled', version: 1 })
  held.open()
  await disabling
  t.same(await statusOf(gone), { status: 'disabled', version: 2 })
  t.same(await statusOf(other), { status: 'enabled', version: 1 })
  const audited = await store.readStream(auditStream(organizationId))
  t.match(audited.at(-1), { type: 'WebhookEndpointChanged', data: { webhook_endpoint_id: gone } })
})

t.test('an endpoint changed while it is being disabled stays as its owner left it', async (t) => {
  const held = heldStore()
  const record = attemptRecorder({ db, store: held.store, deliveryRules, log: noLog })
  const id = await endpoint(3)
  const disabling = record(answered(id, 410))
  await held.asked
  await query('UPDATE webhook_endpoints SET version = version + 1 WHERE id = $1', [id])
  held.open()
  await disabling
  t.same(await statusOf(id), { status: 'enabled', version: 2 })
})

t.test('an endpoint that could not be disabled is disabled by its next 410', async (t) => {
  const held = heldStore()
  const id = await endpoint(4)
  held.fail(new Error('the event store is away'))
  await attemptRecorder({ db, store: held.store, deliveryRules, log: noLog })(answered(id, 410))
  t.same(await statusOf(id), { status: 'enabled', version: 1 })
  await attemptRecorder({ db, store, deliveryRules, log: noLog })(answered(id, 410))
  t.same(await statusOf(id), { status: 'disabled', version: 2 })
})
