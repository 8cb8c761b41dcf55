import t from 'tap'
import { playPromotions } from '../../prove/lost-end/promotions.ts'
import { clusterFiles } from '../../prove/lost-end/replica-pair.ts'
import { playRestores } from '../../prove/lost-end/restores.ts'
import { seedOf } from '../../support/random.ts'

/** A part of `npm run prove:lost-end`, with time limits for a machine that does other work too. */
const limits = { noticedMs: 60_000, goesOnMs: 60_000 }
const lostMsMax = 2_000
const seed = seedOf('LOST_END_SEED')
t.comment(`LOST_END_SEED=${seed}`)
const say = (line: string) => void t.comment(line)

t.test('a replica promoted without the last events makes no second guide', async (t) => {
  const files = await clusterFiles(t)
  const options = { seed, rounds: 1, apis: 2, cutMsMax: lostMsMax, limits, say }
  t.strictSame((await playPromotions(t, files, options)).lines(), [])
})

t.test('an older backup put back makes no second guide', async (t) => {
  const options = { seed, rounds: 1, sinceMsMax: lostMsMax, limits, say }
  t.strictSame((await playRestores(t, options)).lines(), [])
})
