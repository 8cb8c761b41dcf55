import t from 'tap'
import { auditStream } from '../../../src/service/domain/ids.ts'
import { withLock } from '../../../src/service/http/rules/with-lock.ts'
import { forgetAnswers } from '../../../src/service/processes/forget-answers.ts'
import { aKey, anOrganization, aWorkspace, client, serverUnderTest } from '../server-under-test.ts'

const server = await serverUnderTest(t)

async function aClient(order = {}) {
  const organizationId = await anOrganization(server)
  const { key } = await aKey(server, organizationId, order)
  return { organizationId, call: client(server.app, key) }
}

async function auditTypes(organizationId: string): Promise<readonly string[]> {
  const events = await server.store.readStream(auditStream(organizationId))
  return events.map((event) => event.type)
}

t.test('a workspace is created once per external reference', async (t) => {
  const { call, organizationId } = await aClient()
  const first = await call('POST', '/v1/workspaces', {
    name: '  My shop ',
    external_reference: 'shop-1',
  })
  t.equal(first.status, 201)
  t.match(first.body, {
    id: /^ws_[0-9A-Za-z]{22}$/,
    object: 'workspace',
    livemode: false,
    name: 'My shop',
    external_reference: 'shop-1',
    personal_data_retention_days: null,
    version: 1,
    created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  })
  t.equal(first.headers.location, `/v1/workspaces/${first.body.id}`)
  const again = await call('POST', '/v1/workspaces', {
    name: 'Another name',
    external_reference: 'shop-1',
  })
  t.equal(again.status, 200)
  t.same(again.body, first.body, 'the same workspace, whatever the name')
  t.same(await auditTypes(organizationId), ['ApiKeyCreated', 'WorkspaceCreated'])
})

t.test('fifty simultaneous creations make one workspace and one audit event', async (t) => {
  const { call, organizationId } = await aClient()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      call('POST', '/v1/workspaces', { name: `Shop ${n}`, external_reference: 'shop' }),
    ),
  )
  t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  t.equal(answers.filter(({ status }) => status === 201).length, 1)
  t.equal(answers.filter(({ status }) => status === 200).length, 49)
  t.same(await auditTypes(organizationId), ['ApiKeyCreated', 'WorkspaceCreated'])
})

t.test('a key limited to one workspace cannot find out which references exist', async (t) => {
  const organizationId = await anOrganization(server)
  const { key } = await aKey(server, organizationId)
  const call = client(server.app, key)
  const workspaceId = await aWorkspace(call, 'own')
  await aWorkspace(call, 'another')
  const limited = client(server.app, (await aKey(server, organizationId, { workspaceId })).key)
  for (const reference of ['another', 'unused']) {
    const body = { name: 'Shop', external_reference: reference }
    const headers = { 'idempotency-key': `probe-${reference}` }
    for (const again of [1, 2]) {
      const { status } = await limited('POST', '/v1/workspaces', body, headers)
      t.equal(status, 404, `${reference} ${again}`)
    }
  }
  const own = await limited('POST', '/v1/workspaces', { name: 'Shop', external_reference: 'own' })
  t.match(own, { status: 200, body: { id: workspaceId } })
})

t.test(
  'an optional Idempotency-Key returns the same workspace and refuses another body',
  async (t) => {
    const { call } = await aClient()
    const body = { name: 'Shop', external_reference: 'a' }
    const headers = { 'idempotency-key': 'k1' }
    const first = await call('POST', '/v1/workspaces', body, headers)
    const again = await call('POST', '/v1/workspaces', body, { 'idempotency-key': '"k1"' })
    t.equal(again.body.id, first.body.id)
    t.equal(again.headers['idempotent-replayed'], 'true')
    const other = await call('POST', '/v1/workspaces', { ...body, name: 'Other' }, headers)
    t.equal(other.status, 422)
    t.match(other.body, { reason: 'idempotency_key_reused', outcome: 'not_executed' })
  },
)

t.test('an optional Idempotency-Key is stored as a digest and forgotten after a day', async (t) => {
  const { call, organizationId } = await aClient()
  const make = (reference: string, key: string) =>
    call(
      'POST',
      '/v1/workspaces',
      { name: 'Shop', external_reference: reference },
      { 'idempotency-key': key },
    )
  const rows = () =>
    server.db.selectFrom('idempotent_answers').where('organization_id', '=', organizationId)
  const age = (hours: number) =>
    server.db
      .updateTable('idempotent_answers')
      .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
      .where('organization_id', '=', organizationId)
      .execute()
  const first = await make('old', 'canary-key')
  const [row] = await rows().selectAll().execute()
  t.notMatch(JSON.stringify(row), /canary-key/)
  t.notOk(row?.key_digest.includes('canary-key'), 'the key is nowhere, only its digest')
  await age(23)
  t.equal((await make('old', 'canary-key')).headers['idempotent-replayed'], 'true')
  await age(25)
  const fresh = await make('new', 'canary-key')
  t.equal(fresh.status, 201, 'a day later the key may name something else')
  t.not(fresh.body.id, first.body.id)
  await make('other', 'another-key')
  await age(25)
  t.equal(await forgetAnswers(server.db as never), 2)
  t.same(await rows().selectAll().execute(), [])
})

t.test('a key in flight creates one thing, and excess requests are told to retry', async (t) => {
  const { call, organizationId } = await aClient()
  const body = { name: 'Slow', external_reference: 'slow' }
  const ask = () => call('POST', '/v1/workspaces', body, { 'idempotency-key': 'in-flight' })
  // A lock held by another process: no request here passes before it is released.
  const place = ['idempotency-key', organizationId, 'false', 'POST /v1/workspaces', 'in-flight']
  const held = Promise.withResolvers<void>()
  const holding = withLock(server.db, place, () => held.promise)
  const all = Array.from({ length: 210 }, ask)
  const first = await Promise.race(all)
  t.equal(first.status, 409)
  t.match(first.body, { reason: 'idempotency_in_flight', retryable: true })
  t.ok(first.headers['retry-after'])
  held.resolve()
  await holding
  const answers = await Promise.all(all)
  const made = answers.filter(({ status }) => status < 300)
  t.ok(made.length >= 50)
  t.equal(new Set(made.map((answer) => answer.body.id)).size, 1)
  t.equal(made.filter(({ status }) => status === 201).length, 1)
})

t.test('a PATCH renames a workspace, sets its retention and honors If-Match', async (t) => {
  const { call, organizationId } = await aClient()
  const id = await aWorkspace(call, 'changing')
  const read = await call('GET', `/v1/workspaces/${id}`)
  const etag = String(read.headers.etag)
  const changed = await call(
    'PATCH',
    `/v1/workspaces/${id}`,
    { name: 'Renamed', personal_data_retention_days: 30 },
    { 'if-match': etag },
  )
  t.equal(changed.status, 200)
  t.match(changed.body, { name: 'Renamed', personal_data_retention_days: 30, version: 2 })
  const late = await call(
    'PATCH',
    `/v1/workspaces/${id}`,
    { name: 'Too late' },
    { 'if-match': etag },
  )
  t.equal(late.status, 412)
  t.match(late.body, { reason: 'precondition_failed', outcome: 'not_executed' })
  const same = await call('PATCH', `/v1/workspaces/${id}`, { name: 'Renamed' })
  t.equal(same.body.version, 2, 'repeating a change has no effect')
  const cleared = await call('PATCH', `/v1/workspaces/${id}`, {
    personal_data_retention_days: null,
  })
  t.equal(cleared.body.personal_data_retention_days, null)
  const events = await server.store.readStream(auditStream(organizationId))
  const changes = events.filter((event) => event.type === 'WorkspaceChanged')
  t.same(
    changes.map((event) => event.data.fields),
    [['name', 'personal_data_retention_days'], ['personal_data_retention_days']],
  )
  t.notMatch(JSON.stringify(events), /Renamed/, 'the ledger holds names of fields only')
})

t.test('a read with the current ETag gets 304', async (t) => {
  const { call } = await aClient()
  const id = await aWorkspace(call, 'etag')
  const read = await call('GET', `/v1/workspaces/${id}`)
  const again = await call('GET', `/v1/workspaces/${id}`, undefined, {
    'if-none-match': String(read.headers.etag),
  })
  t.equal(again.status, 304)
  t.equal(again.body, '')
  t.equal(again.headers.etag, read.headers.etag)
})

t.test('a cursor of workspaces continues their list and is refused for any other', async (t) => {
  const { call } = await aClient()
  const made: string[] = []
  for (let n = 0; n < 7; n++) made.push(await aWorkspace(call, `list-${n}`))
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`
    const page = await call('GET', `/v1/workspaces?limit=3${at}`)
    t.equal(page.status, 200)
    seen.push(...page.body.data.map((one: { id: string }) => one.id))
    t.equal(page.body.has_more, page.body.next_cursor !== null)
    cursor = page.body.next_cursor
  } while (cursor !== null)
  t.same(seen.toSorted(), made.toSorted())
  t.equal(new Set(seen).size, 7)

  const page = await call('GET', '/v1/workspaces?limit=1')
  const next: string = page.body.next_cursor
  const changed = `${next.startsWith('A') ? 'B' : 'A'}${next.slice(1)}`
  const stranger = await aClient()
  for (const [what, answer] of [
    ['other filters', await call('GET', `/v1/workspaces?external_reference=a&cursor=${next}`)],
    ['another route', await call('GET', `/v1/courier-connections?cursor=${next}`)],
    ['another organization', await stranger.call('GET', `/v1/workspaces?cursor=${next}`)],
    ['a changed text', await call('GET', `/v1/workspaces?cursor=${changed}`)],
    ['a longer text', await call('GET', `/v1/workspaces?cursor=${next}=`)],
    ['garbage', await call('GET', '/v1/workspaces?cursor=%00')],
    ['nothing', await call('GET', '/v1/workspaces?cursor=')],
  ] as const) {
    t.equal(answer.status, 400, what)
    t.equal(answer.body.reason, 'invalid_cursor', what)
  }
  t.equal((await call('GET', `/v1/workspaces?limit=2&cursor=${next}`)).status, 200)
})

t.test('an unknown, repeated or out-of-range query parameter is refused', async (t) => {
  const { call } = await aClient()
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e1',
    'limit=',
    'limit=1&limit=2',
    'name=x',
    '__proto__=x',
  ]) {
    const answer = await call('GET', `/v1/workspaces?${query}`)
    t.equal(answer.status, 400, query)
    t.equal(answer.body.reason, 'invalid_filter', query)
    t.match(answer.body.errors[0].pointer, /^#\/query/, query)
    t.notOk('outcome' in answer.body, 'a read has no outcome')
  }
})
