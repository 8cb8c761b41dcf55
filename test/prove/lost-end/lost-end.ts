import { seedOf } from '../../support/random.ts'
import { say } from '../../support/say.ts'
import { untilClosed } from '../../support/until-closed.ts'
import { playPromotions } from './promotions.ts'
import { clusterFiles } from './replica-pair.ts'
import { playRestores } from './restores.ts'

const seed = seedOf('LOST_END_SEED')
const limits = { noticedMs: 10_000, goesOnMs: 10_000 }
say(`seed ${seed}`)
await untilClosed(async (ended) => {
  if (process.argv[2] !== 'restores') {
    const files = await clusterFiles(ended)
    await untilClosed(async (t) => {
      const violations = await playPromotions(t, files, {
        seed,
        rounds: 1,
        apis: 2,
        cutMsMax: 5000,
        limits,
        say,
      })
      for (const line of violations.lines()) say(line)
    })
  }
  if (process.argv[2] !== 'promotions')
    await untilClosed(async (t) => {
      const violations = await playRestores(t, { seed, rounds: 1, sinceMsMax: 5000, limits, say })
      for (const line of violations.lines()) say(line)
    })
})
