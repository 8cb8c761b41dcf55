import { say } from '../../support/say.ts'
import { untilClosed } from '../../support/until-closed.ts'
import { lostEndMutants } from './lost-end-mutants.ts'

// The round that finds a mutant, by its number; run in the copy with the flaw. Prints what it
// found.

const mutant = lostEndMutants[Number(process.argv[2])]
if (mutant === undefined) throw new Error('no such mutant')
const violations = await untilClosed((t) => mutant.play(t))
for (const line of violations.lines()) say(line)
process.exitCode = violations.count > 0 ? 1 : 0
