import t from 'tap'
import { seedOf } from '../support/random.ts'
import { type Mutant, mutants } from './mutants.ts'
import { play } from './play.ts'

/** `npm run prove:simulation` plays more. */
const runs = 500
/** Seeds of which one shows each mutant, from 1 on or, where it shows rarely, from one that did. */
const mutantSeeds = 300
const mutantSeen: Partial<Record<Mutant, number>> = { drops_evidence: 230 }
const sameTwice = 5

/** Five hundred lives take half a minute where nothing else runs. */
const timeoutMs = 240_000
t.setTimeout(timeoutMs)

const first = seedOf('SIMULATION_SEED')

t.test('whatever goes wrong in whatever order, every promise is kept', async (t) => {
  const wrong: string[] = []
  const sum = { keys: 0, crashes: 0, guides: 0, events: 0, unknown: 0, erased: 0, parked: 0 }
  for (let seed = first; seed < first + runs; seed++) {
    const played = await play(seed)
    for (const violation of played.violations) wrong.push(`SIMULATION_SEED=${seed}: ${violation}`)
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += played[name]
  }
  t.comment(`seeds from ${first}: ${JSON.stringify(sum)}`)
  t.same(wrong, [])
  // A simulation in which nothing happens keeps every promise.
  for (const [name, count] of Object.entries(sum)) t.ok(count > runs / 6, `${count} ${name}`)
})

t.test('a seed is played the same twice, to the last byte of the ledger', async (t) => {
  for (let seed = first; seed < first + sameTwice; seed++) {
    t.same(await play(seed), await play(seed))
  }
  t.not((await play(first)).ledger, (await play(first + 1)).ledger)
})

for (const [mutant, sign] of Object.entries(mutants) as [Mutant, RegExp][]) {
  t.test(`a service with the mistake ${mutant} is caught`, async (t) => {
    const isCaught = async (seed: number) =>
      (await play(seed, mutant)).violations.some((violation) => sign.test(violation))
    let seed = mutantSeen[mutant] ?? 1
    const last = seed + mutantSeeds - 1
    while (seed <= last && !(await isCaught(seed))) seed++
    t.ok(seed <= last, `none of ${mutantSeeds} seeds shows ${sign}`)
    t.comment(`first with seed ${seed}`)
  })
}
