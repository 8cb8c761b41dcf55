import t from 'tap'
import { type TurnLimits, Turns } from '../src/service/turns.ts'

const refused = { message: 'no turn' }

const limits: TurnLimits = {
  atOnceMax: 1,
  ofOrganizationMax: 1,
  waitingMax: 8,
  ofOrganizationWaitingMax: 4,
  waitMs: 60_000,
}

function turnsOf(other: Partial<TurnLimits> = {}): Turns {
  return new Turns({ ...limits, ...other }, () => new Error(refused.message))
}

/** Callers of these organizations in this order, each of which ends its turn at once. */
async function orderOf(turns: Turns, callers: readonly string[]): Promise<readonly string[]> {
  const order: string[] = []
  const end = await turns.take('first')
  const all = callers.map((name) => turns.run(name, async () => void order.push(name)))
  end()
  await Promise.all(all)
  return order
}

t.test(
  'organizations have their turns one after the other, however many callers each has',
  async (t) => {
    t.strictSame(await orderOf(turnsOf(), ['a', 'a', 'a', 'b', 'b', 'c']), [
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
    const turns = turnsOf({ atOnceMax: 3, ofOrganizationMax: 2 })
    const ends = [await turns.take('a'), await turns.take('a')]
    let isBegun = false
    const third = turns.take('a').then((end) => {
      isBegun = true
      return end
    })
    const other = await turns.take('b')
    other()
    t.equal(isBegun, false, 'its third waits, although a place is free')
    ends[0]?.()
    ends[0]?.()
    const end = await third
    end()
    ends[1]?.()
    t.strictSame(await orderOf(turns, ['a', 'b']), ['a', 'b'], 'ending a turn twice ends it once')
  },
)

t.test('callers beyond the queue are refused, of the organization with most first', async (t) => {
  const turns = turnsOf({ waitingMax: 3, ofOrganizationWaitingMax: 3 })
  const end = await turns.take('running')
  const waiting = ['a', 'a', 'a'].map((name) => turns.run(name, async () => 'served'))
  await t.rejects(
    turns.run('a', async () => 'never'),
    refused,
    'its own queue is full',
  )
  const last = t.rejects(waiting[2] as Promise<string>, refused, 'its newest gives way')
  const other = turns.run('b', async () => 'served')
  await last
  await t.rejects(
    turns.run('b', async () => 'never'),
    refused,
    'it would have as many',
  )
  end()
  t.strictSame(await Promise.all([waiting[0], waiting[1], other]), ['served', 'served', 'served'])
  t.equal(await turns.run('c', async () => 'now'), 'now', 'nothing is left over')
})

t.test('a caller that gave up or waited too long is not given a turn', async (t) => {
  const turns = turnsOf({ waitMs: 20 })
  const end = await turns.take('a')
  await t.rejects(turns.take('b'), refused, 'it waited too long')
  const gone = new AbortController()
  const patient = turnsOf()
  const held = await patient.take('a')
  const aborted = t.rejects(patient.take('b', { signal: gone.signal }), refused, 'it gave up')
  gone.abort()
  await aborted
  await t.rejects(patient.take('b', { signal: gone.signal }), refused, 'it had given up before')
  held()
  end()
  t.equal(await turns.run('b', async () => 'now'), 'now')
})

t.test('work that fails ends its turn', async (t) => {
  const turns = turnsOf()
  await t.rejects(
    turns.run('a', () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  t.equal(await turns.run('a', async () => 'now'), 'now')
})
