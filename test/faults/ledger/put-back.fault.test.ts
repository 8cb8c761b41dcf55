import t from 'tap'
import { playRestores } from '../../prove/lost-end/restores.ts'
import { lostEnd } from './lost-end.ts'

t.test('an older backup put back makes no second guide', async (t) => {
  const { lostMsMax, ...options } = lostEnd(t)
  const played = await playRestores(t, { ...options, sinceMsMax: lostMsMax })
  t.strictSame(played.lines(), [])
})
