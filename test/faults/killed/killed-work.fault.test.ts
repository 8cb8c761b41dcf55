import t from 'tap'
import { crashMatrix, nameOf } from '../../prove/crashes/crash-matrix.ts'

// A small part of `npm run prove:crashes`.

const rounds = new Set([
  'batch line x lost_response_guide_created x new process',
  'comparison x lost_response_nothing_created x new process',
])
/** At the claim of the work, in the middle, and later. */
const points = [2, 6, 9].map((k) => ({ k, when: 'after' as const }))

t.test('lines and comparisons whose worker is killed are done once', async (t) => {
  const { cases, violations } = await crashMatrix(t, {
    lanes: 1,
    points,
    say: (line) => void t.comment(line),
    isWanted: (round) => rounds.has(nameOf(round)),
  })
  t.strictSame(violations, [])
  t.equal(cases, rounds.size * points.length)
})
