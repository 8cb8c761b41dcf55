import { request } from 'node:http'
import * as mupdf from 'mupdf'
import t from 'tap'
import { createApiKey, defaultScopes } from '../../../src/service/security/api-keys.ts'
import { type Answer, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'

/** How often two bodies race for one key. */
const races = 30

t.jobs = 4
const shop = await service(t)

const ana = {
  document_type: 'DNI',
  document: '45678912',
  first_name: 'Anacleta',
  last_name: 'Torres',
}
const bruno = {
  document_type: 'DNI',
  document: '87654321',
  first_name: 'Brunilda',
  last_name: 'Quispe',
}

/** Sends the headers exactly as given, including repeated ones. */
function raw(headers: readonly string[]): Promise<Answer> {
  const body = JSON.stringify(shop.bodyOf('raw'))
  const own = ['host', 'x', 'authorization', `Bearer ${shop.seeded.shopKey}`]
  const json = ['content-type', 'application/json', 'content-length', String(body.length)]
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: [...own, ...json, ...headers] }
    const call = request(`${shop.url}/v1/shipments`, options, async (response) => {
      const chunks = await response.toArray()
      const text = Buffer.concat(chunks).toString()
      const status = response.statusCode ?? 0
      resolve({ status, headers: new Headers(), body: JSON.parse(text) })
    })
    call.on('error', reject).end(body)
  })
}

function ofKey(key: string, as?: string): Promise<Answer> {
  const query = `workspace_id=${shop.seeded.workspaceId}&idempotency_key=${key}`
  return shop.call(`/v1/shipments?${query}`, as === undefined ? {} : { key: as })
}

t.test('a missing, repeated or malformed Idempotency-Key is refused with 400', async (t) => {
  const name = 'Idempotency-Key'
  for (const [title, headers, reason] of [
    ['missing', [], 'idempotency_key_missing'],
    ['empty', [name, ''], 'idempotency_key_invalid'],
    ['with a space', [name, 'a b'], 'idempotency_key_invalid'],
    ['not ASCII', [name, Buffer.from('clé').toString('latin1')], 'idempotency_key_invalid'],
    ['too long', [name, 'k'.repeat(256)], 'idempotency_key_invalid'],
    ['an open quote', [name, '"open'], 'idempotency_key_invalid'],
    ['an empty quoted one', [name, '""'], 'idempotency_key_invalid'],
    ['doubled', [name, 'raw-1', name, 'raw-2'], 'idempotency_key_invalid'],
    ['doubled, the same', [name, 'raw-1', name, 'raw-1'], 'idempotency_key_invalid'],
  ] as const) {
    const answer = await raw(headers)
    t.match(answer, { status: 400, body: { reason, outcome: 'not_executed' } }, title)
  }
  t.strictSame((await ofKey('raw-1')).body.data, [])
  const longest = await raw([name, 'k'.repeat(255)])
  t.equal(longest.status, 201)
})

t.test('a quoted and an unquoted Idempotency-Key are the same key', async (t) => {
  const bare = await shop.create('quoted-or-not')
  const quoted = await shop.create('quoted-or-not', {
    headers: { 'idempotency-key': '"quoted-or-not"' },
  })
  t.equal(bare.status, 201)
  t.equal(quoted.status, 201)
  t.equal(quoted.body.id, bare.body.id)
  t.equal(quoted.headers.get('idempotent-replayed'), 'true')
  t.equal(quoted.body.idempotency_key, 'quoted-or-not')
})

t.test('an equivalent body with the same key is the same request', async (t) => {
  const first = await shop.create('same')
  const body = shop.bodyOf('same')
  const turned = Object.fromEntries(Object.entries(body).toReversed())
  const again = await shop.call('/v1/shipments', {
    body: { ...turned, declared_content: '  Books ' },
    headers: { 'idempotency-key': 'same', 'sandbox-scenario': 'happy_path' },
  })
  t.equal(again.status, 201)
  t.equal(again.body.id, first.body.id)
})

t.test('a weight with more than three decimals is refused', async (t) => {
  const body = shop.bodyOf('decimals').package as object
  for (const weight of [5e-324, 1e-10, 0.8000000004, 1.0000000001, 0.8005, 1e308, -0, 2 ** 53]) {
    const answer = await shop.create('decimals', {
      body: { package: { ...body, weight_kg: weight } },
    })
    t.equal(answer.status, 422, String(weight))
    const { pointer } = answer.body.errors[0]
    t.equal(pointer, '/package/weight_kg')
    t.equal(answer.body.errors.length, 1, 'one complaint')
  }
  const good = await shop.create('decimals', { body: { package: { ...body, weight_kg: 0.805 } } })
  t.match(good, { status: 201, body: { package: { weight_kg: 0.805 } } })
})

t.test('reusing a key with another body is refused and reveals nothing of the first', async (t) => {
  const first = await shop.create('reused', {
    body: { recipient: ana, metadata: { note: 'Secreto' } },
  })
  t.equal(first.status, 201)
  const events = await shop.events(first.body.id)
  for (const [title, more] of [
    ['another person', { body: { recipient: bruno, metadata: { note: 'Secreto' } } }],
    [
      'another weight',
      { body: { package: { ...(first.body.package as object), weight_kg: 0.9 } } },
    ],
    ['without its metadata', { body: { recipient: ana } }],
    [
      'another scenario',
      { body: { recipient: ana, metadata: { note: 'Secreto' } }, scenario: 'slow_success' },
    ],
    [
      'a connection that is not there',
      { body: { courier_connection_id: `ccn_${'0'.repeat(22)}` } },
    ],
  ] as const) {
    const { status, body } = await shop.create('reused', more)
    t.equal(status, 422, title)
    t.match(body, { reason: 'idempotency_key_reused', outcome: 'not_executed' }, title)
    for (const word of [
      'Anacleta',
      'Secreto',
      '45678912',
      first.body.id,
      first.body.guide_number,
    ]) {
      t.notMatch(JSON.stringify(body), word, `${title}: ${word} is not in the answer`)
    }
  }
  const after = (await shop.events(first.body.id)).slice(0, events.length)
  t.strictSame(after, events)
})

t.test(
  "when two bodies race for one key, only the winner's recipient appears anywhere",
  async (t) => {
    for (let race = 0; race < races; race++) {
      const key = `race-${race}`
      const people = race % 2 === 0 ? [ana, bruno] : [bruno, ana]
      const answers = await Promise.all(
        people.map((recipient) => shop.create(key, { body: { recipient } })),
      )
      t.strictSame(answers.map(({ status }) => status).toSorted(), [201, 422], key)
      const won = answers.findIndex(({ status }) => status === 201)
      const [winner, loser] = [people[won], people[1 - won]]
      const answer = answers[won]
      t.equal(answers[1 - won]?.body.reason, 'idempotency_key_reused')
      t.match(answer?.body.recipient, winner)
      const id = answer?.body.id
      t.match((await shop.call(`/v1/shipments/${id}`)).body.recipient, winner)
      const label = await eventually(
        () => shop.call(`/v1/shipments/${id}/documents/label`),
        ({ status }) => status === 200,
      )
      const text = mupdf.Document.openDocument(label.body, 'application/pdf')
        .loadPage(0)
        .toStructuredText('')
        .asText()
      t.match(text, winner?.first_name)
      t.notMatch(text, loser?.first_name)
      const calls = shop.record.callsOf(id).filter(({ route }) => route === 'createGuide')
      t.equal(calls.length, 1)
      const { status } = await shop.create(key, { body: { recipient: loser } })
      t.equal(status, 422)
    }
  },
)

t.test('each workspace and mode has its own Idempotency-Keys', async (t) => {
  const other = await freshShop(shop, 'another namespace')
  const [mine, theirs] = [await shop.create('shared'), await other.create('shared')]
  t.equal(mine.status, 201)
  t.equal(theirs.status, 201)
  t.not(theirs.body.id, mine.body.id)
  t.not(theirs.body.guide_number, mine.body.guide_number)
  const order = {
    organizationId: shop.seeded.organizationId,
    workspaceId: null,
    livemode: true,
    scopes: defaultScopes,
    expiresAt: null,
  }
  const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
  const live = await createApiKey(shop.parts, order, by)
  t.match(await ofKey('shared', live.key), { status: 404, body: { reason: 'not_found' } })
  t.match(await shop.create('shared', { key: live.key }), { status: 404 })
})

t.test('a finished key returns its own result whatever has changed since', async (t) => {
  const own = await freshShop(shop, 'changed since')
  const { body: created } = await own.create('kept')
  const { body: refused } = await own.create('refused', { scenario: 'courier_rejected' })
  t.match(refused, { reason: 'courier_rejected', outcome: 'not_executed', retryable: false })
  const connection = `/v1/courier-connections/${own.seeded.connectionId}`
  await own.call(connection, { method: 'PATCH', body: { status: 'disabled' } })
  for (const removed of [false, true]) {
    if (removed) t.equal((await own.call(connection, { method: 'DELETE' })).status, 204)
    const again = await own.create('kept')
    t.equal(again.status, 201)
    t.equal(again.body.id, created.id)
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    const refusedAgain = await own.create('refused', { scenario: 'courier_rejected' })
    t.equal(refusedAgain.status, 422)
    t.equal(refusedAgain.body.detail, refused.detail)
    const fresh = await own.create(`new-${removed}`)
    t.equal(fresh.body.reason, removed ? 'not_found' : 'connection_disabled')
    t.equal(fresh.body.outcome, 'not_executed')
  }
})

t.test('a client that disconnects does not stop its creation', async (t) => {
  const abort = new AbortController()
  const call = fetch(`${shop.url}/v1/shipments`, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${shop.seeded.shopKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'hung-up',
      'sandbox-scenario': 'slow_success',
    },
    body: JSON.stringify(shop.bodyOf('hung-up')),
  })
  call.catch(() => undefined)
  await eventually(
    () => ofKey('hung-up'),
    ({ body }) => body.data[0]?.status === 'creating',
  )
  abort.abort()
  await t.rejects(call)
  const again = await shop.create('hung-up', { scenario: 'slow_success' })
  t.equal(again.status, 201)
  t.equal(again.headers.get('idempotent-replayed'), 'true')
})

t.test('a list filtered by Idempotency-Key is read from the stream and never lags', async (t) => {
  const still = await service(t, { roles: ['api'] })
  const { body: created } = await still.create('listed')
  const query = `workspace_id=${still.seeded.workspaceId}`
  t.strictSame((await still.call(`/v1/shipments?${query}`)).body.data, [], 'no projector runs')
  const { body } = await still.call(`/v1/shipments?${query}&idempotency_key=listed`)
  t.strictSame(body, { data: [created], has_more: false, next_cursor: null })
  for (const [filter, found] of [
    ['status=created', 1],
    ['status=rejected', 0],
    ['has_open_operation=true', 0],
    [`guide_number=${created.guide_number}`, 1],
  ] as const) {
    const filtered = await still.call(`/v1/shipments?${query}&idempotency_key=listed&${filter}`)
    t.equal(filtered.body.data.length, found, filter)
  }
})
