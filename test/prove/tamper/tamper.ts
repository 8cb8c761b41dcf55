import { say } from '../../support/say.ts'
import { scratchServer, scratchVariable } from '../../support/scratch-server.ts'
import { acts } from './acts.ts'
import { Attacker } from './attacker.ts'
import { evidenceLedger } from './evidence-ledger.ts'
import { actRound, columnRound, control, evidenceColumns, type Round } from './rounds.ts'
import { storeRounds } from './store-rounds.ts'

// Tampers with a ledger that has every kind of evidence, as superuser: changes each column of each
// table, and does what a determined attacker would. Every change must be detected by the command
// that the table in docs/tampering.md names, and nothing must be reported on an untouched ledger.
// Run: npm run prove:tamper [-- what]

const only = process.argv[2]
const closers: (() => Promise<unknown>)[] = []
const t = { teardown: (fn: () => Promise<unknown>) => closers.push(fn) }
const server = await scratchServer()
const rounds: Round[] = []

function told(round: Round | null): void {
  if (round === null) return
  rounds.push(round)
  const verdicts = round.verdicts.map(({ command, exit }) => `${command}: ${exit}`).join('; ')
  const mark = round.problem === null ? 'ok    ' : 'NOT OK'
  say(`${mark} ${round.what} | ${verdicts}${round.problem === null ? '' : ` | ${round.problem}`}`)
  if (round.problem !== null) process.exitCode = 1
}

try {
  process.env[scratchVariable] = server.adminUrl
  const inPostgres = { eventStoreUrl: undefined, eventStoreNamespace: '' }
  const made = await evidenceLedger(t, inPostgres)
  const attacker = new Attacker(made.database.adminUrl)
  closers.push(() => attacker.end())
  await attacker.begin()
  told(await control(made, 'nothing'))
  const isForged = made.forged.some((status) => status !== 422)
  told({
    what: 'an operator claimed in a request',
    verdicts: made.forged.map((exit) => ({ command: 'HTTP', exit })),
    problem: isForged ? 'a request was not refused' : null,
  })
  const isMeant = (what: string) => only === undefined || what.includes(only)
  for (const column of await evidenceColumns(attacker)) {
    if (isMeant(`${column.table}.${column.column}`)) told(await columnRound(made, attacker, column))
  }
  for (const act of acts) {
    if (isMeant(act.what)) told(await actRound(made, attacker, { act, t }))
  }
  told(await control(made, 'nothing, after all of this was put back'))
  if (only === undefined) for (const round of await storeRounds(t)) told(round)
  const failed = rounds.filter(({ problem }) => problem !== null).length
  say(`tamper: ${rounds.length} ways, ${failed} of them not as expected`)
} finally {
  for (const close of closers.toReversed()) await close()
  await server.stop()
}
