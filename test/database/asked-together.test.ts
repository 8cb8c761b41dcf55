import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import t from 'tap'
import { Batcher, BatcherFull, batched } from '../../src/service/database/batcher.ts'
import { type ReadCache, readThrough } from '../../src/service/database/read-through.ts'
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
  const cache: ReadCache<number> = new LRUCache({ max: 2, ttl: 60_000, ttlResolution: 0 })
  let reads = 0
  const read = async () => ++reads
  const get = (key: string) => readThrough(cache, key, read)
  t.same(await Promise.all([get('a'), get('a')]), [1, 1])
  cache.delete('a')
  t.equal(await get('a'), 2)
  t.equal(await get('b'), 3)
  t.equal(await get('c'), 4)
  t.equal(await get('a'), 5, 'beyond its capacity the oldest entry is evicted')
})

t.test('a cached value expires on time even if the wall clock is changed', async (t) => {
  const { setWall, pass } = clocks(t)
  const cache: ReadCache<number> = new LRUCache({ max: 2, ttl: 4_000, ttlResolution: 0 })
  let reads = 0
  const get = () => readThrough(cache, 'a', async () => ++reads)
  t.equal(await get(), 1)
  setWall(-3_600_000)
  t.equal(await get(), 1)
  pass(4_000)
  t.equal(await get(), 2)
  setWall(7_200_000)
  t.equal(await get(), 2, 'setting it forward expires nothing either')
})

t.test(
  'missing values, failed reads and values forgotten during a read are not cached',
  async (t) => {
    const cache: ReadCache<string> = new LRUCache({ max: 1 })
    const get = (read: () => Promise<string | null>) => readThrough(cache, 'a', read)
    t.equal(await get(async () => null), null)
    await t.rejects(
      get(async () => {
        throw new Error('away')
      }),
      /away/,
    )
    const { calls, ask } = held<string>()
    const slow = get(async () => {
      await ask('a')
      return 'old'
    })
    cache.delete('a')
    t.equal(await get(async () => 'new'), 'new')
    calls[0]?.go()
    t.equal(await slow, 'old')
    t.equal(await get(async () => 'newer'), 'new')
  },
)

t.test('a read that ends late answers its own callers and changes nothing newer', async (t) => {
  const cache: ReadCache<string> = new LRUCache({ max: 1 })
  const get = (key: string, read: () => Promise<string | null>) => readThrough(cache, key, read)
  for (const end of ['finds nothing', 'fails'] as const) {
    cache.clear()
    const { calls, ask } = held<string>()
    const slow = get('a', async () => {
      await ask('a')
      return null
    })
    cache.delete('a')
    t.equal(await get('a', async () => 'new'), 'new')
    if (end === 'fails') calls[0]?.fail(new Error('away'))
    else calls[0]?.go()
    if (end === 'fails') await t.rejects(slow, /away/)
    else t.equal(await slow, null)
    t.equal(await get('a', async () => 'newer'), 'new', end)
  }
  const { calls, ask } = held<string>()
  const crowdedOut = get('b', async () => {
    await ask('b')
    return 'old'
  })
  await get('c', async () => 'c')
  calls[0]?.go()
  t.equal(await crowdedOut, 'old', 'although there was no room to cache it')
  t.equal(await get('b', async () => 'newer'), 'newer')
})
