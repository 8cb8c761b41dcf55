import t from 'tap'
import { seedOf } from '../support/random.ts'
import { lives } from './lives.ts'
import { type Mutant, mutants } from './mutants.ts'
import { play } from './play.ts'

/** `npm run prove:simulation` plays more. */
const runs = 250
/**
 * The seeds among which one must catch each mutant: from 1 on, or for rare ones from a seed that
 * did.
 */
const mutantSeeds = 300
const mutantSeen: Partial<Record<Mutant, number>> = { drops_evidence: 230 }
const sameTwice = 5

const first = seedOf('SIMULATION_SEED')

t.test('no invariant is violated, whatever fails in whatever order', async (t) => {
  const { violations, sum } = await lives(first, runs)
  t.comment(`seeds from ${first}: ${JSON.stringify(sum)}`)
  t.same(violations, [])
  // A simulation in which nothing happens would prove nothing.
  for (const [name, count] of Object.entries(sum)) t.ok(count > runs / 6, `${count} ${name}`)
})

t.test('playing a seed twice gives the same ledger, byte for byte', async (t) => {
  for (let seed = first; seed < first + sameTwice; seed++) {
    t.same(await play(seed), await play(seed))
  }
  t.not((await play(first)).ledger, (await play(first + 1)).ledger)
})

for (const [mutant, sign] of Object.entries(mutants) as [Mutant, RegExp][]) {
  t.test(`the simulation catches a service with the bug ${mutant}`, async (t) => {
    const { caughtBy } = await lives(mutantSeen[mutant] ?? 1, mutantSeeds, mutant)
    t.type(caughtBy, 'number', `one of ${mutantSeeds} seeds shows ${sign}`)
    t.comment(`first with seed ${caughtBy}`)
  })
}
