import t, { type Test } from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { operations } from '../../../src/service/couriers/protocol.ts'
import { quoteTimes } from '../../../src/service/domain/quote.ts'
import {
  exampleConnectionRequest,
  exampleWorkspaceRequest,
} from '../../../src/service/http/openapi/examples.ts'
import { registerCourier } from '../../../src/service/processes/connections/registered-couriers.ts'
import type { Answer } from '../../support/api-client.ts'
import { type PricedCourier, pricedCourier } from '../../support/priced-courier.ts'
import {
  type RatedConnection,
  type RatedShop,
  ratedCapabilities,
  ratedShop,
} from '../../support/rated-shop.ts'
import { service } from '../../support/service.ts'

/** Couriers that answer at all take milliseconds: only those that hang are waited for. */
const ratesWithinMs = 4_000
const shop = await service(t, { ratesWithinMs })
const count = 10
const rated = await ratedShop({ ...shop, parts: shop.parts }, { name: 'side', count })
t.teardown(() => rated.close())

function connection(number: number): RatedConnection {
  return rated.connections[number] as RatedConnection
}

t.beforeEach(() => {
  for (const [number, { courier }] of rated.connections.entries()) {
    courier.behavior = 'prices'
    courier.price = { amount: 1_000 + 100 * number, currency: 'PEN' }
    courier.transitDays = { min: 1, max: 2 }
    courier.answerAfterMs = () => 0
    courier.onQuote = () => undefined
    courier.calls.length = 0
  }
})

function ask(body: object = {}, key?: string, own: RatedShop = rated): Promise<Answer> {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  return own.call('/v1/quotes', { body: { ...own.ratesBody(), ...body }, headers })
}

t.test('ten couriers give their rates in one answer, cheapest first', async (t) => {
  for (const [number, { courier }] of rated.connections.entries()) {
    courier.price = { amount: 2_000 - 100 * number, currency: number === 9 ? 'USD' : 'PEN' }
  }
  const { status, headers, body } = await ask()
  t.equal(status, 201)
  t.match(body, { status: 'complete', errors: [], courier_connection_id: null, livemode: true })
  t.strictSame(
    body.courier_connection_ids,
    rated.connections.map(({ id }) => id),
  )
  t.match(body.origin, { agency_id: null, agency_ids: rated.connections.map((c) => c.originId) })
  t.match(body.package, { product_id: null })
  t.equal(body.rates.length, 20)
  const expected = [...rated.connections.entries()]
    .flatMap(([number, { id }]) =>
      [1, 2].map((factor) => ({
        id,
        amount: (2_000 - 100 * number) * factor,
        currency: number === 9 ? 'USD' : 'PEN',
      })),
    )
    .toSorted((a, b) => a.currency.localeCompare(b.currency) || a.amount - b.amount)
  t.strictSame(
    body.rates.map((rate: { amount: number; currency: string }) => [rate.amount, rate.currency]),
    expected.map(({ amount, currency }) => [amount, currency]),
  )
  for (const rate of body.rates) {
    const own = rated.connections.find(({ id }) => id === rate.courier_connection_id)
    t.match(rate.origin, { agency_id: own?.originId })
    t.match(rate.destination, { agency_id: own?.destinationId })
    t.equal(rate.package.product_id, own?.productId)
    const parts = rate.breakdown.map((part: { amount: number }) => part.amount)
    t.equal(
      parts.reduce((sum: number, amount: number) => sum + amount, 0),
      rate.amount,
    )
  }
  t.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), quoteTimes.validMs)
  for (const { courier, id } of rated.connections) {
    t.equal(courier.calls.length, 1, `one call for ${id}`)
    t.match(courier.calls[0]?.body, { origin: { agency_code: 'A1' }, service: null })
  }
  t.equal(headers.get('location'), `/v1/quotes/${body.id}`)
  t.strictSame((await rated.call(`/v1/quotes/${body.id}`)).body, body)
})

t.test('couriers that fail, each in its own way, are errors beside the others', async (t) => {
  const behaviors = {
    1: ['refuses', 'courier_rejected'],
    2: ['fails', 'courier_failed'],
    3: ['hangs', 'courier_timed_out'],
    4: ['hangs_after_headers', 'courier_timed_out'],
    5: ['throttles', 'courier_throttled'],
    6: ['unreadable', 'courier_failed'],
  } as const
  for (const [number, [behavior]] of Object.entries(behaviors)) {
    connection(Number(number)).courier.behavior = behavior
  }
  const disabled = `/v1/courier-connections/${connection(8).id}`
  await rated.call(disabled, { method: 'PATCH', body: { status: 'disabled' } })
  const { status, body } = await ask()
  await rated.call(disabled, { method: 'PATCH', body: { status: 'active' } })
  t.match({ status, of: body.status }, { status: 201, of: 'partial' })
  t.strictSame(
    body.rates.map((rate: { courier_connection_id: string }) => rate.courier_connection_id),
    [0, 7, 9, 0, 7, 9].map((number) => connection(number).id),
  )
  const reasons = { ...behaviors, 8: ['disabled', 'connection_disabled'] } as const
  t.strictSame(
    body.errors.map((error: { courier_connection_id: string; reason: string }) => [
      error.courier_connection_id,
      error.reason,
    ]),
    Object.entries(reasons).map(([number, [, reason]]) => [connection(Number(number)).id, reason]),
  )
  for (const error of body.errors) {
    t.equal(error.service, null)
    t.ok(error.detail.length > 10)
  }
  t.equal(connection(8).courier.calls.length, 0, 'a disabled connection is not asked')
  t.strictSame((await rated.call(`/v1/quotes/${body.id}`)).body, body)
})

t.test('refused credentials park their own connection only', async (t) => {
  connection(2).courier.behavior = 'unauthorized'
  const error = { courier_connection_id: connection(2).id, reason: 'connection_needs_reauth' }
  const first = await ask()
  t.match(first.body, { status: 'partial', errors: [error] })
  t.equal(first.body.rates.length, 18)
  const statuses = await Promise.all(
    [1, 2, 3].map((number) => rated.call(`/v1/courier-connections/${connection(number).id}`)),
  )
  t.strictSame(
    statuses.map(({ body }) => body.status),
    ['active', 'needs_reauth', 'active'],
  )
  const again = await ask()
  t.match(again.body, { status: 'partial', errors: [error] })
  t.equal(connection(2).courier.calls.length, 1, 'a parked connection is not asked again')
  const credentials = { username: 'sandbox', password: 'other' }
  const path = `/v1/courier-connections/${connection(2).id}`
  connection(2).courier.behavior = 'prices'
  await rated.call(path, { method: 'PATCH', body: { credentials } })
  t.equal((await ask()).body.status, 'complete')
})

t.test('if no courier has a price, the answer is a quote with errors only', async (t) => {
  for (const { courier } of rated.connections) courier.behavior = 'refuses'
  const none = await ask()
  t.match(none, { status: 201, body: { status: 'partial', rates: [] } })
  t.equal(none.body.errors.length, count)
  const { courier_connection_ids: ids, ...body } = rated.ratesBody([connection(0)])
  t.match(await rated.call('/v1/quotes', { body: { ...body, courier_connection_ids: ids } }), {
    status: 201,
    body: { rates: [], errors: [{ reason: 'courier_rejected' }] },
  })
  const single = await rated.call('/v1/quotes', { body: rated.quoteBody() })
  t.match(single, { status: 422, body: { reason: 'courier_rejected' } })
})

t.test('a courier is an error if the request names nothing of it', async (t) => {
  const [one, two, three] = [connection(0), connection(1), connection(2)]
  const whole = rated.ratesBody([one, two, three])
  const agencies = { agency_ids: [one.originId, three.originId] }
  const measures = whole.package as Record<string, unknown>
  const products = { ...measures, product_ids: [one.productId, two.productId] }
  const { body } = await ask({ ...whole, origin: agencies, package: products })
  t.match(body, {
    rates: [{ courier_connection_id: one.id }, { courier_connection_id: one.id }],
    errors: [
      { courier_connection_id: two.id, reason: 'no_agency' },
      { courier_connection_id: three.id, reason: 'no_product' },
    ],
  })
  const heavy = await ask({ ...whole, package: { ...measures, weight_kg: 99 } })
  t.match(heavy.body, { status: 'partial', rates: [] })
  t.match(heavy.body.errors[0], {
    reason: 'package_not_accepted',
    detail:
      'The service does not accept this package. Its product takes at most 20 in weight_kg per piece.',
  })
  t.equal(heavy.body.errors.length, 3)
})

t.test('connections of one courier share one agency and one product', async (t) => {
  const { workspaceId, connectionId } = shop.seeded
  const other = await shop.call('/v1/courier-connections', {
    body: {
      workspace_id: workspaceId,
      provider_code: 'mock',
      display_name: 'Another account',
      credentials: { username: 'other', password: 'any' },
    },
  })
  const { courier_connection_id: _, ...body } = shop.quoteBody()
  const ids = [connectionId, other.body.id]
  const { status, body: quote } = await shop.call('/v1/quotes', {
    body: { ...body, courier_connection_ids: ids },
  })
  t.equal(status, 201)
  t.match(quote, { status: 'complete', origin: body.origin, package: body.package })
  t.strictSame(
    quote.rates.map((rate: { courier_connection_id: string }) => rate.courier_connection_id),
    [...ids, ...ids],
    'at equal prices in the order of the request',
  )
  const partial = await shop.call('/v1/quotes', {
    body: { ...body, courier_connection_ids: ids },
    headers: { 'sandbox-scenario': 'quote_partial' },
  })
  t.match(partial.body, { status: 'partial', sandbox_scenario: 'quote_partial' })
  t.match(
    partial.body.errors,
    ids.map((id) => ({ courier_connection_id: id, service: { mode: 'air' } })),
  )
})

/** A connection to a courier that no other test uses. */
async function connected(t: Test, providerCode: string, change: (courier: PricedCourier) => void) {
  const courier = await pricedCourier()
  t.teardown(() => courier.close())
  change(courier)
  const registration = { providerCode, displayName: providerCode, baseUrl: courier.url }
  await registerCourier(
    shop.parts,
    { ...registration, token: null, capabilities: ratedCapabilities },
    { replace: false, actor: byCli.actor },
  )
  await shop.parts.registered.refresh()
  const { id } = await rated.client.courierConnections.create({
    ...exampleConnectionRequest(rated.seeded.workspaceId),
    provider_code: providerCode,
  })
  return { courier, id }
}

t.test('a courier that declares no quotes is not asked for one', async (t) => {
  const { courier, id } = await connected(t, 'without_quotes', (courier) => {
    courier.behavior = 'cannot_quote'
  })
  const agencies = (await rated.call(`/v1/agencies?courier_connection_id=${id}`)).body.data
  const products = (await rated.call(`/v1/package-products?courier_connection_id=${id}`)).body.data
  const [one, body] = [connection(0), rated.ratesBody([connection(0)])]
  const parcel = body.package as Record<string, unknown>
  const { body: quote } = await ask({
    ...body,
    courier_connection_ids: [one.id, id],
    origin: { agency_ids: [one.originId, agencies[0].id] },
    destination: { agency_ids: [one.destinationId, agencies[1].id] },
    package: { ...parcel, product_ids: [one.productId, products[0].id] },
  })
  t.match(quote, { status: 'partial' })
  t.match(quote.errors, [{ courier_connection_id: id, reason: 'quotes_not_supported' }])
  t.equal(quote.rates.length, 2)
  const single = {
    ...rated.quoteBody(),
    courier_connection_id: id,
    origin: { agency_id: agencies[0].id },
    destination: { agency_id: agencies[1].id },
    package: { ...(rated.quoteBody().package as object), product_id: products[0].id },
  }
  t.match(await rated.call('/v1/quotes', { body: single }), {
    status: 422,
    body: {
      reason: 'not_supported_by_courier',
      errors: [{ pointer: '/courier_connection_id', reason: 'quotes_not_supported' }],
    },
  })
  t.equal(courier.calls.length, 0)
})

t.test('a courier whose lists cannot be read does not hold up the others', async (t) => {
  const { id } = await connected(t, 'hidden', (courier) => {
    courier.hidesAgencies = true
  })
  const body = rated.ratesBody([connection(0)])
  const unknown = `agy_${'0'.repeat(22)}`
  const quote = await ask({
    ...body,
    courier_connection_ids: [id, connection(0).id],
    // It may be an agency of the courier that cannot be asked.
    origin: { agency_ids: [unknown, connection(0).originId] },
  })
  t.match(quote, { status: 201, body: { status: 'partial' } })
  t.match(quote.body.errors, [{ courier_connection_id: id, reason: 'courier_timed_out' }])
  t.equal(quote.body.rates.length, 2)
})

t.test('a wrong request for rates is refused with a pointer to what is wrong', async (t) => {
  const [one, two] = [connection(0), connection(1)]
  const whole = rated.ratesBody([one, two])
  const origin = { agency_ids: [one.originId, two.originId] }
  const { product_ids: _, ...measures } = whole.package as Record<string, unknown>
  const none = '0000000000000000000000'
  const { courier_connection_ids: __, ...noConnection } = whole
  const agencies = await rated.call(`/v1/agencies?courier_connection_id=${one.id}`)
  const idOf = (name: string) =>
    agencies.body.data.find((agency: { name: string }) => agency.name === name).id
  const many = Array.from({ length: 11 }, (_, at) => `ccn_${String(at).padStart(22, '0')}`)
  for (const [body, pointer, reason] of [
    [noConnection, '/courier_connection_id', 'required'],
    [{ ...whole, courier_connection_id: one.id }, '/courier_connection_ids', 'not_allowed'],
    [{ ...whole, courier_connection_ids: [] }, '/courier_connection_ids', undefined],
    [{ ...whole, courier_connection_ids: many }, '/courier_connection_ids', undefined],
    [
      { ...whole, courier_connection_ids: [one.id, one.id] },
      '/courier_connection_ids/1',
      'duplicate',
    ],
    [{ ...whole, origin: {} }, '/origin/agency_id', 'required'],
    [
      { ...whole, origin: { ...origin, agency_id: one.originId } },
      '/origin/agency_ids',
      'not_allowed',
    ],
    [{ ...whole, package: measures }, '/package/product_id', 'required'],
    [{ ...rated.quoteBody(), origin }, '/origin/agency_ids', 'not_allowed'],
    [
      { ...whole, origin: { agency_ids: [one.originId, `agy_${none}`] } },
      '/origin/agency_ids/1',
      'agency_not_found',
    ],
    [
      { ...whole, origin: { agency_ids: [one.originId, idOf('Piura')] } },
      '/origin/agency_ids/1',
      'several_of_one_courier',
    ],
    [
      { ...whole, destination: { agency_ids: [one.originId, two.destinationId] } },
      '/destination/agency_ids/0',
      'same_origin_and_destination',
    ],
    [
      { ...whole, package: { ...measures, product_ids: [`pkg_${none}`, two.productId] } },
      '/package/product_ids/0',
      'product_not_found',
    ],
    [
      { ...whole, package: { ...measures, product_id: `pkg_${none}` } },
      '/package/product_id',
      'product_not_found',
    ],
  ] as const) {
    const answer = await rated.call('/v1/quotes', { body })
    t.match(answer, { status: 422, body: { reason: 'validation_failed', outcome: 'not_executed' } })
    const error = { pointer, ...(reason === undefined ? {} : { reason }) }
    t.match(answer.body.errors, [error], `${pointer} ${reason}`)
  }
  for (const { courier } of [one, two]) t.equal(courier.calls.length, 0, 'no courier was asked')
})

t.test("another workspace's connection among them does not exist", async (t) => {
  const workspace = await rated.client.workspaces.create({
    ...exampleWorkspaceRequest,
    external_reference: 'rates elsewhere',
  })
  const { id: foreign } = await rated.client.courierConnections.create({
    ...exampleConnectionRequest(workspace.id),
    provider_code: connection(0).code,
  })
  for (const id of [foreign, shop.seeded.connectionId, 'ccn_0000000000000000000000']) {
    const answer = await ask({ courier_connection_ids: [connection(0).id, id] })
    t.match(answer, { status: 404, body: { reason: 'not_found' } })
    t.match(answer.body.errors, [{ pointer: '/courier_connection_ids/1' }])
  }
  t.equal(connection(0).courier.calls.length, 0)
})

t.test('a creation is bound to the chosen rate and its courier', async (t) => {
  const { body: quote } = await ask()
  const chosen = quote.rates.find(
    (rate: { courier_connection_id: string; service: { mode: string } }) =>
      rate.courier_connection_id === connection(4).id && rate.service.mode === 'terrestrial',
  )
  const order = (rate: Record<string, unknown>) => ({
    quote_id: quote.id,
    courier_connection_id: rate.courier_connection_id,
    origin: rate.origin,
    destination: rate.destination,
    package: rate.package,
    service: rate.service,
  })
  const wrong = { ...order(chosen), origin: quote.rates[0].origin }
  const mismatch = await rated.create('bound', { body: wrong })
  t.equal(mismatch.status, 422)
  const another = { ...order(chosen), courier_connection_id: connection(5).id }
  t.equal((await rated.create('bound', { body: another })).status, 422)
  const sea = { ...order(chosen), service: { mode: 'terrestrial', payer: 'recipient' } }
  t.match(await rated.create('bound', { body: sea }), {
    status: 422,
    body: { reason: 'quote_mismatch', errors: [{ pointer: '/service' }] },
  })
  const made = await rated.create('bound', { body: order(chosen) })
  const price = { amount: 1_400, currency: 'PEN' }
  t.match(made, { status: 201, body: { quote_id: quote.id, price } })
  const { calls } = connection(4).courier
  const creation = calls.find(({ path }) => path === operations.createGuide.path)
  t.match(creation?.body, { quoted_amount: price }, 'the courier is held to the price')
  const guides = rated.connections.flatMap(({ courier }) =>
    courier.calls.filter(({ path }) => path === operations.createGuide.path),
  )
  t.equal(guides.length, 1)
})

t.test('a creation with a connection outside the quote is a mismatch', async (t) => {
  const { body: quote } = await ask(rated.ratesBody([connection(0), connection(1)]))
  const { id, originId, destinationId, productId } = connection(2)
  const order = {
    quote_id: quote.id,
    courier_connection_id: id,
    origin: { agency_id: originId },
    destination: { agency_id: destinationId },
    package: { ...(rated.bodyOf('any').package as object), product_id: productId },
  }
  t.match(await rated.create('outside', { body: order }), {
    status: 422,
    body: { reason: 'quote_mismatch', errors: [{ pointer: '/courier_connection_id' }] },
  })
})

t.test('a key gives one comparison, also if it is sent many times at once', async (t) => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask({}, 'compared-once')))
  for (const { status, body } of answers) {
    t.equal(status, 201)
    t.equal(body.id, answers[0]?.body.id)
  }
  t.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  for (const { courier } of rated.connections) t.equal(courier.calls.length, 1)
  t.match(await ask({ courier_connection_ids: [connection(0).id] }, 'compared-once'), {
    status: 422,
    body: { reason: 'idempotency_key_reused' },
  })
})

t.test(
  'a key whose process died before it stored the rates asks again, under the same id',
  async (t) => {
    const first = await ask({}, 'died')
    // As if the process had been killed after it had remembered the id.
    await shop.parts.db.deleteFrom('quotes').where('id', '=', first.body.id).execute()
    const again = await ask({}, 'died')
    t.match(again, { status: 201, body: { id: first.body.id, status: 'complete' } })
    for (const { courier } of rated.connections) t.equal(courier.calls.length, 2)
  },
)

t.test('a client that disconnects finds the rates under its key', async (t) => {
  const gone = new AbortController()
  connection(0).courier.onQuote = () => gone.abort()
  const request = fetch(`${rated.url}/v1/quotes`, {
    method: 'POST',
    signal: gone.signal,
    headers: {
      authorization: `Bearer ${rated.seeded.shopKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'left',
    },
    body: JSON.stringify(rated.ratesBody()),
  })
  await t.rejects(request, { name: 'AbortError' })
  connection(0).courier.onQuote = () => undefined
  const again = await ask({}, 'left')
  t.match(again, { status: 201, body: { status: 'complete' } })
  t.equal(again.headers.get('idempotent-replayed'), 'true')
  t.equal(connection(1).courier.calls.length, 1, 'no courier was asked twice')
})

t.test('while couriers are asked, no database connection is held', async (t) => {
  const asked = Promise.withResolvers<void>()
  connection(0).courier.behavior = 'hangs'
  connection(0).courier.onQuote = () => asked.resolve()
  const answers = Array.from({ length: 40 }, () =>
    ask(rated.ratesBody([connection(0), connection(1)])),
  )
  await asked.promise
  const { rows } = await shop.parts.pool.query('SELECT 1 AS one')
  t.equal(rows.length, 1)
  for (const { status, body } of await Promise.all(answers)) {
    t.equal(status, 201)
    t.match(body.errors, [{ courier_connection_id: connection(0).id, reason: 'courier_timed_out' }])
    t.equal(body.rates.length, 2)
  }
})
