import t from 'tap'
import { auditStream } from '../../../src/service/domain/ids.ts'
import { connections } from '../../../src/service/http/connections/connection-schema.ts'
import { changeConnection } from '../../../src/service/http/connections/update-courier-connection.ts'
import {
  aConnection,
  aKey,
  anOrganization,
  aWorkspace,
  type Client,
  client,
  serverUnderTest,
} from '../server-under-test.ts'

const server = await serverUnderTest(t)

async function aShop(order = {}) {
  const organizationId = await anOrganization(server)
  const { key } = await aKey(server, organizationId, order)
  const call = client(server.app, key)
  return { organizationId, call, workspaceId: await aWorkspace(call, 'shop') }
}

async function auditEvents(organizationId: string) {
  return server.store.readStream(auditStream(organizationId))
}

function body(workspaceId: string, more: object = {}) {
  return {
    workspace_id: workspaceId,
    provider_code: 'mock',
    display_name: 'Account',
    credentials: { username: 'user', password: 'canary-secret' },
    ...more,
  }
}

t.test('new credentials end a parking that happens while they are stored', async (t) => {
  const { call, workspaceId, organizationId } = await aShop()
  const id = await aConnection(call, workspaceId)
  const { key } = await aKey(server, organizationId)
  const principal = await server.keys.authenticate(`Bearer ${key}`)
  if (principal === null) throw new Error('the key works')
  const row = await connections.find(server, principal, id)
  await server.db
    .updateTable('courier_connections')
    .set({ status: 'needs_reauth' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  const credentials = { username: 'user', password: 'canary-secret-3' }
  const caller = { principal, requestId: 'req_1' }
  t.match(await changeConnection(server.deps, caller, row, { credentials }), { status: 'active' })
})

t.test('credentials can be written but never read', async (t) => {
  const { call, workspaceId, organizationId } = await aShop()
  const made = await call('POST', '/v1/courier-connections', body(workspaceId))
  t.equal(made.status, 201)
  t.match(made.body, {
    id: /^ccn_/,
    object: 'courier_connection',
    livemode: false,
    workspace_id: workspaceId,
    provider_code: 'mock',
    status: 'active',
    verified_at: null,
    version: 1,
  })
  const id: string = made.body.id
  const seen = [
    made,
    await call('GET', `/v1/courier-connections/${id}`),
    await call('GET', '/v1/courier-connections'),
    await call('PATCH', `/v1/courier-connections/${id}`, {
      credentials: { username: 'user', password: 'canary-secret-2' },
    }),
    await call('POST', `/v1/courier-connections/${id}/verify`),
  ]
  t.strictSame(
    seen.map(({ status }) => status),
    [201, 200, 200, 200, 200],
  )
  t.notMatch(JSON.stringify(seen), /canary-secret|"credentials"/)
  t.notMatch(JSON.stringify(await auditEvents(organizationId)), /canary-secret|Account/)
  t.notMatch(server.lines.join(''), /canary-secret/)
  const row = await server.db
    .selectFrom('courier_connections')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  t.notMatch(row.credentials.toString('latin1'), /canary-secret/)
})

t.test('only new credentials reactivate a connection that needs reauthorization', async (t) => {
  const { call, workspaceId, organizationId } = await aShop()
  const id = await aConnection(call, workspaceId)
  await park(id)
  const renamed = await call('PATCH', `/v1/courier-connections/${id}`, { display_name: 'Other' })
  t.equal(renamed.body.status, 'needs_reauth', 'a new name does not fix credentials')
  const enabled = await call('PATCH', `/v1/courier-connections/${id}`, { status: 'active' })
  t.equal(enabled.body.status, 'needs_reauth', 'neither does requesting it')
  const rotated = await call('PATCH', `/v1/courier-connections/${id}`, {
    credentials: { username: 'user', password: 'new' },
  })
  t.match(rotated.body, { status: 'active', verified_at: null })
  const row = await server.db
    .selectFrom('courier_connections')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  t.equal(row.credentials_version, 2)
  const at = { organizationId, connectionId: id, sealed: row.credentials }
  t.same(server.deps.sealer.open(at), { username: 'user', password: 'new' })
  t.throws(() => server.deps.sealer.open({ ...at, connectionId: 'ccn_other' }))
  const types = (await auditEvents(organizationId)).map((event) => event.type)
  t.same(types.slice(2), [
    'CourierConnectionCreated',
    'CourierConnectionChanged',
    'CourierCredentialsReplaced',
    'CourierConnectionChanged',
  ])
})

async function park(id: string): Promise<void> {
  await server.db
    .updateTable('courier_connections')
    .set({ status: 'needs_reauth' })
    .where('id', '=', id)
    .execute()
}

t.test('a connection can be disabled and enabled, but not parked by hand', async (t) => {
  const { call, workspaceId } = await aShop()
  const id = await aConnection(call, workspaceId)
  const off = await call('PATCH', `/v1/courier-connections/${id}`, { status: 'disabled' })
  t.match(off.body, { status: 'disabled', version: 2 })
  const verified = await call('POST', `/v1/courier-connections/${id}/verify`)
  t.equal(verified.body.status, 'disabled', 'good credentials do not enable it')
  const on = await call('PATCH', `/v1/courier-connections/${id}`, { status: 'active' })
  t.equal(on.body.status, 'active')
  const parkedByHand = await call('PATCH', `/v1/courier-connections/${id}`, {
    status: 'needs_reauth',
  })
  t.equal(parkedByHand.status, 422)
  t.equal(parkedByHand.body.errors[0].pointer, '/status')
})

t.test('a connection with unresolved operations cannot be deleted, one without can', async (t) => {
  const { call, workspaceId, organizationId } = await aShop()
  const id = await aConnection(call, workspaceId)
  server.inUse.add(id)
  const refused = await call('DELETE', `/v1/courier-connections/${id}`)
  t.equal(refused.status, 409)
  t.match(refused.body, { reason: 'connection_in_use', outcome: 'not_executed' })
  server.inUse.delete(id)
  const gone = await call('DELETE', `/v1/courier-connections/${id}`)
  t.equal(gone.status, 204)
  t.equal(gone.body, '')
  t.equal((await call('GET', `/v1/courier-connections/${id}`)).status, 404)
  t.equal((await call('DELETE', `/v1/courier-connections/${id}`)).status, 404)
  t.same((await call('GET', '/v1/courier-connections')).body.data, [])
  t.equal((await auditEvents(organizationId)).at(-1)?.type, 'CourierConnectionDeleted')
})

t.test('verify asks the courier and records whether it accepts the credentials', async (t) => {
  const { call, workspaceId, organizationId } = await aShop()
  const id = await aConnection(call, workspaceId)
  const good = await call('POST', `/v1/courier-connections/${id}/verify`)
  t.equal(good.body.status, 'active')
  t.match(good.body.verified_at, /Z$/)
  const bad = await call('POST', `/v1/courier-connections/${id}/verify`, undefined, {
    'sandbox-scenario': 'credentials_invalid',
  })
  t.match(bad.body, { status: 'needs_reauth', verified_at: null })
  const accepted = (await auditEvents(organizationId))
    .filter((event) => event.type === 'CourierConnectionVerified')
    .map((event) => event.data.accepted)
  t.same(accepted, [true, false])
  const unknown = await call('POST', `/v1/courier-connections/${id}/verify`, undefined, {
    'sandbox-scenario': 'no_such',
  })
  t.equal(unknown.status, 400)
  t.equal(unknown.body.reason, 'unknown_scenario')
  t.match(unknown.body.detail, /lost_response_guide_created/)
  const unwanted = await call('POST', `/v1/courier-connections/${id}/verify`, { force: true })
  t.equal(unwanted.status, 422)
  t.equal(unwanted.body.errors[0].pointer, '/force')
})

t.test("a provider code must name a courier that the key's mode can use", async (t) => {
  const test = await aShop()
  const unknown = await test.call(
    'POST',
    '/v1/courier-connections',
    body(test.workspaceId, { provider_code: 'nobody' }),
  )
  t.equal(unknown.status, 422)
  t.match(unknown.body, { reason: 'courier_not_available', outcome: 'not_executed' })
  t.equal(unknown.body.errors[0].pointer, '/provider_code')
  const live = await aShop({ livemode: true })
  const mock = await live.call('POST', '/v1/courier-connections', body(live.workspaceId))
  t.equal(mock.body.reason, 'courier_not_available', 'the simulated one is not for live keys')
  t.same((await live.call('GET', '/v1/couriers')).body.data, [])
  server.live.set('elsewhere', { displayName: 'Elsewhere', courier: server.simulated })
  t.teardown(() => server.live.delete('elsewhere'))
  const named = await live.call(
    'POST',
    '/v1/courier-connections',
    body(live.workspaceId, { provider_code: 'elsewhere' }),
  )
  t.equal(named.status, 201)
  t.equal(named.body.livemode, true)
  const verified = await live.call(
    'POST',
    `/v1/courier-connections/${named.body.id}/verify`,
    undefined,
    { 'sandbox-scenario': 'happy_path' },
  )
  t.equal(verified.body.reason, 'sandbox_only')
  const inTest = await test.call(
    'POST',
    '/v1/courier-connections',
    body(test.workspaceId, { provider_code: 'elsewhere' }),
  )
  t.equal(inTest.status, 201, 'a test key may name any registered courier')
})

t.test('fifty creations with one Idempotency-Key make one connection', async (t) => {
  const { call, workspaceId, organizationId } = await aShop()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      call('POST', '/v1/courier-connections', body(workspaceId), { 'idempotency-key': 'one' }),
    ),
  )
  t.ok(answers.every(({ status }) => status === 201))
  t.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
  const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
  t.equal(replayed.length, 49)
  const made = (await auditEvents(organizationId)).filter(
    (event) => event.type === 'CourierConnectionCreated',
  )
  t.equal(made.length, 1)
  const other = await call(
    'POST',
    '/v1/courier-connections',
    body(workspaceId, { credentials: { username: 'user', password: 'another' } }),
    { 'idempotency-key': 'one' },
  )
  t.equal(other.body.reason, 'idempotency_key_reused')
  t.notMatch(JSON.stringify(other.body), /canary-secret/)
})

t.test('a refused creation does not use up its Idempotency-Key', async (t) => {
  const { call, workspaceId } = await aShop()
  const headers = { 'idempotency-key': 'refused-first' }
  const refused = await call(
    'POST',
    '/v1/courier-connections',
    body(workspaceId, { provider_code: 'nobody' }),
    headers,
  )
  t.equal(refused.body.reason, 'courier_not_available')
  const made = await call('POST', '/v1/courier-connections', body(workspaceId), headers)
  t.equal(made.status, 201)
  t.notOk('idempotent-replayed' in made.headers)
})

t.test('repeating the key of a deleted connection creates none and gets 409', async (t) => {
  const { call, workspaceId } = await aShop()
  const headers = { 'idempotency-key': 'once' }
  const create = () => call('POST', '/v1/courier-connections', body(workspaceId), headers)
  const { id } = (await create()).body
  t.equal((await call('DELETE', `/v1/courier-connections/${id}`)).status, 204)
  t.match(await create(), {
    status: 409,
    body: { reason: 'resource_deleted', outcome: 'not_executed', retryable: false },
  })
  t.same((await call('GET', '/v1/courier-connections')).body.data, [])
})

t.test('agencies are searched through a connection and paged', async (t) => {
  const { call, workspaceId } = await aShop()
  const id = await aConnection(call, workspaceId)
  const url = `/v1/agencies?courier_connection_id=${id}`
  const all = await everyItem(call, `${url}&limit=20`)
  t.ok(all.length > 20)
  t.equal(new Set(all.map((agency) => agency.id)).size, all.length)
  const [first] = all
  t.match(first, { id: /^agy_/, object: 'agency', provider_code: 'mock', livemode: false })
  const one = await call('GET', `/v1/agencies/${first?.id}`)
  t.same(one.body, first)
  const district = String(first?.district)
  const found = await call('GET', `${url}&search=${encodeURIComponent(district.toUpperCase())}`)
  t.ok(found.body.data.some((agency: { district: string }) => agency.district === district))
  t.same((await call('GET', `${url}&search=zzzzz`)).body.data, [])
  t.equal((await call('GET', `${url}&search=${'a'.repeat(101)}`)).body.reason, 'invalid_filter')
  t.equal(
    (await call('GET', '/v1/agencies')).body.errors[0].pointer,
    '#/query/courier_connection_id',
  )
  const pickups = await everyItem(call, `${url}&limit=100&capability=pickup`)
  t.ok(pickups.every((agency) => (agency.capabilities as string[]).includes('pickup')))
  t.equal((await call('GET', '/v1/agencies/agy_0000000000000000000000')).status, 404)
})

t.test('package products and couriers are listed', async (t) => {
  const { call, workspaceId } = await aShop()
  const id = await aConnection(call, workspaceId)
  const products = await everyItem(call, '/v1/package-products?limit=2')
  t.ok(products.length > 2)
  t.match(products[0], { id: /^pkg_/, object: 'package_product', provider_code: 'mock' })
  const own = await call('GET', `/v1/package-products?limit=100&courier_connection_id=${id}`)
  t.same(own.body.data, products)
  const couriers = await call('GET', '/v1/couriers')
  t.match(couriers.body.data, [
    { object: 'courier', provider_code: 'mock', modes: ['test'], capabilities: { find: true } },
  ])
})

async function everyItem(call: Client, url: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = []
  let cursor = ''
  for (let pages = 0; pages < 100; pages++) {
    const page = await call('GET', url + cursor)
    items.push(...page.body.data)
    if (page.body.next_cursor === null) return items
    cursor = `&cursor=${page.body.next_cursor}`
  }
  throw new Error('the list does not end')
}
