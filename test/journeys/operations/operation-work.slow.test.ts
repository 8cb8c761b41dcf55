import pg from 'pg'
import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { verifyVault } from '../../../src/service/ledger/verify-vault.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { createApiKey, type NewKey, scopes } from '../../../src/service/security/api-keys.ts'
import { createOperator, disableOperator } from '../../../src/service/security/operators.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { commandServices, runCommand } from '../../support/run-command.ts'
import { service } from '../../support/service.ts'

const home = await service(t)
const { parts, seeded } = home
const { store, pool } = parts
const { operatorId, operatorKey, organizationId } = seeded
const { id: keyId } = (await home.call('/v1/key', { key: operatorKey })).body
const byOperator = { type: 'operator', operator_id: operatorId, key_id: keyId }
const seededName = 'Sandbox operator'
const never = `opr_${'0'.repeat(22)}`
const secretText = 'Luisa at the agency has the parcel.\nShe calls back at nine.'

const aKey = (order: Partial<NewKey>) =>
  createApiKey(
    parts,
    { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null, ...order },
    byCli,
  )
const anOperator = (organization = organizationId, name = 'Eva') =>
  createOperator(
    parts,
    { organizationId: organization, name, email: `${name}@shop.example`.toLowerCase() },
    byCli,
  )
const anOrganization = (type: 'external' | 'platform') =>
  createOrganization(parts, { name: 'Another', type }, byCli)
const caughtUp = async () => projectionsReached(parts.db, await store.head(), 60_000)

let orders = 0

/** An operation with an unknown outcome, in a workspace of its own. */
async function lost(scenario = 'lost_response_human_review') {
  orders += 1
  const shop = await freshShop(home, `work-${orders}`)
  const { body } = await shop.create(`w-${orders}`, { scenario })
  const id = String(body.operation_id)
  const act = (
    what: string,
    given: object,
    { key = operatorKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ) => shop.call(`/v1/operations/${id}/${what}`, { method: 'POST', key, headers, body: given })
  const read = async (key = seeded.shopKey) =>
    (await shop.call(`/v1/operations/${id}`, { key })).body
  return { shop, id, shipmentId: String(body.shipment_id), act, read }
}

async function inReview() {
  const made = await lost()
  await made.shop.advance('PT8H1M')
  return made
}

const idsOf = async (shop: ApiClient, query: string, key = operatorKey) => {
  await caughtUp()
  const of = `workspace_id=${shop.seeded.workspaceId}`
  const { status, body } = await shop.call(`/v1/operations?${of}&${query}`, { key })
  if (status !== 200) return `${status} ${body.reason}`
  return body.data.map(({ id }: { id: string }) => id)
}

t.test(
  'assigning, commenting and putting off are events of the shipment, by the operator',
  async (t) => {
    const { shop, shipmentId, act, read } = await inReview()
    const eva = await anOperator()
    const before = await read()
    t.match(before, { assignee: null, snoozed_until: null, comments: [], comment_count: 0 })
    const assigned = await act('assign', { operator_id: eva.id })
    t.match(assigned, { status: 200, body: { assignee: { operator_id: eva.id, name: 'Eva' } } })
    t.equal((await act('assign', { operator_id: eva.id })).body.version, assigned.body.version)
    const commented = await act('comments', { text: `  ${secretText} ` })
    t.match(commented, {
      status: 201,
      body: {
        id: /^cmt_\w{22}$/,
        object: 'operation_comment',
        livemode: false,
        text: secretText,
        by: { operator_id: operatorId, name: seededName, key_id: keyId },
      },
    })
    const clock = (await shop.call(`/v1/sandbox/clock?workspace_id=${shop.seeded.workspaceId}`))
      .body
    const until = new Date(Date.parse(clock.now) + 3_600_000).toISOString()
    t.match(await act('snooze', { until }), { status: 200, body: { snoozed_until: until } })
    const { comments, ...now } = await read()
    t.same(comments, [commented.body])
    t.match(now, { status: 'needs_review', version: before.version + 3, comment_count: 1 })
    const history = (await shop.events(shipmentId)).slice(-3)
    t.same(
      history.map(({ type }) => type),
      ['OperationAssigned', 'OperationCommented', 'OperationSnoozed'],
    )
    for (const event of history) t.same(event.actor, byOperator, event.type)
    t.match(history[1]?.data, {
      commitments: { [history[1]?.data.comment_ref]: /^[0-9a-f]{64}$/ },
    })
    const whole = JSON.stringify(await shop.events(shipmentId))
    t.notMatch(whole, /Luisa|calls back|Eva|Sandbox operator/)
    for (const word of ['Luisa', 'calls back'])
      t.same(
        home.logged.filter((one) => one.includes(word)),
        [],
      )
    const webhooks = await shop.call(`/v1/events?shipment_id=${shipmentId}&limit=100`)
    const types = webhooks.body.data
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => !type.startsWith('alert.'))
    t.notOk(
      types.includes('operation.resolved') || types.length > 2,
      `no webhook of its own: ${types}`,
    )
    t.equal((await act('assign', { operator_id: null })).body.assignee, null)
    t.equal((await act('snooze', { until: null })).body.snoozed_until, null)
    const decided = await act('resolve', { decision: 'nothing_created', note: 'asked' })
    t.match(decided.body, { comments: [{ text: secretText }], comment_count: 1 })
  },
)

t.test('only an active operator of the own organization can be given an operation', async (t) => {
  const { act, shop, shipmentId } = await lost()
  const disabled = await anOperator()
  await disableOperator(parts, disabled, byCli)
  const other = await anOrganization('external')
  const strangers = await anOperator(other.id)
  const platforms = await anOperator((await anOrganization('platform')).id)
  const headers = { 'x-request-id': 'req_000000000000000000same' }
  const asked = (operator_id: string) => act('assign', { operator_id }, { headers })
  const nobody = await asked(never)
  t.match(nobody, {
    status: 422,
    body: { errors: [{ pointer: '/operator_id', reason: 'unknown_operator' }] },
  })
  for (const { id } of [disabled, strangers, platforms]) {
    t.same((await asked(id)).body, nobody.body, 'like one that never existed')
  }
  for (const body of [{}, { operator_id: 'opr_x' }, { operator_id: never, name: 'Eva' }]) {
    t.equal((await act('assign', body)).status, 422)
  }
  const types = (await shop.events(shipmentId)).map(({ type }) => type)
  t.notOk(types.includes('OperationAssigned'), 'nothing is recorded')
})

t.test('an operation out of reach is not found before the scope is missed', async (t) => {
  const { id, shop, act } = await lost()
  const reader = (await aKey({ scopes: ['operations:read'] })).key
  const stranger = (await aKey({ organizationId: (await anOrganization('external')).id })).key
  const acts: readonly (readonly [string, object])[] = [
    ['assign', { operator_id: operatorId }],
    ['snooze', { until: null }],
    ['comments', { text: 'x' }],
  ]
  for (const [what, body] of acts) {
    t.equal((await act(what, body, { key: reader })).status, 403, what)
    t.equal((await act(what, body, { key: stranger })).status, 404, what)
    const missing = { method: 'POST', key: reader, body }
    const path = `/v1/operations/op_${'0'.repeat(24)}/${what}`
    t.equal((await shop.call(path, missing)).status, 404, 'missing')
  }
  t.equal((await shop.call(`/v1/operations/${id}/comments`, { key: stranger })).status, 404)
  t.equal((await shop.call(`/v1/operations/${id}/comments`, { key: reader })).status, 200)
})

t.test('the text of a comment is bounded and plain', async (t) => {
  const { act, read } = await lost()
  const refused = ['', '  \n ', 'x'.repeat(2_001), 'a\u0007b', 'a\tb', 'a\u202eb', 7, null]
  for (const text of refused) {
    const answer = await act('comments', { text })
    t.match(answer, { status: 422, body: { errors: [{ pointer: '/text' }] } }, JSON.stringify(text))
  }
  t.equal((await act('comments', { text: 'x', decided_by: 'me' })).status, 422)
  t.equal((await act('comments', { text: 'ñ'.repeat(2_000) })).status, 201)
  t.match(await act('comments', { text: 'a\rb\r\nc' }), { status: 201, body: { text: 'a\nb\nc' } })
  t.equal((await read()).comment_count, 2)
})

t.test('the same key comments once, also when twenty come together', async (t) => {
  const { act, read } = await lost()
  const headers = { 'idempotency-key': 'one-comment' }
  const all = await Promise.all(
    Array.from({ length: 20 }, () => act('comments', { text: 'once' }, { headers })),
  )
  const ids = new Set(all.map(({ body }) => body.id))
  t.equal(ids.size, 1)
  t.ok(all.every(({ status }) => status === 201))
  t.equal((await read()).comment_count, 1)
  const again = await act('comments', { text: 'once' }, { headers })
  t.equal(again.headers.get('idempotent-replayed'), 'true')
  t.match(await act('comments', { text: 'other' }, { headers }), {
    status: 422,
    body: { reason: 'idempotency_key_reused' },
  })
  await Promise.all(Array.from({ length: 12 }, (_, n) => act('comments', { text: `racing ${n}` })))
  t.equal((await read()).comment_count, 13, 'no concurrent comment is lost')
})

t.test('all comments are listed by pages, and the operation shows the newest', async (t) => {
  const { act, read, id, shop } = await lost()
  for (let n = 1; n <= 23; n++) t.equal((await act('comments', { text: `no. ${n}` })).status, 201)
  const { comments, comment_count: count } = await read()
  t.equal(count, 23)
  t.same(
    comments.map(({ text }: { text: string }) => text),
    Array.from({ length: 20 }, (_, n) => `no. ${n + 4}`),
  )
  const texts: string[] = []
  let cursor = ''
  do {
    const path = `/v1/operations/${id}/comments?limit=10${cursor}`
    const { body } = await shop.call(path, { key: operatorKey })
    texts.push(...body.data.map(({ text }: { text: string }) => text))
    cursor = body.has_more ? `&cursor=${body.next_cursor}` : ''
  } while (cursor !== '')
  t.same(
    texts,
    Array.from({ length: 23 }, (_, n) => `no. ${n + 1}`),
  )
})

t.test('a snooze is at most 30 days long and ends by itself, without a new event', async (t) => {
  const { act, shop, id, shipmentId } = await inReview()
  const clock = async () =>
    Date.parse(
      (await shop.call(`/v1/sandbox/clock?workspace_id=${shop.seeded.workspaceId}`)).body.now,
    )
  const now = await clock()
  const at = (ms: number) => ({ until: new Date(now + ms).toISOString() })
  for (const body of [at(-1_000), at(31 * 86_400_000), { until: 'tomorrow' }, { until: 5 }, {}]) {
    const answer = await act('snooze', body)
    t.match(answer, { status: 422, body: { errors: [{ pointer: '/until' }] } })
  }
  t.equal((await act('snooze', at(3_600_000))).status, 200)
  t.same(await idsOf(shop, 'snoozed=true'), [id])
  t.same(await idsOf(shop, 'snoozed=false'), [])
  t.same(await idsOf(shop, 'status=needs_review'), [id], 'a list without the filter keeps it')
  const { length } = await shop.events(shipmentId)
  await shop.advance('PT61M')
  t.same(await idsOf(shop, 'snoozed=true'), [])
  t.same(await idsOf(shop, 'snoozed=false'), [id])
  t.equal((await shop.events(shipmentId)).length, length)
})

t.test('an operation that comes into review is no longer put off', async (t) => {
  const { act, shop, id, read } = await lost()
  const until = new Date(Date.now() + 20 * 86_400_000).toISOString()
  t.match(await act('snooze', { until }), { status: 200, body: { status: 'reconciling' } })
  const { next_look_at: next } = await read()
  t.ok(next, 'the courier is still asked')
  await shop.advance('PT8H1M')
  t.match(await read(), { status: 'needs_review', snoozed_until: null })
  t.same(await idsOf(shop, 'snoozed=false'), [id])
  await act('resolve', { decision: 'nothing_created', note: 'asked' })
  t.match(await act('snooze', { until }), {
    status: 409,
    body: { reason: 'operation_already_resolved' },
  })
})

t.test('lists are filtered by the operator of an operation', async (t) => {
  const { act, shop, id } = await lost()
  const eva = await anOperator()
  const evas = (await aKey({ operatorId: eva.id })).key
  t.same(await idsOf(shop, 'assignee=none'), [id])
  await act('assign', { operator_id: eva.id })
  t.same(await idsOf(shop, 'assignee=none'), [])
  t.same(await idsOf(shop, `assignee=${eva.id}`), [id])
  t.same(await idsOf(shop, 'assignee=me', evas), [id])
  t.same(await idsOf(shop, 'assignee=me'), [])
  t.equal(await idsOf(shop, 'assignee=me', seeded.shopKey), '400 invalid_filter')
  t.equal(await idsOf(shop, 'assignee=you'), '400 invalid_filter')
  const stranger = await anOperator((await anOrganization('external')).id)
  t.equal(await idsOf(shop, `assignee=${stranger.id}`), '404 not_found')
  t.equal(await idsOf(shop, `assignee=${never}`), '404 not_found')
})

t.test(
  'the platform works on an escalated operation without seeing what its owner wrote',
  async (t) => {
    const { act, id, read, shop } = await inReview()
    await act('comments', { text: secretText })
    await act('assign', { operator_id: operatorId })
    const platform = await anOrganization('platform')
    const pia = await anOperator(platform.id, 'Pia')
    const { key } = await aKey({ organizationId: platform.id, operatorId: pia.id })
    await eventually(
      () => shop.call(`/v1/operations/${id}`, { key }),
      ({ status }) => status === 200,
    )
    const masked = {
      assignee: { operator_id: operatorId, name: null },
      comments: [{ text: null, by: { operator_id: operatorId, name: null } }],
    }
    t.match(await read(key), masked)
    const written = await act('comments', { text: 'The courier answers tomorrow.' }, { key })
    t.match(written, { status: 201, body: { text: /tomorrow/, by: { name: 'Pia' } } })
    t.equal((await act('assign', { operator_id: operatorId }, { key })).status, 422)
    t.match(await act('assign', { operator_id: pia.id }, { key }), {
      status: 200,
      body: { assignee: { operator_id: pia.id, name: 'Pia' } },
    })
    await caughtUp()
    const own = { comments: [{ text: null }, { text: /tomorrow/, by: { name: 'Pia' } }] }
    t.match(await read(key), own)
    const listed = await shop.call('/v1/operations?assignee=me&limit=100', { key })
    t.match(listed.body.data, [{ id, ...own }])
    const path = `/v1/operations/${id}/comments`
    t.match((await shop.call(path, { key })).body.data, own.comments)
    const whole = {
      assignee: { operator_id: pia.id, name: 'Pia' },
      comments: [
        { text: secretText, by: { name: seededName } },
        { text: /tomorrow/, by: { operator_id: pia.id, name: 'Pia' } },
      ],
    }
    t.match(await read(), whole, 'the owner sees both')
    t.equal((await shop.call(`/v1/operators/${pia.id}`)).status, 404)
  },
)

t.test('comments outlive the person unless the notes are erased too', async (t) => {
  const { act, read, shop, shipmentId } = await inReview()
  await act('comments', { text: secretText })
  await act('assign', { operator_id: operatorId })
  const erase = (body: object) =>
    shop.call(`/v1/shipments/${shipmentId}/erase-personal-data`, {
      method: 'POST',
      key: operatorKey,
      body,
    })
  t.equal((await erase({})).status, 200)
  t.match(await read(), { comments: [{ text: secretText }] })
  t.match(await verifyVault({ store, vault: parts.vault, db: parts.db }), {
    problems: 0,
  })
  const hold = (what: string) =>
    shop.call(`/v1/shipments/${shipmentId}/${what}`, { key: operatorKey, body: { note: 'claim' } })
  t.match(await hold('hold'), { status: 200, body: { legal_hold: { since: String } } })
  t.match(await erase({ include_notes: true }), { status: 409, body: { reason: 'legal_hold' } })
  t.match(await read(), { comments: [{ text: secretText }] })
  t.equal((await hold('release-hold')).status, 200)
  t.equal((await erase({ include_notes: true })).status, 200)
  t.equal((await hold('hold')).status, 410)
  t.match(await read(), {
    assignee: { operator_id: operatorId, name: seededName },
    comments: [{ text: null, by: { operator_id: operatorId, name: seededName } }],
  })
  t.match(await act('comments', { text: 'more' }), {
    status: 410,
    body: { reason: 'personal_data_erased' },
  })
  t.match(await verifyVault({ store, vault: parts.vault, db: parts.db }), {
    problems: 0,
  })
})

t.test(
  'comments and notes that a restored backup brings back after their erasure are found',
  async (t) => {
    const { act, id, shop, shipmentId } = await inReview()
    await act('comments', { text: secretText })
    await act('resolve', { decision: 'nothing_created', note: 'asked' })
    const owner = new pg.Client({ connectionString: home.database.adminUrl })
    await owner.connect()
    t.teardown(() => owner.end())
    await owner.query('CREATE TABLE kept AS SELECT * FROM vault WHERE shipment_id = $1', [id])
    await shop.call(`/v1/shipments/${shipmentId}/erase-personal-data`, {
      method: 'POST',
      key: operatorKey,
      body: { include_notes: true },
    })
    const verify = () => verifyVault({ store, vault: parts.vault, db: parts.db })
    await eventually(
      () =>
        pool.query('SELECT FROM erasures WHERE shipment_id = $1 AND ended_at IS NULL', [
          shipmentId,
        ]),
      ({ rowCount }) => rowCount === 0,
    )
    t.match(await verify(), { problems: 0 })
    await owner.query('DELETE FROM vault WHERE shipment_id = $1', [id])
    const { rowCount } = await owner.query('INSERT INTO vault SELECT * FROM kept')
    t.equal(rowCount, 2)
    const { findings } = await verify()
    t.match(findings, [{ type: 'PersonalDataErased', shipment_id: shipmentId }])
    t.match(
      findings[0]?.problem,
      /still holds what was erased, under [-0-9a-f]{36}, [-0-9a-f]{36}:/,
    )
    await owner.query('DELETE FROM vault WHERE shipment_id = $1', [id])
  },
)

t.test('a comment that is missing from the vault or altered there is found', async (t) => {
  const { act, shop, shipmentId } = await lost()
  await act('comments', { text: secretText })
  const { data } = (await shop.events(shipmentId)).at(-1) ?? {}
  const { vault } = parts
  const without: typeof vault.commitmentsOf = async (rows, items) => {
    const found = await vault.commitmentsOf(rows, items)
    return new Map([...found].filter(([ref]) => ref !== data.comment_ref))
  }
  t.match(await verifyVault({ store, vault: { commitmentsOf: without }, db: parts.db }), {
    problems: 1,
  })
})

t.test('an operator works on operations from the command line', async (t) => {
  const { id, read, shop, shipmentId } = await inReview()
  const services = commandServices(home)
  const run = (command: string, flags: Record<string, string>) =>
    runCommand(command, id, services, new Map(Object.entries(flags)))
  const as = { as: operatorId }
  const eva = await anOperator()
  const assigned = await run('operations assign', { to: eva.id, ...as })
  t.match(assigned.json, { assignee: { operator_id: eva.id, name: 'Eva' } })
  const commented = await run('operations comment', { text: 'from the terminal', ...as })
  t.match(commented.json, { comments: [{ text: 'from the terminal' }] })
  const until = new Date(Date.now() + 86_400_000).toISOString()
  t.match((await run('operations snooze', { until, ...as })).json, { snoozed_until: until })
  t.match((await run('operations show', as)).json, { comments: [{ text: { withheld: true } }] })
  t.match(await read(), {
    assignee: { operator_id: eva.id, name: 'Eva' },
    comments: [{ text: 'from the terminal', by: { operator_id: operatorId, key_id: null } }],
    snoozed_until: until,
  })
  for (const event of (await shop.events(shipmentId)).slice(-3)) {
    t.same(event.actor, { ...byOperator, key_id: null }, event.type)
  }
  t.match((await run('operations assign', { unassign: '', ...as })).json, { assignee: null })
  t.match((await run('operations snooze', { end: '', ...as })).json, { snoozed_until: null })
  const wrong: readonly (readonly [string, Record<string, string>])[] = [
    ['operations assign', { ...as }],
    ['operations assign', { ...as, to: eva.id, unassign: '' }],
    ['operations assign', { to: eva.id }],
    ['operations comment', { text: 'x' }],
    ['operations comment', { text: 'x'.repeat(2_001), ...as }],
    ['operations snooze', { until }],
    ['operations snooze', { until: 'soon', ...as }],
  ]
  for (const [command, flags] of wrong) {
    await t.rejects(run(command, flags), { name: 'UsageError' }, `${command} ${Object.keys(flags)}`)
  }
  await t.rejects(run('operations assign', { to: never, ...as }), {
    name: 'Problem',
    message: /not valid/,
  })
})
