import t from 'tap'
import { agencyIdOf, catalogue } from '../../src/service/couriers/catalogue.ts'
import { isId } from '../../src/service/domain/ids.ts'
import { played } from './support.ts'

const mock = { livemode: false, providerCode: 'mock' }

t.test('agencies and products have our own stable ids and are found by them', async (t) => {
  const { courier } = await played((end) => t.teardown(end))
  const { agencies, agency, packageProducts, packageProduct } = catalogue(() => courier)
  const listed = await agencies(mock)
  if (listed.kind !== 'listed') throw new Error('not listed')
  const { items } = listed.index
  t.ok(items.length >= 55 && items.length <= 70, 'about sixty')
  t.equal(new Set(items.map(({ id }) => id)).size, items.length)
  for (const item of items) {
    t.ok(isId('agy', item.id))
    t.equal(item.id, agencyIdOf('mock', item.code))
    t.strictSame(await agency(mock, item.id), { kind: 'found', item })
  }
  t.strictSame(await agency(mock, agencyIdOf('mock', 'nowhere')), { kind: 'absent' })
  const products = await packageProducts(mock)
  if (products.kind !== 'listed') throw new Error('not listed')
  t.strictSame(
    products.items.map(({ code }) => code),
    ['envelope', 'box_xxs', 'box_xs', 'box_s', 'box_m', 'box_l', 'pallet'],
  )
  const [item] = products.items
  t.ok(isId('pkg', item?.id ?? ''))
  t.strictSame(await packageProduct(mock, item?.id ?? ''), { kind: 'found', item })
})

t.test('the same courier under two codes gets two sets of agency ids', async (t) => {
  const { courier } = await played((end) => t.teardown(end))
  const { agency } = catalogue(() => courier)
  const id = agencyIdOf('mock', 'A001')
  t.match(await agency(mock, id), { kind: 'found' })
  t.strictSame(await agency({ ...mock, providerCode: 'other' }, id), { kind: 'absent' })
})

t.test('a list is fetched once in ten minutes, however many requests need it', async (t) => {
  const { courier, record } = await played((end) => t.teardown(end))
  let nowMs = 0
  const { agencies } = catalogue(
    () => courier,
    () => nowMs,
  )
  const asked = () => record.callCount('agencies')
  await Promise.all(Array.from({ length: 20 }, () => agencies(mock)))
  t.equal(asked(), 1)
  nowMs = 10 * 60_000 - 1
  await agencies(mock)
  t.equal(asked(), 1)
  nowMs += 1
  await agencies(mock)
  t.equal(asked(), 2)
})

t.test('while a list is being refreshed, the old one is returned', async (t) => {
  const { courier, record } = await played((end) => t.teardown(end))
  const gate = Promise.withResolvers<void>()
  let mayAnswer: Promise<void> = Promise.resolve()
  let nowMs = 0
  const { agencies, agency } = catalogue(
    () => ({ ...courier, agencies: () => mayAnswer.then(() => courier.agencies()) }),
    () => nowMs,
  )
  const listed = async () => {
    const answer = await agencies(mock)
    return answer.kind === 'listed' ? answer.index : null
  }
  const before = await listed()
  nowMs = 10 * 60_000
  mayAnswer = gate.promise
  const asking = listed()
  t.equal(await listed(), before, 'the courier has not answered yet')
  t.match(await agency(mock, agencyIdOf('mock', 'A001')), { kind: 'found' })
  gate.resolve()
  const after = await asking
  t.not(after, before)
  t.equal(await listed(), after)
  t.equal(record.callCount('agencies'), 2)
})

t.test('if the courier fails, its last list is returned', async (t) => {
  const { courier, simulator } = await played((end) => t.teardown(end))
  let nowMs = 0
  const { agencies, packageProducts } = catalogue(
    () => courier,
    () => nowMs,
  )
  const before = await agencies(mock)
  await simulator.close()
  nowMs = 60 * 60_000
  t.strictSame(await agencies(mock), before)
  t.match(await packageProducts(mock), { kind: 'not_sent' }, 'a list never had is a failure')
})

t.test('a courier that is no longer registered is absent, even with a cached list', async (t) => {
  const { courier } = await played((end) => t.teardown(end))
  let registered = true
  const { agencies, agency } = catalogue(() => (registered ? courier : null))
  t.match(await agencies(mock), { kind: 'listed' })
  registered = false
  t.strictSame(await agencies(mock), { kind: 'absent' })
  t.strictSame(await agency(mock, agencyIdOf('mock', 'A001')), { kind: 'absent' })
})
