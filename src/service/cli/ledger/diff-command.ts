import { projections } from '../../../../projections/all.ts'
import { diff, differencesMax, type LedgerDiff } from '../../ledger/diff/diff.ts'
import { type ActsDiff, diffActs } from '../../ledger/diff/diff-acts.ts'
import { type Command, type CommandResult, columns } from '../command.ts'
import { countedProgress, progress, progressFlag, progressWriter } from '../progress.ts'

export const diffCommand: Command = {
  name: 'diff',
  summary:
    'Compares all read models with the folded streams, and the configuration with the administrative acts, while the service runs.',
  flags: progressFlag,
  examples: ['diff', 'diff --json'],
  run: async (call) => {
    const { db, store } = await call.open()
    const write = progressWriter(call)
    const startedAt = performance.now()
    const folding = progress({ what: 'folding', head: await store.head(), write })
    const found = await diff(
      { db, store, projections },
      { folded: folding, compared: comparing(write) },
    )
    const acts = await diffActs({ db, store })
    return resultOf(found, acts, Math.round(performance.now() - startedAt))
  },
}

/** Starts over for read models at another position. */
function comparing(write: (line: string) => void) {
  let report: ReturnType<typeof countedProgress> | null = null
  let before = 0
  return (done: number, all: number) => {
    if (report === null || done < before) {
      report = countedProgress({ what: 'comparing', unit: 'shipments', total: all, write })
      before = 0
    }
    report(done - before)
    before = done
  }
}

const actsDiffer =
  'Keys, operators, organizations or workspaces differ from the administrative acts. If a command or request failed after its act was recorded, repeat it. Otherwise the database was changed by hand.'

function resultOf(
  { tables, differences }: LedgerDiff,
  acts: ActsDiff,
  durationMs: number,
): CommandResult {
  const differingActs = acts.tables.reduce((sum, table) => sum + table.differing, 0)
  const differing = tables.reduce((sum, table) => sum + table.differing, 0)
  const left = tables.filter(({ notCompared }) => notCompared !== null)
  const isSame = differing === 0 && differingActs === 0 && left.length === 0
  const rows = tables.map((one) => [
    one.table,
    one.position ?? '-',
    String(one.rows),
    String(one.differing),
    one.notCompared ?? (one.differing === 0 ? 'equal' : 'DIFFERENT'),
  ])
  const all = [...differences, ...acts.differences.slice(0, differencesMax)]
  const named = all.map((one) => [
    one.table,
    one.key,
    one.kind,
    one.column ?? '-',
    one.expected ?? '-',
    one.actual ?? '-',
  ])
  const parts = [columns([['TABLE', 'UP TO', 'ROWS', 'DIFFER', ''], ...rows, ...actedRows(acts)])]
  if (named.length > 0) {
    parts.push(columns([['TABLE', 'KEY', 'WHAT', 'COLUMN', 'EXPECTED', 'ACTUAL'], ...named]))
  }
  if (differences.length >= differencesMax)
    parts.push(`Only the first ${differencesMax} are shown.`)
  if (differingActs > 0) parts.push(actsDiffer)
  parts.push(
    differing > 0
      ? 'The read models differ from the ledger. Run "verify". If the ledger has no problem, rebuild them with "projections rebuild <name>".'
      : left.length === 0
        ? `The read models match the ledger (${durationMs} ms).`
        : 'The compared read models match the ledger, but some could not be compared.',
  )
  return {
    json: {
      is_equal: isSame,
      differing_rows: differing + differingActs,
      tables: tables.map(({ notCompared, ...table }) => ({ ...table, not_compared: notCompared })),
      acted_on: [...acts.tables],
      differences: [...all],
      duration_ms: durationMs,
    },
    text: parts.join('\n\n'),
    exit: differing + differingActs > 0 ? 'found' : left.length > 0 ? 'undecided' : 'fine',
  }
}

function actedRows({ tables }: ActsDiff): readonly (readonly string[])[] {
  return tables.map(({ table, rows, differing }) => [
    table,
    '-',
    String(rows),
    String(differing),
    differing === 0 ? 'equal' : 'DIFFERENT',
  ])
}
