import { type Act, answeredBy } from './acts.ts'
import { type Attacker, type Column, columnsOf } from './attacker.ts'
import type { EvidenceLedger } from './evidence-ledger.ts'
import { type Expectation, expectedOf, noEvidence } from './expectations.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A change and its result. */
export type Round = {
  readonly what: string
  readonly verdicts: readonly { readonly command: string; readonly exit: number }[]
  /** Null if the result is as expected. */
  readonly problem: string | null
}

/** All commands that detect changes; each exits with 0 on an untouched ledger. */
const lookers = ['verify', 'verify --vault', 'verify --witness', 'diff'] as const

/**
 * The expectation for a column; null if there is none. Every column of a read model is compared.
 */
function expectationOf({ table, column }: Pick<Column, 'table' | 'column'>) {
  if (table.startsWith('projections.')) return 'diff' satisfies Expectation
  return expectedOf[table]?.[column] ?? null
}

/**
 * The columns of the database on which evidence rests. Throws for a column without an expectation.
 */
export async function evidenceColumns(attacker: Attacker): Promise<readonly Column[]> {
  const columns = await columnsOf(attacker.client)
  const evidence = columns.filter(({ table }) => noEvidence[table] === undefined)
  const unknown = evidence.filter((one) => expectationOf(one) === null)
  if (unknown.length > 0) {
    const names = unknown.map(({ table, column }) => `${table}.${column}`)
    throw new Error(`nothing says whether these are evidence: ${names.join(', ')}`)
  }
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const gone = Object.entries(expectedOf)
    .flatMap(([table, all]) => Object.keys(all).map((column) => `${table}.${column}`))
    .filter((name) => !known.has(name))
  if (gone.length > 0) throw new Error(`these columns are not there: ${gone.join(', ')}`)
  return evidence
}

async function verdictsOf(made: EvidenceLedger, commands: readonly string[]) {
  const verdicts: Round['verdicts'][number][] = []
  for (const command of commands) {
    verdicts.push({ command, exit: (await answeredBy(command, made)).code })
  }
  return verdicts
}

/** A round without a change. */
export async function control(made: EvidenceLedger, what: string): Promise<Round> {
  const commands = [
    ...lookers,
    'verify --checkpoint EARLY',
    'verify --checkpoint LATE',
    'verify --file WHOLE',
    'verify --file PART',
    'verify --file PART --checkpoint EARLY',
    'verify --file WHOLE --witness',
  ]
  const verdicts = await verdictsOf(made, commands)
  const wrong = verdicts.filter(({ exit }) => exit !== 0)
  const problem =
    wrong.length === 0 ? null : `${wrong.map(({ command }) => command)} found something`
  return { what, verdicts, problem }
}

/** Changes one column of one row, then restores it. */
export async function columnRound(
  made: EvidenceLedger,
  attacker: Attacker,
  column: Column,
): Promise<Round | null> {
  const expected = expectationOf(column)
  const what = `${column.table}.${column.column}`
  if (column.column === 'is_only') return null
  await attacker.change(column, made)
  const isFound = typeof expected === 'string'
  const verdicts = await verdictsOf(made, isFound ? [expected] : lookers)
  await attacker.restore()
  const wrong = verdicts.filter(({ exit }) => exit !== (isFound ? 1 : 0))
  const said = wrong.map(({ command, exit }) => `${command} ended with ${exit}`).join(', ')
  return { what, verdicts, problem: said === '' ? null : said }
}

/** Performs an attacker's act, then restores everything. */
export async function actRound(
  made: EvidenceLedger,
  attacker: Attacker,
  { act, t }: { readonly act: Act; readonly t: Test },
): Promise<Round> {
  await act.does(made, attacker, t)
  const verdicts = await verdictsOf(
    made,
    act.expected.map(([command]) => command),
  )
  await attacker.restore()
  const wrong = verdicts.filter(({ exit }, at) => exit !== act.expected[at]?.[1])
  const said = wrong.map(({ command, exit }) => `${command} ended with ${exit}`).join(', ')
  return { what: act.what, verdicts, problem: said === '' ? null : said }
}
