import t from 'tap'
import { operationIdOf, shipmentIdOf } from '../../../src/service/domain/ids.ts'
import { createApiKey, defaultScopes } from '../../../src/service/security/api-keys.ts'
import { type Answer, type ApiClient, freshShop } from '../../support/api-client.ts'
import { service } from '../../support/service.ts'

t.jobs = 4
const shop = await service(t)
const own = await freshShop(shop, 'cancellations')

function cancel(shipmentId: string, key: string, from: ApiClient = own): Promise<Answer> {
  const headers = { 'idempotency-key': key }
  return from.call(`/v1/shipments/${shipmentId}/cancel`, { method: 'POST', headers })
}

async function created(key: string, scenario = 'happy_path', from = own): Promise<string> {
  const answer = await from.create(key, { scenario })
  if (answer.status !== 201) throw new Error(`no shipment: ${JSON.stringify(answer.body)}`)
  return answer.body.id
}

const cancelCalls = (shipmentId: string) =>
  shop.record.callsOf(shipmentId).filter(({ route }) => route === 'cancelGuide')

t.test('fifty cancellations with one key at once make one call and get one answer', async (t) => {
  const id = await created('fifty')
  const answers = await Promise.all(Array.from({ length: 50 }, () => cancel(id, 'c-1')))
  for (const answer of answers) {
    t.match(answer, { status: 200, body: { id, status: 'cancelled', operation_id: null } })
  }
  t.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  t.equal(cancelCalls(id).length, 1)
  const again = await cancel(id, 'another-key')
  t.match(again, { status: 200, body: { status: 'cancelled', tracking: { status: 'cancelled' } } })
  t.equal(again.headers.get('idempotent-replayed'), null, 'not a replay of its own key')
  t.equal((await cancel(id, 'c-1')).headers.get('idempotent-replayed'), 'true')
  t.equal(cancelCalls(id).length, 1)
  const [guide] = shop.record.guidesOf(id)
  t.not(guide?.cancelledAt, null)
  const repeated = await own.create('fifty')
  t.match(repeated, { status: 201, body: { id, status: 'cancelled' } })
  const types = (await own.events(id)).map(({ type }) => type)
  t.equal(types.filter((type) => type === 'CancellationRequested').length, 1)
  t.equal(types.filter((type) => type === 'GuideCancelled').length, 1)
})

t.test('simultaneous cancellations with different keys make one call per shipment', async (t) => {
  const [one, two] = [await created('meet-1'), await created('meet-2')]
  const answers = await Promise.all(
    [one, two].flatMap((id) => ['c-1', 'c-2', 'c-3'].map((key) => cancel(id, key))),
  )
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200])
  for (const id of [one, two]) t.equal(cancelCalls(id).length, 1)
})

t.test(
  'cancelling a shipment without a guide is refused, and the key repeats that answer',
  async (t) => {
    const refused = await own.create('refused', { scenario: 'courier_rejected' })
    const { shipment_id: id } = refused.body
    const first = await cancel(id, 'c-1')
    const no = { reason: 'shipment_not_cancellable', outcome: 'not_executed', retryable: false }
    t.match(first, { status: 409, body: no })
    const again = await cancel(id, 'c-1')
    t.match(again, { status: 409, body: { ...no, detail: first.body.detail } })
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    t.equal(cancelCalls(id).length, 0)
    const declined = (await own.events(id)).filter(({ type }) => type === 'CancellationDeclined')
    t.equal(declined.length, 1)
  },
)

t.test('cancelling an open creation is refused and names its operation', async (t) => {
  const slow = own.create('slow', { scenario: 'slow_success' })
  const { organizationId, workspaceId } = own.seeded
  const namespace = { organizationId, workspaceId, livemode: false }
  const slowId = shipmentIdOf({ ...namespace, idempotencyKey: 'slow' })
  let early = await cancel(slowId, 'c-1')
  while (early.status === 404) early = await cancel(slowId, 'c-1')
  const operation = operationIdOf(slowId, 1)
  const named = { outcome: 'not_executed', operation_id: operation }
  t.match(early, { status: 409, body: { reason: 'idempotency_in_flight', ...named } })
  t.equal(early.headers.get('location'), `/v1/operations/${operation}`)
  const { body } = await slow
  t.equal((await cancel(body.id, 'c-1')).status, 200, 'the same key may be repeated')
  const lost = await own.create('lost', { scenario: 'duplicate_guides' })
  const answer = await cancel(lost.body.shipment_id, 'c-1')
  const { operation_id } = lost.body
  const open = { reason: 'unknown_outcome', outcome: 'not_executed', operation_id }
  t.match(answer, { status: 409, body: open })
  t.equal(answer.headers.get('location'), `/v1/operations/${operation_id}`)
})

t.test(
  'a cancellation whose answer was lost is found, and every key then gets its result',
  async (t) => {
    const id = await created('answer-lost', 'cancel_response_lost')
    const first = await cancel(id, 'c-1')
    t.match(first, { status: 409, body: { reason: 'unknown_outcome', outcome: 'unknown' } })
    const { operation_id } = first.body
    t.equal(first.headers.get('location'), `/v1/operations/${operation_id}`)
    t.match((await own.call(`/v1/shipments/${id}`)).body, { status: 'cancelling', operation_id })
    for (const key of ['c-1', 'c-2']) {
      t.match(await cancel(id, key), {
        status: 409,
        body: { reason: 'unknown_outcome', operation_id },
      })
    }
    await own.advance('PT1M')
    const operation = (await own.call(`/v1/operations/${operation_id}`)).body
    t.match(operation, {
      type: 'shipment_cancellation',
      status: 'resolved',
      result: 'cancelled',
      cause: 'response_lost',
      shipment_id: id,
      resolution: { decision: 'cancelled', by: 'reconciliation' },
      looks: [{ answer: 'cancelled', guide_numbers: [shop.record.guidesOf(id)[0]?.guideNumber] }],
    })
    for (const key of ['c-1', 'c-2']) {
      t.match(await cancel(id, key), { status: 200, body: { status: 'cancelled' } })
    }
    t.equal(cancelCalls(id).length, 1)
    const list = await own.call(`/v1/operations?shipment_id=${id}`)
    t.match(list.body.data, [{ id: operation_id, type: 'shipment_cancellation' }])
    t.match((await own.call(`/v1/shipments/${id}/tracking`)).body, {
      status: 'cancelled',
      phase: 'final',
    })
  },
)

t.test('a parcel that was handed over cannot be cancelled and is delivered', async (t) => {
  const away = await freshShop(shop, 'handed over')
  const id = await created('too-late', 'cancel_response_lost', away)
  await away.advance('PT3H')
  const answer = await cancel(id, 'c-1', away)
  t.match(answer, { status: 409, body: { reason: 'shipment_not_cancellable' } })
  t.equal(cancelCalls(id).length, 0, 'the scans prove it: the courier need not be queried')
  await away.advance('PT30H')
  t.match((await away.call(`/v1/shipments/${id}`)).body, {
    status: 'created',
    tracking: { status: 'delivered' },
  })
  const { reason, detail } = answer.body
  t.match(await cancel(id, 'c-1', away), { status: 409, body: { reason, detail } })
})

t.test('a cancellation with refused credentials succeeds once they are replaced', async (t) => {
  const parked = await freshShop(shop, 'parked')
  const id = await created('parked', 'happy_path', parked)
  const connection = `/v1/courier-connections/${parked.seeded.connectionId}`
  const credentials = (password: string) =>
    parked.call(connection, {
      method: 'PATCH',
      body: { credentials: { username: 'sandbox', password } },
    })
  t.equal((await credentials('wrong')).status, 200)
  const refused = await cancel(id, 'c-1', parked)
  t.match(refused, { status: 424, body: { reason: 'connection_needs_reauth', retryable: true } })
  t.match(
    await cancel(id, 'c-1', parked),
    { status: 424 },
    'and the courier is not called meanwhile',
  )
  t.equal(cancelCalls(id).length, 1)
  t.equal((await parked.call(`/v1/shipments/${id}`)).body.status, 'created')
  await credentials('right')
  const done = await cancel(id, 'c-1', parked)
  t.match(done, { status: 200, body: { status: 'cancelled' } })
  t.equal(done.headers.get('idempotent-replayed'), null)
  const tries = (await parked.events(id)).filter(({ type }) => type === 'CancellationRequested')
  t.strictSame(
    tries.map(({ data }) => [data.attempt, data.operation_id.slice(-2)]),
    [
      [1, '02'],
      [2, '03'],
    ],
  )
})

t.test('a cancellation needs an Idempotency-Key, the scope and a visible shipment', async (t) => {
  const id = await created('guarded')
  const path = `/v1/shipments/${id}/cancel`
  const bare = await own.call(path, { method: 'POST' })
  t.match(bare, { status: 400, body: { reason: 'idempotency_key_missing' } })
  const headers = { 'idempotency-key': 'c-1' }
  const field = await own.call(path, { headers, body: { force: true } })
  t.match(field, { status: 422, body: { errors: [{ pointer: '/force' }] } })
  const order = {
    organizationId: shop.seeded.organizationId,
    workspaceId: null,
    livemode: false,
    expiresAt: null,
  }
  const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
  const scopes = defaultScopes.filter((scope) => scope !== 'shipments:write')
  const reader = await createApiKey(shop.parts, { ...order, scopes }, by)
  const forbidden = await own.call(path, { method: 'POST', headers, key: reader.key })
  t.match(forbidden, { status: 403, body: { reason: 'forbidden_scope' } })
  const live = { ...order, livemode: true, scopes: defaultScopes }
  const foreign = await createApiKey(shop.parts, live, by)
  const unseen = await own.call(path, { method: 'POST', headers, key: foreign.key })
  const never = await cancel(`shp_${'0'.repeat(22)}`, 'c-1')
  t.match(unseen, { status: 404, body: { reason: 'not_found' } })
  t.equal(unseen.body.detail, never.body.detail)
  // Visibility of the shipment and scope of the key are checked before the form of the request.
  const wrong = { headers, body: { force: true } }
  t.equal((await own.call(path, { ...wrong, key: foreign.key })).status, 404)
  t.equal((await own.call(path, { ...wrong, key: reader.key })).status, 403)
  const only = await own.call(path, { method: 'POST', headers: { ...headers, 'if-match': '"1"' } })
  t.match(only, {
    status: 400,
    body: { outcome: 'not_executed', errors: [{ pointer: '#/headers/if-match' }] },
  })
  t.equal(cancelCalls(id).length, 0)
  t.match(await own.call(path, { headers, body: {} }), { status: 200 })
})
