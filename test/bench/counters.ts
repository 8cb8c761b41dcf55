import { say } from '../support/say.ts'
import { untilClosed } from '../support/until-closed.ts'
import { row } from './support/bench-rounds.ts'
import { countedServer } from './support/counted-server.ts'
import { type Counted, countCreations } from './support/creation-counters.ts'

// Counts what PostgreSQL does for one creation at a steady 50/s with all roles, and for an idle
// service. The counts do not depend on the machine. `npm run bench -- counters [seconds]`

const name = 'counters'
const seconds = Number(process.argv[2] ?? 20)

function told(what: string, counted: readonly Counted[]): void {
  say(`  ${what}:`)
  for (const { name: of, count } of counted.filter(({ count: each }) => each >= 0.005)) {
    say(`  ${count.toFixed(2).padStart(8)}  ${of}`)
  }
}

await untilClosed(async (ended) => {
  const server = await countedServer()
  ended.teardown(() => server.stop())
  const found = await countCreations(ended, server, {
    warmUp: ({ paced }) => paced(5, 50),
    create: ({ paced }) => paced(seconds, 50),
    idleSeconds: 20,
  })
  told('statements a creation', found.byStatement)
  told('bytes of WAL a creation', found.walByStatement)
  told('rows inserted a creation', found.insertedByTable)
  told('rows updated a creation', found.updatedByTable)
  const each = (measured: string, value: number, atMost: number) =>
    row({ name, measured, value, target: { atMost } })
  each('statements a creation at 50/s', found.statements, 4)
  each('rows inserted a creation', found.rowsInserted, 10)
  each('rows updated a creation', found.rowsUpdated, 4)
  each('WAL kB a creation', found.walBytes / 1_000, 10)
  row({ name, measured: 'WAL records a creation', value: found.walRecords, target: null })
  each('statements a second, idle', found.idleStatementsPerSecond, 4)
  told('statements a second, idle', found.idleByStatement)
})
