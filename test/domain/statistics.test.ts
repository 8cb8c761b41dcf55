import t from 'tap'
import { bucketOf, bucketsOf, quantileOf } from '../../src/service/domain/statistics/histogram.ts'
import { periodOf, pointCountOf, pointsOf } from '../../src/service/domain/statistics/periods.ts'

const bounds = [10, 100, 1_000]

t.test('a value is counted in the first bucket that it fits into', async (t) => {
  const named = [0, 10, 11, 1_000, 1_001].map((value) => bucketOf(bounds, value))
  t.same(named, ['10', '10', '100', '1000', 'more'])
  const histogram = new Map([
    ['10', 3],
    ['more', 1],
  ])
  t.same(bucketsOf(bounds, histogram), [
    { bound: 10, count: 3 },
    { bound: 100, count: 0 },
    { bound: 1_000, count: 0 },
    { bound: null, count: 1 },
  ])
})

t.test('a quantile lies within its bucket, in proportion to what is below it', async (t) => {
  t.equal(quantileOf(bounds, new Map(), 0.5), null)
  t.equal(quantileOf(bounds, new Map([['100', 4]]), 0.5), 55)
  t.equal(quantileOf(bounds, new Map([['100', 4]]), 1), 100)
  const spread = new Map([
    ['10', 90],
    ['1000', 10],
  ])
  t.equal(quantileOf(bounds, spread, 0.5), 10 * (50 / 90))
  t.equal(quantileOf(bounds, spread, 0.95), 550)
  t.equal(quantileOf(bounds, new Map([['more', 5]]), 0.5), 1_000, 'the last bound, without a limit')
})

const at = (text: string) => Date.parse(text)

t.test('a period is widened to whole intervals and includes the present one', async (t) => {
  const now = at('2026-03-01T12:34:56.789Z')
  const none = { from: undefined, to: undefined, now }
  t.match(periodOf({ ...none, interval: 'hour' }), {
    from: at('2026-02-28T13:00:00Z'),
    to: at('2026-03-01T13:00:00Z'),
  })
  t.match(periodOf({ ...none, interval: 'minute' }), {
    from: at('2026-03-01T11:35:00Z'),
    to: at('2026-03-01T12:35:00Z'),
  })
  t.match(periodOf({ ...none, interval: 'day' }), { to: at('2026-03-02T00:00:00Z') })
  const onTheHour = periodOf({ ...none, interval: 'hour', now: at('2026-03-01T12:00:00Z') })
  t.equal(onTheHour.to, at('2026-03-01T13:00:00Z'), 'an hour that begins now is included')
  const asked = { from: at('2026-03-01T10:59:59Z'), to: at('2026-03-01T12:00:00Z'), now }
  const period = periodOf({ ...asked, interval: 'hour' })
  t.same(pointsOf(period), [at('2026-03-01T10:00:00Z'), at('2026-03-01T11:00:00Z')])
  t.equal(pointCountOf(period), 2)
})
