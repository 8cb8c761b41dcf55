import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '../support/say.ts'
import { benchmarks } from './benchmarks.ts'
import { linesIn, rowsVariable } from './support/bench-rounds.ts'

/**
 * `npm run bench` runs all benchmarks and ends with a table of their results and limits; `npm run
 * bench -- <name> [its arguments]` runs one, `npm run bench -- --list` lists them. A benchmark that
 * aborts makes the command fail; a missed limit is only shown.
 */
const directory = import.meta.dirname
const names = Object.keys(benchmarks)
const [name, ...args] = process.argv.slice(2)
if (name === '--list') {
  for (const [each, what] of Object.entries(benchmarks)) say(`${each.padEnd(14)} ${what}`)
  process.exit(0)
}
if (name !== undefined && !names.includes(name)) {
  process.stderr.write(`There is no benchmark ${name}, only ${names.join(', ')}.\n`)
  process.exit(2)
}

/** Returns the benchmark's lines of the table. */
function run(benchmark: string, rowsFile: string): readonly string[] {
  say(benchmark)
  const { status, signal } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(directory, `${benchmark}.ts`), ...args],
    { stdio: 'inherit', env: { ...process.env, [rowsVariable]: rowsFile } },
  )
  const lines = linesIn(rowsFile)
  if (status === 0) return lines
  process.exitCode = 1
  return [...lines, `${benchmark.padEnd(14)} FAILED with ${signal ?? `exit code ${status}`}`]
}

const scratch = mkdtempSync(join(tmpdir(), 'shipping-ledger-bench-'))
try {
  const table = (name === undefined ? names : [name]).flatMap((each) =>
    run(each, join(scratch, each)),
  )
  if (name === undefined) say(['', ...table].join('\n'))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
