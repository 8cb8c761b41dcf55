import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'

/**
 * The event loop was this late: requests wait longer for their turn than they take, and each one more
 * makes it worse. Normal is below 20 ms; a garbage collection or a large page stays below 200.
 */
export const lateMaxMs = 1_000
/** How often it is looked at; what was late before counts no longer. */
const windowMs = 1_000
const resolutionMs = 20

export type Lateness = {
  /** How late the event loop was in the last window, in ms: half of the time at least this much. */
  read(): number
  stop(): void
}

/** One a process: the median of a second, so that one long turn does not refuse a second of requests. */
export function eventLoopLateness(): Lateness {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  let medianMs = 0
  const timer = setInterval(() => {
    medianMs = Math.max(0, delay.percentile(50) / 1e6 - resolutionMs)
    delay.reset()
  }, windowMs).unref()
  return {
    read: () => medianMs,
    stop: () => {
      clearInterval(timer)
      delay.disable()
    },
  }
}

/**
 * Turns requests away before they are looked at while the process is too late to serve them: a 503 in
 * time is worth more than an answer after the caller has gone. Nothing of such a request is done.
 */
export function shedWhenLate(app: FastifyInstance, lateness: Lateness): void {
  app.addHook('onRequest', async () => {
    if (lateness.read() > lateMaxMs) throw new Problem('overloaded', { retryAfterSeconds: 1 })
  })
}
