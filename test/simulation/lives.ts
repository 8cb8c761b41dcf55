import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Mutant, mutants } from './mutants.ts'
import { noLives, play, type Sum, withLife } from './play.ts'

// Plays lives in a separate process: the test runner tracks every promise, which would make a life
// take five times as long.

/** What happened in all lives. */
export type Lives = {
  readonly violations: readonly string[]
  readonly sum: Sum
  /** The first seed that catches the mutant; null if none does. */
  readonly caughtBy: number | null
}

/** Plays this many lives from the given seed on; with a mutant, until one catches it. */
export async function lives(first: number, runs: number, mutant?: Mutant): Promise<Lives> {
  const args = [String(first), String(runs), ...(mutant === undefined ? [] : [mutant])]
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    import.meta.filename,
    ...args,
  ])
  return JSON.parse(stdout) as Lives
}

async function playAll(first: number, runs: number, mutant: Mutant | undefined): Promise<Lives> {
  const violations: string[] = []
  let sum: Sum = noLives
  for (let seed = first; seed < first + runs; seed++) {
    const played = await play(seed, mutant)
    sum = withLife(sum, played)
    violations.push(...played.violations.map((each) => `SIMULATION_SEED=${seed}: ${each}`))
    const isCaught =
      mutant !== undefined && played.violations.some((each) => mutants[mutant].test(each))
    if (isCaught) return { violations, sum, caughtBy: seed }
  }
  return { violations, sum, caughtBy: null }
}

if (import.meta.main) {
  const [first, runs, mutant] = process.argv.slice(2)
  const played = await playAll(Number(first), Number(runs), mutant as Mutant | undefined)
  process.stdout.write(JSON.stringify(played))
}
