import { say } from '../../support/say.ts'
import { onScratchServer } from '../../support/until-closed.ts'
import { crashMatrix, nameOf } from './crash-matrix.ts'
import { crashMutants } from './crash-mutants.ts'

// Cuts or kills a creation, a look (an operator's and a worker's), a cancellation, a batch, a batch
// line and a comparison of an invoice, before and after every flush to the database and every
// courier call, with every behavior of the courier and every way of repeating the request. Then
// makes deliberate mistakes, each of which must be caught. `npm run prove:crashes [-- <parts of the
// names of rounds, or "mutants">]`

const parts = process.argv.slice(2)
const isAsked = (name: string) => parts.length === 0 || parts.some((part) => name.includes(part))
/** Concurrent rounds: a lane mostly waits. */
const lanes = 4

await onScratchServer(async (ended) => {
  const beganAt = performance.now()
  const isWanted = (round: Parameters<typeof nameOf>[0]) => isAsked(nameOf(round))
  const { cases, violations } = await crashMatrix(ended, { lanes, say, isWanted })
  for (const each of violations.slice(0, 50)) say(each)
  const seconds = Math.round((performance.now() - beganAt) / 1_000)
  const mutants = isAsked('mutants') ? crashMutants : []
  let caught = 0
  for (const { name, play } of mutants) {
    const { isCaught, figures } = await play(ended)
    if (isCaught) caught += 1
    say(`${isCaught ? 'caught' : 'NOT CAUGHT'} ${name}: ${figures}`)
  }
  say(
    `crash matrix: ${cases} cases in ${seconds} s, ${violations.length} violations; ${caught} of ${mutants.length} mutants caught`,
  )
  if (violations.length > 0 || caught < mutants.length) process.exitCode = 1
  if (cases + mutants.length === 0) process.exitCode = 1
})
