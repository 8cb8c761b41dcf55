import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { auditStream } from '../../../src/service/domain/ids.ts'
import { scopes } from '../../../src/service/security/api-keys.ts'
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
const home = await anOrganization(server)
const person = { name: 'Zoraida Canaria', email: 'zoraida.canaria@shop.example' }

async function caller(order: KeyOrder = {}, organizationId = home) {
  return client(server.app, (await aKey(server, organizationId, { scopes, ...order })).key)
}
const call = await caller()
const create = (as: Client, body: object = person, headers: Record<string, string> = {}) =>
  as('POST', '/v1/operators', body, headers)

async function until401(as: Client): Promise<void> {
  await eventually(
    () => as('GET', '/v1/key'),
    ({ status }) => status === 401,
    5_000,
  )
}

const disabling = (revokes: boolean) => ({ status: 'disabled', revoke_created_keys: revokes })

t.test('an operator is created, renamed, disabled and enabled', async (t) => {
  const made = await create(call)
  t.equal(made.status, 201)
  const path = `/v1/operators/${made.body.id}`
  t.equal(made.headers.location, path)
  t.match(made.body, { object: 'operator', ...person, status: 'active', version: 1 })
  t.same((await call('GET', path)).body, made.body)
  const renamed = await call('PATCH', path, { name: 'Zoraida Luna' })
  t.match(renamed.body, { name: 'Zoraida Luna', email: person.email, version: 2 })
  t.equal((await call('PATCH', path, { name: 'Zoraida Luna' })).body.version, 2, 'no change')
  t.equal((await call('PATCH', path, disabling(false))).body.status, 'disabled')
  t.match((await call('PATCH', path, { status: 'active' })).body, { status: 'active', version: 4 })
  const { body: acts } = { body: await server.store.readStream(auditStream(home)) }
  const own = acts.filter(({ data }) => data.operator_id === made.body.id)
  t.same(
    own.map(({ type, data }) => [type, data.fields ?? null]),
    [
      ['OperatorCreated', null],
      ['OperatorChanged', ['name']],
      ['OperatorDisabled', null],
      ['OperatorChanged', ['status']],
    ],
  )
  t.notMatch(JSON.stringify([acts, server.lines]), /zoraida/i, 'the name is in no event and log')
})

t.test('disabling an operator says which keys outlive it, and revokes them if asked', async (t) => {
  const { id } = (await create(call)).body
  const path = `/v1/operators/${id}`
  const keyBy = async (as: Client, body: object = {}): Promise<{ id: string; call: Client }> => {
    const made = await as('POST', '/v1/keys', { scopes: ['keys:write'], ...body })
    t.equal(made.status, 201)
    return { id: made.body.id, call: client(server.app, made.body.key) }
  }
  const [test, live] = [
    await caller({ operatorId: id }),
    await caller({ operatorId: id, livemode: true }),
  ]
  const own = await keyBy(test, { operator_id: id })
  const machine = await keyBy(own.call)
  const machines = await keyBy(machine.call)
  const ofLive = await keyBy(live)
  const revoked = await keyBy(test)
  t.equal((await call('DELETE', `/v1/keys/${revoked.id}`)).status, 200)
  await keyBy(call)

  const choice = await call('PATCH', path, { status: 'disabled' })
  t.match(choice, {
    status: 422,
    body: { errors: [{ pointer: '/revoke_created_keys', reason: 'required' }] },
  })
  for (const body of [{ revoke_created_keys: true }, { ...disabling(true), status: 'active' }]) {
    t.match(await call('PATCH', path, body), {
      status: 422,
      body: { errors: [{ pointer: '/revoke_created_keys', reason: 'not_allowed' }] },
    })
  }
  t.match((await call('GET', path)).body, { status: 'active', version: 1 }, 'nothing changed')

  const outliving = [machine.id, machines.id, ofLive.id]
  const kept = await call('PATCH', path, disabling(false))
  const idsOf = ({ body }: { body: { created_keys: { id: string }[] } }) =>
    body.created_keys.map((key) => key.id)
  t.same(idsOf(kept), outliving, 'not a key of the operator, of others, or one that has ended')
  t.match(kept.body.created_keys.at(-1), { livemode: true, revoked_at: null })
  t.equal(kept.headers.etag, (await call('GET', path)).headers.etag)
  await until401(own.call)
  for (const key of [machine, machines, ofLive]) {
    t.equal((await key.call('GET', '/v1/key')).status, 200, 'a machine key lives on')
  }

  const ended = await call('PATCH', path, disabling(true))
  t.same(idsOf(ended).toSorted(), outliving.toSorted())
  for (const key of [machine, machines, ofLive]) await until401(key.call)
  const again = await call('PATCH', path, disabling(true))
  t.same(again.body, ended.body, 'a repeat changes nothing')
  t.equal((await call('PATCH', path, { status: 'active' })).body.created_keys, null)
  t.equal((await own.call('GET', '/v1/key')).status, 200)
  t.equal((await machine.call('GET', '/v1/key')).status, 401, 'it does not come back')

  const acts = await server.store.readStream(auditStream(home))
  t.match(
    acts.find(({ type, data }) => type === 'OperatorDisabled' && data.operator_id === id),
    { data: { revoke_created_keys: false } },
  )
  const revocations = acts.filter(({ type, data }) => {
    return type === 'ApiKeyRevoked' && outliving.includes(String(data.key_id))
  })
  t.equal(revocations.length, 3, 'each is on record once')
})

t.test('an operator is changed only from the version that was read', async (t) => {
  const made = await create(call)
  const path = `/v1/operators/${made.body.id}`
  const tag = String((await call('GET', path)).headers.etag)
  t.equal((await call('PATCH', path, { name: 'A' }, { 'if-match': tag })).status, 200)
  const stale = await call('PATCH', path, { name: 'B' }, { 'if-match': tag })
  t.match(stale, { status: 412, body: { reason: 'precondition_failed' } })
})

t.test('names and addresses of operators are checked, with a pointer', async (t) => {
  const bad: readonly (readonly [object, string])[] = [
    [{ email: person.email }, '/name'],
    [{ ...person, name: '' }, '/name'],
    [{ ...person, name: 'x'.repeat(101) }, '/name'],
    [{ ...person, name: 'a\u0000b' }, '/name'],
    [{ ...person, email: 'nowhere' }, '/email'],
    [{ ...person, email: 'a b@shop.example' }, '/email'],
    [{ ...person, email: `${'x'.repeat(250)}@shop.example` }, '/email'],
    [{ ...person, status: 'active' }, '/status'],
  ]
  for (const [body, pointer] of bad) {
    const refused = await create(call, body)
    t.match(refused, { status: 422, body: { errors: [{ pointer }] } }, JSON.stringify(body))
  }
})

t.test('the keys of a disabled operator stop, and work again when it is enabled', async (t) => {
  const { body } = await create(call)
  const { key } = await aKey(server, home, { operatorId: body.id })
  const theirs = client(server.app, key)
  const status = async () => (await theirs('GET', '/v1/key')).status
  const reaches = async (wanted: number) => {
    const startedMs = Date.now()
    while ((await status()) !== wanted) {
      if (Date.now() - startedMs > 5_000) return false
      await delay(25)
    }
    return true
  }
  t.equal(await status(), 200)
  await call('PATCH', `/v1/operators/${body.id}`, disabling(false))
  t.ok(await reaches(401))
  await call('PATCH', `/v1/operators/${body.id}`, { status: 'active' })
  t.ok(await reaches(200))
})

t.test('only a key of the whole organization with operators:write changes operators', async (t) => {
  const { body } = await create(call)
  const path = `/v1/operators/${body.id}`
  const workspaceId = await aWorkspace(call, 'restricted')
  const without = scopes.filter((scope) => scope !== 'operators:write')
  for (const order of [{ scopes: without }, { workspaceId }]) {
    const other = await caller(order)
    t.match(await create(other), { status: 403, body: { reason: 'forbidden_scope' } })
    t.match(await other('PATCH', path, { name: 'X' }), { status: 403 })
  }
  const stranger = await caller({}, await anOrganization(server))
  t.equal((await stranger('PATCH', path, { name: 'X' })).status, 404)
  t.equal((await call('GET', path)).body.version, 1, 'nothing has changed')
})

t.test('a repeated Idempotency-Key creates one operator', async (t) => {
  const headers = { 'idempotency-key': 'one-operator' }
  const many = await Promise.all(Array.from({ length: 5 }, () => create(call, person, headers)))
  t.equal(new Set(many.map(({ body }) => body.id)).size, 1)
  t.equal(many.filter((one) => one.headers['idempotent-replayed'] === 'true').length, 4)
})

t.test('an organization has a bounded number of active operators', async (t) => {
  const organizationId = await anOrganization(server)
  const as = await caller({}, organizationId)
  const at = new Date()
  const times = { created_at: at, updated_at: at }
  const values = Array.from({ length: 1_000 }, (_, n) => ({
    id: `opr_${String(n).padStart(22, '0')}`,
    organization_id: organizationId,
    ...person,
    ...times,
  }))
  await server.db.insertInto('operators').values(values).execute()
  t.match(await create(as), { status: 409, body: { reason: 'limit_reached' } })
  const [first] = values
  await as('PATCH', `/v1/operators/${first?.id}`, disabling(false))
  t.equal((await create(as)).status, 201, 'a disabled one makes room')
  const enabled = await as('PATCH', `/v1/operators/${first?.id}`, { status: 'active' })
  t.match(enabled, { status: 409, body: { reason: 'limit_reached' } })
  const away = values.slice(1, 9).map(({ id }) => id)
  for (const id of away) await as('PATCH', `/v1/operators/${id}`, disabling(false))
  for (let n = 0; n < 7; n++) await create(as)
  // Recording each act takes time, as with a remote database.
  const append = server.store.append.bind(server.store)
  t.teardown(() => Object.assign(server.store, { append }))
  Object.assign(server.store, {
    async append(...order: Parameters<typeof append>) {
      await delay(100)
      return append(...order)
    },
  })
  const answers = await Promise.all(
    away.map((id) => as('PATCH', `/v1/operators/${id}`, { status: 'active' })),
  )
  const within = answers.filter(({ status }) => status === 200)
  t.equal(within.length, 1, 'also of those that are enabled at the same time')
})
