import t from 'tap'
import { freshShop } from '../../support/api-client.ts'
import { service } from '../../support/service.ts'

const home = await service(t)

t.test('every guide that the courier listed is shown with its price, until erasure', async (t) => {
  const shop = await freshShop(home, 'listed-guides')
  const { body } = await shop.create('two-guides', { scenario: 'duplicate_guides' })
  const path = `/v1/operations/${body.operation_id}`
  t.same((await shop.call(`${path}/guides`)).body, { data: [] }, 'no look has found any so far')
  await shop.advance('PT1M')
  const { looks } = (await shop.call(path)).body
  const numbers: readonly string[] = looks[0].guide_numbers
  const { status, body: guides } = await shop.call(`${path}/guides`)
  t.equal(status, 200)
  const price = { amount: Number, currency: 'PEN' }
  const at = { first_listed_at: looks[0].at, last_listed_at: looks.at(-1).at }
  t.match(
    guides.data,
    numbers.map((guide_number) => ({ guide_number, listed: true, price, ...at })),
  )
  t.equal(numbers.length, 2)
  t.notMatch(JSON.stringify(guides), /pickup/, 'a secret of the recipient')

  const [ours] = numbers
  const decision = { decision: 'guide_exists', guide_number: ours, note: 'The agency has it.' }
  await shop.call(`${path}/resolve`, { body: decision, key: shop.seeded.operatorKey })
  t.match((await shop.call(`${path}/guides`)).body.data, [{ listed: true }, { listed: true }])

  await shop.call(`/v1/shipments/${body.shipment_id}/erase-personal-data`, { method: 'POST' })
  const erased = (await shop.call(`${path}/guides`)).body.data
  t.match(erased, [{ guide_number: ours, price: null }, { price: null }])
})

t.test('an operation whose guide was issued at once lists no guide of a look', async (t) => {
  const shop = await freshShop(home, 'issued')
  const { body } = await shop.create('issued', { scenario: 'happy_path' })
  const requested = (await shop.events(body.id)).find(({ type }) => type === 'GuideRequested')
  const id = requested?.data.operation_id
  t.same((await shop.call(`/v1/operations/${id}/guides`)).body, { data: [] })
})
