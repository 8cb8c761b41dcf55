import t from 'tap'
import {
  bindQuote,
  cheapestFirst,
  type QuoteTerms,
  quoteErrorReason,
  quoteTimes,
  type Rate,
  type Sums,
} from '../../src/service/domain/quote.ts'
import { request, start } from '../support/given.ts'

const sender = { mode: 'terrestrial', payer: 'sender' }
const { courier_connection_id, origin, destination, package: parcel } = request
const wanted = { courier_connection_id, origin, destination, package: parcel, service: sender }
const price = { amount: 1_860, currency: 'PEN' }
const rate: Rate = {
  courier_connection_id,
  service: sender,
  ...price,
  breakdown: [],
  transit_days: { min: 1, max: 4 },
}
const terms: QuoteTerms = {
  parcels: [{ courier_connection_id, origin, destination, package: parcel }],
  sums: {},
  rates: [rate, { ...rate, service: { ...sender, mode: 'air' }, amount: 3_106 }],
  expiresAt: start + quoteTimes.validMs,
}

t.test('a quote gives the price of its service until it expires', async (t) => {
  t.strictSame(bindQuote(terms, wanted, start), { kind: 'bound', price })
  t.strictSame(bindQuote(terms, wanted, terms.expiresAt - 1), { kind: 'bound', price })
  t.strictSame(bindQuote(terms, wanted, terms.expiresAt), { kind: 'expired' })
  const air = { ...wanted, service: { mode: 'air', payer: 'sender' } }
  t.match(bindQuote(terms, air, start), { kind: 'bound', price: { amount: 3_106 } })
})

t.test('a quote refuses a request that differs and names the differing fields', async (t) => {
  const agency = { agency_id: 'agy_0000000000000000000009' }
  const other = 'ccn_0000000000000000000009'
  const size = (field: string) => ({ package: { ...parcel, [field]: 0.5 } })
  for (const [pointer, change] of [
    ['/courier_connection_id', { courier_connection_id: other }],
    ['/origin/agency_id', { origin: agency }],
    ['/destination/agency_id', { destination: agency }],
    ['/package/product_id', { package: { ...parcel, product_id: 'pkg_0' } }],
    ['/package/quantity', { package: { ...parcel, quantity: 2 } }],
    ['/package/weight_kg', size('weight_kg')],
    ['/package/height_m', size('height_m')],
    ['/package/length_m', size('length_m')],
    ['/package/width_m', size('width_m')],
    ['/service', { service: { ...sender, payer: 'recipient' } }],
  ] as const) {
    const bound = bindQuote(terms, { ...wanted, ...change }, start)
    t.strictSame(bound, { kind: 'mismatch', pointers: [pointer] })
  }
  const unpriced = bindQuote({ ...terms, rates: [] }, { ...wanted, origin: agency }, start)
  t.match(unpriced, { pointers: ['/origin/agency_id', '/service'] })
})

t.test('a quote binds the declared value and the cash on delivery that it was for', async (t) => {
  const sum = { amount: 12_500, currency: 'PEN' }
  const sums = { declared_value: sum, cash_on_delivery: { ...sum, amount: 4_000 } }
  const binds = (quoted: Sums, asked: Sums) =>
    bindQuote({ ...terms, sums: quoted }, { ...wanted, ...asked }, start)
  for (const same of [{}, sums, { declared_value: sum }, { cash_on_delivery: sum }]) {
    t.strictSame(binds(same, same), { kind: 'bound', price })
  }
  t.strictSame(binds({}, { declared_value: null, cash_on_delivery: null }), {
    kind: 'bound',
    price,
  })
  for (const [pointers, quoted, asked] of [
    [['/declared_value'], {}, { declared_value: sum }],
    [['/declared_value'], { declared_value: sum }, {}],
    [['/declared_value'], { declared_value: sum }, { declared_value: { ...sum, amount: 1 } }],
    [['/cash_on_delivery'], sums, { ...sums, cash_on_delivery: sum }],
    [['/cash_on_delivery'], sums, { ...sums, cash_on_delivery: null }],
    [
      ['/cash_on_delivery'],
      { cash_on_delivery: sum },
      { cash_on_delivery: { ...sum, currency: 'USD' } },
    ],
    [['/declared_value', '/cash_on_delivery'], sums, {}],
  ] as const) {
    t.strictSame(binds(quoted, asked), { kind: 'mismatch', pointers })
  }
})

t.test('a quote over several connections binds each one at its own rate and ids', async (t) => {
  const other = 'ccn_0000000000000000000002'
  const unpriced = 'ccn_0000000000000000000003'
  const unknown = 'ccn_0000000000000000000004'
  const agency = { agency_id: 'agy_0000000000000000000002' }
  const own = { courier_connection_id, origin, destination, package: parcel }
  const parcels = [
    own,
    { ...own, courier_connection_id: other, origin: agency },
    { ...own, courier_connection_id: unpriced },
  ]
  const several: QuoteTerms = {
    ...terms,
    parcels,
    rates: [{ ...rate, courier_connection_id: other, amount: 900 }, rate],
  }
  t.strictSame(bindQuote(several, wanted, start), { kind: 'bound', price })
  const atOther = { ...wanted, courier_connection_id: other, origin: agency }
  t.match(bindQuote(several, atOther, start), { kind: 'bound', price: { amount: 900 } })
  t.strictSame(bindQuote(several, { ...atOther, origin }, start), {
    kind: 'mismatch',
    pointers: ['/origin/agency_id'],
  })
  t.strictSame(bindQuote(several, { ...wanted, courier_connection_id: unpriced }, start), {
    kind: 'mismatch',
    pointers: ['/service'],
  })
  t.strictSame(bindQuote(several, { ...wanted, courier_connection_id: unknown }, start), {
    kind: 'mismatch',
    pointers: ['/courier_connection_id'],
  })
  t.strictSame(bindQuote({ ...several, parcels: [], rates: [] }, wanted, start), {
    kind: 'mismatch',
    pointers: ['/courier_connection_id'],
  })
})

t.test(
  'rates are cheapest first within a currency, and the faster first at one price',
  async (t) => {
    const of = (amount: number, currency: string, min: number, max: number): Rate => ({
      ...rate,
      amount,
      currency,
      transit_days: { min, max },
    })
    const usd = of(1, 'USD', 1, 1)
    const slow = of(900, 'PEN', 2, 4)
    const fast = of(900, 'PEN', 1, 2)
    const dear = of(2_000, 'PEN', 1, 1)
    const sooner = of(900, 'PEN', 1, 4)
    t.strictSame(cheapestFirst([usd, dear, slow, sooner, fast]), [fast, sooner, slow, dear, usd])
  },
)

t.test('an unknown quote error reason is shown as unavailable', async (t) => {
  t.equal(quoteErrorReason('no_capacity'), 'no_capacity')
  t.equal(quoteErrorReason('sin_cupo'), 'unavailable')
  t.equal(quoteErrorReason('constructor'), 'unavailable')
})
