import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient } from '../../support/api-client.ts'
import type { Fleet, ServiceProcess } from '../../support/processes.ts'
import { courierWire } from './courier-wire.ts'
import { isBackground, type Place, type PlaceOf, placeInLook } from './crash-places.ts'
import { type Flush, type Verdict, wireProxy } from './wire-proxy.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** Where an operation is stopped: at its k-th flush or call, before or after it was executed. */
export type Point = { readonly k: number; readonly when: 'before' | 'after' }

/** How it is stopped: its connections are cut or the process is killed. */
type Stop = 'cut' | 'kill'

/** An operation to be stopped, from arming until it has ended. */
type Armed = {
  /** Whether the point was reached. */
  readonly isHit: () => boolean
  /** What was sent at the point, for reports of violations. */
  readonly at: () => string
  readonly hit: Promise<void>
  /** Resolves when the connections are cut or the process is dead. */
  readonly stopped: Promise<void>
  /** Resolves when the last part was sent without a stop; only for workers. */
  readonly passed: Promise<void>
  readonly disarm: () => void
}

/** A process whose traffic to the database and to the courier can be stopped at any point. */
export type CrashLane = {
  readonly shop: ApiClient
  readonly isAlive: () => boolean
  /** Waits until the previous case sends nothing more. */
  arm(point: Point, stop: Stop, id: string): Promise<Armed>
  close(): Promise<void>
}

/** After this time without a flush, an operation is over. */
const quietMs = 30
const quietMsMax = 1_500
/** Cases that are remembered: no more than this overlap. */
const othersMax = 50

type Waiting = Point & {
  readonly stop: Stop
  readonly hit: (at: string) => void
  readonly stopped: () => void
  readonly pass: () => void
  seen: number
  isHit: boolean
}

/** An API process, whose request is stopped, or a worker, whose own work is stopped. */
export type LaneRole = 'api' | 'worker'

export async function crashLane(
  t: Test,
  all: Fleet,
  role: LaneRole,
  placeInWork: PlaceOf = placeInLook,
): Promise<CrashLane> {
  let armed: Waiting | null = null
  let lastAt = 0
  let own: string | null = null
  /** Shipments of earlier cases, for which waiting requests may still get answers. */
  const others: string[] = []
  const placeOf = (bytes: Buffer, what: string): Place => {
    if (armed === null || own === null) return 'elsewhere'
    if (role === 'worker') return placeInWork({ what, bytes, own, isBegun: armed.seen > 0 })
    return others.some((id) => bytes.includes(id)) ? 'elsewhere' : 'within'
  }
  const verdictOn = (bytes: Buffer, what: string): Verdict => {
    if (isBackground(what)) return 'pass'
    lastAt = performance.now()
    if (armed === null || armed.isHit) return 'pass'
    const place = placeOf(bytes, what)
    if (place === 'elsewhere') return 'pass'
    // The claim has already been sent, so the next flush counts as the second.
    if (place === 'begun') armed.seen = 1
    armed.seen += 1
    if (armed.seen === armed.k) {
      armed.isHit = true
      armed.hit(what.replace(/\s+/g, ' ').trim().slice(0, 80))
      return armed.when
    }
    if (place === 'end') armed.pass()
    return 'pass'
  }
  let process: ServiceProcess | null = null
  let isAlive = true
  const stop = (cut: () => void) => {
    if (armed?.stop === 'kill') {
      isAlive = false
      process?.signal('SIGKILL')
    } else cut()
    armed?.stopped()
  }
  const database = await wireProxy(
    t,
    all.database.url,
    ({ text, bytes }: Flush) => verdictOn(bytes, text),
    () => stop(() => database.cut()),
  )
  const courier = await courierWire(
    t,
    all.simulatorUrl,
    (bytes) => (bytes.includes('"client_reference"') ? verdictOn(bytes, 'the courier') : 'pass'),
    stop,
  )
  const env = { DATABASE_URL: database.url, SIMULATOR_URL: courier.url }
  process = await all.start({ roles: role, env })
  process.ended.then(() => {
    isAlive = false
  })
  return {
    shop: process,
    isAlive: () => isAlive,
    async arm(point, how, id) {
      if (role === 'api') await quiet(() => performance.now() - lastAt)
      if (own !== null) others.push(own)
      if (others.length > othersMax) others.shift()
      own = bareId(id)
      const { promise, resolve } = Promise.withResolvers<void>()
      const { promise: passed, resolve: pass } = Promise.withResolvers<void>()
      const { promise: stopped, resolve: atStop } = Promise.withResolvers<void>()
      let at = ''
      const hit = (what: string) => {
        at = what
        resolve()
      }
      const mine: Waiting = {
        ...point,
        stop: how,
        hit,
        stopped: atStop,
        pass,
        seen: 0,
        isHit: false,
      }
      armed = mine
      return {
        isHit: () => mine.isHit,
        at: () => at,
        hit: promise,
        stopped,
        passed,
        disarm: () => {
          if (armed === mine && !mine.isHit) armed = null
        },
      }
    },
    async close() {
      if (role === 'api') await quiet(() => performance.now() - lastAt)
      process?.signal('SIGKILL')
      await process?.ended
      await Promise.all([database.close(), courier.close()])
    },
  }
}

/** An id without its prefix, as in streams and references. */
export function bareId(id: string): string {
  return id.slice(id.indexOf('_') + 1)
}

/** Waits until nothing was sent for a moment, so that no case counts the previous one's traffic. */
async function quiet(sinceLastMs: () => number): Promise<void> {
  const until = performance.now() + quietMsMax
  while (sinceLastMs() < quietMs && performance.now() < until) await delay(quietMs)
}
