import t from 'tap'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'

// Most tests wait for the courier or the clock, each in its own workspace.
t.jobs = 6
const home = await service(t)
let shops = 0

/** A workspace of the test's own: its clock is advanced and its connection parked. */
function aShop(): Promise<ApiClient> {
  shops += 1
  return freshShop(home, `shop-${shops}`)
}

function createCalls(shipmentId: string): readonly string[] {
  const calls = home.record.callsOf(shipmentId)
  return calls.filter(({ route }) => route === 'createGuide').map(({ outcome }) => outcome)
}

async function shipmentOf(shop: ApiClient, key: string) {
  const query = `workspace_id=${shop.seeded.workspaceId}&idempotency_key=${key}`
  return (await shop.call(`/v1/shipments?${query}`)).body.data[0]
}

function resolve(shop: ApiClient, operationId: string, body: object, key?: string) {
  return shop.call(`/v1/operations/${operationId}/resolve`, {
    body: { note: 'Asked the courier by phone.', ...body },
    key: key ?? shop.seeded.operatorKey,
  })
}

const nothing = { decision: 'nothing_created' }

t.test('while a courier is slow, a second request waits and gets the same answer', async (t) => {
  const shop = await aShop()
  const first = shop.create('slow', { scenario: 'slow_success' })
  await eventually(
    () => shipmentOf(shop, 'slow'),
    (shipment) => shipment?.status === 'creating',
  )
  const second = await shop.create('slow', { scenario: 'slow_success' })
  const { status, body, headers } = await first
  t.equal(status, 201)
  t.equal(headers.get('idempotent-replayed'), null)
  t.equal(headers.get('location'), `/v1/shipments/${body.id}`)
  t.equal(second.status, 201)
  t.equal(second.headers.get('idempotent-replayed'), 'true')
  t.equal(second.body.guide_number, body.guide_number)
  t.strictSame(createCalls(body.id), ['created'])
})

t.test('refused credentials park the connection until they are replaced', async (t) => {
  const shop = await aShop()
  const scenario = 'credentials_invalid'
  const connection = `/v1/courier-connections/${shop.seeded.connectionId}`
  const refused = await shop.create('parked', { scenario })
  t.match(refused, {
    status: 424,
    body: { reason: 'connection_needs_reauth', outcome: 'not_executed' },
  })
  t.equal((await shop.call(connection)).body.status, 'needs_reauth')

  const known = await shop.events(refused.body.shipment_id)
  const other = await shop.create('other', {})
  t.match(other, {
    status: 424,
    body: { reason: 'connection_needs_reauth', outcome: 'not_executed' },
  })
  t.equal(await shipmentOf(shop, 'other'), undefined)
  t.match(await shop.create('parked', { scenario }), { status: 424 })
  t.strictSame(await shop.events(refused.body.shipment_id), known, 'and nothing was appended')

  const credentials = { username: 'sandbox', password: 'the new one' }
  const patched = await shop.call(connection, { method: 'PATCH', body: { credentials } })
  t.equal(patched.body.status, 'active')
  const created = await shop.create('parked', { scenario })
  t.equal(created.status, 201)
  t.equal(created.headers.get('idempotent-replayed'), null, 'a retry is not a replay')
  t.equal((await shop.create('other', {})).status, 201)
  const types = (await shop.events(created.body.id)).map(({ type }) => type).slice(0, 5)
  t.strictSame(types, [
    'ShipmentRequested',
    'GuideRequested',
    'GuideNotSent',
    'GuideRequested',
    'GuideIssued',
  ])
})

t.test('a throttled creation is retried under one intent and makes one guide', async (t) => {
  const shop = await aShop()
  const { status, body } = await shop.create('throttled', { scenario: 'courier_throttled' })
  t.equal(status, 201)
  t.strictSame(createCalls(body.id), ['throttled', 'throttled', 'created'])
  t.equal((await shop.events(body.id)).filter(({ type }) => type === 'GuideRequested').length, 1)
})

t.test(
  'if the courier is unreachable, nothing is sent and the same key succeeds later',
  async (t) => {
    const shop = await aShop()
    const scenario = 'courier_unreachable'
    const first = await shop.create('unreachable', { scenario })
    t.match(first, {
      status: 503,
      body: { reason: 'courier_unreachable', outcome: 'not_executed', retryable: true },
    })
    t.match(first.body.detail, /earlier request with the same Idempotency-Key/)
    t.match(first.headers.get('retry-after'), /^[0-9]+$/)
    t.strictSame(createCalls(first.body.shipment_id), [])
    const again = await shop.create('unreachable', { scenario })
    t.equal(again.status, 201)
    t.equal(again.headers.get('idempotent-replayed'), null)
    t.strictSame(createCalls(again.body.id), ['created'])
  },
)

t.test('a guide whose answer was lost is found without advancing the clock', async (t) => {
  const shop = await aShop()
  for (const [key, scenario, cause] of [
    ['lost', 'lost_response_guide_created', 'response_lost'],
    ['half', 'malformed_success', 'response_unreadable'],
  ] as const) {
    const lost = await shop.create(key, { scenario })
    t.match(lost, {
      status: 409,
      body: { reason: 'unknown_outcome', outcome: 'unknown', retryable: false },
    })
    const path = `/v1/operations/${lost.body.operation_id}`
    t.equal(lost.headers.get('location'), path)
    const operation = await eventually(
      () => shop.call(path),
      ({ body }) => body.status === 'resolved',
    )
    t.match(operation.body, { result: 'guide_exists', cause, resolution: { by: 'reconciliation' } })
    t.equal(operation.body.looks.length, 1)
    const again = await shop.create(key, { scenario })
    t.equal(again.status, 201)
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    t.strictSame(operation.body.looks[0].guide_numbers, [again.body.guide_number])
    t.strictSame(createCalls(again.body.id), ['created'])
  }
})

t.test(
  'an operation is not concluded before the settling time and three counted looks',
  async (t) => {
    const shop = await aShop()
    const scenario = 'lost_response_nothing_created'
    const lost = await shop.create('void', { scenario })
    const path = `/v1/operations/${lost.body.operation_id}`
    const early = await resolve(shop, lost.body.operation_id, nothing)
    t.match(early, {
      status: 409,
      body: { reason: 'operation_not_settled', outcome: 'not_executed' },
    })
    const settleUntil = Date.parse((await shop.call(path)).body.settle_until)
    const wait = Number(early.headers.get('retry-after'))
    const leftSeconds = (settleUntil - Date.parse((await shop.call(path)).body.created_at)) / 1_000
    t.ok(wait > 100 && wait <= leftSeconds, `${wait} s of ${leftSeconds}`)
    await shop.advance('PT2M15S')
    const before = (await shop.call(path)).body
    t.equal(before.status, 'reconciling')
    t.notOk(before.looks.some((look: { counted: boolean }) => look.counted))
    t.match(await shop.create('void', { scenario }), {
      status: 409,
      body: { reason: 'unknown_outcome', operation_id: before.id },
    })

    await shop.advance('PT1M30S')
    const after = (await shop.call(path)).body
    t.match(after, { status: 'resolved', result: 'nothing_created', next_look_at: String })
    const counted = after.looks.filter((look: { counted: boolean }) => look.counted)
    const starts = counted.map((look: { at: string }) => Date.parse(look.at))
    t.equal(starts.length, 3)
    t.ok(starts[0] >= Date.parse(after.settle_until))
    t.ok(starts[1] - starts[0] >= 30_000 && starts[2] - starts[1] >= 30_000)
    t.ok(after.looks.every((look: { answer: string }) => look.answer === 'absent'))

    t.match(await shop.create('void', { scenario }), {
      status: 409,
      body: { reason: 'nothing_created', outcome: 'not_executed', retryable: false },
    })
    t.equal((await shop.create('void-2')).status, 201, 'a new key without the scenario')
    t.strictSame(createCalls(after.shipment_id), ['nothing_created'])
  },
)

t.test('a guide that appears late is found after two counted looks', async (t) => {
  const shop = await aShop()
  const lost = await shop.create('late', { scenario: 'lost_response_late_guide' })
  await shop.advance('PT5M')
  const { body } = await shop.call(`/v1/operations/${lost.body.operation_id}`)
  t.equal(body.result, 'guide_exists')
  t.equal(body.looks.filter((look: { counted: boolean }) => look.counted).length, 2)
  t.equal(body.looks.at(-1).answer, 'found')
})

t.test('a decision that the courier contradicts returns the operation to review', async (t) => {
  const shop = await aShop()
  const scenario = 'lost_response_human_review'
  const { body: lost } = await shop.create('review', { scenario })
  const path = `/v1/operations/${lost.operation_id}`
  await shop.advance('PT8H1M')
  const review = (await shop.call(path)).body
  t.match(review, {
    status: 'needs_review',
    result: 'human_review',
    escalated: true,
    resolution: null,
  })
  const reviewedAt = (await shop.events(review.shipment_id)).find(
    ({ type }) => type === 'OperationReviewRequired',
  )
  t.equal(Date.parse(reviewedAt?.recorded_at ?? ''), Date.parse(review.deadline_at))
  t.match(await shop.create('review', { scenario }), {
    status: 409,
    body: { reason: 'unknown_outcome' },
  })

  t.match(await resolve(shop, review.id, nothing, shop.seeded.shopKey), {
    status: 403,
    body: { reason: 'forbidden_scope' },
  })
  const decided = await resolve(shop, review.id, nothing)
  t.match(decided.body, {
    result: 'nothing_created',
    resolution: {
      by: 'operator',
      decided_by: 'Sandbox operator',
      note: 'Asked the courier by phone.',
    },
  })
  t.equal((await resolve(shop, review.id, nothing)).status, 200, 'the same decision again')
  t.match(await resolve(shop, review.id, { decision: 'guide_exists', guide_number: 'SG1' }), {
    status: 409,
    body: { reason: 'operation_already_resolved' },
  })
  t.match(await shop.create('review', { scenario }), {
    status: 409,
    body: { reason: 'nothing_created' },
  })

  await shop.advance('PT16H')
  const contradicted = (await shop.call(path)).body
  t.match(contradicted, { status: 'needs_review', contradicted: true, resolution: null })
  const history = await shop.events(review.shipment_id)
  const at = history.find(({ type }) => type === 'OperationContradicted')?.recorded_at ?? ''
  t.equal(Date.parse(at) - Date.parse(review.created_at), 24 * 3_600_000, 'at T+24 h')
  t.match(await shop.create('review', { scenario }), {
    status: 409,
    body: { reason: 'unknown_outcome', operation_id: review.id },
  })
  const shipment = (await shop.call(`/v1/shipments/${review.shipment_id}`)).body
  t.match(shipment, { status: 'unknown_outcome', operation_id: review.id, guide_number: null })

  const [number] = contradicted.looks.at(-1).guide_numbers
  const end = await resolve(shop, review.id, { decision: 'guide_exists', guide_number: number })
  t.match(end.body, { result: 'guide_exists', contradicted: true })
  t.match(await shop.create('review', { scenario }), {
    status: 201,
    body: { guide_number: number },
  })
  const types = history.map(({ type }) => type)
  t.ok(types.includes('OperationResolved'), 'history is not rewritten')
  t.strictSame(createCalls(review.shipment_id), ['created'])
})

t.test('if one order has two guides, a person chooses one of them', async (t) => {
  const shop = await aShop()
  const { body: lost } = await shop.create('double', { scenario: 'duplicate_guides' })
  const path = `/v1/operations/${lost.operation_id}`
  const { body: review } = await eventually(
    () => shop.call(path),
    ({ body }) => body.status === 'needs_review',
  )
  const numbers = home.record.guidesOf(review.shipment_id).map(({ guideNumber }) => guideNumber)
  t.match(review, { result: 'human_review', escalated: true, looks: [{ answer: 'ambiguous' }] })
  t.strictSame(review.looks[0].guide_numbers, numbers)
  t.equal(numbers.length, 2)

  const wrong = { decision: 'guide_exists', guide_number: 'SG00000000000000' }
  t.match(await resolve(shop, review.id, wrong), {
    status: 422,
    body: {
      reason: 'guide_not_found',
      outcome: 'not_executed',
      errors: [{ pointer: '/guide_number' }],
    },
  })
  t.match(await resolve(shop, review.id, nothing), {
    status: 409,
    body: { reason: 'operation_not_settled' },
  })
  const chosen = { decision: 'guide_exists', guide_number: numbers[1] }
  t.equal((await resolve(shop, review.id, chosen)).body.result, 'guide_exists')
  const again = await shop.create('double', { scenario: 'duplicate_guides' })
  t.match(again, { status: 201, body: { guide_number: numbers[1], pickup_code: String } })
  t.match(await resolve(shop, review.id, { decision: 'guide_exists', guide_number: numbers[0] }), {
    status: 409,
    body: { reason: 'operation_already_resolved' },
  })
  await shop.advance('P2D')
  t.notOk((await shop.call(path)).body.contradicted, 'both guides were in evidence')
})

t.test('an operator can request a look, at most once in ten seconds', async (t) => {
  const shop = await aShop()
  const { body: lost } = await shop.create('look', { scenario: 'lost_response_human_review' })
  const look = (key: string) =>
    shop.call(`/v1/operations/${lost.operation_id}/look`, { method: 'POST', key })
  t.match(await look(shop.seeded.shopKey), { status: 403 })
  const looked = await look(shop.seeded.operatorKey)
  t.equal(looked.status, 200)
  t.equal(looked.body.looks.at(-1).answer, 'inconclusive')
  const soon = await look(shop.seeded.operatorKey)
  t.match(soon, { status: 429, body: { reason: 'rate_limited' } })
  t.ok(soon.headers.has('retry-after'))
  const events = await shop.events(looked.body.shipment_id)
  const by = events.filter(({ type }) => type === 'GuideLookedUp').map(({ data }) => data.by)
  t.ok(by.includes('operator'))
})

t.test(
  'an attempt that ended without doubt has an operation too, but no list shows it',
  async (t) => {
    const shop = await aShop()
    const { body: created } = await shop.create('plain')
    const { body: refused } = await shop.create('refused', { scenario: 'courier_rejected' })
    for (const [id, result] of [
      [created.id, 'guide_exists'],
      [refused.shipment_id, 'nothing_created'],
    ]) {
      const operation = await shop.call(`/v1/operations/op_${id.slice(4)}01`)
      t.match(operation.body, { cause: null, looks: [], status: 'resolved', result })
    }
    const query = `workspace_id=${shop.seeded.workspaceId}`
    t.strictSame((await shop.call(`/v1/operations?${query}`)).body.data, [])
  },
)

t.test('a parcel is followed to its delivery even if its connection is deleted', async (t) => {
  const shop = await aShop()
  const { body: created } = await shop.create('followed')
  const { body: lost } = await shop.create('open', { scenario: 'lost_response_nothing_created' })
  const connection = `/v1/courier-connections/${shop.seeded.connectionId}`
  t.match(await shop.call(connection, { method: 'DELETE' }), {
    status: 409,
    body: { reason: 'connection_in_use' },
  })
  await shop.advance('PT4M')
  t.equal((await shop.call(`/v1/operations/${lost.operation_id}`)).body.status, 'resolved')
  t.equal((await shop.call(connection, { method: 'DELETE' })).status, 204)
  t.equal((await shop.call(connection)).status, 404)
  await shop.advance('PT33H')
  const { body } = await shop.call(`/v1/shipments/${created.id}/tracking`)
  t.equal(body.status, 'delivered')
  const operation = await shop.call(`/v1/operations/${lost.operation_id}`)
  const day = Date.parse(operation.body.created_at) + 24 * 3_600_000
  t.equal(Date.parse(operation.body.looks.at(-1).at), day, 'and the conclusion is checked again')
})
