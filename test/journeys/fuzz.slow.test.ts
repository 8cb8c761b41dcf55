import t from 'tap'
import { apiOf } from '../../src/service/api.ts'
import { fuzzCouriers, fuzzReceivers } from '../prove/fuzz/fuzz-answers.ts'
import { fuzzApi } from '../prove/fuzz/fuzz-api.ts'
import { noLogger, service } from '../support/service.ts'

/** A fixed seed; `npm run prove:fuzz` tries others. */
const seed = Number(process.env.FUZZ_SEED ?? 403_008_540)

const shop = await service(t, { roles: ['api', 'projector'] })

t.test('text that the database cannot store is not found, or refused as a filter', async (t) => {
  const filtered = await shop.call('/v1/courier-connections?provider_code=a%00b')
  t.equal(filtered.status, 400)
  for (const position of ['%00', 'a%00b', '%F0%9F%92%A9', ' ']) {
    const answer = await shop.call(`/v1/ledger/proof/${position}`)
    t.match(answer, { status: 404, body: { reason: 'not_found' } }, position)
  }
})

t.test('hostile requests to every operation get only declared answers', async (t) => {
  const { app, keys } = apiOf(shop.parts, noLogger())
  t.teardown(() => app.close())
  t.teardown(() => keys.close())
  const { requests, violations, statuses } = await fuzzApi(app, shop, { seed, requests: 400 })
  t.same(violations, [], `FUZZ_SEED=${seed}`)
  t.ok(requests >= 400)
  t.ok(Object.keys(statuses).length > 6, 'of many kinds')
})

t.test('hostile courier answers never throw and never count for more than they say', async (t) => {
  const { answers, violations, kinds } = await fuzzCouriers(t, { seed, answers: 200 })
  t.same(violations, [], `FUZZ_SEED=${seed}`)
  t.ok(answers >= 200)
  t.ok(Number(kinds.unknown) > 0)
})

t.test('hostile receiver answers never throw, and only an excerpt of them is kept', async (t) => {
  const { answers, violations, kinds } = await fuzzReceivers(t, { seed, answers: 200 })
  t.same(violations, [], `FUZZ_SEED=${seed}`)
  t.ok(answers >= 200)
  t.ok(Object.keys(kinds).length > 2)
})
