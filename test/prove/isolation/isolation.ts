import { say } from '../../support/say.ts'
import { service, type TestServiceOptions } from '../../support/service.ts'
import { onScratchServer } from '../../support/until-closed.ts'
import { proveIsolation } from './isolation-proof.ts'

// Every operation of the document, every position in it that can name a resource, every resource of
// another organization, workspace and mode, and revoked keys: no answer reveals or changes more
// than for an id that never existed. Run: npm run prove:isolation [-- every]

const every = Number(process.argv[2] ?? 1)
const shownMax = 30
/** The minimum for a proof: a sample can show a violation but proves nothing. */
const requestsMin = 10_000
await onScratchServer(async (test) => {
  const proved = await proveIsolation({
    service: (options: TestServiceOptions = {}) => service(test, options),
    every,
    progress: say,
  })
  for (const { ask, what } of proved.violations.slice(0, shownMax)) say(`VIOLATION ${ask}: ${what}`)
  const { mutants } = proved
  for (const [name, count] of Object.entries(mutants)) say(`${name}: ${count} wrong answers`)
  const areCaught = Number(mutants['without both']) > 0
  const ownersAreCaught = Number(mutants['without any owners']) > 0
  const eachHolds = [
    'without conditions',
    'without fence',
    'without owners in the vault',
    'without owners of streams',
  ].every((name) => mutants[name] === 0)
  const isEnough = proved.requests >= requestsMin
  if (!isEnough)
    say(`${proved.requests} requests prove nothing: at least ${requestsMin} are needed`)
  const areAllCaught = areCaught && ownersAreCaught
  if (proved.violations.length > 0 || !isEnough || !areAllCaught || !eachHolds) {
    process.exitCode = 1
  }
  say(
    `${proved.requests} requests (${proved.asks} cases), rows of ${proved.tables} tables compared, ${proved.violations.length} violations; each layer alone holds: ${eachHolds ? 'yes' : 'NO'}; caught without both: ${areCaught ? 'yes' : 'NO'}, without any owners: ${ownersAreCaught ? 'yes' : 'NO'}`,
  )
})
