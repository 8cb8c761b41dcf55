import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { createOperator } from '../../../src/service/security/operators.ts'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { commandServices, runCommand } from '../../support/run-command.ts'
import { service } from '../../support/service.ts'

const home = await service(t)
const { db, store } = home.parts
const scenario = 'lost_response_human_review'
const nothing = { decision: 'nothing_created' }
const exists = (guide_number: string, more: object = {}) => ({
  decision: 'guide_exists',
  guide_number,
  ...more,
})
let shops = 0

/** A shop with an operation that needs review: its courier answers no look until T+20 h. */
async function inReview() {
  shops += 1
  const shop = await freshShop(home, `decisions-${shops}`)
  const { body } = await shop.create(`order-${shops}`, { scenario })
  const { operation_id: id, shipment_id: shipmentId } = body
  await shop.advance('PT8H1M')
  return { shop, id, shipmentId, key: `order-${shops}`, read: () => operation(shop, id) }
}

const operation = async (shop: ApiClient, id: string) =>
  (await shop.call(`/v1/operations/${id}`)).body

function resolve(shop: ApiClient, id: string, body: object) {
  return shop.call(`/v1/operations/${id}/resolve`, {
    body: { note: 'Asked them by phone.', ...body },
    key: shop.seeded.operatorKey,
  })
}

async function caughtUp(): Promise<void> {
  if (!(await projectionsReached(db, await store.head(), 60_000))) {
    throw new Error('the read models did not catch up')
  }
}

async function listed(shop: ApiClient, query: string): Promise<readonly string[]> {
  await caughtUp()
  const { body } = await shop.call(
    `/v1/operations?workspace_id=${shop.seeded.workspaceId}&${query}`,
  )
  return body.data.map((one: { id: string }) => one.id)
}

async function needingReview(): Promise<number> {
  await caughtUp()
  const { operations } = (await home.call('/v1/health')).body
  return operations.find(({ status }: { status: string }) => status === 'needs_review').count
}

t.test('only a person closes a contradicted operation, and every decision is kept', async (t) => {
  const { shop, id, shipmentId, key, read } = await inReview()
  t.match((await read()).reason_for_review, { code: 'deadline_passed', text: String })
  const before = await needingReview()
  await resolve(shop, id, nothing)
  t.equal(await needingReview(), before - 1)
  const decision = {
    decision: 'nothing_created',
    by: 'operator',
    operator_id: home.seeded.operatorId,
    decided_by: 'Sandbox operator',
    note: 'Asked them by phone.',
    guide_number: null,
    confirmed: null,
  }
  t.match(await read(), { resolution: decision, resolutions: [decision], reason_for_review: null })
  await shop.advance('PT16H')
  await shop.advance('P7D')
  const contradicted = await read()
  t.match(contradicted, {
    status: 'needs_review',
    result: 'human_review',
    contradicted: true,
    resolution: null,
    resolutions: [decision],
    reason_for_review: { code: 'contradicted', text: String },
  })
  const [number, ...again] = contradicted.looks
    .filter(({ answer }: { answer: string }) => answer === 'found')
    .flatMap((look: { guide_numbers: string[] }) => look.guide_numbers)
  t.same(again, [number, number], 'at 48 h and 7 d it is found again: that is evidence')
  t.equal(await needingReview(), before, 'it is counted among what needs review')
  t.same(await listed(shop, 'contradicted=true'), [id])
  t.same(await listed(shop, 'status=needs_review&contradicted=true'), [id])
  t.same(await listed(shop, 'contradicted=false'), [])
  t.match(await shop.create(key, { scenario }), {
    status: 409,
    body: { reason: 'unknown_outcome', operation_id: id },
  })
  t.match((await shop.call(`/v1/shipments/${shipmentId}`)).body, {
    status: 'unknown_outcome',
    operation_id: id,
    guide_number: null,
  })
  const end = await resolve(shop, id, exists(number))
  t.match(end.body, {
    status: 'resolved',
    result: 'guide_exists',
    contradicted: true,
    resolutions: [decision, { decision: 'guide_exists', guide_number: number, confirmed: true }],
  })
  t.strictSame(end.body.resolution, end.body.resolutions.at(-1))
  t.equal((await shop.create(key, { scenario })).status, 201)
  t.same(await listed(shop, 'contradicted=true&status=resolved'), [id])
  const webhooks = (await shop.call(`/v1/events?shipment_id=${shipmentId}&limit=100`)).body.data
  const types = webhooks.map(({ type }: { type: string }) => type).toReversed()
  t.same(
    types.filter((type: string) => /^(shipment|operation)\./.test(type)),
    [
      'shipment.outcome_unknown',
      'operation.needs_review',
      'operation.resolved',
      'operation.contradicted',
      'operation.needs_review',
      'shipment.reconciled',
      'operation.resolved',
    ],
    'evidence alone sends no webhook',
  )
})

t.test(
  'an unconfirmed guide must be accepted explicitly and is confirmed by a later look',
  async (t) => {
    const { shop, id, key, shipmentId, read } = await inReview()
    const [made] = home.record.guidesOf(shipmentId)
    const number = String(made?.guideNumber)
    t.match(await resolve(shop, id, exists(number)), {
      status: 409,
      body: { reason: 'guide_unconfirmed', outcome: 'not_executed', retryable: false },
    })
    const asked = await read()
    t.match(asked, { status: 'needs_review', resolutions: [] })
    t.match(asked.looks.at(-1), {
      answer: 'inconclusive',
      failure: { kind: 'courier_error', status_code: Number },
      latency_ms: Number,
    })
    const decided = await resolve(shop, id, exists(number, { accept_unconfirmed: true }))
    t.match(decided.body, {
      status: 'resolved',
      result: 'guide_exists',
      resolution: { guide_number: number, confirmed: false, decided_by: 'Sandbox operator' },
    })
    t.not(decided.body.next_look_at, null, 'looks go on')
    t.equal((await resolve(shop, id, exists(number))).status, 200, 'the same decision again')
    t.same(await listed(shop, 'unconfirmed=true'), [id])
    t.match(await shop.create(key, { scenario }), { status: 201, body: { guide_number: number } })
    t.match((await shop.call(`/v1/shipments/${shipmentId}`)).body, {
      pickup_code: null,
      price: null,
    })
    await shop.advance('PT16H')
    t.match((await read()).resolution, { guide_number: number, confirmed: true })
    t.match(await read(), { contradicted: false, resolutions: [{ confirmed: true }] })
    t.same(await listed(shop, 'unconfirmed=true'), [])
    t.same(await listed(shop, 'unconfirmed=false'), [id])
    const shipment = (await shop.call(`/v1/shipments/${shipmentId}`)).body
    t.match(shipment, { pickup_code: String, price: { amount: Number } }, 'as the courier tells it')
  },
)

t.test('an unconfirmed guide is contradicted once the courier shows a different one', async (t) => {
  const { shop, id, read } = await inReview()
  await resolve(shop, id, exists('MISTYPED-1', { accept_unconfirmed: true }))
  await shop.advance('PT16H')
  t.match(await read(), {
    status: 'needs_review',
    contradicted: true,
    resolution: null,
    resolutions: [{ guide_number: 'MISTYPED-1', confirmed: false, decided_by: 'Sandbox operator' }],
  })
  t.same(await listed(shop, 'unconfirmed=true'), [])
})

t.test(
  'guides that a decision does not use are listed until the courier cancels them',
  async (t) => {
    shops += 1
    const shop = await freshShop(home, `decisions-${shops}`)
    const { body } = await shop.create(`order-${shops}`, { scenario: 'duplicate_guides' })
    const { operation_id: id, shipment_id: shipmentId } = body
    await shop.advance('PT1M')
    const read = () => operation(shop, id)
    const look = () =>
      shop.call(`/v1/operations/${id}/look`, { method: 'POST', key: shop.seeded.operatorKey })
    const counted = async () => {
      await caughtUp()
      const { workspaceId } = shop.seeded
      const path = `/v1/statistics/operations?workspace_id=${workspaceId}`
      return (await shop.call(path)).body.surplus
    }
    const open = await read()
    const [used, spare] = open.looks.at(-1).guide_numbers
    t.same(open.surplus_guide_numbers, [], 'without a decision no guide is surplus')
    t.same(await listed(shop, 'surplus=true'), [])

    const decided = await resolve(shop, id, exists(used))
    t.same(decided.body.surplus_guide_numbers, [spare])
    t.same(await listed(shop, 'surplus=true'), [id])
    t.same(await listed(shop, 'surplus=false'), [])
    t.equal(await counted(), 1)

    const looked = await look()
    t.match(looked, { status: 200, body: { surplus_guide_numbers: [spare] } })
    t.match(
      looked.body,
      { status: 'resolved', contradicted: false },
      'a known guide reopens nothing',
    )
    home.record.cancel(shipmentId, spare, new Date())
    await shop.advance('P1D')
    t.match(await read(), {
      status: 'resolved',
      contradicted: false,
      surplus_guide_numbers: [],
      resolution: { guide_number: used },
    })
    t.same(await listed(shop, 'surplus=true'), [])
    t.equal(await counted(), 0)
  },
)

t.test('a decision with a malformed guide number is refused', async (t) => {
  const { shop, id, read } = await inReview()
  for (const wrong of ['<script>', 'a b', 'ñ', 'G/1', ' ', '', 'x'.repeat(65)]) {
    const body = exists(wrong, { accept_unconfirmed: true })
    t.match(await resolve(shop, id, body), {
      status: 422,
      body: { reason: 'validation_failed', errors: [{ pointer: '/guide_number' }] },
    })
  }
  t.match(await read(), { status: 'needs_review', resolutions: [] })
  const right = exists(` A1-b${'2'.repeat(60)} `, { accept_unconfirmed: true })
  t.match((await resolve(shop, id, right)).body, { status: 'resolved' })
})

t.test(
  'operations are filtered by type, shipment, courier, escalation and creation time',
  async (t) => {
    shops += 1
    const shop = await freshShop(home, `decisions-${shops}`)
    const made: string[] = []
    for (const key of ['one', 'two', 'three']) {
      const { body } = await shop.create(`filter-${key}`, { scenario })
      made.push(body.operation_id)
    }
    const { body: done } = await shop.create('filter-done', { scenario: 'cancel_response_lost' })
    const headers = { 'idempotency-key': 'c-1' }
    const cancelled = await shop.call(`/v1/shipments/${done.id}/cancel`, {
      method: 'POST',
      headers,
    })
    t.match(cancelled, { status: 409, body: { reason: 'unknown_outcome' } })
    const cancellation = cancelled.body.operation_id
    await shop.advance('PT2H')
    t.same(await listed(shop, 'type=shipment_creation&order=oldest'), made)
    t.same(await listed(shop, 'type=shipment_cancellation'), [cancellation])
    t.same(await listed(shop, `shipment_id=${done.id}`), [cancellation])
    t.same(await listed(shop, 'escalated=true&order=oldest'), made, 'open for an hour')
    t.same(await listed(shop, 'escalated=false'), [cancellation])
    t.same(await listed(shop, 'provider_code=mock&type=shipment_creation&order=oldest'), made)
    t.same(await listed(shop, 'provider_code=other'), [])
    const [, second = ''] = made
    const at = (await operation(shop, second)).created_at
    const creations = 'type=shipment_creation'
    for (const [range, expected] of [
      ['gte', made.slice(1)],
      ['gt', made.slice(2)],
      ['lte', made.slice(0, 2)],
      ['lt', made.slice(0, 1)],
    ] as const) {
      const query = `${creations}&created_at[${range}]=${at}`
      t.same(await listed(shop, `${query}&order=oldest`), expected, range)
      t.same(await listed(shop, query), expected.toReversed(), range)
      const walked: string[] = []
      for (let cursor = ''; ; ) {
        const of = `workspace_id=${shop.seeded.workspaceId}&limit=1&${query}&order=oldest${cursor}`
        const { body } = await shop.call(`/v1/operations?${of}`)
        walked.push(...body.data.map(({ id }: { id: string }) => id))
        if (!body.has_more) break
        cursor = `&cursor=${body.next_cursor}`
      }
      t.same(walked, expected, `${range}, page by page`)
    }
    for (const wrong of ['contradicted=yes', 'type=any', 'created_at[gte]=today']) {
      const answer = await shop.call(`/v1/operations?${wrong}`)
      t.match(answer, { status: 400, body: { reason: 'invalid_filter' } })
    }
  },
)

t.test("commands mask other operators' decisions and say what they withhold", async (t) => {
  const { shop, id, read } = await inReview()
  const services = commandServices(home)
  const eva = await createOperator(
    home.parts,
    { organizationId: home.seeded.organizationId, name: 'Eva', email: 'eva@shop.example' },
    byCli,
  )
  const run = async (name: string, flags: Readonly<Record<string, string>> = {}) =>
    (await runCommand(name, id, services, new Map(Object.entries(flags)))) as {
      readonly text: string
      // biome-ignore lint/suspicious/noExplicitAny: checked field by field
      readonly json: any
    }
  const order = { note: 'Called them', as: home.seeded.operatorId }
  const guide = { decision: 'guide_exists', 'guide-number': 'G-1' }
  await t.rejects(run('operations resolve', { ...order, ...guide, 'guide-number': '<script>' }), {
    message: /^--guide-number must be 1 to 64/,
  })
  await t.rejects(run('operations resolve', { ...order, ...guide }), {
    message: /could not be asked .*--accept-unconfirmed/,
  })
  for (const note of ['x'.repeat(2_001), ' ', 'a\u0007b']) {
    await t.rejects(run('operations resolve', { ...order, ...guide, note }), {
      name: 'UsageError',
      message: /^--note must be 1 to 2000 characters/,
    })
  }
  const insisted = { ...order, ...guide, 'accept-unconfirmed': '' }
  const decided = await run('operations resolve', insisted)
  const name = 'Sandbox operator'
  const own = { decided_by: name, note: 'Called them', guide_number: 'G-1', confirmed: false }
  t.match(decided.json, { resolution: own, resolutions: [own] })
  t.match(decided.text, /"decided_by":"Sandbox operator"/)
  const withheld = { withheld: true }
  const masked = { decided_by: name, operator_id: home.seeded.operatorId, note: withheld }
  const repeated = await run('operations resolve', { ...insisted, as: eva.id })
  t.match(repeated.json.resolution, masked, 'the decision of another')
  const shown = await run('operations show')
  t.match(shown.json, { resolution: { by: 'operator', ...masked }, resolutions: [masked] })
  t.match(shown.text, /"decided_by":"Sandbox operator","note":"\(withheld\)"/)
  t.notMatch(shown.text + JSON.stringify(shown.json), /Called/)
  await caughtUp()
  const all = (await run('operations list', { limit: '1000' })).json.data
  t.match(all.find((one: { id: string }) => one.id === id).resolution, masked)
  t.match((await read()).resolution, { decided_by: name, note: 'Called them' }, 'to its owner')
  const found = await shop.create('found', { scenario: 'lost_response_guide_created' })
  await shop.advance('PT1M')
  const byLook = (await runCommand('operations show', found.body.operation_id, services)).json
  t.match(byLook.resolution, { by: 'reconciliation', decided_by: null, note: null })
  const erase = `/v1/shipments/${(await read()).shipment_id}/erase-personal-data`
  await shop.call(erase, { method: 'POST' })
  t.match((await run('operations show')).json.resolution, masked, 'a note outlives the person')
  const notes = { method: 'POST', key: home.seeded.operatorKey, body: { include_notes: true } }
  t.equal((await shop.call(erase, notes)).status, 200)
  t.match((await run('operations show')).json.resolution, { decided_by: name, note: null })
})
