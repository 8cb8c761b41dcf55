import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runningProcess } from '../../src/service/database/data-directory.ts'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import { say } from '../support/say.ts'
import { alternating, row } from './support/bench-rounds.ts'
import { type BenchService, benchService } from './support/bench-service.ts'

// Measures from `npm start` on existing data to the first 201 of a shop that keeps retrying. `npm
// run bench -- start [shipments] [starts]`

const shipments = Number(process.argv[2] ?? 5_000)
const starts = Number(process.argv[3] ?? 5)
const name = 'start'
const askEveryMs = 10
const firstWithinMs = 60_000

/** A data directory with this many shipments, stopped as an operator stops it. */
async function existingData(): Promise<BenchService> {
  const service = await benchService({ courier: 'simulated' })
  for (let made = 0; made < shipments; ) {
    made += (await service.load({ path: '/v1/shipments', seconds: 5 })).done
    say(`  ${made} of ${shipments} shipments made`)
  }
  await service.caughtUp()
  await service.stop('keep the data')
  return service
}

async function isMade(url: string, { key, body }: BenchService, idempotencyKey: string) {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  }
  try {
    const answer = await fetch(`${url}/v1/shipments`, { method: 'POST', headers, body })
    await answer.text()
    return answer.status === 201
  } catch {
    return false
  }
}

async function secondsToFirst(data: BenchService, start: number): Promise<number> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const beganAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...process.env,
      DATA_DIR: data.dataDir,
      PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    while (!(await isMade(`http://127.0.0.1:${port}`, data, `bench-start-${start}`))) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
      if (performance.now() - beganAt > firstWithinMs) throw new Error('nothing was created')
      await delay(askEveryMs)
    }
    return (performance.now() - beganAt) / 1_000
  } finally {
    // Signals the service itself: npm may exit before it.
    const running = runningProcess(data.dataDir)
    if (running) process.kill(running.pid, 'SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

const data = await existingData()
try {
  let slowest = 0
  const { seconds } = await alternating(starts, {
    seconds: async (start) => {
      const took = await secondsToFirst(data, start)
      slowest = Math.max(slowest, took)
      return took
    },
  })
  row({ name, measured: 'npm start to the first 201, s', value: seconds, target: { atMost: 5 } })
  row({ name, measured: `the slowest of ${starts} starts, s`, value: slowest, target: null })
} finally {
  await data.stop()
}
