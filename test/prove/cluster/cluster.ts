import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { shipmentIdOf } from '../../../src/service/domain/ids.ts'
import type { ApiClient } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { type Fleet, fleet, type ServiceProcess } from '../../support/processes.ts'
import { say } from '../../support/say.ts'
import { scratchServer, scratchVariable } from '../../support/scratch-server.ts'
import {
  clusterUrl,
  type EventStoreNodes,
  eventStoreNodes,
  type NodeNumber,
  nodeNumbers,
} from './event-store-nodes.ts'
import { isFinal, type Order, Orders } from './orders.ts'

// The whole service on a real cluster of three EventStoreDB nodes, whose nodes are killed and frozen
// under load: `EVENTSTOREDB_NODE=<executable> npm run prove:cluster`. See docs/guides/eventstoredb.md.

const leaderKills = 5
/** From the leader's kill to the first creation whose key was sent after it. */
const createdAgainMs = 3_000
/** From any other fault, or from its end if nothing can be acknowledged before. */
const createdAtAllMs = 30_000
/** Before each fault, so that the load is steady. */
const settledMs = 4_000
const quorumLostMs = 10_000
const frozenMs = 20_000
/** Longer than an attempt with a lost answer takes to end after its call deadline. */
const untilEverythingEnded = 'PT10M'
const lastAskMs = 60_000
/** Orders checked concurrently at the end. */
const lookedAtOnce = 10

let passed = 0
let failed = 0

function check(isSo: boolean, what: string): void {
  if (isSo) passed += 1
  else failed += 1
  say(`${isSo ? 'ok ' : 'NOT'} ${what}`)
}

type Play = { readonly nodes: EventStoreNodes; readonly orders: Orders }

/** Times before the fault, after it, and from when creations must succeed again. */
type Done = {
  readonly began: number
  readonly done: number
  readonly from: number
  readonly withinMs: number
}

async function play({ nodes, orders }: Play, what: string, act: () => Promise<Done>) {
  await delay(settledMs)
  const { began, done, from, withinMs } = await act()
  const again = await eventually(
    () => orders.firstCreatedAfter(done),
    (at) => at !== null,
    createdAtAllMs,
  ).catch(() => null)
  await nodes.formed()
  const after = (moment: number) => (again === null ? Number.NaN : Math.round(again - moment))
  const counts = orders.countsOf(began, performance.now())
  say(`    ${what}: first new creation after ${after(began)} ms; answers meanwhile: ${counts}`)
  check(after(from) <= withinMs, `${what}: creations again within ${withinMs} ms (${after(from)})`)
}

/** Reports when there is a leader again; no client can succeed earlier. */
async function sayLeader(nodes: EventStoreNodes, since: number): Promise<void> {
  const leader = await nodes.leader()
  say(`    node ${leader} says after ${Math.round(performance.now() - since)} ms that it leads`)
}

/** Kills the node and restarts it after a moment. */
async function killed(nodes: EventStoreNodes, number: NodeNumber): Promise<Done> {
  const began = performance.now()
  await nodes.kill(number)
  const done = performance.now()
  const electing = sayLeader(nodes, began)
  await delay(createdAgainMs)
  nodes.start(number)
  await electing
  return { began, done, from: began, withinMs: createdAgainMs }
}

async function playAll(on: Play): Promise<void> {
  const { nodes, orders } = on
  for (let kill = 1; kill <= leaderKills; kill++) {
    await play(on, `leader killed, ${kill}`, async () => killed(nodes, await nodes.leader()))
  }
  const followerOf = (leader: NodeNumber) => nodeNumbers.find((number) => number !== leader) ?? 1
  await play(on, 'follower killed', async () => killed(nodes, followerOf(await nodes.leader())))
  for (const [what, isLost] of [
    ['quorum lost', (number, leader) => number === leader || number === followerOf(leader)],
    ['whole store killed', () => true],
  ] as const satisfies readonly [string, (number: NodeNumber, leader: NodeNumber) => boolean][]) {
    await play(on, what, async () => {
      const leader = await nodes.leader()
      const lost = nodeNumbers.filter((number) => isLost(number, leader))
      const began = performance.now()
      await nodes.kill(...lost)
      const done = performance.now()
      await delay(quorumLostMs)
      const isNone = orders.firstCreatedAfter(done) === null
      check(isNone, `${what}: nothing new is acknowledged without it`)
      const from = performance.now()
      nodes.start(...lost)
      await sayLeader(nodes, from)
      return { began, done, from, withinMs: createdAtAllMs }
    })
  }
  await play(on, 'leader frozen', async () => {
    const leader = await nodes.leader()
    const began = performance.now()
    nodes.signal(leader, 'SIGSTOP')
    await Promise.all([delay(frozenMs), sayLeader(nodes, began)])
    nodes.signal(leader, 'SIGCONT')
    return { began, done: began, from: began, withinMs: frozenMs }
  })
}

/** Repeats each order's key once. */
async function askAll(orders: Orders, waiting: Order[]): Promise<void> {
  const lookers = Array.from({ length: lookedAtOnce }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await orders.ask(next, lastAskMs)
    }
  })
  await Promise.all(lookers)
}

/**
 * Waits until every order has ended. Those still unknown by then wait for the workspace's clock,
 * which is advanced last, because an advance performs due work for thousands of shipments.
 */
async function endAll(shop: ApiClient, orders: Orders): Promise<void> {
  const endless = () => orders.all.filter(({ last }) => last === null || !isFinal(last))
  await askAll(orders, [...orders.all])
  if (endless().length === 0) return
  say(`    ${endless().length} orders wait for the clock, which is advanced`)
  await shop.advance(untilEverythingEnded)
  await askAll(orders, endless())
}

/** Compares the final answers with the earlier ones and with the courier's record. */
function compareAll(all: Fleet, orders: Orders): void {
  const changed: string[] = []
  const endless: string[] = []
  const untrue: string[] = []
  for (const { key, last, guides, createdAt } of orders.all) {
    const shipmentId = shipmentIdOf({
      organizationId: all.seeded.organizationId,
      workspaceId: all.seeded.workspaceId,
      livemode: false,
      idempotencyKey: key,
    })
    const made = all.record.guidesOf(shipmentId).map(({ guideNumber }) => guideNumber)
    const said = `${key} ${last?.status} ${last?.body.reason}, ${made.length} guides`
    if (last === null || !isFinal(last)) endless.push(said)
    if (guides.size > 1 || (createdAt !== null && last?.status !== 201)) changed.push(said)
    if (made.join() !== [...guides].join()) untrue.push(said)
  }
  const created = orders.all.filter(({ createdAt }) => createdAt !== null).length
  const some = (found: readonly string[]) =>
    found.length === 0 ? '' : `: not ${found.length}, such as ${found.slice(0, 5).join('; ')}`
  const isNone = (found: readonly string[], what: string) =>
    check(found.length === 0, `${what}${some(found)}`)
  isNone(changed, `each of ${created} creations answered 201 reads back 201 with the same guide`)
  isNone(endless, `each of ${orders.all.length} keys has a final answer`)
  isNone(untrue, "each is what the courier's book says")
  const doubled = all.record.doubled()
  check(doubled.length === 0, `no shipment has two guides (${doubled.length})`)
}

async function prove(
  nodes: EventStoreNodes,
  teardown: (fn: () => Promise<unknown>) => void,
): Promise<void> {
  nodes.start(...nodeNumbers)
  await nodes.formed()
  say(`    the cluster has formed; its leader is node ${await nodes.leader()}`)
  const all = await fleet({ teardown })
  const apis = await Promise.all([1, 2].map(() => all.start({ roles: 'api' })))
  const behind = await all.start({ roles: 'projector,worker' })
  const ended: string[] = []
  const watch = (process: ServiceProcess, name: string) =>
    void process.ended.then(({ code, stderr }) => ended.push(`${name}: ${code} ${stderr}`))
  for (const [index, api] of apis.entries()) watch(api, `api ${index + 1}`)
  watch(behind, 'projector and worker')

  const orders = new Orders(apis)
  const began = performance.now()
  orders.start()
  await delay(settledMs)
  say(`    before any fault: ${orders.countsOf(began, performance.now())}`)
  await playAll({ nodes, orders })
  await delay(settledMs)
  await orders.stop()
  say(`    all traffic: ${orders.countsOf(began, performance.now())}`)
  await endAll(apis[0] ?? behind, orders)
  compareAll(all, orders)
  check(
    orders.neverSettled === 0,
    `every call was answered in time (${orders.neverSettled} were not)`,
  )
  check(ended.length === 0, `no process of the service exited unexpectedly ${ended.join('; ')}`)
  check(nodes.crashes.length === 0, `no node crashed ${nodes.crashes.join('; ')}`)
  say(`    nodes that exited with 0 and were restarted: ${nodes.restarts}`)
}

async function main(executable: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-cluster-'))
  const nodes = eventStoreNodes(executable, directory)
  const server = await scratchServer()
  process.env[scratchVariable] = server.adminUrl
  process.env.EVENT_STORE_URL = clusterUrl
  const teardowns: (() => Promise<unknown>)[] = [
    async () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }),
    () => nodes.stop(),
    () => server.stop(),
  ]
  const interrupted = once(process, 'SIGINT').then(() => {
    throw new Error('it was interrupted')
  })
  try {
    await Promise.race([prove(nodes, (fn) => void teardowns.push(fn)), interrupted])
  } catch (error) {
    check(false, `the run completed: ${String(error)}`)
  } finally {
    for (const fn of teardowns.reverse()) await fn()
  }
  say(`${passed} passed, ${failed} failed`)
  // An interrupted run may still be waiting.
  process.exit(failed === 0 ? 0 : 1)
}

const { EVENTSTOREDB_NODE: executable = '' } = process.env
if (executable === '') {
  say('Set EVENTSTOREDB_NODE to an executable that runs one node: see docs/guides/eventstoredb.md.')
  process.exitCode = 1
} else {
  await main(executable)
}
