import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { say } from '../../support/say.ts'

/** A line of the table that `npm run bench` ends with. */
export type BenchRow = {
  readonly name: string
  readonly measured: string
  readonly value: number
  /** null = reported only. */
  readonly target: { readonly atLeast: number } | { readonly atMost: number } | null
}

type BenchLine = BenchRow | { readonly name: string; readonly leftOut: string }

/** Where the runner collects the rows. */
export const rowsVariable = 'BENCH_ROWS'

export function row(found: BenchRow): void {
  tell(found)
}

/** Says, and puts into the table, that a benchmark needs something that is not at hand. */
export function leftOut(name: string, why: string): void {
  tell({ name, leftOut: why })
}

function tell(line: BenchLine): void {
  say(told(line))
  const file = process.env[rowsVariable]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
}

/** The lines of the table that a benchmark left in the file. */
export function linesIn(file: string): readonly string[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter((line) => line !== '').map((line) => told(JSON.parse(line) as BenchLine))
}

function told(line: BenchLine): string {
  if ('leftOut' in line) return `${line.name.padEnd(14)} left out: ${line.leftOut}`
  const { name, measured, target } = line
  // JSON has no NaN, which stands for a figure that there is not.
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

/** NaN when one of them is: a round that does not count is not left out of the figure. */
export function median(values: readonly number[]): number {
  return values.some(Number.isNaN) ? Number.NaN : quantile(values, 0.5)
}

/** NaN when there are no values. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

/** What is compared takes turns, so that the machine's other work falls on both; medians are answered. */
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
