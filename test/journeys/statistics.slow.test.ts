import t from 'tap'
import { projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { createApiKey } from '../../src/service/security/api-keys.ts'
import { freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { receiver } from '../support/receiver.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const other = await freshShop(shop, 'other')
const { organizationId, workspaceId } = shop.seeded

async function caughtUp(): Promise<void> {
  const { db, store } = shop.parts
  if (!(await projectionsReached(db, await store.head(), 60_000))) {
    throw new Error('the projections did not catch up')
  }
}

/** A query for everything that this file causes in one workspace. */
function around(subject: string, of = workspaceId): string {
  const from = new Date(Date.now() - 86_400_000).toISOString()
  const to = new Date(Date.now() + 20 * 86_400_000).toISOString()
  return `/v1/statistics/${subject}?workspace_id=${of}&from=${from}&to=${to}`
}

t.test('creations are counted by outcome, and every interval is in the answer', async (t) => {
  for (const key of ['first', 'second']) await shop.create(key)
  await shop.create('refused', { scenario: 'courier_rejected' })
  await shop.create('lost', { scenario: 'lost_response_guide_created' })
  await shop.create('unreachable', { scenario: 'courier_unreachable' })
  await other.create('elsewhere')
  await caughtUp()
  const { status, body } = await shop.call(`/v1/statistics/creations?workspace_id=${workspaceId}`)
  t.equal(status, 200)
  t.equal(body.interval, 'hour')
  t.equal(body.data.length, 24)
  const outcomes = { created: 2, rejected: 1, not_executed: 1, unknown_outcome: 1 }
  t.same(body.total, outcomes)
  const [first] = body.data
  t.equal(first.at, body.from)
  const summed = body.data.reduce(
    (sum: number, point: { outcomes: Record<string, number> }) =>
      sum + Object.values(point.outcomes).reduce((all, one) => all + one, 0),
    0,
  )
  t.equal(summed, 5, 'the intervals add up to the total')
  const minutes = `/v1/statistics/creations?interval=minute&workspace_id=${workspaceId}`
  const byMinute = (await shop.call(minutes)).body
  t.equal(byMinute.data.length, 60)
  t.same(byMinute.total, outcomes)
  const all = (await shop.call('/v1/statistics/creations')).body
  t.same(all.total, { ...outcomes, created: 3 }, 'without a workspace: of the organization')
  const none = (await shop.call('/v1/statistics/creations?provider_code=none')).body
  t.same(none.total, { created: 0, rejected: 0, not_executed: 0, unknown_outcome: 0 })
})

t.test('a repeated key is not counted again', async (t) => {
  const before = (await shop.call(around('creations'))).body.total
  await shop.create('first')
  await shop.create('first')
  await caughtUp()
  t.same((await shop.call(around('creations'))).body.total, before)
})

t.test('reconciliations are counted, with how long they took', async (t) => {
  await shop.create('absent', { scenario: 'lost_response_nothing_created' })
  const reviewed = await shop.create('twice', { scenario: 'duplicate_guides' })
  await shop.advance('PT10M')
  await caughtUp()
  const { body } = await shop.call(around('reconciliations'))
  const total = (of: (point: Point) => number) =>
    body.data.reduce((sum: number, point: Point) => sum + of(point), 0)
  t.equal(
    total((point) => point.unknown),
    3,
  )
  t.equal(
    total((point) => point.needs_review),
    1,
  )
  t.equal(
    total((point) => point.concluded.guide_exists ?? 0),
    1,
  )
  t.equal(
    total((point) => point.concluded.nothing_created ?? 0),
    1,
  )
  const { reconciliation, operator } = body.durations
  t.equal(reconciliation.count, 2)
  t.ok(reconciliation.p50 <= 240 && reconciliation.p99 <= 600, JSON.stringify(reconciliation))
  t.equal(operator.count, 0)
  t.equal(operator.p50, null)
  const operation = `/v1/operations/${reviewed.body.operation_id}`
  const found = (await shop.call(operation)).body.looks.at(-1).guide_numbers[0]
  const decision = { decision: 'guide_exists', guide_number: found, note: 'called' }
  const resolved = await shop.call(`${operation}/resolve`, {
    body: decision,
    key: shop.seeded.operatorKey,
  })
  t.equal(resolved.status, 200, JSON.stringify(resolved.body))
  await caughtUp()
  const after = (await shop.call(around('reconciliations'))).body
  t.equal(after.durations.operator.count, 1)
  t.ok(after.durations.operator.p50 > 60, 'on the clock of the workspace')
})

type Point = {
  readonly unknown: number
  readonly needs_review: number
  readonly concluded: Readonly<Record<string, number>>
}

t.test('calls to couriers are counted by how they ended, with their latency', async (t) => {
  const { body } = await shop.call(around('couriers'))
  const [mock, ...others] = body.couriers
  t.same(others, [])
  t.equal(mock.provider_code, 'mock')
  const ends = Object.fromEntries(
    mock.ends.map(({ call, end, count }: { call: string; end: string; count: number }) => [
      `${call} ${end}`,
      count,
    ]),
  )
  t.match(ends, { 'create ok': 2, 'create courier_rejected': 1, 'create response_lost': 3 })
  t.ok(ends['create courier_unreachable'] >= 1, 'safe retries are calls of their own')
  t.ok(ends['look ok'] >= 1)
  t.equal(mock.failed, ends['create response_lost'] + ends['create courier_unreachable'])
  t.equal(mock.latency_ms.count, mock.calls)
  t.ok(mock.latency_ms.p50 >= 0 && mock.latency_ms.p50 <= mock.latency_ms.p99)
  t.equal(
    mock.latency_ms.buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    mock.calls,
  )
  const named = (await shop.call(`${around('couriers')}&provider_code=none`)).body.couriers
  t.match(named, [{ provider_code: 'none', calls: 0, latency_ms: { p50: null } }])
})

t.test('operations that need attention are counted as they are now', async (t) => {
  const shops = await freshShop(shop, 'attended')
  const path = `/v1/statistics/operations?workspace_id=${shops.seeded.workspaceId}`
  t.match((await shop.call(path)).body, { needs_review: 0, oldest: null })
  const lost = await shops.create('stuck', { scenario: 'lost_response_human_review' })
  await shops.create('two-guides', { scenario: 'duplicate_guides' })
  await eventually(
    () => shop.call(path),
    ({ body }) => body.needs_review === 1 && body.reconciling === 1,
  )
  await shops.advance('PT9H')
  await caughtUp()
  const { body } = await shop.call(path)
  t.match(body, {
    object: 'operation_statistics',
    reconciling: 0,
    needs_review: 2,
    contradicted: 0,
    unconfirmed: 0,
    surplus: 0,
    past_deadline: 2,
    escalated: 2,
    oldest: { operation_id: lost.body.operation_id, status: 'needs_review' },
  })
  t.ok(body.oldest.age_seconds >= 9 * 3_600)
  const late = `workspace_id=${shops.seeded.workspaceId}&open=true&older_than_seconds=28800`
  const { data } = (await shop.call(`/v1/operations?${late}`)).body
  t.equal(data.length, body.past_deadline, 'the list has what is counted')
  t.match((await shop.call(`${path}&provider_code=none`)).body, { needs_review: 0, oldest: null })
  const decide = { decision: 'nothing_created', note: 'none' }
  await shop.call(`/v1/operations/${lost.body.operation_id}/resolve`, {
    body: decide,
    key: shop.seeded.operatorKey,
  })
  await shops.advance('PT20H')
  await caughtUp()
  t.match((await shop.call(path)).body, { needs_review: 2, contradicted: 1 })
  const over = (await shop.call(around('reconciliations', shops.seeded.workspaceId))).body.data
  t.equal(over.filter((point: { contradicted: number }) => point.contradicted > 0).length, 1)
})

t.test('attempts of deliveries are counted by endpoint and how they ended', async (t) => {
  const own = await freshShop(shop, 'told')
  const { workspaceId: workspace_id } = own.seeded
  const answers = { good: 200, bad: 500 }
  const made = await Promise.all(
    Object.values(answers).map(async (status) => {
      const { url } = await receiver(t, () => ({ status }))
      const body = { workspace_id, url, event_types: ['shipment.created'] }
      return (await own.call('/v1/webhook-endpoints', { body })).body.id as string
    }),
  )
  const [good, bad] = made
  await own.create('told-1')
  await own.create('told-2')
  const path = around('webhooks', workspace_id)
  const both = await eventually(
    () => own.call(path),
    ({ body }) =>
      body.endpoints.length === 2 &&
      body.endpoints.every(({ attempts }: { attempts: number }) => attempts >= 2),
  )
  const of = (id: string | undefined) =>
    both.body.endpoints.find((one: { endpoint_id: string }) => one.endpoint_id === id)
  t.match(of(good), { attempts: 2, failed: 0, ends: [{ end: 'ok', count: 2 }] })
  t.match(of(good).latency_ms, { count: 2 })
  t.match(of(bad).ends, [{ end: '5xx' }])
  t.equal(of(bad).failed, of(bad).attempts)
  await own.advance('P4D')
  const deliveries = (await own.call(`/v1/webhook-deliveries?endpoint_id=${bad}&limit=100`)).body
  const attempts = deliveries.data.flatMap((one: { attempts: object[] }) => one.attempts).length
  const [one] = (await own.call(`${path}&endpoint_id=${bad}`)).body.endpoints
  t.equal(one.attempts, attempts, 'each attempt is counted once')
  const sum = one.data.reduce((all: number, point: { attempts: number }) => all + point.attempts, 0)
  t.equal(sum, attempts)
  const never = await own.call(`${path}&endpoint_id=whe_${'0'.repeat(22)}`)
  t.equal(never.status, 404)
})

t.test('a query for too much or for what is no longer kept is refused', async (t) => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  for (const query of [
    `from=${ago(1)}&to=${ago(2)}`,
    `from=${ago(1_600)}`,
    `interval=minute&from=${ago(60)}&to=${ago(59)}`,
    `interval=day&from=${ago(24 * 401)}`,
  ]) {
    const { status, body } = await shop.call(`/v1/statistics/creations?${query}`)
    t.equal(status, 400, query)
    t.match(body, { reason: 'invalid_filter', errors: [{ pointer: '#/query/from' }] })
  }
  for (const query of ['interval=week', 'from=yesterday', 'every=1']) {
    t.equal((await shop.call(`/v1/statistics/creations?${query}`)).status, 400, query)
  }
})

t.test('a key sees the statistics of its own workspace and mode', async (t) => {
  const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
  const common = { organizationId, expiresAt: null, scopes: ['shipments:read'] } as const
  const bound = { ...common, workspaceId: other.seeded.workspaceId, livemode: false }
  const { key } = await createApiKey(shop.parts, bound, by)
  const own = await shop.call('/v1/statistics/creations', { key })
  t.same(own.body.total, { created: 1, rejected: 0, not_executed: 0, unknown_outcome: 0 })
  const foreign = await shop.call(`/v1/statistics/creations?workspace_id=${workspaceId}`, { key })
  t.equal(foreign.status, 404)
  t.equal((await shop.call('/v1/statistics/couriers', { key })).status, 403)
  const live = await createApiKey(shop.parts, { ...common, workspaceId: null, livemode: true }, by)
  const none = await shop.call('/v1/statistics/creations', { key: live.key })
  t.same(none.body.total, { created: 0, rejected: 0, not_executed: 0, unknown_outcome: 0 })
})
