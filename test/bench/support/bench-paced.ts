import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { quantile } from './bench-rounds.ts'
import type { LoadOptions, LoadResult } from './bench-service.ts'

/*
 * A steady load from a process of its own: takes LoadOptions as its argument and prints a
 * LoadResult. Each request is due at its time regardless of earlier ones, and its latency counts
 * from that time, including any wait here for a connection or because this process was late. Not
 * autocannon, which sends each second's requests at the beginning of the second.
 */

const { url, path, key, body, connections, seconds, perSecond, idempotencyKey, keyPrefix } =
  JSON.parse(process.argv[2] ?? '') as LoadOptions
const pool = new Pool(url, { connections, pipelining: 1 })
const latenciesMs: number[] = []
let failed = 0

async function send(number: number, dueAt: number): Promise<void> {
  try {
    const answer = await pool.request({
      path,
      method: body === null ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        'idempotency-key': idempotencyKey ?? `${keyPrefix}-${number}`,
      },
      body,
    })
    await answer.body.dump()
    if (answer.statusCode >= 300) failed++
    else latenciesMs.push(performance.now() - dueAt)
  } catch {
    failed++
  }
}

const everyMs = 1_000 / (perSecond ?? 1)
const sent: Promise<void>[] = []
const beganAt = performance.now()
for (let number = 0; number * everyMs < seconds * 1_000; number++) {
  const dueAt = beganAt + number * everyMs
  const waitMs = dueAt - performance.now()
  if (waitMs > 0) await delay(Math.ceil(waitMs))
  sent.push(send(number, dueAt))
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
