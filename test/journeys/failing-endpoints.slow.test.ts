import t from 'tap'
import { deliveryRules } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import { createApiKey, defaultScopes } from '../../src/service/security/api-keys.ts'
import { type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { type Received, type Receiver, receiver } from '../support/receiver.ts'
import { service } from '../support/service.ts'

const shop = await service(t)

async function subscribed(own: ApiClient, to: Pick<Receiver, 'url'>): Promise<string> {
  const event_types = ['shipment.created']
  const body = { workspace_id: own.seeded.workspaceId, url: to.url, event_types }
  return (await own.call('/v1/webhook-endpoints', { body })).body.id
}

const arrived = (mine: Receiver, isThere: (all: readonly Received[]) => boolean) =>
  eventually(async () => mine.received, isThere)
const deliveriesOf = async (own: ApiClient, query: string) =>
  (await own.call(`/v1/webhook-deliveries?${query}&limit=100`)).body.data

/** Reads the health with a key limited to this workspace. */
async function healthOf(own: ApiClient) {
  const { workspaceId, organizationId } = own.seeded
  const order = { organizationId, workspaceId, livemode: false, scopes: defaultScopes }
  const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const
  const { key } = await createApiKey(shop.parts, { ...order, expiresAt: null }, by)
  return async () => (await own.call('/v1/health', { key })).body
}

async function figure(name: string): Promise<number> {
  const text = await shop.parts.metrics.registry.metrics()
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
}

t.test('four days of failures leave no delivery pending', async (t) => {
  const own = await freshShop(shop, 'ladders')
  const mine = await receiver(t, () => ({ status: 500 }))
  const id = await subscribed(own, mine)
  await Promise.all(Array.from({ length: 8 }, (_, n) => own.create(`ladders-${n}`)))
  await arrived(mine, (received) => received.length >= 8)
  await own.advance('P4D')
  const all = await deliveriesOf(own, `endpoint_id=${id}`)
  t.equal(all.length, 8)
  const reasons = ['attempts_exhausted', 'expired']
  for (const { state, dead_reason: reason, attempts, created_at: from, updated_at: to } of all) {
    t.equal(state, 'dead')
    t.ok(reasons.includes(reason), reason)
    t.ok(reason === 'expired' || attempts.length === 12)
    t.ok(Date.parse(to) - Date.parse(from) <= deliveryRules.ladderTimeMs)
  }
  const health = await healthOf(own)
  const deliveries = { pending: 0, dead: 8, discarded: 0 }
  t.match(await health(), { status: 'degraded', deliveries, oldest_undelivered: null })
  const inHealth = async (state: string) =>
    (await own.call(`/v1/webhook-endpoints?status=enabled&health=${state}`)).body.data.length
  const { webhook_endpoints: counts } = await health()
  t.same([await inHealth('failing'), await inHealth('ok')], [counts.failing, counts.ok])
  t.equal(counts.failing, 1)
  t.ok((await figure('webhook_deliveries_dead')) >= 8)
})

t.test('redelivery, test and recovery are sent despite an open breaker and close it', async (t) => {
  const own = await freshShop(shop, 'asked')
  let isUp = false
  const mine = await receiver(t, () => ({ status: isUp ? 200 : 500 }))
  const id = await subscribed(own, mine)
  const { db } = shop.parts
  const lane = () => db.selectFrom('webhook_lanes').selectAll().where('endpoint_id', '=', id)
  const isClosed = async () => (await lane().executeTakeFirstOrThrow()).open_until === null
  const openBreaker = async () => {
    const lanes = db.updateTable('webhook_lanes').where('endpoint_id', '=', id)
    const open_until = new Date(Date.now() + 1_800_000)
    await lanes.set({ failures: 20, trips: 7, open_until }).execute()
  }
  await openBreaker()
  await own.create('asked')
  await eventually(
    () => deliveriesOf(own, `endpoint_id=${id}`),
    (all) => all.length === 1,
    20_000,
  )
  const [{ id: deliveryId }] = await deliveriesOf(own, `endpoint_id=${id}`)
  const at = `/v1/webhook-endpoints/${id}`
  isUp = true
  const closes = async (path: string, body?: object) => {
    await openBreaker()
    t.equal((await own.call(path, { method: 'POST', body })).status, 202)
    t.ok(await eventually(isClosed, (closed) => closed), path)
  }
  await closes(`/v1/webhook-deliveries/${deliveryId}/redeliver`)
  await closes(`${at}/test`, { type: 'label.ready' })
  await own.call(at, { method: 'PATCH', body: { status: 'disabled' } })
  await own.create('asked-while-disabled')
  await eventually(
    () => deliveriesOf(own, `endpoint_id=${id}&state=discarded`),
    (discarded) => discarded.length > 0,
    20_000,
  )
  await own.call(at, { method: 'PATCH', body: { status: 'enabled' } })
  const [since, until] = [Date.now() - 600_000, Date.now() + 600_000]
  await closes(`${at}/recover`, { since: new Date(since), until: new Date(until) })
})

t.test('health and metrics report failing endpoints and undelivered webhooks', async (t) => {
  const own = await freshShop(shop, 'health')
  const health = await healthOf(own)
  const none = { pending: 0, dead: 0, discarded: 0 }
  t.match(await health(), { status: 'ok', deliveries: none, oldest_undelivered: null })
  const mine = await receiver(t, () => ({ status: 500 }))
  const id = await subscribed(own, mine)
  t.match(await health(), { status: 'ok', webhook_endpoints: { ok: 1, failing: 0, disabled: 0 } })
  for (let n = 0; n < 4; n++) await own.create(`health-${n}`)
  await arrived(mine, (received) => received.length >= 4)
  await own.advance('PT6H')
  const failing = await health()
  t.match(failing, {
    status: 'degraded',
    webhook_endpoints: { ok: 0, failing: 1, disabled: 0 },
    deliveries: { ...none, pending: 4 },
  })
  const sixHours = 6 * 3_600
  t.ok(failing.oldest_undelivered.age_seconds >= sixHours, "on the workspace's clock")
  t.ok((await figure('webhook_oldest_undelivered_seconds')) >= sixHours)
  t.ok((await figure('webhook_endpoints_failing')) >= 1)
  const discarded = await figure('webhook_deliveries_discarded')
  await own.call(`/v1/webhook-endpoints/${id}`, { method: 'PATCH', body: { status: 'disabled' } })
  await own.create('health-late')
  await eventually(health, ({ deliveries }) => deliveries.discarded === 5, 20_000)
  t.match(await health(), {
    status: 'ok',
    webhook_endpoints: { ok: 0, failing: 0, disabled: 1 },
    deliveries: { ...none, discarded: 5 },
  })
  t.equal(await figure('webhook_deliveries_discarded'), discarded + 5)
})
