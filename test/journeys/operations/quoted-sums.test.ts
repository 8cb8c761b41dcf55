import t from 'tap'
import type { Answer } from '../../support/api-client.ts'
import { sumFeePercent } from '../../support/priced-courier.ts'
import { type RatedConnection, ratedShop } from '../../support/rated-shop.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const declared_value = { amount: 20_000, currency: 'PEN' }
const cash_on_delivery = { amount: 12_500, currency: 'PEN' }
const sums = { declared_value, cash_on_delivery }
const freight = 1_000
const fee = ((declared_value.amount + cash_on_delivery.amount) * sumFeePercent) / 100
const pointersOf = ({ body }: Answer) =>
  body.errors.map(({ pointer }: { pointer: string }) => pointer)

/** Takes both sums, cash on delivery, or none. */
const rated = await ratedShop(
  { ...shop, parts: shop.parts },
  {
    name: 'sums',
    count: 3,
    takes: (number) =>
      number === 0
        ? ['declared_value', 'cash_on_delivery']
        : number === 1
          ? ['cash_on_delivery']
          : [],
  },
)
t.teardown(() => rated.close())
const [both, cash, none] = rated.connections as [RatedConnection, RatedConnection, RatedConnection]
const quoted = (body: object) =>
  rated.call('/v1/quotes', { body: { ...rated.quoteBody(), ...body } })
const compared = (body: object) =>
  rated.call('/v1/quotes', { body: { ...rated.ratesBody(), ...body } })
/** The body of a quote of one connection. */
const at = ({ id, originId, destinationId, productId }: RatedConnection) => ({
  courier_connection_id: id,
  origin: { agency_id: originId },
  destination: { agency_id: destinationId },
  package: { ...(rated.quoteBody().package as object), product_id: productId },
})

t.test('a price is that of the parcel with its value and cash on delivery', async (t) => {
  both.courier.calls.length = 0
  const { status, body } = await quoted(sums)
  t.equal(status, 201)
  t.match(body, { ...sums, status: 'complete', rates: [{ amount: freight + fee }] })
  t.strictSame((await rated.call(`/v1/quotes/${body.id}`)).body, body)
  t.match(both.courier.calls, [{ body: sums }])
  const made = await rated.create('as-quoted', { body: { ...sums, quote_id: body.id } })
  const price = { amount: freight + fee, currency: 'PEN' }
  t.match(made, { status: 201, body: { ...sums, price, quote_id: body.id } })
  t.match(both.courier.calls[1]?.body, { ...sums, quoted_amount: price })
})

t.test('a creation with another value or cash on delivery than its quote is refused', async (t) => {
  const { body: quote } = await quoted(sums)
  const { body: plain } = await quoted({ declared_value: null, cash_on_delivery: null })
  t.match(plain, { declared_value: null, cash_on_delivery: null, rates: [{ amount: freight }] })
  both.courier.calls.length = 0
  const more = { ...cash_on_delivery, amount: 12_501 }
  for (const [quoteId, asked, pointers] of [
    [quote.id, {}, ['/declared_value', '/cash_on_delivery']],
    [quote.id, { declared_value }, ['/cash_on_delivery']],
    [quote.id, { ...sums, cash_on_delivery: more }, ['/cash_on_delivery']],
    [plain.id, { cash_on_delivery }, ['/cash_on_delivery']],
  ] as const) {
    const refused = await rated.create('another', { body: { ...asked, quote_id: quoteId } })
    t.match(refused, { status: 422, body: { reason: 'quote_mismatch' } })
    t.strictSame(pointersOf(refused), pointers)
  }
  t.strictSame(both.courier.calls, [], 'no courier was asked')
  const made = await rated.create('another', { body: { ...sums, quote_id: quote.id } })
  t.equal(made.status, 201, 'the key is not used up')
})

t.test('a courier without the capability is not asked for the price', async (t) => {
  none.courier.calls.length = 0
  cash.courier.calls.length = 0
  const refused = await quoted({ ...at(none), ...sums })
  t.match(refused, { status: 422, body: { reason: 'not_supported_by_courier' } })
  t.strictSame(pointersOf(refused), ['/declared_value', '/cash_on_delivery'])
  t.strictSame(pointersOf(await quoted({ ...at(cash), ...sums })), ['/declared_value'])
  t.strictSame([...none.courier.calls, ...cash.courier.calls], [])
  t.equal((await quoted({ ...at(cash), cash_on_delivery })).status, 201)
  t.match(cash.courier.calls[0]?.body, { cash_on_delivery })
  t.equal((await quoted(at(none))).status, 201)
  const { cash_on_delivery: sent } = none.courier.calls[0]?.body ?? {}
  t.equal(sent, undefined, 'an old connector gets what it knows')
})

t.test('beside other rates, a courier without the capability is an error', async (t) => {
  for (const { courier } of rated.connections) courier.calls.length = 0
  const { status, body } = await compared(sums)
  t.match({ status, body }, { status: 201, body: { ...sums, status: 'partial' } })
  t.strictSame(
    body.rates.map((rate: { courier_connection_id: string }) => rate.courier_connection_id),
    [both.id, both.id],
  )
  const lacks = (capabilities: string) => `The courier does not have the ${capabilities}.`
  const error = { service: null, reason: 'not_supported_by_courier' }
  t.strictSame(body.errors, [
    { ...error, courier_connection_id: cash.id, detail: lacks('capability declared_value') },
    {
      ...error,
      courier_connection_id: none.id,
      detail: lacks('capabilities declared_value and cash_on_delivery'),
    },
  ])
  t.strictSame([...none.courier.calls, ...cash.courier.calls], [])
  t.strictSame((await rated.call(`/v1/quotes/${body.id}`)).body, body)
  const bound = (asked: object) => rated.create('chosen', { body: { ...asked, quote_id: body.id } })
  t.strictSame(pointersOf(await bound({ declared_value })), ['/cash_on_delivery'])
  t.match(await bound(sums), { status: 201, body: { price: { amount: freight + fee } } })
  const whole = await compared({ cash_on_delivery: null })
  t.match(whole.body, { status: 'complete', cash_on_delivery: null })
  t.equal(whole.body.rates.length, 6)
})

t.test('sums of a wrong form are refused by their pointers, as in a creation', async (t) => {
  for (const [wrong, pointer] of [
    [{ cash_on_delivery: { ...cash_on_delivery, amount: 0 } }, '/cash_on_delivery/amount'],
    [{ declared_value: { ...declared_value, currency: 'pen' } }, '/declared_value/currency'],
    [{ declared_value: { amount: 1 } }, '/declared_value/currency'],
  ] as const) {
    const refused = await quoted(wrong)
    t.equal(refused.status, 422)
    t.strictSame(pointersOf(refused), [pointer])
    t.strictSame(pointersOf(await compared(wrong)), [pointer])
  }
})
