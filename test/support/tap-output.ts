/** The output of a process that ran test files one after the other, and how it ended. */
export type ProcessRun = {
  readonly output: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
}

export type FileResult = {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** One sentence per problem; empty if and only if the file passed. */
  readonly problems: readonly string[]
  /** What was printed while it ran. */
  readonly output: string
  readonly seconds: number
}

type Point = {
  readonly passed: boolean
  readonly skipped: boolean
  readonly title: string
  readonly seconds: number
}

/**
 * Counts the tests of each file. A file is a point at the top level of the TAP, its tests are the points one
 * level below. A file without a point, or whose process does not end well, has at least one failure, whatever
 * it printed.
 */
export function readTap(run: ProcessRun, files: readonly string[]): readonly FileResult[] {
  const results: FileResult[] = []
  let lines: string[] = []
  for (const line of run.output.split('\n')) {
    lines.push(line)
    const point = pointOf(line, '')
    if (point === null || point.title !== files[results.length]) continue
    results.push(resultOf(point, lines))
    lines = []
  }
  const hasFailed = results.some(({ failed }) => failed > 0)
  const ending = endingOf(run, results.length < files.length, hasFailed)
  const last = results.at(-1)
  if (results.length === files.length && ending !== null && last?.problems.length === 0) {
    results[results.length - 1] = { ...last, failed: 1, problems: [ending] }
  }
  for (const file of files.slice(results.length)) {
    const problems = [lines.length > 0 ? (ending ?? '') : 'an earlier file ended its process']
    const output = lines.join('\n')
    results.push({ file, passed: 0, failed: 1, skipped: 0, problems, output, seconds: 0 })
    lines = []
  }
  return results
}

function resultOf(point: Point, lines: readonly string[]): FileResult {
  const tests = lines.map((line) => pointOf(line, '    ')).filter((each) => each !== null)
  const skipped = tests.filter((each) => each.skipped).length
  const passed = tests.filter((each) => each.passed && !each.skipped).length
  const problems = tests.filter((each) => !each.passed && !each.skipped).map(({ title }) => title)
  if (problems.length === 0 && !point.passed) problems.push('it failed outside of its tests')
  if (problems.length === 0 && passed === 0) problems.push('it has no tests')
  const failed = problems.length
  const output = lines.join('\n')
  return { file: point.title, passed, failed, skipped, problems, output, seconds: point.seconds }
}

function pointOf(line: string, indent: string): Point | null {
  const found = /^(not )?ok \d+(?: - (.*))?$/.exec(
    line.startsWith(indent) ? line.slice(indent.length) : '',
  )
  if (found === null) return null
  const text = found[2] ?? ''
  return {
    passed: found[1] === undefined,
    skipped: / # (SKIP|TODO)\b/i.test(text),
    title: text.replace(/ # (time=|SKIP|TODO).*$/i, ''),
    seconds: Number(/ # time=([\d.]+)ms/.exec(text)?.[1] ?? 0) / 1_000,
  }
}

function endingOf(run: ProcessRun, isIncomplete: boolean, hasFailed: boolean): string | null {
  if (run.timedOut) return 'it was stopped because it took too long'
  if (run.signal !== null) return `it was ended by ${run.signal}`
  if (run.output.includes('\nBail out!')) return 'it bailed out'
  if (isIncomplete) return `it ended before its end, with exit code ${run.exitCode}`
  if (run.exitCode !== 0 && !hasFailed) return `it ended with exit code ${run.exitCode}`
  return null
}
