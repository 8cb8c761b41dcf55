import t from 'tap'
import { playPromotions } from '../../prove/lost-end/promotions.ts'
import { clusterFiles } from '../../prove/lost-end/replica-pair.ts'
import { lostEnd } from './lost-end.ts'

t.test('a replica promoted without the last events makes no second guide', async (t) => {
  const { lostMsMax, ...options } = lostEnd(t)
  const files = await clusterFiles(t)
  const played = await playPromotions(t, files, { ...options, apis: 2, cutMsMax: lostMsMax })
  t.strictSame(played.lines(), [])
})
