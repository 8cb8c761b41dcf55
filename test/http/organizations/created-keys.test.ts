import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { auditStream } from '../../../src/service/domain/ids.ts'
import { type Scope, scopes } from '../../../src/service/security/api-keys.ts'
import {
  createOperator,
  disableOperator,
  findOperator,
} from '../../../src/service/security/operators.ts'
import { namedRoles, scopesOfRole } from '../../../src/service/security/scopes.ts'
import { eventually } from '../../support/eventually.ts'
import {
  aKey,
  anOrganization,
  aWorkspace,
  type Client,
  client,
  type KeyOrder,
  serverUnderTest,
} from '../server-under-test.ts'

const server = await serverUnderTest(t)
const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const
const home = await anOrganization(server)
const foreign = await anOrganization(server)

async function caller(order: KeyOrder = {}, organizationId = home) {
  const made = await aKey(server, organizationId, { scopes, ...order })
  return { ...made, call: client(server.app, made.key) }
}

const anOperator = (organizationId = home) =>
  createOperator(server, { organizationId, name: 'Eva', email: 'eva@shop.example' }, by)

const create = (call: Client, body: object, headers: Record<string, string> = {}) =>
  call('POST', '/v1/keys', { scopes: ['shipments:read'], ...body }, headers)

const pointersOf = (body: { errors?: { pointer: string; reason: string }[] }) =>
  body.errors?.map(({ pointer, reason }) => `${pointer} ${reason}`)

async function until401(call: Client): Promise<number> {
  const startedMs = Date.now()
  while ((await call('GET', '/v1/key')).status === 200) {
    if (Date.now() - startedMs > 5_000) throw new Error('the key still works after 5 s')
    await delay(25)
  }
  return Date.now() - startedMs
}

t.test('a key is created, shown once, used, and revoked within five seconds', async (t) => {
  const { call, id: callerId } = await caller()
  const made = await create(call, { scopes: ['workspaces:read', 'shipments:read'] })
  t.equal(made.status, 201)
  t.equal(made.headers.location, `/v1/keys/${made.body.id}`)
  t.match(made.body, {
    object: 'api_key',
    livemode: false,
    organization_id: home,
    workspace_id: null,
    operator_id: null,
    scopes: ['shipments:read', 'workspaces:read'],
    key: /^svc_test_[0-9A-Za-z]{49}$/,
    last4: made.body.key.slice(-4),
    expires_at: null,
    revoked_at: null,
  })
  const { key, ...shown } = made.body
  const read = await call('GET', `/v1/keys/${made.body.id}`)
  t.same(read.body, shown, 'and never again')
  const used = client(server.app, key)
  t.equal((await used('GET', '/v1/key')).body.id, made.body.id)

  const revoked = await call('DELETE', `/v1/keys/${made.body.id}`)
  t.equal(revoked.status, 200)
  t.match(revoked.body, { id: made.body.id, revoked_at: /Z$/ })
  t.ok((await until401(used)) <= 5_000)
  const again = await call('DELETE', `/v1/keys/${made.body.id}`)
  t.equal(again.body.revoked_at, revoked.body.revoked_at, 'a repeat changes nothing')

  const events = await server.store.readStream(auditStream(home))
  const own = events.filter(({ data }) => data.key_id === made.body.id)
  t.same(
    own.map(({ type, metadata }) => [type, metadata.actor]),
    ['ApiKeyCreated', 'ApiKeyRevoked'].map((type) => [type, { type: 'api_key', key_id: callerId }]),
  )
  t.notMatch(JSON.stringify([events, server.lines]), key.slice(9, -4), 'the key is nowhere')
})

t.test('each role gives a key its scopes, which the audit records', async (t) => {
  const { call } = await caller()
  for (const role of namedRoles) {
    const body = { name: ` ${role} 1 `, role }
    const made = await call('POST', '/v1/keys', body)
    const wanted = { name: `${role} 1`, role, scopes: scopesOfRole(role) }
    t.match(made, { status: 201, body: wanted })
    t.match((await call('GET', `/v1/keys/${made.body.id}`)).body, wanted)
    const events = await server.store.readStream(auditStream(home))
    const [event] = events.filter(({ data }) => data.key_id === made.body.id)
    t.match(event?.data, { role, scopes: scopesOfRole(role) })
    t.notMatch(JSON.stringify(event), `${role} 1`, 'no event has a name')
  }
  t.same(scopesOfRole('admin'), scopes)
})

t.test('a role and scopes exclude each other, and a role may not exceed the caller', async (t) => {
  const { call } = await caller({ scopes: ['keys:write', ...scopesOfRole('clerk')] })
  const refused = async (body: object) => pointersOf((await call('POST', '/v1/keys', body)).body)
  t.same(await refused({ role: 'clerk', scopes: ['shipments:read'] }), ['/scopes not_allowed'])
  t.same(await refused({ role: 'custom' }), ['/scopes required'])
  t.same(await refused({}), ['/scopes required'])
  t.same(await refused({ role: 'integration' }), ['/role beyond_own_scopes'])
  t.same(await refused({ role: 'clerk', name: 'x'.repeat(101) }), ['/name too_big'])
  const custom = await create(call, {})
  t.match(custom.body, { name: null, role: 'custom', scopes: ['shipments:read'] })
  t.match((await call('POST', '/v1/keys', { role: 'clerk' })).body, { role: 'clerk' })
})

t.test('a key of an operator names the operator in the audit', async (t) => {
  const operator = await anOperator()
  const { call, id: keyId } = await caller({ operatorId: operator.id })
  const made = await create(call, { operator_id: operator.id })
  t.match(made.body, { operator_id: operator.id })
  const events = await server.store.readStream(auditStream(home))
  t.match(
    events.find(({ data }) => data.key_id === made.body.id),
    {
      data: { operator_id: operator.id },
      metadata: { actor: { type: 'operator', operator_id: operator.id, key_id: keyId } },
    },
  )
})

t.test('a repeated Idempotency-Key creates one key and shows it once', async (t) => {
  const { call } = await caller()
  const headers = { 'idempotency-key': 'one-key' }
  const many = await Promise.all(Array.from({ length: 10 }, () => create(call, {}, headers)))
  t.same([...new Set(many.map(({ status }) => status))], [201])
  t.equal(new Set(many.map(({ body }) => body.id)).size, 1)
  t.equal(many.filter(({ body }) => body.key !== null).length, 1)
  const replay = many.find(({ body }) => body.key === null)
  t.equal(replay?.headers['idempotent-replayed'], 'true')
  const other = await create(call, { scopes: ['shipments:write'] }, headers)
  t.match(other, { status: 422, body: { reason: 'idempotency_key_reused' } })
})

t.test('a key creates none with a scope that it does not have itself', async (t) => {
  const own: readonly Scope[] = ['keys:write', 'shipments:read']
  const { call } = await caller({ scopes: own })
  for (const scope of scopes) {
    const { status, body } = await create(call, { scopes: [scope] })
    t.equal(status, own.includes(scope) ? 201 : 422, scope)
    if (status === 422) t.same(pointersOf(body), ['/scopes/0 beyond_own_scopes'])
  }
  const mixed = await create(call, { scopes: ['shipments:read', 'operations:review'] })
  t.same(pointersOf(mixed.body), ['/scopes/1 beyond_own_scopes'])
  for (const wrong of [[], ['shipments:read', 'shipments:read'], ['all'], null]) {
    t.equal((await create(call, { scopes: wrong })).status, 422, JSON.stringify(wrong))
  }
})

t.test('a key of one workspace creates and revokes keys of that workspace only', async (t) => {
  const { call: whole } = await caller()
  const workspaceId = await aWorkspace(whole, 'mine')
  const siblingId = await aWorkspace(whole, 'sibling')
  const { call } = await caller({ workspaceId })
  t.equal((await create(call, {})).body.workspace_id, workspaceId, 'without being asked')
  t.equal((await create(call, { workspace_id: workspaceId })).status, 201)
  t.match(await create(call, { workspace_id: siblingId }), { status: 404 })
  const everywhere = await create(call, { workspace_id: null })
  t.same(pointersOf(everywhere.body), ['/workspace_id beyond_own_workspace'])
  const siblings = await create(whole, { workspace_id: siblingId })
  const wide = await create(whole, {})
  for (const { body } of [siblings, wide]) {
    t.equal((await call('DELETE', `/v1/keys/${body.id}`)).status, 404)
    t.equal((await whole('GET', `/v1/keys/${body.id}`)).body.revoked_at, null)
  }
})

t.test('a key is of the mode of its creator, whatever it is asked for', async (t) => {
  const { call } = await caller({ livemode: true })
  const made = await create(call, {})
  t.match(made.body, { livemode: true, key: /^svc_live_/ })
  t.equal((await create(call, { livemode: false })).status, 422)
  const { call: test } = await caller()
  t.equal((await test('DELETE', `/v1/keys/${made.body.id}`)).status, 404)
})

t.test('a key ends no later than its creator', async (t) => {
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  const { call: endless } = await caller()
  const past = await create(endless, { expires_at: later(-1).toISOString() })
  t.same(pointersOf(past.body), ['/expires_at in_the_past'])
  const end = later(24)
  const { call } = await caller({ expiresAt: end })
  t.equal((await create(call, {})).body.expires_at, end.toISOString(), 'without being asked')
  const sooner = later(1).toISOString()
  t.equal((await create(call, { expires_at: sooner })).body.expires_at, sooner)
  for (const expires_at of [later(25).toISOString(), null]) {
    const { body } = await create(call, { expires_at })
    t.same(pointersOf(body), ['/expires_at beyond_own_end'])
  }
})

t.test('a key creates keys of its own operator and of none, never of another', async (t) => {
  const operator = await anOperator()
  const colleague = await anOperator()
  const stranger = await anOperator(foreign)
  const { call, id } = await caller({ operatorId: operator.id })
  const created = { created_by_key_id: id, created_by_operator_id: operator.id }
  for (const operator_id of [operator.id, null]) {
    const own = await create(call, { operator_id })
    t.match(own, { status: 201, body: { operator_id, ...created } })
    t.match((await call('GET', `/v1/keys/${own.body.id}`)).body, created)
    const events = await server.store.readStream(auditStream(home))
    t.match(events.at(-1)?.data, { key_id: own.body.id, ...created })
  }
  const refusals = []
  for (const operator_id of [colleague.id, stranger.id, `opr_${'0'.repeat(22)}`]) {
    const headers = { 'x-request-id': 'req_000000000000000000same' }
    const { status, body } = await create(call, { operator_id }, headers)
    t.match({ status, body }, { status: 422, body: { reason: 'operator_not_yours' } })
    t.same(pointersOf(body), ['/operator_id operator_not_yours'])
    refusals.push(JSON.stringify(body))
  }
  t.equal(new Set(refusals).size, 1, 'they look the same')
  const { call: machine } = await caller()
  const { status, body } = await create(machine, { operator_id: operator.id })
  t.match({ status, body }, { status: 422, body: { reason: 'operator_not_yours' } })
  const { data } = (await machine('GET', '/v1/keys?limit=100')).body
  const keysOf = (of: string) =>
    data.filter(({ operator_id }: { operator_id: string | null }) => operator_id === of)
  t.equal(keysOf(colleague.id).length, 0, 'nothing was created')
})

t.test('a key is not created by what ends while it is being created', async (t) => {
  const operator = await anOperator()
  const theirs = await caller({ operatorId: operator.id })
  const machine = await caller()
  const ends = {
    [theirs.id]: server.db
      .updateTable('operators')
      .set({ status: 'disabled' })
      .where('id', '=', operator.id),
    [machine.id]: server.db
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('id', '=', machine.id),
  }
  for (const { call, id } of [theirs, machine]) {
    const ending = await server.db.startTransaction().execute()
    await ending.executeQuery(ends[id]!.compile())
    const creating = create(call, {})
    const waiting = () =>
      sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND query LIKE '%FOR SHARE%'`.execute(server.db)
    await eventually(waiting, ({ rows }) => rows.length === 1)
    await ending.commit().execute()
    t.equal((await creating).status, 401)
    const left = server.db.selectFrom('api_keys').select('id').where('created_by_key_id', '=', id)
    t.same(await left.execute(), [])
  }
})

t.test('a key that was just revoked leaves no other key behind', async (t) => {
  const operator = await anOperator()
  const revoked = await caller()
  const disabled = await caller({ operatorId: operator.id })
  for (const { call } of [revoked, disabled]) {
    t.equal((await call('GET', '/v1/key')).status, 200, 'it is remembered as valid')
  }
  const { call } = await caller()
  t.equal((await call('DELETE', `/v1/keys/${revoked.id}`)).status, 200)
  await disableOperator(server, operator, by)
  t.equal((await create(revoked.call, {})).status, 401)
  t.equal((await create(disabled.call, {})).status, 401)
  const enabled = await disabled.call('PATCH', `/v1/operators/${operator.id}`, { status: 'active' })
  t.equal(enabled.status, 401, 'nor does a disabled operator come back')
  t.equal((await findOperator(server.db, operator.id))?.status, 'disabled')
})

t.test('a key may revoke itself, which is answered', async (t) => {
  const { call, id } = await caller()
  const { status, body } = await call('DELETE', `/v1/keys/${id}`)
  t.equal(status, 200)
  t.match(body, { id, revoked_at: /Z$/ })
  await until401(call)
})

t.test(
  'creating and revoking keys needs the scope keys:write, which no key has by default',
  async (t) => {
    const { id } = await caller()
    const { call } = await caller({ scopes: scopes.filter((scope) => scope !== 'keys:write') })
    t.match(await create(call, {}), { status: 403, body: { reason: 'forbidden_scope' } })
    t.match(await call('DELETE', `/v1/keys/${id}`), { status: 403 })
    const { id: theirs } = await caller({}, foreign)
    t.equal((await call('DELETE', `/v1/keys/${theirs}`)).status, 404)
  },
)

t.test('a suspended organization creates no key, and revokes them', async (t) => {
  const organizationId = await anOrganization(server)
  await server.db
    .updateTable('organizations')
    .set({ suspended_at: new Date() })
    .where('id', '=', organizationId)
    .execute()
  const { call, id } = await caller({}, organizationId)
  t.match(await create(call, {}), { status: 403, body: { reason: 'organization_suspended' } })
  t.equal((await call('DELETE', `/v1/keys/${id}`)).status, 200)
})

t.test('an organization has a bounded number of active keys in a mode', async (t) => {
  const organizationId = await anOrganization(server)
  const { call } = await caller({}, organizationId)
  const values = Array.from({ length: 998 }, (_, n) => ({
    id: `key_${organizationId.slice(-4)}${String(n).padStart(18, '0')}`,
    organization_id: organizationId,
    workspace_id: null,
    livemode: false,
    digest: Buffer.from(`${organizationId} ${n}`),
    pepper_version: 1,
    last4: '0000',
    scopes: [],
    expires_at: null,
    created_at: new Date(),
  }))
  await server.db.insertInto('api_keys').values(values).execute()
  const race = await Promise.all([create(call, {}), create(call, {}), create(call, {})])
  t.same(race.map(({ status }) => status).toSorted(), [201, 409, 409], 'the last place once')
  t.match(await create(call, {}), { status: 409, body: { reason: 'limit_reached' } })
  const { call: live } = await caller({ livemode: true }, organizationId)
  t.equal((await create(live, {})).status, 201, 'the other mode has its own')
  await call('DELETE', `/v1/keys/${values[0]?.id}`)
  t.equal((await create(call, {})).status, 201, 'a revoked key makes room')
})
