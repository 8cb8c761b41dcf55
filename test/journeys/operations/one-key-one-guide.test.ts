import t from 'tap'
import { service } from '../../support/service.ts'

t.test('fifty requests with one key at once make one guide and get one answer', async (t) => {
  const shop = await service(t)
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.create('order-50')))
  t.comment(`took ${performance.now() - began} ms`)
  t.same([...new Set(answers.map((answer) => answer.status))], [201])
  t.equal(new Set(answers.map((answer) => answer.body.guide_number)).size, 1)
  t.equal(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null).length, 1)
})

t.test(
  'simultaneous retries of a failed key all get the guide, not the earlier failure',
  async (t) => {
    const shop = await service(t)
    const scenario = 'courier_unreachable'
    const failed = await shop.create('order-51', { scenario })
    t.match(failed, { status: 503, body: { reason: 'courier_unreachable' } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.create('order-51', { scenario })),
    )
    t.same([...new Set(answers.map((answer) => answer.status))], [201])
    t.equal(new Set(answers.map((answer) => answer.body.guide_number)).size, 1)
  },
)
