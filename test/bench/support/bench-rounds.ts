import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { say } from '../../support/say.ts'

/** A line of the table with which `npm run bench` ends. */
export type BenchRow = {
  readonly name: string
  readonly measured: string
  readonly value: number
  /** Null if the figure is only reported. */
  readonly target: { readonly atLeast: number } | { readonly atMost: number } | null
}

type BenchLine = BenchRow | { readonly name: string; readonly skipped: string }

/** Where the runner collects the rows. */
export const rowsVariable = 'BENCH_ROWS'

export function row(found: BenchRow): void {
  tell(found)
}

/** Prints, and adds to the table, that a benchmark needs something that is not available. */
export function skipped(name: string, why: string): void {
  tell({ name, skipped: why })
}

function tell(line: BenchLine): void {
  say(told(line))
  const file = process.env[rowsVariable]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
}

/** The lines of the table that a benchmark wrote to the file. */
export function linesIn(file: string): readonly string[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter((line) => line !== '').map((line) => told(JSON.parse(line) as BenchLine))
}

function told(line: BenchLine): string {
  if ('skipped' in line) return `${line.name.padEnd(14)} skipped: ${line.skipped}`
  const { name, measured, target } = line
  // JSON has no NaN, which stands for a missing figure.
  const value = line.value ?? Number.NaN
  const shown = value >= 100 ? value.toFixed(0) : value.toFixed(2)
  return `${name.padEnd(14)} ${measured.padEnd(58)} ${shown.padStart(8)}  ${verdict(value, target)}`
}

function verdict(value: number, target: BenchRow['target']): string {
  if (target === null) return ''
  if ('atLeast' in target)
    return `≥ ${target.atLeast}  ${value >= target.atLeast ? 'met' : 'NOT MET'}`
  return `≤ ${target.atMost}  ${value <= target.atMost ? 'met' : 'NOT MET'}`
}

/** NaN if one of the values is NaN, so that a round that does not count is not hidden. */
export function median(values: readonly number[]): number {
  return values.some(Number.isNaN) ? Number.NaN : quantile(values, 0.5)
}

/** NaN when there are no values. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

/**
 * Runs the alternatives in alternation, so that other load on the machine affects all of them;
 * returns medians.
 */
export async function alternating<Name extends string>(
  rounds: number,
  sides: Readonly<Record<Name, (round: number) => Promise<number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(sides) as Name[]
  const found = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const name of names) {
      const value = await sides[name](round)
      found.get(name)?.push(value)
      say(`  round ${round} of ${rounds}: ${name} ${value.toFixed(value < 100 ? 2 : 0)}`)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(found.get(name) ?? [])])) as Readonly<
    Record<Name, number>
  >
}
