import t from 'tap'
import { crashMatrix, nameOf } from '../prove/crashes/crash-matrix.ts'
import { forgottenRevisions } from '../prove/crashes/crash-mutants.ts'

/** A part of `npm run prove:crashes`; kill.fault.test.ts covers kills. */
const rounds = new Set([
  'creation x lost_response_guide_created x three at once',
  'cancellation x cancel_response_lost x same process',
])

t.test('an operation stopped at any flush or courier call happens once', async (t) => {
  const { cases, violations } = await crashMatrix(t, {
    lanes: rounds.size,
    say: (line) => void t.comment(line),
    isWanted: (round) => rounds.has(nameOf(round)),
  })
  t.strictSame(violations, [])
  t.ok(cases >= 20, `${cases} cases`)
})

t.test(
  'the crash matrix finds second guides if appends ignore the expected revision',
  async (t) => {
    const { isCaught, figures } = await forgottenRevisions(t)
    t.ok(isCaught, figures)
  },
)
