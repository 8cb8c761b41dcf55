import t from 'tap'
import { apiOf } from '../../../src/service/api.ts'
import type { CourierFailure, QuoteAnswer } from '../../../src/service/couriers/courier.ts'
import { forgetQuotes } from '../../../src/service/processes/quotes/quote-rows.ts'
import { type Answer, type ApiClient, type Creation, freshShop } from '../../support/api-client.ts'
import { scriptedCourier } from '../../support/scripted-courier.ts'
import { noLogger, service } from '../../support/service.ts'

t.jobs = 6
const shop = await service(t)

type Asked = { readonly scenario?: string; readonly body?: object; readonly key?: string }

function quote(own: ApiClient, { scenario, body, key }: Asked = {}): Promise<Answer> {
  const headers = {
    ...(scenario === undefined ? {} : { 'sandbox-scenario': scenario }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  return own.call('/v1/quotes', { body: { ...own.quoteBody(), ...body }, headers })
}

function bind(own: ApiClient, key: string, quoteId: string, more: Creation = {}): Promise<Answer> {
  return own.create(key, { ...more, body: { quote_id: quoteId, ...more.body } })
}

t.test('a quote prices every service in integer minor units and can be read again', async (t) => {
  const { status, headers, body } = await quote(shop)
  t.equal(status, 201)
  t.match(body, { object: 'quote', livemode: false, status: 'complete', service: null, errors: [] })
  t.strictSame(
    body.rates.map((rate: { service: object }) => rate.service),
    [
      { mode: 'terrestrial', payer: 'sender' },
      { mode: 'air', payer: 'sender' },
    ],
  )
  for (const { amount, currency, breakdown, transit_days: days } of body.rates) {
    t.ok(Number.isInteger(amount) && amount > 0)
    t.equal(currency, 'PEN')
    const sum = breakdown.reduce(
      (total: number, part: { amount: number }) => total + part.amount,
      0,
    )
    t.equal(sum, amount)
    t.ok(days.min <= days.max)
  }
  t.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), 30 * 60_000)

  const path = `/v1/quotes/${body.id}`
  t.equal(headers.get('location'), path)
  const read = await shop.call(path)
  t.strictSame(read.body, body)
  const etag = String(read.headers.get('etag'))
  t.equal((await shop.call(path, { headers: { 'if-none-match': etag } })).status, 304)

  const service = { mode: 'air', payer: 'recipient' }
  const one = await quote(shop, { body: { service } })
  t.match(one.body, { status: 'complete', service, rates: [{ service }] })
  t.equal(one.body.rates.length, 1)
})

t.test(
  "repeating a quote's key returns the same quote, and another scenario is refused",
  async (t) => {
    const key = 'quoted-once'
    const first = await quote(shop, { key })
    const again = await quote(shop, { key, body: { service: null } })
    t.equal(again.body.id, first.body.id, 'null is the same as absent')
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await quote(shop, { key, scenario: 'quote_partial' })
    t.match(other, { status: 422, body: { reason: 'idempotency_key_reused' } })
  },
)

t.test(
  'an invalid request for a quote is refused with a pointer to each invalid field',
  async (t) => {
    const none = '0000000000000000000000'
    const body = {
      origin: { agency_id: `agy_${none}` },
      package: { ...(shop.quoteBody().package as object), weight_kg: 99 },
    }
    const answer = await quote(shop, { body })
    t.match(answer, { status: 422, body: { reason: 'validation_failed', outcome: 'not_executed' } })
    const { errors } = answer.body
    t.match(errors, [
      { pointer: '/origin/agency_id', reason: 'agency_not_found' },
      { pointer: '/package/weight_kg', reason: 'exceeds_product_limit' },
    ])
    const unknown = await quote(shop, { body: { recipient: {} } })
    t.match(unknown.body.errors, [{ pointer: '/recipient', reason: 'unknown_field' }])
    t.match(await bind(shop, 'no-such-quote', `quo_${none}`), {
      status: 422,
      body: { reason: 'validation_failed', errors: [{ pointer: '/quote_id' }] },
    })
    const elsewhere = await quote(await freshShop(shop, 'quoted elsewhere'))
    t.match(await bind(shop, 'no-such-quote', elsewhere.body.id), {
      status: 422,
      body: { errors: [{ pointer: '/quote_id', reason: 'quote_not_found' }] },
    })
  },
)

t.test(
  'a creation with a quote gets its price, and a mismatch does not use up the key',
  async (t) => {
    const { body: quoted } = await quote(shop)
    for (const [pointer, body] of [
      ['/service', { service: { mode: 'terrestrial', payer: 'recipient' } }],
      [
        '/package/weight_kg',
        { package: { ...(shop.quoteBody().package as object), weight_kg: 0.9 } },
      ],
    ] as const) {
      t.match(await bind(shop, 'quoted', quoted.id, { body }), {
        status: 422,
        body: { reason: 'quote_mismatch', outcome: 'not_executed', errors: [{ pointer }] },
      })
    }
    const made = await bind(shop, 'quoted', quoted.id)
    const [{ amount, currency }] = quoted.rates
    t.match(made, { status: 201, body: { quote_id: quoted.id, price: { amount, currency } } })
    t.equal(made.headers.get('idempotent-replayed'), null, 'the key was not used before')
    const [requested] = await shop.events(made.body.id)
    t.match(requested?.data, { quote_id: quoted.id, quoted_amount: { amount, currency } })
  },
)

t.test(
  'an expired quote does not use up the key, and used keys return their shipment',
  async (t) => {
    const own = await freshShop(shop, 'expiring')
    const { body: quoted } = await quote(own)
    await own.advance('PT29M')
    const made = await bind(own, 'in-time', quoted.id)
    t.equal(made.status, 201)
    await own.advance('PT1M')
    t.match(await bind(own, 'late', quoted.id), {
      status: 409,
      body: { reason: 'quote_expired', outcome: 'not_executed', retryable: false },
    })
    const replayed = await bind(own, 'in-time', quoted.id)
    t.match(replayed, { status: 201, body: { id: made.body.id } })
    const { body: fresh } = await quote(own)
    t.equal((await bind(own, 'late', fresh.id)).status, 201)
  },
)

t.test('a quote that expires while its creation waits for the clock is refused', async (t) => {
  const own = await freshShop(shop, 'waiting')
  const { body: quoted } = await quote(own)
  const slow = own.create('slow', { scenario: 'slow_success' })
  const { workspaceId } = own.seeded
  const path = `/v1/shipments?workspace_id=${workspaceId}&idempotency_key=slow`
  while ((await own.call(path)).body.data.length === 0);
  const advance = own.advance('PT1H')
  const clock = `/v1/sandbox/clock?workspace_id=${workspaceId}`
  while ((await own.call(clock)).body.advancing_to === null);
  t.match(await bind(own, 'waited', quoted.id), { status: 409, body: { reason: 'quote_expired' } })
  t.equal((await slow).status, 201)
  t.equal((await advance).status, 200)
  t.equal((await own.create('waited')).status, 201, 'the key can still be used')
})

t.test('the courier refuses a changed price every time, and a new quote works', async (t) => {
  const own = await freshShop(shop, 'raised')
  const scenario = 'quote_partial'
  const { body: old } = await quote(own, { scenario })
  t.match(old, { status: 'partial', sandbox_scenario: scenario })
  const [air] = old.errors
  t.strictSame(air.service, { mode: 'air', payer: 'sender' })
  t.equal(air.reason, 'no_capacity')
  t.notMatch(JSON.stringify(old), /Sin capacidad/, "the courier's own words are not shown")

  const refused = await bind(own, 'raised', old.id, { scenario })
  const { body: fresh } = await quote(own, { scenario })
  const [{ amount, currency }] = fresh.rates
  t.ok(amount > old.rates[0].amount)
  const price = { amount, currency }
  const expected = {
    reason: 'quote_price_changed',
    outcome: 'not_executed',
    retryable: false,
    price,
  }
  t.match(refused, { status: 409, body: expected })
  const path = `/v1/shipments/${refused.body.shipment_id}`
  const failure = { reason: 'quote_price_changed' }
  t.match((await own.call(path)).body, {
    status: 'rejected',
    failure,
    quote_id: old.id,
    price: null,
  })

  await own.advance('PT31M')
  const again = await bind(own, 'raised', old.id, { scenario })
  t.match(again, { status: 409, body: expected }, 'though the quote has expired since')
  t.equal(again.headers.get('idempotent-replayed'), 'true')
  const { body: latest } = await quote(own, { scenario })
  t.match(await bind(own, 'raised', latest.id, { scenario }), {
    body: { reason: 'idempotency_key_reused' },
  })
  t.match(await bind(own, 'accepted', latest.id, { scenario }), { status: 201, body: { price } })
  t.equal(shop.record.guidesOf(refused.body.shipment_id).length, 0, 'the courier made no guide')
  const rejected = await own.events(refused.body.shipment_id)
  t.match(rejected.at(-1), { type: 'GuideRejected', data: { price_changed: { to: price } } })
})

t.test('a retry after a 503 keeps the quoted price of the first attempt', async (t) => {
  const own = await freshShop(shop, 'retrying')
  const { body: quoted } = await quote(own)
  const scenario = 'courier_unreachable'
  t.match(await bind(own, 'retry', quoted.id, { scenario }), { status: 503 })
  await own.advance('PT2H')
  await shop.parts.db.deleteFrom('quotes').where('id', '=', quoted.id).execute()
  const [{ amount, currency }] = quoted.rates
  const made = await bind(own, 'retry', quoted.id, { scenario })
  t.match(made, { status: 201, body: { quote_id: quoted.id, price: { amount, currency } } })
  t.equal(
    (await own.events(made.body.id)).filter(({ type }) => type === 'GuideRequested').length,
    2,
  )
})

t.test('null in a creation is the same as an absent field', async (t) => {
  const made = await shop.create('nulls', { body: { quote_id: null, metadata: null } })
  t.match(made, { status: 201, body: { quote_id: null, metadata: null } })
  const again = await shop.create('nulls')
  t.match(again, { status: 201, body: { id: made.body.id } })
  t.equal(again.headers.get('idempotent-replayed'), 'true')
})

t.test('credentials that the courier refuses for a quote park the connection', async (t) => {
  const own = await freshShop(shop, 'refused')
  const scenario = 'credentials_invalid'
  const reason = 'connection_needs_reauth'
  t.match(await quote(own, { scenario }), {
    status: 424,
    body: { reason, outcome: 'not_executed' },
  })
  const path = `/v1/courier-connections/${own.seeded.connectionId}`
  t.equal((await own.call(path)).body.status, 'needs_reauth')
  t.match(
    await quote(own),
    { status: 424, body: { reason } },
    'and the courier is not called meanwhile',
  )
  const credentials = { username: 'sandbox', password: 'other' }
  await own.call(path, { method: 'PATCH', body: { credentials } })
  t.equal((await quote(own, { scenario })).status, 201)
})

/** Requests a quote through the API while its courier gives this answer. */
async function quotedBy(answer: QuoteAnswer, options: { readonly canQuote?: boolean } = {}) {
  const { canQuote = true } = options
  const courier = scriptedCourier()
  courier.quote = async () => answer
  const described = await courier.describe()
  courier.describe = async () =>
    described && { ...described, capabilities: { ...described.capabilities, quote: canQuote } }
  const couriers = { ...shop.parts.couriers, courierFor: () => courier }
  const { app, keys } = apiOf({ ...shop.parts, couriers }, noLogger())
  const headers = { authorization: `Bearer ${shop.seeded.shopKey}` }
  const payload = { ...shop.quoteBody(), service: { mode: 'air', payer: 'sender' } }
  const reply = await app.inject({ method: 'POST', url: '/v1/quotes', headers, payload })
  await app.close()
  await keys.close()
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
}

t.test('a failed quote is reported as not executed and shows no courier text', async (t) => {
  const refusal: CourierFailure = { kind: 'rejected', code: 'no', text: 'Nunca.', newPrice: null }
  const lost: CourierFailure = { kind: 'unknown', cause: 'response_lost' }
  for (const [answer, status, reason, retryAfter] of [
    [refusal, 422, 'courier_rejected', undefined],
    [lost, 503, 'courier_unreachable', '2'],
    [{ kind: 'unknown', cause: 'courier_error' }, 503, 'courier_unreachable', '2'],
    [{ kind: 'throttled', retryAfterMs: 7_000 }, 503, 'courier_throttled', '7'],
    [{ kind: 'not_sent', cause: 'too_late' }, 503, 'courier_unreachable', '2'],
  ] as const) {
    const { status: actual, headers, body } = await quotedBy(answer)
    t.equal(actual, status)
    t.match(body, { reason, outcome: 'not_executed', retryable: status === 503 })
    t.equal(headers['retry-after'], retryAfter)
    t.notMatch(JSON.stringify(body), /Nunca/)
  }
  const never = await quotedBy(lost, { canQuote: false })
  t.match(never, { status: 422, body: { reason: 'not_supported_by_courier' } })
})

t.test('services without a price make a partial quote that shows no courier text', async (t) => {
  const air = { mode: 'air', payer: 'sender' }
  const sea = { mode: 'sea', payer: 'sender' }
  const quoted = { kind: 'quoted', rates: [], errors: [] } as const
  const reason = 'unavailable'
  const silent = await quotedBy(quoted)
  t.match(silent, { status: 201, body: { status: 'partial', rates: [] } })
  t.match(silent.body.errors, [{ service: air, reason }], 'a service that is not mentioned')
  const text = 'Solo los martes.'
  const partial = await quotedBy({
    ...quoted,
    errors: [
      { service: air, reason: 'solo_martes', text },
      { service: air, reason: 'no_capacity', text },
      { service: sea, reason: 'not_served', text },
    ],
  })
  t.match(partial.body, { status: 'partial', rates: [] })
  t.match(partial.body.errors, [
    { service: air, reason },
    { service: sea, reason: 'not_served' },
  ])
  t.equal(partial.body.errors.length, 2, 'each service once')
  t.notMatch(JSON.stringify(partial.body), /martes/)
  const rate = {
    service: { ...air, more: 'Promo' },
    price: { amount: 900, currency: 'PEN' },
    breakdown: [
      { code: 'freight', amount: 1_000 },
      { code: 'Promo', amount: -100 },
    ],
    transitDays: { min: 3, max: 1 },
  }
  const twice = [rate, { ...rate, price: { amount: 1, currency: 'PEN' } }]
  const { body } = await quotedBy({ ...quoted, rates: twice })
  t.equal(body.status, 'complete')
  const { courier_connection_id, origin, destination, package: parcel } = shop.bodyOf('any')
  t.strictSame(body.rates, [
    {
      courier_connection_id,
      origin,
      destination,
      package: parcel,
      service: air,
      amount: 900,
      currency: 'PEN',
      breakdown: [
        { code: 'freight', amount: 1_000 },
        { code: 'other', amount: -100 },
      ],
      transit_days: { min: 1, max: 3 },
    },
  ])
})

t.test('quotes are kept for a week and then deleted', async (t) => {
  const [{ body: old }, { body: young }] = await Promise.all([quote(shop), quote(shop)])
  const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000)
  const { db } = shop.parts
  for (const [id, days] of [
    [old.id, 7.01],
    [young.id, 6.99],
  ] as const) {
    await db
      .updateTable('quotes')
      .set({ stored_at: ago(days) })
      .where('id', '=', id)
      .execute()
  }
  t.equal(await forgetQuotes(db), 1)
  t.equal((await shop.call(`/v1/quotes/${old.id}`)).status, 404)
  t.equal((await shop.call(`/v1/quotes/${young.id}`)).status, 200)
})
