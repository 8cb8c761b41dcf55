/** The output of one test file and how its process ended. */
export type FileRun = {
  readonly output: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
}

export type FileResult = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** One sentence for each problem; empty exactly when the file passed. */
  readonly problems: readonly string[]
}

/**
 * Counts the tests of one file: the points at the top level of its TAP. A file which ends otherwise
 * than by its own plan with exit code 0 has failed at least once, whatever it printed before.
 */
export function readTap(run: FileRun): FileResult {
  let passed = 0
  let skipped = 0
  let plan: number | null = null
  const problems: string[] = []
  for (const line of run.output.split('\n')) {
    const point = /^(not )?ok\b(.*)$/.exec(line)
    if (point === null) {
      plan = Number(/^1\.\.(\d+)/.exec(line)?.[1] ?? plan ?? Number.NaN)
      if (Number.isNaN(plan)) plan = null
      if (line.startsWith('Bail out!')) problems.push(line)
      continue
    }
    const title = (point[2] ?? '').replace(/^ \d+ - /, '').replace(/ # time=.*$/, '')
    if (/ # (SKIP|TODO)\b/i.test(point[2] ?? '')) skipped++
    else if (point[1] === undefined) passed++
    else problems.push(title)
  }
  const ending = endingOf(run, plan, passed + skipped + problems.length)
  if (ending !== null && (problems.length === 0 || run.timedOut)) problems.push(ending)
  if (problems.length === 0 && passed === 0) problems.push('it tests nothing')
  return { passed, failed: problems.length, skipped, problems }
}

function endingOf(run: FileRun, plan: number | null, points: number): string | null {
  if (run.timedOut) return 'it was stopped because it took too long'
  if (run.signal !== null) return `it was ended by ${run.signal}`
  if (plan === null) return 'it ended before its plan'
  if (plan !== points) return `it planned ${plan} tests and reported ${points}`
  if (run.exitCode !== 0) return `it ended with exit code ${run.exitCode}`
  return null
}
