import { random, seedOf } from '../../support/random.ts'
import { say } from '../../support/say.ts'
import { untilClosed } from '../../support/until-closed.ts'
import { type LostEndMutant, lostEndMutants } from './lost-end-mutants.ts'
import { isCaught, withMutant } from './mutated-copy.ts'
import { playPromotions } from './promotions.ts'
import { clusterFiles } from './replica-pair.ts'
import { playRestores } from './restores.ts'
import type { Violations } from './violations.ts'

// A ledger that lost its end: a streaming replica without the last events is promoted under load,
// older backups are restored, and all keys are sent again. Then five flaws that the same rounds
// must find. `npm run prove:lost-end [-- [promotions] [restores] [flaws]]`; 0 skips a part.
// LOST_END_SEED repeats a run.

/** Rounds with one service: each continues from what the previous one has recovered. */
const roundsOfOne = 5
const limits = { noticedMs: 5_000, goesOnMs: 5_000 }
const cutMsMax = 10_000
const sinceMsMax = 10_000

const [promotions = 50, restores = 50, flaws = lostEndMutants.length] = process.argv
  .slice(2)
  .map(Number)
const seed = seedOf('LOST_END_SEED')
const chance = random(seed)
let violations = 0

type PlayRounds = (
  rounds: number,
  options: { readonly seed: number; readonly index: number },
) => Promise<Violations>

/** Runs `rounds` rounds, some with each service; each service has a seed of its own. */
async function playAll(rounds: number, play: PlayRounds): Promise<void> {
  for (let index = 0; index * roundsOfOne < rounds; index++) {
    const own = Math.min(roundsOfOne, rounds - index * roundsOfOne)
    const found = await play(own, { seed: Math.ceil(chance() * 2 ** 31), index })
    for (const line of found.lines()) say(line)
    violations += found.count
  }
}

async function tryMutant(mutant: LostEndMutant): Promise<void> {
  const found = await withMutant(mutant)
  const caught = isCaught(mutant, found)
  if (!caught) violations += 1
  say(`${caught ? 'caught' : 'NOT CAUGHT'}: ${mutant.name}`)
  if (!caught) say(found.output)
}

const beganAt = performance.now()
say(`seed ${seed}`)
await untilClosed(async (ended) => {
  const files = await clusterFiles(ended)
  await playAll(promotions, (rounds, { seed: own, index }) =>
    untilClosed((t) =>
      playPromotions(t, files, { seed: own, rounds, apis: 1 + (index % 2), cutMsMax, limits, say }),
    ),
  )
})
await playAll(restores, (rounds, { seed: own }) =>
  untilClosed((t) => playRestores(t, { seed: own, rounds, sinceMsMax, limits, say })),
)
for (const mutant of lostEndMutants.slice(0, flaws)) await tryMutant(mutant)
const seconds = Math.round((performance.now() - beganAt) / 1_000)
say(
  `lost-end: ${promotions} promotions and ${restores} restores in ${seconds} s, ${violations} violations`,
)
if (violations > 0) process.exitCode = 1
