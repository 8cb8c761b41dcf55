import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'

/**
 * At this event loop delay, requests wait longer than they take, and each further request makes it
 * worse. Normal is below 20 ms; a garbage collection or a large page stays below 200 ms.
 */
export const lateMaxMs = 1_000
/** How often the delay is measured. */
const measureEveryMs = 250
/** The loop must be late at this many measurements in a row: a start blocks it once or twice. */
const measurements = 3

export type Lateness = {
  /** The smallest event loop delay of the last measurements, in ms. */
  read(): number
  stop(): void
}

/**
 * One per process. It starts as on time, and is on time again one measurement after the load is
 * gone.
 */
export function eventLoopLateness(): Lateness {
  const lateMs = Array.from({ length: measurements }, () => 0)
  let measuredAt = performance.now()
  // An interval is rescheduled after each run, so any extra time is the delay of that run.
  const timer = setInterval(() => {
    const now = performance.now()
    lateMs.shift()
    lateMs.push(Math.max(0, now - measuredAt - measureEveryMs))
    measuredAt = now
  }, measureEveryMs).unref()
  return { read: () => Math.min(...lateMs), stop: () => clearInterval(timer) }
}

/**
 * Refuses requests while the process is too late to serve them: a prompt 503 is worth more than an
 * answer after the caller is gone. Nothing of a refused request is done.
 */
export function shedWhenLate(app: FastifyInstance, lateness: Lateness): void {
  app.addHook('onRequest', async () => {
    if (lateness.read() > lateMaxMs) throw new Problem('overloaded', { retryAfterSeconds: 1 })
  })
}
