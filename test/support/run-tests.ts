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
/** What it counts must be its own doing. */
const alone: readonly string[] = ['test/faults/counters.test.ts']
/** Tests that mostly wait, for a deadline or a database: they run beside the others. */
const mostlyWaiting: readonly string[] = [
  'test/faults/postgres/database-gone.test.ts',
  'test/faults/pause.test.ts',
  'test/faults/eventstoredb/eventstoredb-lost-end.test.ts',
  'test/faults/disk/disk-full.test.ts',
  'test/faults/ledger/recovered.test.ts',
  'test/processes/following.test.ts',
  'test/processes/tracking.test.ts',
  'test/client/follow-through-review.test.ts',
]
/** The slowest file takes a fraction of this; the whole run has five minutes. */
const fileTimeoutMsDefault = 120_000
/** Of a story: a browser may have to draw without a graphics processor. */
const storyTimeoutMs = 300_000
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
/**
 * Tests of whole processes and servers, most of them killed, cut off or frozen. They take minutes, so they
 * run only on request.
 */
export const faults = 'test/faults/'
/** Tests of the pages in a real browser: without a graphics processor they take minutes too. */
export const browserTests: readonly string[] = ['test/console/', 'test/docs-site/']
/** The longest of the others. Each tries much more than one case, some of them as a small proof. */
export const thoroughTests: readonly string[] = [
  'test/http/papers.test.ts',
  'test/http/filters.test.ts',
  'test/journeys/alerts.test.ts',
  'test/journeys/batch-orders.test.ts',
  'test/journeys/evidence/erasures.test.ts',
  'test/journeys/evidence/evidence-bundles.test.ts',
  'test/journeys/failing-endpoints.test.ts',
  'test/journeys/fuzz.test.ts',
  'test/journeys/evidence/history.test.ts',
  'test/journeys/isolation.test.ts',
  'test/journeys/evidence/legal-holds.test.ts',
  'test/journeys/invoices/fetched-invoices.test.ts',
  'test/journeys/large-bodies.test.ts',
  'test/journeys/lists.test.ts',
  'test/journeys/operations/advance-work.test.ts',
  'test/journeys/operations/operation-work.test.ts',
  'test/journeys/evidence/operators.test.ts',
  'test/journeys/evidence/privacy.test.ts',
  'test/journeys/reach.test.ts',
  'test/journeys/operations/sandbox-clock.test.ts',
  'test/journeys/operations/scenarios.test.ts',
  'test/journeys/statistics.test.ts',
  'test/journeys/upgrade.test.ts',
  'test/journeys/webhooks.test.ts',
  'test/ledger/diff.test.ts',
  'test/ledger/evidence/bundles.test.ts',
  'test/ledger/evidence/silent-witness.test.ts',
  'test/ledger/evidence/python-verifier.test.ts',
  'test/ledger/evidence/tampered-bundles.test.ts',
  'test/projections/crash-points.test.ts',
  'test/projections/earlier-version.test.ts',
  'test/projections/projector.test.ts',
  'test/simulation/simulation.test.ts',
]
const onRequest = [faults, ...browserTests, ...thoroughTests]
/** These start processes or a browser themselves, or play all scenarios at once. */
const stories = [faults, ...browserTests, 'test/journeys/operations/scenarios.test.ts']
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
        ? !onRequest.some((folder) => name.startsWith(folder))
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
 * PostgreSQL, each with databases of its own.
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

function isStory(file: string): boolean {
  return stories.some((folder) => file.startsWith(folder))
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
      const run = await runFile(file, extraEnv, isStory(file) ? storyTimeoutMs : fileTimeoutMs)
      const result = readTap(run)
      passed += result.passed
      failed += result.failed
      const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
      const skipped = result.skipped === 0 ? '' : `, ${result.skipped} skipped`
      const state = result.failed === 0 ? 'ok    ' : 'FAILED'
      say(`${state} ${file}  ${totalsLine(result)}${skipped}, ${took}`)
      if (result.failed > 0) showFailure(file, result.problems, run.output)
    }
  }
  const working = files.filter((file) => !mostlyWaiting.includes(file))
  const waiting = files.filter((file) => mostlyWaiting.includes(file))
  const apartFromOthers = working.filter((file) => alone.includes(file))
  const storyFiles = working.filter((file) => isStory(file) && !alone.includes(file))
  const others = working.filter((file) => !isStory(file))
  const workers = (count: number, queue: string[]) =>
    Promise.all(Array.from({ length: count }, () => worker(queue)))
  const rest = async () => {
    await workers(storiesMax, storyFiles)
    await workers(jobsMax - 1, others)
  }
  await worker(apartFromOthers)
  // One of the others uses the time in which stories wait for their processes.
  await Promise.all([worker(waiting), worker(others), rest()])
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
  say(totalsLine(totals))
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { thorough: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const filters = values.thorough ? thoroughTests : positionals
  await reportTotals(async () => runTests(await testFiles(filters)))
}
