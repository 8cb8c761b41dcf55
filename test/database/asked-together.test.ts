import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { batched } from '../../src/database/batched.ts'
import { Batcher, BatcherFull } from '../../src/database/batcher.ts'
import { FreshCache } from '../../src/database/fresh-cache.ts'
import { clocks } from '../support/clocks.ts'

/** Answers only when the test says so, which keeps calls in flight. */
function held<T>() {
  const calls: { readonly asked: T; readonly go: () => void; readonly fail: (e: Error) => void }[] =
    []
  const ask = (asked: T) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    calls.push({ asked, go: resolve, fail: reject })
    return promise
  }
  return { calls, ask }
}

const outcomeOf = (answer: Promise<string>) => answer.catch(({ message }: Error) => message)

t.test('requests made while a statement runs are batched into the next one', async (t) => {
  const { calls, ask } = held<readonly number[]>()
  const double = batched(async (_db: object, items: readonly number[]) => {
    await ask(items)
    return items.map((item) => item * 2)
  })
  const [db, other] = [{}, {}]
  const answers = [double(db, 1), double(db, 2)]
  await turn()
  answers.push(double(db, 3), double(db, 4), double(other, 5))
  await turn()
  t.same(
    calls.map(({ asked }) => asked),
    [[1, 2], [5]],
    'another database does not wait',
  )
  for (const { go } of calls) go()
  await turn()
  t.same(calls[2]?.asked, [3, 4])
  calls[2]?.go()
  t.same(await Promise.all(answers), [2, 4, 6, 8, 10])
})

t.test('a failed batch fails only its own items, and a full queue refuses more', async (t) => {
  const { calls, ask } = held<readonly string[]>()
  const batcher = new Batcher<string, string>({
    batchMax: 2,
    queueMax: 3,
    inFlightMax: 2,
    write: async (items) => {
      await ask(items)
      return items
    },
  })
  const answers = ['a', 'b', 'c'].map((item) => outcomeOf(batcher.add(item)))
  await turn()
  t.same(
    calls.map(({ asked }) => asked),
    [['a', 'b'], ['c']],
    'two are in flight at once',
  )
  answers.push(...['d', 'e', 'f'].map((item) => outcomeOf(batcher.add(item))))
  await t.rejects(batcher.add('g'), BatcherFull)
  calls[0]?.fail(new Error('lost'))
  calls[1]?.go()
  await turn()
  for (const { go } of calls.slice(2)) go()
  t.same(await Promise.all(answers), ['lost', 'lost', 'c', 'd', 'e', 'f'])
  await batcher.idle()
})

t.test('a value is cached for its time, until it is forgotten or evicted', async (t) => {
  const cache = new FreshCache<number>({ freshMs: 60_000, keptMax: 2 })
  let reads = 0
  const read = async () => ++reads
  t.same(await Promise.all([cache.get('a', read), cache.get('a', read)]), [1, 1])
  cache.forget('a')
  t.equal(await cache.get('a', read), 2)
  t.equal(await cache.get('b', read), 3)
  t.equal(await cache.get('c', read), 4)
  t.equal(await cache.get('a', read), 5, 'the oldest value was evicted')
  const stale = new FreshCache<number>({ freshMs: 0, keptMax: 2 })
  await stale.get('a', read)
  t.equal(await stale.get('a', read), 7)
})

t.test('a cached value expires on time even if the wall clock is changed', async (t) => {
  const { setWall, pass } = clocks(t)
  const cache = new FreshCache<number>({ freshMs: 4_000, keptMax: 2 })
  let reads = 0
  const read = async () => ++reads
  t.equal(await cache.get('a', read), 1)
  setWall(-3_600_000)
  t.equal(await cache.get('a', read), 1)
  pass(4_000)
  t.equal(await cache.get('a', read), 2)
  setWall(7_200_000)
  t.equal(await cache.get('a', read), 2, 'setting the clock forward does not expire it')
})

t.test(
  'missing values, failed reads and values forgotten during a read are not cached',
  async (t) => {
    const cache = new FreshCache<string>({ freshMs: 60_000, keptMax: 10 })
    t.equal(await cache.get('a', async () => null), null)
    await t.rejects(
      cache.get('a', async () => {
        throw new Error('away')
      }),
      /away/,
    )
    const { calls, ask } = held<string>()
    const slow = cache.get('a', async () => {
      await ask('a')
      return 'old'
    })
    cache.forget('a')
    t.equal(await cache.get('a', async () => 'new'), 'new')
    calls[0]?.go()
    t.equal(await slow, 'old')
    t.equal(await cache.get('a', async () => 'newer'), 'new')
  },
)
