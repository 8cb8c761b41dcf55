import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { glob } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { say } from './say.ts'
import { scratchServer, scratchVariable } from './scratch-server.ts'
import { type FileRun, readTap } from './tap-output.ts'

export type Totals = { readonly passed: number; readonly failed: number }

/** A small machine has two cores; the other files use the time that two of them wait. */
const jobsMax = 4
/** A test of whole processes or in a browser starts several processes itself, or has as much to do. */
const storiesMax = 2
/** The slowest file of `npm test` takes a fraction of this; the whole run has five minutes. */
const fileTimeoutMsDefault = 120_000
/** The longest that a file of another kind may take: a browser may draw without a graphics processor. */
const longTimeoutMs = 300_000
/** The time from SIGTERM to SIGKILL. */
const stopGraceMs = 3_000
/** How long to read the pipes of an ended process if something else holds them open. */
const pipeGraceMs = 1_000
/** A file's output beyond this is cut at the front. */
const outputMax = 8 * 1024 * 1024
/** Lines of a failed file's output that are shown. */
const shownLinesMax = 200

const quiet = '--disable-warning=ExperimentalWarning'
const root = join(import.meta.dirname, '..', '..')
/** Long measurements and proofs have commands of their own. */
const apart = [/^test\/bench\//, /^test\/prove\//]
/*
 * A file's name says what kind of test it is: `erasure.fault.test.ts`. These kinds take minutes, so they
 * run only on request.
 */
/** Whole processes and servers, most of them killed, cut off or frozen. */
export const faults = '.fault.'
/** Pages in a real browser: without a graphics processor they take minutes too. */
export const browserTests = '.browser.'
/** The longest of the others. Each tries much more than one case, some of them as a small proof. */
export const slowTests = '.slow.'
const onRequest = [faults, browserTests, slowTests]
/** These start processes or a browser themselves. */
const stories = [faults, browserTests]
/** It mostly waits, for a deadline or a database: it runs beside the others. */
const waiting = '.waiting.'
/** What it counts must be its own doing: nothing runs beside it. */
const alone = '.alone.'
/** Files that are named at the end, so that the run can be shortened. */
const slowestShown = 10

/** How long each file of this run took. */
const durations: { readonly file: string; readonly seconds: number }[] = []
const running = new Set<ChildProcess>()
const nothingToStop = async () => {}
let stopServer = nothingToStop

export function totalsLine(totals: Totals): string {
  return `${totals.passed} passed, ${totals.failed} failed`
}

/** The test files whose path contains one of the filters; without a filter, all that need no request. */
export async function testFiles(filters: readonly string[] = []): Promise<readonly string[]> {
  const files: string[] = []
  for await (const file of glob('test/**/*.test.ts', { cwd: root })) {
    const name = file.replaceAll('\\', '/')
    const isWanted =
      filters.length === 0
        ? !isOf(onRequest, name)
        : filters.some((filter) => name.includes(filter))
    if (isWanted && !apart.some((pattern) => pattern.test(name))) files.push(name)
  }
  // The longest stories first, so that no core waits for one of them at the end.
  const weight = (file: string) => (/^test\/(journeys|faults|simulation)\//.test(file) ? 0 : 1)
  return files.sort((a, b) => weight(a) - weight(b) || (a < b ? -1 : 1))
}

/** The tests of pages serve what is built. It takes half a second if nothing has changed. */
async function buildPages(): Promise<void> {
  for (const house of ['console', 'docs-site']) {
    const program = join(root, 'src', house, 'build', 'build.ts')
    await promisify(execFile)(process.execPath, [quiet, program])
  }
}

/**
 * Runs each file as a process of its own, a few at once, and says how each ended. They share one
 * PostgreSQL, each with databases of its own. tap's own runner is made for coverage and plugins; here a
 * file that dies without output fails, as do a missing plan, a signal, a wrong count and an empty file.
 */
export async function runTests(
  files: readonly string[],
  fileTimeoutMs: number = fileTimeoutMsDefault,
): Promise<Totals> {
  if (files.length === 0) {
    say('No test file fits.')
    return { passed: 0, failed: 1 }
  }
  await buildPages()
  const server = await scratchServer()
  stopServer = () => server.stop()
  try {
    return await runFiles(files, { [scratchVariable]: server.adminUrl }, fileTimeoutMs)
  } finally {
    stopServer = nothingToStop
    await server.stop()
  }
}

function isOf(kinds: readonly string[], file: string): boolean {
  return kinds.some((kind) => file.includes(kind))
}

async function runFiles(
  files: readonly string[],
  extraEnv: NodeJS.ProcessEnv,
  fileTimeoutMs: number,
): Promise<Totals> {
  let passed = 0
  let failed = 0
  const worker = async (queue: string[]): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const startedAt = performance.now()
      const run = await runFile(
        file,
        extraEnv,
        isOf(onRequest, file) ? longTimeoutMs : fileTimeoutMs,
      )
      const result = readTap(run)
      passed += result.passed
      failed += result.failed
      const seconds = (performance.now() - startedAt) / 1_000
      durations.push({ file, seconds })
      const skipped = result.skipped === 0 ? '' : `, ${result.skipped} skipped`
      const state = result.failed === 0 ? 'ok    ' : 'FAILED'
      say(`${state} ${file}  ${totalsLine(result)}${skipped}, ${seconds.toFixed(1)} s`)
      if (result.failed > 0) showFailure(file, result.problems, run.output)
    }
  }
  const working = files.filter((file) => !file.includes(waiting))
  const waitingFiles = files.filter((file) => file.includes(waiting))
  const apartFromOthers = working.filter((file) => file.includes(alone))
  const storyFiles = working.filter((file) => isOf(stories, file) && !file.includes(alone))
  const others = working.filter((file) => !isOf(stories, file))
  const workers = (count: number, queue: string[]) =>
    Promise.all(Array.from({ length: count }, () => worker(queue)))
  const rest = async () => {
    await workers(storiesMax, storyFiles)
    await workers(jobsMax - 1, others)
  }
  await worker(apartFromOthers)
  // One of the others uses the time in which stories wait for their processes.
  await Promise.all([worker(waitingFiles), worker(others), rest()])
  return { passed, failed }
}

function runFile(
  file: string,
  extraEnv: NodeJS.ProcessEnv,
  fileTimeoutMs: number,
): Promise<FileRun> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      ...extraEnv,
      // Loading the sources is most of the time of a short file.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      // A little earlier, so that tap itself can report which test it was.
      TAP_TIMEOUT: String((fileTimeoutMs - 10_000) / 1000),
      FORCE_COLOR: '0',
    }
    // Young objects are collected less often: a tenth of the work.
    const options = ['--max-semi-space-size=64', quiet]
    const child = spawn(process.execPath, [...options, join(root, file)], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    let errors = ''
    let timedOut = false
    const keep = (before: string, chunk: unknown) => (before + String(chunk)).slice(-outputMax)
    child.stdout.setEncoding('utf8').on('data', (chunk) => (output = keep(output, chunk)))
    child.stderr.setEncoding('utf8').on('data', (chunk) => (errors = keep(errors, chunk)))
    const timer = setTimeout(() => {
      timedOut = true
      stop(child)
    }, fileTimeoutMs)
    let settled = false
    const settle = (exitCode: number | null, signal: string | null): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      running.delete(child)
      // Processes that the file left behind in its group end with it.
      signalGroup(child, 'SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
      const shown = errors === '' ? output : `${output}\n--- standard error ---\n${errors}`
      resolve({ output: shown, exitCode, signal, timedOut })
    }
    child.on('error', (error) => {
      errors += String(error)
      settle(null, null)
    })
    child.on('close', settle)
    child.on('exit', (exitCode, signal) => {
      setTimeout(() => settle(exitCode, signal), pipeGraceMs).unref()
    })
  })
}

function stop(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  setTimeout(() => signalGroup(child, 'SIGKILL'), stopGraceMs).unref()
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group has ended already.
  }
}

function showFailure(file: string, problems: readonly string[], output: string): void {
  const lines = output.trimEnd().split('\n')
  const first = lines.findIndex((line) => /^\s*not ok\b/.test(line))
  const from = first === -1 ? Math.max(0, lines.length - shownLinesMax) : first
  say(`\n  ${file} failed:`)
  for (const problem of problems) say(`    - ${problem}`)
  for (const line of lines.slice(from, from + shownLinesMax)) say(`    | ${line}`)
  say(`    Run it alone: node ${file}\n`)
}

/** Ctrl-C reaches only this process: each file has a group of its own, and so has the server. */
function stopTestsOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      for (const child of running) signalGroup(child, 'SIGKILL')
      await stopServer()
      process.exit(130)
    })
  }
}

function saySlowest(): void {
  const slowest = durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown)
  if (slowest.length < slowestShown) return
  say('\nThe slowest:')
  for (const { file, seconds } of slowest) say(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
}

/** Says the totals as the very last line; whatever broke the run itself is a failure too. */
export async function reportTotals(run: () => Promise<Totals>): Promise<void> {
  stopTestsOnSignal()
  let totals: Totals = { passed: 0, failed: 1 }
  try {
    totals = await run()
  } catch (error) {
    say(`The run itself failed: ${error instanceof Error ? error.stack : String(error)}`)
  }
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1
  saySlowest()
  say(totalsLine(totals))
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true })
  await reportTotals(async () => runTests(await testFiles(positionals)))
}
