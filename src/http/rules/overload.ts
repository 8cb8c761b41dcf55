import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'

/**
 * The event loop was this late: requests wait longer for their turn than they take, and each one more
 * makes it worse. Normal is below 20 ms; a garbage collection or a large page stays below 200.
 */
export const lateMaxMs = 1_000
/** How often it is looked at. */
const lookEveryMs = 250
/** Late at each of this many looks in a row is too late: a start has one or two long turns. */
const looks = 3

export type Lateness = {
  /** How late the event loop was at each of the last looks at least, in ms. */
  read(): number
  stop(): void
}

/** One a process. It starts in time, and is in time again one look after the load has gone. */
export function eventLoopLateness(): Lateness {
  const lateMs = Array.from({ length: looks }, () => 0)
  let lookedAt = performance.now()
  // An interval is set anew after each turn: what passed beyond its length is the turn's lateness.
  const timer = setInterval(() => {
    const now = performance.now()
    lateMs.shift()
    lateMs.push(Math.max(0, now - lookedAt - lookEveryMs))
    lookedAt = now
  }, lookEveryMs).unref()
  return { read: () => Math.min(...lateMs), stop: () => clearInterval(timer) }
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
