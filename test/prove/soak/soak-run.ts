import { setTimeout as delay } from 'node:timers/promises'
import type { ScenarioName } from '../../../src/service/couriers/scenarios/scenarios.ts'
import { freePort } from '../../../src/service/embedded-postgres/postmaster.ts'
import { type Answer, type ApiClient, freshShop, isFinal } from '../../support/api-client.ts'
import type { CrashableServer } from '../../support/crashable-server.ts'
import { eventually } from '../../support/eventually.ts'
import type { Fleet, ServiceProcess } from '../../support/processes.ts'
import { type CaseAnswers, violationsOf } from '../crashes/crash-checks.ts'
import { crashOperations, shopAt, subjectOf } from '../crashes/crash-subjects.ts'

export type SoakOptions = {
  readonly forMs: number
  readonly draw: () => number
  readonly say: (line: string) => void
}

export type SoakResult = {
  readonly kills: number
  readonly databaseKills: number
  /** Creations and cancellations that ended. */
  readonly operations: number
  /**
   * Orders missing from the ledger although the shop repeated them until it gave up or got a final
   * answer.
   */
  readonly lost: number
  /**
   * Orders without a final answer when the shop gave up; they are compared with the courier too.
   */
  readonly late: number
  /** Second guides for a key, except where the scenario makes two. */
  readonly doubled: number
  readonly violations: readonly string[]
}

/** Most orders use a trouble-free scenario: the kills cause enough trouble. */
const scenarios: readonly ScenarioName[] = [
  ...Array.from({ length: 30 }, () => 'happy_path' as const),
  'courier_rejected',
  'courier_unreachable',
  'lost_response_guide_created',
  'lost_response_nothing_created',
  'lost_response_late_guide',
  'duplicate_guides',
  'malformed_success',
  'cancel_response_lost',
]
/** Orders in progress at once, in workspaces whose clocks a worker advances concurrently. */
const shoppers = 128
const workspaces = 4
/** One order in this many is cancelled, whatever the courier answers. */
const cancelledEvery = 8
const roles = ['api', 'api', 'projector,worker'] as const
/** From readiness to the kill; short enough that many processes die during their first work. */
const livesMsMin = 300
const livesMsMax = 3_500
/** PostgreSQL is killed less often, because nothing works without it. */
const databaseLivesMsMin = 12_000
const databaseLivesMsMax = 30_000
const databaseGoneMsMax = 1_500
const askAgainMs = 150
/** Longer than every deadline and some starts. */
const shopGivesUpMs = 180_000
const untilEverythingEnded = 'PT10M'
/** Meanwhile some ten thousand shipments need labels and polls. */
const arrivesWithinMs = 15 * 60_000
const checkedAtOnce = 8
const progressEveryMs = 15_000

export type Order = CaseAnswers & {
  readonly shop: number
  readonly hasEnd: boolean
  readonly operations: number
  /** The number of answers of each kind that were not final. */
  readonly onTheWay: ReadonlyMap<string, number>
}

/** Kills processes and PostgreSQL at random under load, then compares everything with the courier. */
export async function soak(
  all: Fleet,
  database: CrashableServer,
  options: SoakOptions,
): Promise<SoakResult> {
  const { draw, say } = options
  const until = performance.now() + options.forMs
  const isOver = () => performance.now() >= until
  const counts = { kills: 0, databaseKills: 0, done: 0 }
  const slots = await Promise.all(
    roles.map(async (role) => {
      const port = await freePort()
      return { role, port, process: await all.start({ roles: role, port }) }
    }),
  )
  const urls = slots.filter(({ role }) => role === 'api').map(({ process }) => process.url)
  const shops = await freshShops(slots[0]?.process)
  const orders: Order[] = []
  let number = 0
  const shopper = async () => {
    while (!isOver()) {
      const n = number++
      const shop = shops[n % shops.length] as ApiClient
      const order = await shipOrder({ shop, urls, n, draw })
      counts.done += order.operations
      orders.push({ ...order, shop: n % shops.length })
    }
  }
  const killer = async (slot: (typeof slots)[number]) => {
    while (!isOver()) {
      await delay(livesMsMin + draw() * (livesMsMax - livesMsMin))
      slot.process.signal('SIGKILL')
      await slot.process.ended
      counts.kills += 1
      slot.process = await startedAtLast(all, slot.role, slot.port)
    }
  }
  const databaseKiller = async () => {
    for (;;) {
      await delay(databaseLivesMsMin + draw() * (databaseLivesMsMax - databaseLivesMsMin))
      if (isOver()) return
      await database.kill()
      counts.databaseKills += 1
      await delay(draw() * databaseGoneMsMax)
      await database.restart()
    }
  }
  const progress = async () => {
    while (!isOver()) {
      await delay(Math.min(progressEveryMs, Math.max(0, until - performance.now())))
      say(
        `${counts.kills} kills, ${counts.databaseKills} of PostgreSQL, ${counts.done} operations ended`,
      )
    }
  }
  await Promise.all([
    ...Array.from({ length: shoppers }, shopper),
    ...slots.map(killer),
    databaseKiller(),
    progress(),
  ])
  say('no more kills; the clocks go on until everything has ended')
  const found = await compared(all, shops, orders, say)
  const { kills, databaseKills, done: operations } = counts
  return { kills: kills + databaseKills, databaseKills, operations, ...found }
}

export async function freshShops(first: ServiceProcess | undefined): Promise<readonly ApiClient[]> {
  if (first === undefined) throw new Error('no process')
  const made: ApiClient[] = []
  for (let n = 0; n < workspaces; n++) made.push(await freshShop(first, `soak-${n}`))
  return made
}

/** A start may fail while the database is down, and is then repeated. */
async function startedAtLast(all: Fleet, role: string, port: number): Promise<ServiceProcess> {
  return await eventually(
    () => all.start({ roles: role, port }).catch(() => null),
    (started) => started !== null,
    shopGivesUpMs,
  ).then((started) => started as ServiceProcess)
}

type Ordering = {
  readonly shop: ApiClient
  readonly urls: readonly string[]
  readonly n: number
  readonly draw: () => number
}

/**
 * Repeats a creation, and sometimes its cancellation, at either process until the answer is final.
 */
export async function shipOrder({ shop, urls, n, draw }: Ordering): Promise<Omit<Order, 'shop'>> {
  const scenario = scenarios[Math.floor(draw() * scenarios.length)] ?? 'happy_path'
  const subject = subjectOf(shop, `soak-${n}`, scenario)
  const answers: Answer[] = []
  const onTheWay = new Map<string, number>()
  let asked = n
  const insist = async (ask: (at: ApiClient) => Promise<Answer>): Promise<boolean> => {
    const until = performance.now() + shopGivesUpMs
    while (performance.now() < until) {
      const at = shopAt(urls[asked++ % urls.length] as string, shop)
      const answer = await ask(at).catch(() => null)
      if (answer !== null && isEnd(answer)) {
        answers.push(answer)
        return true
      }
      const kind = answer === null ? 'none' : `${answer.status} ${answer.body?.reason ?? ''}`
      onTheWay.set(kind, (onTheWay.get(kind) ?? 0) + 1)
      // The earlier answers must be true as well.
      if (answer?.status === 500) answers.push(answer)
      await delay(askAgainMs)
    }
    return false
  }
  const [creation, , cancellation] = crashOperations
  if (creation === undefined || cancellation === undefined) throw new Error('no operations')
  const where = `order ${n}`
  const isCreated = await insist((at) => creation.perform(at, subject))
  const isToBeCancelled = scenario === 'cancel_response_lost' || n % cancelledEvery === 0
  if (!isCreated || !isToBeCancelled || answers.at(-1)?.status !== 201) {
    return { subject, where, answers, onTheWay, hasEnd: isCreated, operations: Number(isCreated) }
  }
  const isCancelled = await insist((at) => cancellation.perform(at, subject))
  return {
    subject,
    where,
    answers,
    onTheWay,
    hasEnd: isCancelled,
    operations: 1 + Number(isCancelled),
  }
}

/** An unknown outcome is final for the shop; its result is compared later. */
function isEnd(answer: Answer): boolean {
  const isUnknown = answer.status === 409 && answer.body.reason === 'unknown_outcome'
  return isUnknown || isFinal(answer)
}

/** The violations once every operation has ended, by the courier's record. */
export async function compared(
  all: Fleet,
  shops: readonly ApiClient[],
  orders: readonly Order[],
  say: SoakOptions['say'],
): Promise<Pick<SoakResult, 'lost' | 'late' | 'doubled' | 'violations'>> {
  await Promise.all(shops.map(advanced))
  const [creation] = crashOperations
  if (creation === undefined) throw new Error('no operation')
  const violations: string[] = []
  const waiting = [...orders]
  const counts = { lost: 0, late: 0, ended: 0 }
  const checker = async () => {
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
      const shop = shops[order.shop] as ApiClient
      // Before the key is repeated: what was answered must already be in the ledger.
      const { status } = await shop.call(`/v1/shipments/${order.subject.shipmentId}`)
      const became = status !== 200 ? 'lost' : order.hasEnd ? 'ended' : 'late'
      counts[became] += 1
      if (became !== 'ended') {
        const replies = [...order.onTheWay].map(([answer, times]) => `${times} times ${answer}`)
        say(`${order.where} is ${became} (${status}); on the way it was told ${replies.join(', ')}`)
      }
      violations.push(...(await violationsOf(all.record, shop, creation, order)))
    }
  }
  await Promise.all(Array.from({ length: checkedAtOnce }, checker))
  const twofold = new Set(
    orders
      .filter(({ subject }) => subject.scenario === 'duplicate_guides')
      .map(({ subject }) => subject.shipmentId),
  )
  const doubled = all.record.doubled().filter((each) => !twofold.has(each.clientReference)).length
  return { lost: counts.lost, late: counts.late, doubled, violations }
}

async function advanced(shop: ApiClient): Promise<void> {
  const { workspaceId } = shop.seeded
  const body = { workspace_id: workspaceId, by: untilEverythingEnded }
  const path = '/v1/sandbox/clock'
  const { status } = await shop.call(`${path}/advance`, { body })
  if (status !== 200 && status !== 202) throw new Error(`the clock was not advanced: ${status}`)
  await eventually(
    () => shop.call(`${path}?workspace_id=${workspaceId}`),
    (clock) => clock.body.advancing_to === null,
    arrivesWithinMs,
  )
}
