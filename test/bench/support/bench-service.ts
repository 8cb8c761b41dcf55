import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../../src/service/embedded-postgres/postmaster.ts'

/**
 * The service on the embedded database, in a process of its own, started as a newcomer starts it.
 */
export type BenchService = {
  readonly pid: number
  readonly url: string
  readonly key: string
  /** A request body for a shipment. */
  readonly body: string
  readonly dataDir: string
  /**
   * The age of the oldest event that some projection has not processed; 0 if there is no such
   * event.
   */
  lagSeconds(): Promise<number>
  /** Resolves when every projection has processed every event. */
  caughtUp(): Promise<void>
  memoryBytes(): Promise<number>
  /** Processor time of the longest turn of the service's event loop since the last call. */
  longestHoldMs(): Promise<number>
  load(options: Partial<LoadOptions> & Pick<LoadOptions, 'path'>): Promise<LoadResult>
  /** Ends the process and removes its data unless it is to be kept. */
  stop(keep?: 'keep the data'): Promise<void>
}

export type LoadOptions = {
  readonly url: string
  readonly path: string
  readonly key: string
  /** Sent by POST; null for a GET. */
  readonly body: string | null
  readonly connections: number
  readonly seconds: number
  /** Requests per second, evenly spaced regardless of the answers; null for as many as possible. */
  readonly perSecond: number | null
  /** The same key for all requests; null for a new key each. */
  readonly idempotencyKey: string | null
  readonly keyPrefix: string
}

export type LoadResult = {
  readonly done: number
  readonly failed: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type BenchServiceOptions = {
  /** `instant`: creates guides immediately in the service's process; `simulated`: over HTTP. */
  readonly courier: 'instant' | 'simulated'
  /** A stopped service whose data was kept, to continue with. */
  readonly after?: BenchService
  readonly environment?: NodeJS.ProcessEnv
  /** The folder of another checkout whose service it runs. Default: this project. */
  readonly checkout?: string
}

const supportDir = import.meta.dirname
const project = join(supportDir, '../../..')
const quiet = '--disable-warning=ExperimentalWarning'
/** Far longer than a round needs. */
const caughtUpWithinMs = 60_000
let loads = 0

function mainOf(checkout: string = project): string {
  return join(checkout, 'test/bench/support/bench-main.ts')
}

export async function benchService(options: BenchServiceOptions): Promise<BenchService> {
  const { after } = options
  const dataDir = after?.dataDir ?? mkdtempSync(join(tmpdir(), 'shipping-ledger-bench-'))
  const metricsPort = await freePort()
  const child = spawn(process.execPath, [quiet, mainOf(options.checkout)], {
    env: {
      ...process.env,
      BENCH_COURIER: options.courier,
      LOG_LEVEL: 'info',
      ...options.environment,
      DATA_DIR: dataDir,
      PORT: '0',
      METRICS_PORT: String(metricsPort),
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { url, key, body } = await started(child, after)
  const lagSeconds = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const lags = [...text.matchAll(/^projection_lag_seconds\{.*\} (\S+)$/gm)]
    return Math.max(...lags.map(([, lag]) => Number(lag)))
  }
  return {
    pid: child.pid ?? 0,
    url,
    key,
    body,
    dataDir,
    lagSeconds,
    async caughtUp() {
      const until = performance.now() + caughtUpWithinMs
      while ((await lagSeconds()) > 0) {
        if (performance.now() > until) throw new Error('the projections did not catch up')
        await delay(100)
      }
    },
    async memoryBytes() {
      child.send('memory')
      const [bytes] = await once(child, 'message')
      return Number(bytes)
    },
    async longestHoldMs() {
      child.send('hold')
      const [ms] = await once(child, 'message')
      return Number(ms)
    },
    load: (load) => generateLoad({ url, key, body, ...load }),
    async stop(keep) {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      if (keep === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Generates load from a process of its own; fails if a request fails. */
export async function generateLoad(
  load: Partial<LoadOptions> & Pick<LoadOptions, 'url' | 'path' | 'key' | 'body'>,
): Promise<LoadResult> {
  const all: LoadOptions = {
    connections: 50,
    seconds: 5,
    perSecond: null,
    idempotencyKey: null,
    keyPrefix: `bench-${process.pid}-${loads++}`,
    ...load,
  }
  const generator = all.perSecond === null ? 'bench-load.ts' : 'bench-paced.ts'
  const result = (await beside(generator, all)) as LoadResult
  if (result.failed > 0) throw new Error(`${result.failed} requests to ${all.path} failed`)
  return result
}

/** Runs a program as a process of its own and returns what it prints. */
async function beside(program: string, options: LoadOptions): Promise<unknown> {
  const args = [quiet, join(supportDir, program), JSON.stringify(options)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

/** Reads from the banner where the service listens, and at a first start a key and a request. */
async function started(
  { stdout }: ChildProcess,
  after: BenchService | undefined,
): Promise<Pick<BenchService, 'url' | 'key' | 'body'>> {
  let said = ''
  for await (const chunk of stdout ?? []) {
    said += String(chunk)
    const url = said.match(/ready on (http:\S+)\n/)?.[1]
    if (url === undefined || !/^Documentation:.*\n[\s\S]*\n$/m.test(said)) continue
    const [, key, body] =
      said.match(/Bearer (\S+)'.*order-1001.*\/v1\/shipments'? -d '(\{.*\})'/) ?? []
    if (after === undefined && (key === undefined || body === undefined)) continue
    stdout?.resume()
    return { url, key: after?.key ?? key ?? '', body: after?.body ?? body ?? '' }
  }
  throw new Error('the service did not start')
}
