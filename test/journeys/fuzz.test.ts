import t from 'tap'
import { apiOf } from '../../src/api.ts'
import { fuzzCouriers, fuzzReceivers } from '../prove/fuzz/fuzz-answers.ts'
import { fuzzApi } from '../prove/fuzz/fuzz-api.ts'
import { noLogger, service } from '../support/service.ts'

/** The same each time: `npm run prove:fuzz` goes on looking with others. */
const seed = Number(process.env.FUZZ_SEED ?? 403_008_540)

const shop = await service(t, { roles: ['api', 'projector'] })

t.test('what no text of a database can be is not found, or no filter', async (t) => {
  const filtered = await shop.call('/v1/courier-connections?provider_code=a%00b')
  t.equal(filtered.status, 400)
  for (const position of ['%00', 'a%00b', '%F0%9F%92%A9', ' ']) {
    const answer = await shop.call(`/v1/ledger/proof/${position}`)
    t.match(answer, { status: 404, body: { reason: 'not_found' } }, position)
  }
})

t.test('hostile requests of every operation get answers as the document says', async (t) => {
  const { app, keys } = apiOf(shop.parts, noLogger())
  t.teardown(() => app.close())
  t.teardown(() => keys.close())
  const { requests, violations, statuses } = await fuzzApi(app, shop, { seed, requests: 400 })
  t.same(violations, [], `FUZZ_SEED=${seed}`)
  t.ok(requests >= 400)
  t.ok(Object.keys(statuses).length > 6, 'of many kinds')
})

t.test(
  'what a courier answers is never thrown and never taken for more than it says',
  async (t) => {
    const { answers, violations, kinds } = await fuzzCouriers(t, { seed, answers: 200 })
    t.same(violations, [], `FUZZ_SEED=${seed}`)
    t.ok(answers >= 200)
    t.ok(Number(kinds.unknown) > 0)
  },
)

t.test('what a receiver answers is never thrown, and little of it is kept', async (t) => {
  const { answers, violations, kinds } = await fuzzReceivers(t, { seed, answers: 200 })
  t.same(violations, [], `FUZZ_SEED=${seed}`)
  t.ok(answers >= 200)
  t.ok(Object.keys(kinds).length > 2)
})
