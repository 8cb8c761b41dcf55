import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { glob } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { leanNode } from './run-process.ts'
import { say } from './say.ts'
import { scratchServer, scratchVariable } from './scratch-server.ts'
import { type FileResult, type ProcessRun, readTap } from './tap-output.ts'

export type Totals = { readonly passed: number; readonly failed: number }

/*
 * How many files run at once on a machine with two cores. Tests of whole processes wait for them most of
 * the time, a browser draws all the time; so both kinds begin together, and each helps the other at the end.
 */
const faultsMax = 2
const pagesMax = 1
const othersMax = 2
/**
 * Above this load of each core, no process is added to this many. On a slow machine more of them only take
 * each other's time, until tests fail for it.
 */
const loadMax = 3
const atOnceMin = 3
const askAgainMs = 1_000
/** Three times what the slowest file of `npm test` takes on a busy machine; the whole run has five minutes. */
const fileTimeoutMsDefault = 180_000
/** The limit for files of other kinds: twice what the slowest of them takes on a slow and busy machine. */
const longTimeoutMs = 600_000
/** Files that one process runs, one after the other: loading the service takes longer than most of them. */
const sharingMax = 12
const longSharingMax = 5
/** What is left of a queue is divided into at least as many parts: twice the processes at once. */
const partsMin = 8
/** The time between SIGTERM and SIGKILL. */
const stopGraceMs = 3_000
/** How long to read the pipes of an exited process that something else still holds open. */
const pipeGraceMs = 1_000
/** A file's output beyond this is truncated at the front. */
const outputMax = 8 * 1024 * 1024
/** Lines of a failed file's output that are shown. */
const shownLinesMax = 200

const root = join(import.meta.dirname, '..', '..')
const program = join(import.meta.dirname, 'files-main.ts')
/** Long measurements and proofs have commands of their own. */
const apart = [/^test\/bench\//, /^test\/prove\//]
/*
 * A file's name says what kind of test it is: `erasure.fault.test.ts`. These kinds take minutes, so they
 * run only on request.
 */
/** Whole processes and servers, most of which are killed, disconnected or frozen. */
export const faults = '.fault.'
/** Pages in a real browser: without a graphics processor they take minutes too. */
export const browserTests = '.browser.'
/** The longest of the other tests. Each covers many cases, some as a small proof. */
export const slowTests = '.slow.'
const onRequest = [faults, browserTests, slowTests]
/** Kinds that start processes or a browser. */
const stories = [faults, browserTests]
/** Mostly waits, for a deadline or a database, so it runs beside the others. */
const waiting = '.waiting.'
/** Nothing runs beside it, so that it counts only its own effects. */
const alone = '.alone.'
/** The number of files listed at the end, as candidates for making the run shorter. */
const slowestShown = 10

/** The duration of each file in this run. */
const durations: { readonly file: string; readonly seconds: number }[] = []
const running = new Set<ChildProcess>()
const nothingToStop = async () => {}
let stopServer = nothingToStop

export function totalsLine(totals: Totals): string {
  return `${totals.passed} passed, ${totals.failed} failed`
}

/**
 * The test files whose path contains one of the filters; without filters, all that do not need a
 * request.
 */
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
  // The longest files first, so that no core idles at the end while another runs one of them.
  const weight = (file: string) => (/^test\/(journeys|faults|http|simulation)\//.test(file) ? 0 : 1)
  return files.sort((a, b) => weight(a) - weight(b) || (a < b ? -1 : 1))
}

/** Tests of pages use the built pages. Without changes the build takes half a second. */
async function buildPages(): Promise<void> {
  for (const house of ['console', 'docs-site']) {
    const program = join(root, 'src', house, 'build', 'build.ts')
    await promisify(execFile)(process.execPath, [...leanNode, program])
  }
}

/**
 * Runs the files, a few processes at once, and reports how each ended. They share one PostgreSQL, with
 * databases of their own. tap's own runner is made for coverage and plugins; this one fails a file that dies
 * without output, has no plan, ends by a signal, has a wrong count or is empty.
 */
export async function runTests(
  files: readonly string[],
  fileTimeoutMs: number = fileTimeoutMsDefault,
): Promise<Totals> {
  if (files.length === 0) {
    say('No test file matches.')
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
    for (;;) {
      while (isOverloaded()) await delay(askAgainMs)
      const next = nextFiles(queue)
      if (next.length === 0) return
      const timeoutMs = next.some((file) => isOf(onRequest, file)) ? longTimeoutMs : fileTimeoutMs
      const run = await runProcess(next, extraEnv, timeoutMs)
      for (const result of readTap(run, next)) {
        passed += result.passed
        failed += result.failed
        report(result, run.errors, tapTimeoutOf(timeoutMs))
      }
    }
  }
  const queueOf = (isWanted: (file: string) => boolean) => files.filter(isWanted)
  const isStory = (file: string) => isOf(stories, file)
  const beside = (file: string) => !file.includes(alone) && !file.includes(waiting)
  const waitingFiles = queueOf((file) => file.includes(waiting))
  const faultFiles = queueOf((file) => beside(file) && file.includes(faults))
  const pageFiles = queueOf((file) => beside(file) && file.includes(browserTests))
  const others = queueOf((file) => beside(file) && !isStory(file))
  const workers = (count: number, ...queues: string[][]) =>
    Array.from({ length: count }, async () => {
      for (const queue of queues) await worker(queue)
    })
  await Promise.all(
    workers(
      1,
      queueOf((file) => file.includes(alone)),
    ),
  )
  await Promise.all([
    ...workers(1, waitingFiles),
    ...workers(faultsMax, faultFiles, pageFiles, others),
    ...workers(pagesMax, pageFiles, faultFiles, others),
    ...workers(othersMax, others),
  ])
  return { passed, failed }
}

function isOverloaded(): boolean {
  const [load = 0] = loadavg()
  return running.size >= atOnceMin && load > loadMax * availableParallelism()
}

/** Takes the next files for one process from the queue: fewer towards its end, so that all end together. */
function nextFiles(queue: string[]): readonly string[] {
  const [first = ''] = queue
  if (isOf([waiting, alone], first)) return queue.splice(0, 1)
  const isLong = isOf(onRequest, first)
  const max = Math.min(isLong ? longSharingMax : sharingMax, Math.ceil(queue.length / partsMin))
  const other = queue.findIndex((file) => isOf(onRequest, file) !== isLong)
  return queue.splice(0, other === -1 ? max : Math.min(max, other))
}

/** In seconds. A little earlier than our own, so that tap itself can report which test it was. */
function tapTimeoutOf(fileTimeoutMs: number): string {
  return String((fileTimeoutMs - 10_000) / 1000)
}

function report(result: FileResult, errors: string, tapTimeout: string): void {
  const { file, seconds } = result
  durations.push({ file, seconds })
  const skipped = result.skipped === 0 ? '' : `, ${result.skipped} skipped`
  const state = result.failed === 0 ? 'ok    ' : 'FAILED'
  say(`${state} ${file}  ${totalsLine(result)}${skipped}, ${seconds.toFixed(1)} s`)
  if (result.failed > 0) showFailure(result, errors, tapTimeout)
}

function runProcess(
  files: readonly string[],
  extraEnv: NodeJS.ProcessEnv,
  fileTimeoutMs: number,
): Promise<ProcessRun & { readonly errors: string }> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      ...extraEnv,
      // Short files spend most of their time loading sources.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      // Not arguments: tap makes the names of its temporary folders from them.
      TEST_FILES: JSON.stringify(files),
      TAP_TIMEOUT: tapTimeoutOf(fileTimeoutMs),
      FORCE_COLOR: '0',
    }
    const child = spawn(process.execPath, [...leanNode, program], {
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
    }, files.length * fileTimeoutMs)
    let settled = false
    const settle = (exitCode: number | null, signal: string | null): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      running.delete(child)
      // Kills processes that the file left behind in its group.
      signalGroup(child, 'SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ output, errors, exitCode, signal, timedOut })
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
    // The group has already ended.
  }
}

function showFailure(
  { file, problems, output: printed }: FileResult,
  errors: string,
  tapTimeout: string,
): void {
  const output = errors === '' ? printed : `${printed}\n--- standard error ---\n${errors}`
  const lines = output.trimEnd().split('\n')
  const first = lines.findIndex((line) => /^\s*not ok\b/.test(line))
  const from = first === -1 ? Math.max(0, lines.length - shownLinesMax) : first
  say(`\n  ${file} failed:`)
  for (const problem of problems) say(`    - ${problem}`)
  for (const line of lines.slice(from, from + shownLinesMax)) say(`    | ${line}`)
  say(`    Run it alone: TAP_TIMEOUT=${tapTimeout} node ${file}\n`)
}

/**
 * Ctrl-C reaches only this process, because each file and the server have process groups of their
 * own.
 */
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

/** Prints the totals as the very last line; an error of the run itself counts as a failure. */
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
