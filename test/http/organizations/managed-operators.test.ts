import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { auditStream } from '../../../src/domain/ids.ts'
import { scopes } from '../../../src/security/api-keys.ts'
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
  t.equal((await call('PATCH', path, { status: 'disabled' })).body.status, 'disabled')
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
  await call('PATCH', `/v1/operators/${body.id}`, { status: 'disabled' })
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
  await as('PATCH', `/v1/operators/${first?.id}`, { status: 'disabled' })
  t.equal((await create(as)).status, 201, 'a disabled one makes room')
  const enabled = await as('PATCH', `/v1/operators/${first?.id}`, { status: 'active' })
  t.match(enabled, { status: 409, body: { reason: 'limit_reached' } })
  const away = values.slice(1, 9).map(({ id }) => id)
  for (const id of away) await as('PATCH', `/v1/operators/${id}`, { status: 'disabled' })
  for (let n = 0; n < 7; n++) await create(as)
  // Each act takes its time to be recorded, as in a database that is far away.
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
