import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'
import { postgresEnvironment, type RunAs } from './binaries.ts'
import { clusterName, fastStopMs, immediateStopMs } from './cluster-processes.ts'

export type PostmasterOptions = {
  readonly clusterDir: string
  readonly bin: string
  readonly runAs: RunAs
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
  readonly log: Log
}

/** A running PostgreSQL server that is our child. */
export type Postmaster = {
  readonly pid: number
  /** Resolves with its last output when the server has ended for any reason. */
  readonly ended: Promise<string>
  /** Tries a fast shutdown, then harder ones. Resolves when it has ended. Calling it twice is safe. */
  stop(): Promise<void>
}

/** Another process took the chosen port before the server could bind it. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken'
}

/** Time to replay 1 GB of write-ahead log, the most that `max_wal_size` allows, on a slow disk. */
const readyWithinMs = 180_000
/** Lines of output kept to explain a failed start. */
const linesKept = 20

/**
 * The `-D` argument for a process started in the cluster's folder. For another user it is a link in
 * /proc, which leads directly to the folder even if a parent folder is closed to that user.
 */
export function dataDirectoryArgument(clusterDir: string, runAs: RunAs): string {
  return runAs ? '/proc/self/cwd' : clusterDir
}

/** Starts the server on a free cluster and resolves when it accepts connections, as a standby does. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { clusterDir, bin, runAs, port } = options
  const settings = {
    port: String(port),
    cluster_name: clusterName(clusterDir),
    ...options.settings,
  }
  const child = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      dataDirectoryArgument(clusterDir, runAs),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...runAs,
      cwd: clusterDir,
      env: postgresEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
      // A separate process group: a terminal's Ctrl-C must not end it before we have drained.
      detached: true,
    },
  )
  // Leaves no orphan if an exception crashes this process. After kill -9, `stopOrphan` cleans up.
  const endWithUs = () => child.kill('SIGINT')
  process.once('exit', endWithUs)
  const lines: string[] = []
  const ended = endOf(child, lines).finally(() => process.off('exit', endWithUs))
  try {
    await ready(child, ended, lines, options)
  } catch (error) {
    await stop(child, ended)
    throw error
  }
  return { pid: child.pid as number, ended, stop: () => stop(child, ended) }
}

/** Waits for `close`, not `exit`, because the last output has been read by then. */
function endOf(child: ChildProcess, lines: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(lastWords(lines)))
  })
}

function ready(
  child: ChildProcess,
  ended: Promise<string>,
  lines: string[],
  { log, port }: PostmasterOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(
        new StartError(
          `The embedded PostgreSQL was not ready after ${readyWithinMs / 1000} s: ${lastWords(lines)}`,
        ),
      )
    }, readyWithinMs)
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > linesKept) lines.shift()
      log.debug({ component: 'postgres', reason: line }, 'output of PostgreSQL')
      if (/database system is ready to accept (read-only )?connections/.test(line)) {
        clearTimeout(timer)
        resolve()
      }
    })
    ended.then((words) => {
      clearTimeout(timer)
      if (lines.some((line) => line.includes('could not bind'))) {
        reject(new PortTaken(`port ${port} is taken`))
      } else {
        reject(new StartError(`The embedded PostgreSQL did not start: ${words}`))
      }
    })
  })
}

function lastWords(lines: readonly string[]): string {
  const said = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ?? lines.at(-1)
  return said?.replace(/^.*?\b(FATAL|PANIC|LOG|HINT): +/, '') ?? 'it gave no reason'
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', immediateStopMs],
    ['SIGKILL', immediateStopMs],
  ] as const) {
    child.kill(signal)
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), waitMs)
    const late = new Promise<'late'>((resolve) => {
      timeout.signal.addEventListener('abort', () => resolve('late'))
    })
    const outcome = await Promise.race([ended, late])
    clearTimeout(timer)
    if (outcome !== 'late') return
  }
}

/** Below the ports that systems give to outgoing connections, which could take one that was just found. */
const portMin = 20_000
const portMax = 32_000
const portTriesMax = 100

/** A port that was free a moment ago, on the loopback interface. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < portTriesMax; tries++) {
    const port = randomInt(portMin, portMax)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port was found between ${portMin} and ${portMax}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
