import t from 'tap'
import { FairSemaphore, type FairSemaphoreLimits } from '../src/service/fair-semaphore.ts'

const refused = { message: 'no turn' }

const limits: FairSemaphoreLimits = {
  atOnceMax: 1,
  ofOrganizationMax: 1,
  waitingMax: 8,
  ofOrganizationWaitingMax: 4,
  waitMs: 60_000,
}

function semaphoreOf(other: Partial<FairSemaphoreLimits> = {}): FairSemaphore {
  return new FairSemaphore({ ...limits, ...other }, () => new Error(refused.message))
}

/** The order in which callers of these organizations are served when each finishes at once. */
async function orderOf(
  semaphore: FairSemaphore,
  callers: readonly string[],
): Promise<readonly string[]> {
  const order: string[] = []
  const end = await semaphore.acquire('first')
  const all = callers.map((name) => semaphore.run(name, async () => void order.push(name)))
  end()
  await Promise.all(all)
  return order
}

t.test(
  'organizations have their turns one after the other, however many callers each has',
  async (t) => {
    t.strictSame(await orderOf(semaphoreOf(), ['a', 'a', 'a', 'b', 'b', 'c']), [
      'a',
      'b',
      'c',
      'a',
      'b',
      'a',
    ])
  },
)

t.test(
  'an organization with turns running leaves the others to the other organizations',
  async (t) => {
    const semaphore = semaphoreOf({ atOnceMax: 3, ofOrganizationMax: 2 })
    const ends = [await semaphore.acquire('a'), await semaphore.acquire('a')]
    let isBegun = false
    const third = semaphore.acquire('a').then((end) => {
      isBegun = true
      return end
    })
    const other = await semaphore.acquire('b')
    other()
    t.equal(isBegun, false, 'its third waits, although a place is free')
    ends[0]?.()
    ends[0]?.()
    const end = await third
    end()
    ends[1]?.()
    t.strictSame(
      await orderOf(semaphore, ['a', 'b']),
      ['a', 'b'],
      'ending a turn twice ends it once',
    )
  },
)

t.test('callers beyond the queue are refused, of the organization with most first', async (t) => {
  const semaphore = semaphoreOf({ waitingMax: 3, ofOrganizationWaitingMax: 3 })
  const end = await semaphore.acquire('running')
  const waiting = ['a', 'a', 'a'].map((name) => semaphore.run(name, async () => 'served'))
  await t.rejects(
    semaphore.run('a', async () => 'never'),
    refused,
    'its own queue is full',
  )
  const last = t.rejects(waiting[2] as Promise<string>, refused, 'its newest gives way')
  const other = semaphore.run('b', async () => 'served')
  await last
  await t.rejects(
    semaphore.run('b', async () => 'never'),
    refused,
    'it would have as many',
  )
  end()
  t.strictSame(await Promise.all([waiting[0], waiting[1], other]), ['served', 'served', 'served'])
  t.equal(await semaphore.run('c', async () => 'now'), 'now', 'nothing is left over')
})

t.test('a caller that gave up or waited too long is not given a turn', async (t) => {
  const semaphore = semaphoreOf({ waitMs: 20 })
  const end = await semaphore.acquire('a')
  await t.rejects(semaphore.acquire('b'), refused, 'it waited too long')
  const gone = new AbortController()
  const patient = semaphoreOf()
  const held = await patient.acquire('a')
  const aborted = t.rejects(patient.acquire('b', { signal: gone.signal }), refused, 'it gave up')
  gone.abort()
  await aborted
  await t.rejects(patient.acquire('b', { signal: gone.signal }), refused, 'it had given up before')
  held()
  end()
  t.equal(await semaphore.run('b', async () => 'now'), 'now')
})

t.test('work that fails ends its turn', async (t) => {
  const semaphore = semaphoreOf()
  await t.rejects(
    semaphore.run('a', () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  t.equal(await semaphore.run('a', async () => 'now'), 'now')
})
