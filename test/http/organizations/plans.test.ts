import { randomUUID } from 'node:crypto'
import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { pool as openPool } from '../../../src/service/database/pool.ts'
import { buildServer } from '../../../src/service/http/server.ts'
import { suspend } from '../../../src/service/security/organizations.ts'
import { createPlan, type PlanLimits } from '../../../src/service/security/plans.ts'
import {
  minuteMs,
  networkOf,
  RateLimit,
  type SharedCounts,
  sharedCounts,
} from '../../../src/service/security/rate-limit.ts'
import { eventually } from '../../support/eventually.ts'
import { noLog } from '../../support/no-log.ts'
import {
  aConnection,
  administered,
  aKey,
  anOrganization,
  aWorkspace,
  client,
  serverUnderTest,
} from '../server-under-test.ts'

/** The clock by which requests are counted; nothing else uses it. */
let rateNow = 5 * minuteMs
const server = await serverUnderTest(t, { rateClock: () => rateNow })
const { app, db } = server

/** Keys of an organization with its own plan. */
async function planned(limits: Partial<PlanLimits>) {
  const organizationId = await anOrganization(server)
  const name = `plan-${organizationId.slice(-6)}`
  const unlimited = { workspaces: null, courier_connections: null, webhook_endpoints: null }
  const order = { name, ...unlimited, shipments_per_month: null, requests_per_minute: null }
  await createPlan(server, { ...order, ...limits }, byCli)
  await db
    .updateTable('organizations')
    .set({ plan: name })
    .where('id', '=', organizationId)
    .execute()
  const call = client(app, (await aKey(server, organizationId)).key)
  const liveCall = client(app, (await aKey(server, organizationId, { livemode: true })).key)
  return { organizationId, name, call, liveCall }
}

t.test("usage shows the plan, the month and the use of each limit in the key's mode", async (t) => {
  const { call, liveCall, organizationId, name } = await planned({
    shipments_per_month: 9,
    workspaces: 3,
  })
  const workspaceId = await aWorkspace(call, 'shop')
  await aConnection(call, workspaceId)
  const month = new Date().toISOString().slice(0, 7)
  await db
    .insertInto('quota_months')
    .values({
      organization_id: organizationId,
      livemode: false,
      month: new Date(`${month}-01T12:00:00Z`),
      used: 4,
    })
    .execute()
  const none = { used: 0, limit: null, reached: false }
  const usage = {
    object: 'usage',
    livemode: false,
    plan: name,
    month,
    shipments: { used: 4, limit: 9, reached: false },
    requests_per_minute: { limit: null },
    workspaces: { used: 1, limit: 3, reached: false },
    courier_connections: { used: 1, limit: null, reached: false },
    webhook_endpoints: none,
  }
  const { status, body } = await call('GET', '/v1/usage')
  t.equal(status, 200)
  const { resets_at, ...rest } = body
  t.strictSame(rest, usage)
  const resets = new Date(resets_at)
  t.ok(resets.getTime() > Date.now() && resets.getUTCDate() === 1, resets_at)
  t.match((await liveCall('GET', '/v1/usage')).body, {
    livemode: true,
    shipments: { used: 0, limit: 9 },
    workspaces: { used: 0, limit: 3 },
    courier_connections: none,
  })
  const workspaceCall = client(app, (await aKey(server, organizationId, { workspaceId })).key)
  const seen = (await workspaceCall('GET', '/v1/usage')).body
  t.match(seen, { shipments: { limit: 9, reached: false }, workspaces: { limit: 3 } })
  t.strictSame(
    [seen.shipments, seen.workspaces, seen.courier_connections].map(({ used }) => used),
    [null, null, null],
    'a key of one workspace learns nothing about the others',
  )
  const stranger = await planned({})
  t.match((await stranger.call('GET', '/v1/usage')).body, {
    plan: stranger.name,
    shipments: none,
    workspaces: none,
  })
})

t.test(
  'simultaneous creations never exceed the limits for workspaces and connections',
  async (t) => {
    const { call, liveCall } = await planned({ workspaces: 3, courier_connections: 2 })
    const first = await aWorkspace(call, 'first')
    const workspaces = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        call('POST', '/v1/workspaces', { name: 'Shop', external_reference: `shop-${index}` }),
      ),
    )
    t.equal(workspaces.filter(({ status }) => status === 201).length, 2)
    const refused = workspaces.filter(({ status }) => status === 403)
    t.equal(refused.length, 10)
    t.match(refused[0]?.body, {
      reason: 'plan_limit_reached',
      outcome: 'not_executed',
      retryable: false,
    })
    const known = await call('POST', '/v1/workspaces', {
      name: 'Shop',
      external_reference: 'first',
    })
    t.equal(known.status, 200, 'existing resources are found regardless of the limit')
    t.ok(await aWorkspace(liveCall, 'live'), 'the other mode has its own count')

    const connect = () =>
      call('POST', '/v1/courier-connections', {
        workspace_id: first,
        provider_code: 'mock',
        display_name: 'Account',
        credentials: { username: 'shop', password: 'any' },
      })
    const connections = await Promise.all(Array.from({ length: 6 }, connect))
    t.equal(connections.filter(({ status }) => status === 201).length, 2)
    t.equal(connections.filter(({ body }) => body.reason === 'plan_limit_reached').length, 4)
    const id = connections.find(({ status }) => status === 201)?.body.id
    t.equal((await call('DELETE', `/v1/courier-connections/${id}`)).status, 204)
    t.equal((await connect()).status, 201, 'deleting makes room')
  },
)

t.test('a key over its rate limit gets 429 with the time to wait, other keys do not', async (t) => {
  const limit = 5
  const { call, organizationId } = await planned({ requests_per_minute: limit })
  const other = client(app, (await aKey(server, organizationId)).key)
  const first = await call('GET', '/v1/key')
  t.match(first.headers, { 'ratelimit-limit': String(limit), 'ratelimit-remaining': '4' })
  t.match(first.headers, {
    'ratelimit-policy': '"minute";q=5;w=60',
    ratelimit: '"minute";r=4;t=60',
  })
  for (let asked = 1; asked < limit; asked++) {
    t.equal((await call('GET', '/v1/key')).status, 200)
  }
  rateNow += 30_500
  const refused = await call('GET', '/v1/key')
  t.equal(refused.status, 429)
  t.match(refused.body, { reason: 'rate_limited', retryable: true })
  t.match(refused.headers, { 'retry-after': '30', 'ratelimit-remaining': '0' })
  t.equal(refused.headers.ratelimit, '"minute";r=0;t=30')
  t.equal((await other('GET', '/v1/key')).status, 200)
  rateNow += 29_500
  t.equal((await call('GET', '/v1/key')).status, 200, 'after the announced time')
})

t.test('the rate limit starts again every minute', async (t) => {
  let now = 10 * minuteMs + 59_000
  const rate = new RateLimit({ shared: null, log: noLog, now: () => now })
  const allowed = () => Array.from({ length: 4 }, () => rate.take('key', 3).isAllowed)
  t.same(allowed(), [true, true, true, false])
  t.match(rate.take('key', 3), { isAllowed: false, remaining: 0, resetSeconds: 1 })
  t.ok(rate.take('key', 4).isAllowed, 'a larger plan applies at once')
  now += 1_000
  t.same(allowed(), [true, true, true, false])
  t.match(rate.take('key', 3), { isAllowed: false, resetSeconds: 60 })
})

t.test('processes that share a database count requests against one limit', async (t) => {
  const pool = openPool({ connectionString: server.url, max: 2, log: noLog })
  const now = () => 20 * minuteMs
  const counts = sharedCounts(pool)
  const reported: number[] = []
  const add: SharedCounts['add'] = async (...of) => {
    const total = await counts.add(...of)
    reported.push(total)
    return total
  }
  const options = { shared: { add }, log: noLog, now, shareEveryMs: 50 }
  const [one, two] = [new RateLimit(options), new RateLimit(options)]
  t.teardown(async () => {
    await Promise.all([one.close(), two.close()])
    await pool.end()
  })
  const name = randomUUID()
  const totals = async () => reported.join()
  for (let index = 0; index < 6; index++) t.ok(one.take(name, 10).isAllowed)
  await eventually(totals, (all) => all === '6')
  t.match(two.take(name, 10), { isAllowed: true, remaining: 9 })
  await eventually(totals, (all) => all === '6,7')
  const more = Array.from({ length: 4 }, () => two.take(name, 10).isAllowed)
  t.same(more, [true, true, true, false], 'requests allowed by one process count in the other')
})

t.test('invalid keys from one network get 429 after 100 requests, valid keys never', async (t) => {
  const { key } = await aKey(server, await anOrganization(server))
  const ask = async (authorization: string, remoteAddress: string) =>
    (await app.inject({ url: '/v1/key', headers: { authorization }, remoteAddress })).statusCode
  const wrong = (address: string) => ask('Bearer svc_test_wrong', address)
  let asked = 0
  for (; asked < 300 && (await wrong('2001:db8:1:2::1')) === 401; asked++);
  t.equal(asked, 100)
  t.equal(await wrong('2001:db8:1:2:ffff::9'), 429, 'the same network')
  t.equal(await wrong('2001:db8:1:3::1'), 401, 'another one')
  t.equal(await ask(`Bearer ${key}`, '2001:db8:1:2::1'), 200)
  const forged = await app.inject({
    url: '/v1/key',
    headers: { authorization: 'Bearer x', 'x-forwarded-for': '198.51.100.7' },
    remoteAddress: '2001:db8:1:2::1',
  })
  t.equal(forged.statusCode, 429, 'a forged address counts for nothing')
  t.match(forged.json(), { reason: 'rate_limited' })
  t.match(forged.headers['retry-after'], /^\d+$/)
})

t.test("behind a trusted proxy the client's address is the one the proxy reports", async (t) => {
  const proxied = { ...server.deps, trustedProxies: ['10.0.0.0/8'] }
  const behind = buildServer(proxied, administered(proxied))
  t.teardown(() => behind.close())
  const ask = async (remoteAddress: string, forwarded: string) => {
    const headers = { authorization: 'Bearer x', 'x-forwarded-for': forwarded }
    return (await behind.inject({ url: '/v1/key', headers, remoteAddress })).statusCode
  }
  for (let asked = 0; asked < 100; asked++) await ask('10.1.2.3', '198.51.100.1')
  t.equal(await ask('10.1.2.3', '198.51.100.1'), 429)
  t.equal(await ask('10.1.2.3', '198.51.100.2'), 401)
  t.equal(
    await ask('203.0.113.77', '198.51.100.1'),
    401,
    'an address that is not a proxy counts as itself',
  )
})

t.test('addresses are counted per IPv4 address or IPv6 /64 network', async (t) => {
  const networks = {
    '203.0.113.9': '203.0.113.9',
    '::ffff:203.0.113.9': '203.0.113.9',
    '::ffff:cb00:7109': '203.0.113.9',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:DB8:1:2::6': '2001:db8:1:2::/64',
    '2001:0db8:0001:2::6': '2001:db8:1:2::/64',
    '2001:db8::6': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    unknown: 'unknown',
  }
  for (const [address, network] of Object.entries(networks)) t.equal(networkOf(address), network)
})

t.test('a suspended organization reads but starts nothing new until it is resumed', async (t) => {
  const { organizationId, call } = await planned({})
  const workspace = await aWorkspace(call, 'shop')
  const connection = await aConnection(call, workspace)
  await suspend(server, organizationId, true, byCli)
  // Keys are cached for some seconds, so only a new key notices the suspension.
  const late = client(app, (await aKey(server, organizationId)).key)
  t.equal((await late('GET', `/v1/workspaces/${workspace}`)).status, 200)
  for (const [method, url] of [
    ['PATCH', `/v1/workspaces/${workspace}`],
    ['POST', '/v1/workspaces'],
    ['POST', '/v1/courier-connections'],
  ] as const) {
    const { status, body } = await late(method, url, { name: 'New' })
    t.equal(status, 403)
    t.match(body, { reason: 'organization_suspended', outcome: 'not_executed' })
  }
  const rotated = await late('PATCH', `/v1/courier-connections/${connection}`, {
    credentials: { username: 'shop', password: 'another' },
  })
  t.equal(rotated.status, 200, 'work in progress can be finished')
  await suspend(server, organizationId, false, byCli)
  const resumed = client(app, (await aKey(server, organizationId)).key)
  t.equal((await resumed('PATCH', `/v1/workspaces/${workspace}`, { name: 'New' })).status, 200)
})
