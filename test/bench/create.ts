import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'

// Creations a second over HTTP, durable to the answer: the embedded service as a newcomer starts it,
// in a process of its own, its simulated courier included. `npm run bench -- create`

const connections = Number(process.argv[2] ?? 50)
const seconds = Number(process.argv[3] ?? 10)
const rounds = 3

type Started = {
  readonly child: ChildProcess
  readonly url: string
  readonly key: string
  readonly body: string
}

async function start(dataDir: string): Promise<Started> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'warn' },
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
      return { child, url, key, body }
    }
  }
  throw new Error('the service did not start')
}

async function round({ url, key, body }: Started, path: string, number: number): Promise<number[]> {
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

function say(what: string, latencies: readonly number[]): number {
  const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1)
  const perSecond = latencies.length / seconds
  process.stdout.write(
    `${what.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms\n`,
  )
  return perSecond
}

const dataDir = mkdtempSync(join(tmpdir(), 'shipping-ledger-bench-'))
const started = await start(dataDir)
try {
  const ratios: number[] = []
  for (let number = 0; number < rounds; number++) {
    const key = say(`round ${number + 1}: GET /v1/key`, await round(started, '/v1/key', number))
    const create = say(
      `round ${number + 1}: POST /v1/shipments`,
      await round(started, '/v1/shipments', number),
    )
    ratios.push(create / key)
  }
  process.stdout.write(
    `creations / reads of /v1/key, per round: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}\n`,
  )
} finally {
  started.child.kill('SIGTERM')
  await new Promise((resolve) => started.child.once('exit', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}
