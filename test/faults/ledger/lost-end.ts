import type { Test } from 'tap'
import { seedOf } from '../../support/random.ts'

/** One round of `npm run prove:lost-end`, with time limits for a machine that does other work too. */
export function lostEnd(t: Test) {
  const seed = seedOf('LOST_END_SEED')
  t.comment(`LOST_END_SEED=${seed}`)
  return {
    seed,
    rounds: 1,
    lostMsMax: 2_000,
    limits: { noticedMs: 60_000, goesOnMs: 60_000 },
    say: (line: string) => void t.comment(line),
  }
}
