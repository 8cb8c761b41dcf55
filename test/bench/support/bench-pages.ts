import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { quantile } from './bench-rounds.ts'
import type { LoadResult } from './bench-service.ts'

/** A steady load on recipients' pages, each request from another network. */
export type PageLoad = {
  readonly url: string
  readonly paths: readonly string[]
  readonly seconds: number
  readonly perSecond: number
}

/*
 * Runs in a process of its own: reads a PageLoad from its input and prints a LoadResult. As in
 * bench-paced.ts, a latency counts from the time at which the request is due.
 */
const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const { url, paths, seconds, perSecond } = JSON.parse(Buffer.concat(chunks).toString()) as PageLoad
const pool = new Pool(url, { connections: 32, pipelining: 1 })
const latenciesMs: number[] = []
let failed = 0

async function open(number: number, dueAt: number): Promise<void> {
  try {
    const answer = await pool.request({
      method: 'GET',
      path: paths[number % paths.length] ?? '',
      headers: {
        'accept-language': number % 2 === 0 ? 'es-PE' : 'en',
        'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      },
    })
    await answer.body.dump()
    if (answer.statusCode === 200) latenciesMs.push(performance.now() - dueAt)
    else failed++
  } catch {
    failed++
  }
}

const everyMs = 1_000 / perSecond
const sent: Promise<void>[] = []
const beganAt = performance.now()
for (let number = 0; number * everyMs < seconds * 1_000; number++) {
  const dueAt = beganAt + number * everyMs
  const waitMs = dueAt - performance.now()
  if (waitMs > 0) await delay(Math.ceil(waitMs))
  sent.push(open(number, dueAt))
}
await Promise.all(sent)
const tookMs = performance.now() - beganAt
await pool.close()
const answer: LoadResult = {
  done: latenciesMs.length,
  failed,
  perSecond: (1_000 * latenciesMs.length) / tookMs,
  p50Ms: quantile(latenciesMs, 0.5),
  p99Ms: quantile(latenciesMs, 0.99),
}
process.stdout.write(JSON.stringify(answer))
