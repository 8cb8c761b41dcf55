import { setTimeout as delay } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { quantile } from './bench-rounds.ts'
import type { LoadResult } from './bench-service.ts'

type Steady = {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly perSecond: number
  /** The request of this number, from 0. */
  readonly request: (number: number) => Dispatcher.RequestOptions
}

/**
 * Sends requests at a steady rate. Each is due at its time regardless of earlier ones, and its latency
 * counts from that time, including any wait here for a connection or because this process was late. Not
 * autocannon, which sends each second's requests at the beginning of the second.
 */
export async function steadyLoad(load: Steady): Promise<LoadResult> {
  const { url, connections, seconds, perSecond, request } = load
  const pool = new Pool(url, { connections, pipelining: 1 })
  const latenciesMs: number[] = []
  let failed = 0
  const send = async (number: number, dueAt: number): Promise<void> => {
    try {
      const answer = await pool.request(request(number))
      await answer.body.dump()
      if (answer.statusCode >= 300) failed++
      else latenciesMs.push(performance.now() - dueAt)
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
    sent.push(send(number, dueAt))
  }
  await Promise.all(sent)
  const tookMs = performance.now() - beganAt
  await pool.close()
  return {
    done: latenciesMs.length,
    failed,
    perSecond: (1_000 * latenciesMs.length) / tookMs,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  }
}
