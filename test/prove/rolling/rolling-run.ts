import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { migrationNames } from '../../../src/service/database/migrate.ts'
import { freePort } from '../../../src/service/embedded-postgres/postmaster.ts'
import type { ApiClient } from '../../support/api-client.ts'
import { type Fleet, type ServiceProcess, serviceFolder } from '../../support/processes.ts'
import { compared, freshShops, type Order, shipOrder } from '../soak/soak-run.ts'

export type RollingOptions = {
  /** The checkout of the previous version, with its node_modules. */
  readonly previous: string
  readonly forMs: number
  readonly draw: () => number
  readonly say: (line: string) => void
}

export type RollingResult = {
  readonly operations: number
  readonly restarts: number
  readonly violations: readonly string[]
}

const ordersPerSecond = 20
/**
 * The time between two restarts. Follower, sealer and due work move to another process within five
 * seconds.
 */
const restEveryMs = 8_000

const newerDatabase = 'The database is newer than this version'

const project = resolve(import.meta.dirname, '../../..')

/** The migrations that this version adds. */
export function migrationsSince(previous: string): readonly string[] {
  const before = new Set(
    readdirSync(join(previous, serviceFolder(previous), 'database/migrations')),
  )
  return migrationNames().filter((name) => !before.has(`${name}.sql`))
}

type Slot = { readonly checkout: string; readonly port: number; process: ServiceProcess }

/**
 * Starts two processes of the previous version on its database, then replaces one with this
 * version, which migrates. Both share requests, read models and due work under load, and each is
 * restarted in turn, by SIGTERM and by SIGKILL. If the previous version refuses to start because of
 * an unknown migration, only this version is restarted from then on. At the end this version runs
 * alone.
 */
export async function rolling(all: Fleet, options: RollingOptions): Promise<RollingResult> {
  const { previous, say, draw } = options
  const isNewer = migrationsSince(previous).length > 0
  const slotOf = async (checkout: string, port: number): Promise<Slot> => {
    return { checkout, port, process: await all.start({ checkout, port }) }
  }
  const [first, old] = [
    await slotOf(previous, await freePort()),
    await slotOf(previous, await freePort()),
  ] as const
  const urls = [first.process.url, old.process.url]
  const shops = await freshShops(first.process)
  const orders: Order[] = []
  const load = new AbortController()
  const loaded = placeOrders({ shops, urls, draw, orders, signal: load.signal })
  const until = performance.now() + options.forMs
  const startOf = (checkout: string) =>
    all.start({ checkout }).then(
      () => 'it is ready',
      (error) => String(error),
    )
  let restarts = 0
  const restart = async (slot: Slot, signal: NodeJS.Signals, checkout = slot.checkout) => {
    slot.process.signal(signal)
    await slot.process.ended
    const next = await slotOf(checkout, slot.port)
    restarts += 1
    say(`${checkout === project ? 'this version' : 'the one before'} restarted after ${signal}`)
    return next
  }
  await delay(restEveryMs)
  let current = await restart(first, 'SIGTERM', project)
  let before = old
  for (let turn = 0; performance.now() < until; turn++) {
    await delay(restEveryMs)
    const signal = turn % 4 < 2 ? 'SIGTERM' : 'SIGKILL'
    if (turn % 2 === 0 || isNewer) current = await restart(current, signal)
    else before = await restart(before, signal)
  }
  load.abort()
  await loaded
  say(`${orders.length} orders placed; the clocks go on until everything has ended`)
  const found = await compared(all, shops, orders, say)
  await restart(before, 'SIGTERM', project)
  const refusal = isNewer ? await startOf(previous) : newerDatabase
  const violations = [
    ...found.violations,
    ...(refusal.includes(newerDatabase) ? [] : [`the version before started: ${refusal}`]),
    ...Array.from({ length: found.lost }, () => 'an order is lost'),
    ...Array.from({ length: found.late }, () => 'an order has no end'),
    ...Array.from({ length: found.doubled }, () => 'a key has a second guide'),
    ...(await ledgerViolations(all)),
  ]
  const operations = orders.reduce((sum, order) => sum + order.operations, 0)
  return { operations, restarts, violations }
}

type Load = {
  readonly shops: readonly ApiClient[]
  readonly urls: readonly string[]
  readonly draw: () => number
  readonly orders: Order[]
  readonly signal: AbortSignal
}

/** Places orders at this rate per second until aborted; resolves when each has ended. */
async function placeOrders({ shops, urls, draw, orders, signal }: Load): Promise<void> {
  const under: Promise<void>[] = []
  const beganAt = performance.now()
  for (let n = 0; !signal.aborted; n++) {
    const shop = n % shops.length
    const placed = shipOrder({ shop: shops[shop] as ApiClient, urls, n, draw })
    under.push(placed.then((order) => void orders.push({ ...order, shop })))
    await delay(Math.max(0, beganAt + ((n + 1) * 1_000) / ordersPerSecond - performance.now()))
  }
  await Promise.all(under)
}

async function ledgerViolations(all: Fleet): Promise<readonly string[]> {
  const found: string[] = []
  for (const command of ['diff', 'verify']) {
    const { code, stdout, stderr } = await all.command(command).ended
    if (code !== 0) found.push(`${command} ended with ${code}: ${stdout}${stderr}`)
  }
  return found
}
