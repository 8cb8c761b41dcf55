import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'

/** The embedded service as a newcomer starts it, in a process of its own. */
export type LoadedService = {
  readonly dataDir: string
  readonly child: ChildProcess
  readonly url: string
  readonly key: string
  readonly body: string
  /** Ends the process and deletes its data. */
  stop(): Promise<void>
}

export async function loadedService(environment: NodeJS.ProcessEnv = {}): Promise<LoadedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shipping-ledger-bench-'))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts'], {
    env: {
      ...process.env,
      ...environment,
      ...{ DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const line = said
      .split('\n')
      .find((each) => each.includes('order-1001') && each.includes("-d '{"))
    const found = line?.match(/Bearer (\S+)'.* (http:\S+)\/v1\/shipments -d '(\{.*\})'/)
    if (found && said.includes('P2D')) {
      child.stdout.resume()
      const [, key = '', url = '', body = ''] = found
      const stop = async () => {
        child.kill('SIGTERM')
        await new Promise((resolve) => child.once('exit', resolve))
        rmSync(dataDir, { recursive: true, force: true })
      }
      return { dataDir, child, url, key, body, stop }
    }
  }
  throw new Error('the service did not start')
}

export type Load = { readonly connections: number; readonly seconds: number }

/** Requests one after the other over each connection; answers their latencies in ms, ascending. */
export async function load(
  { url, key, body }: LoadedService,
  path: '/v1/shipments' | '/v1/key',
  number: number,
  { connections, seconds }: Load,
): Promise<readonly number[]> {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const latencies: number[] = []
  const until = performance.now() + seconds * 1_000
  let next = 0
  const worker = async () => {
    while (performance.now() < until) {
      const began = performance.now()
      const creates = path === '/v1/shipments'
      const answer = await pool.request({
        path,
        method: creates ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${key}`,
          ...(creates
            ? { 'content-type': 'application/json', 'idempotency-key': `bench-${number}-${next++}` }
            : {}),
        },
        body: creates ? body : null,
      })
      await answer.body.dump()
      if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`)
      latencies.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  await pool.close()
  return latencies.sort((a, b) => a - b)
}

/** Prints and answers how many there were a second. */
export function sayRate(what: string, latencies: readonly number[], seconds: number): number {
  const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1)
  const perSecond = latencies.length / seconds
  process.stdout.write(
    `${what.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms\n`,
  )
  return perSecond
}
