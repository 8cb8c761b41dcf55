import { crashMatrix, nameOf } from '../support/crash-matrix.ts'
import { say } from '../support/say.ts'
import { onScratchServer } from '../support/until-closed.ts'

// Every flush to the database and every courier call of a creation, a look and a cancellation, cut or
// killed before or after it, with each thing a courier may do and each way of asking again.
// `npm run prove:crashes [-- <parts of the names of rounds>]`

const parts = process.argv.slice(2)
/** Rounds at once: a lane waits more than it works. */
const lanes = 4

await onScratchServer(async (ended) => {
  const beganAt = performance.now()
  const { cases, violations } = await crashMatrix(ended, {
    lanes,
    say,
    isWanted: (round) => parts.length === 0 || parts.some((part) => nameOf(round).includes(part)),
  })
  for (const each of violations.slice(0, 50)) say(each)
  const seconds = Math.round((performance.now() - beganAt) / 1_000)
  say(`crash matrix: ${cases} cases in ${seconds} s, ${violations.length} violations`)
  if (violations.length > 0 || cases === 0) process.exitCode = 1
})
