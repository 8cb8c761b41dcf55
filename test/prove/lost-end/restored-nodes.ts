import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../support/eventually.ts'
import { type Fleet, fleet, type ServiceProcess } from '../../support/processes.ts'
import { random } from '../../support/random.ts'
import { receiver } from '../../support/receiver.ts'
import { heldNow, type Outside, queryOnce } from './after-recovery.ts'
import { Readiness } from './readiness.ts'
import { recordingCourier } from './recording-courier.ts'
import {
  isInFlight,
  type Limits,
  type Play,
  perSecond,
  quickMs,
  recover,
  sealedCheckpoint,
  seeDamage,
  somethingIsMade,
} from './round.ts'
import { Shoppers } from './shoppers.ts'
import { openShops, registerRecordingCourier, tellShop } from './shops.ts'
import { ledgerInEventStoreDb, type StoreNodes, singleNode, threeNodes } from './store-nodes.ts'
import { Violations } from './violations.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/**
 * What the service does while its store is restored: it keeps running, it is killed and restarted,
 * or it is restarted without its checkpoint files, so that only the rows of its database remember.
 */
export const meanwhile = ['runs', 'restarted', 'without_files'] as const
type Meanwhile = (typeof meanwhile)[number]

export type RestoredNodesOptions = {
  readonly seed: number
  /** Runs one node: see docs/guides/eventstoredb.md. */
  readonly executable: string
  readonly nodes: 1 | 3
  readonly rounds: readonly Meanwhile[]
  readonly apis: number
  /** The longest time between the backup and its restore. */
  readonly sinceMsMax: number
  readonly limits: Limits
  readonly say: (line: string) => void
}

type Service = {
  readonly all: Fleet
  readonly nodes: StoreNodes
  killAll(): Promise<void>
  startAll(): Promise<void>
}

const beforeMs = 1_500
const inFlightMin = 3

/** A service on a real EventStoreDB that is restored from an older backup repeatedly. */
export async function playRestoredNodes(
  t: Test,
  options: RestoredNodesOptions,
): Promise<Violations> {
  const { seed, say, limits, executable } = options
  const chance = random(seed)
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-lost-end-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const nodes = (options.nodes === 1 ? singleNode : threeNodes)(executable, folder)
  t.teardown(() => nodes.kill())
  await nodes.start()
  process.env.EVENT_STORE_URL = nodes.url
  const courier = await recordingCourier()
  t.teardown(() => courier.close())
  const webhooks = await receiver(t)
  const all = await fleet(t)
  await registerRecordingCourier(all.parts, courier)
  const violations = new Violations()
  const start = async (roles: string, port?: number) => {
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true' }
    return await all.start({ roles, env, ...(port === undefined ? {} : { port }) })
  }
  const apis = await Promise.all(Array.from({ length: options.apis }, () => start('api')))
  const urls = apis.map(({ url }) => url)
  const startAgain = (index: number) => start('api', Number(new URL(urls[index] ?? '').port))
  let behind: ServiceProcess = await start('projector,worker')
  const shops = await openShops(all.parts, urls)
  await all.parts.close()
  await tellShop(shops.test, webhooks.url)
  const readiness = new Readiness(urls)
  t.teardown(() => readiness.stop())
  const query: Outside['query'] = (text, values) => queryOnce(all.database.adminUrl, text, values)
  const { EVENT_STORE_NAMESPACE: namespace = '' } = all.environment
  const play: Play = {
    apis,
    startAgain,
    readiness,
    shops,
    books: { courier, record: all.record },
    outside: {
      ledger: ledgerInEventStoreDb(nodes.url, namespace),
      command: (...words) => all.command(...words).ended,
      query,
      folder,
      keepsCheckpoints: true,
    },
    webhooks,
    violations,
    every: [],
    chance,
    limits,
    say,
  }
  const service: Service = {
    all,
    nodes,
    async killAll() {
      for (const one of [...apis, behind]) one.signal('SIGKILL')
      await Promise.all([...apis, behind].map(({ ended }) => ended))
    },
    async startAll() {
      const started = await Promise.all(urls.map((_, index) => startAgain(index)))
      apis.splice(0, apis.length, ...started)
      behind = await start('projector,worker')
    },
  }
  for (const [index, what] of options.rounds.entries()) {
    const beganAt = performance.now()
    const name = `${index + 1}`
    const shoppers = new Shoppers(shops, random(Math.ceil(chance() * 2 ** 31)), `${seed}-${name}`)
    play.every.push(shoppers)
    await restoreUnder(play, service, shoppers, { what, sinceMsMax: options.sinceMsMax, name })
    const seconds = Math.round((performance.now() - beganAt) / 1_000)
    say(`  restored node ${name} of ${seed}: ${seconds} s, ${violations.count} violations`)
    for (const line of violations.lines()) say(`    ${line}`)
  }
  return violations
}

type Round = { readonly what: Meanwhile; readonly sinceMsMax: number; readonly name: string }

async function restoreUnder(
  play: Play,
  { all, nodes, killAll, startAll }: Service,
  shoppers: Shoppers,
  { what, sinceMsMax, name }: Round,
): Promise<void> {
  const { shops, books, outside, chance, say } = play
  const { courier } = books
  courier.answerAfterMs = () => chance() * quickMs
  shoppers.start(perSecond)
  await delay(beforeMs)
  await somethingIsMade(shoppers)
  const before = await sealedCheckpoint(play, `before-${name}.txt`)
  nodes.backUp()
  const backedUpAt = performance.now()
  const sinceMs = sinceMsMax * (0.1 + 0.9 * chance())
  await delay(sinceMs)
  const late = await heldNow(shops, outside.folder, `late-${name}.txt`)
  courier.answerAfterMs = () => 1_000 + chance() * 1_500
  const underWay = () => courier.calls.filter((call) => isInFlight(call, backedUpAt))
  await eventually(
    () => underWay().length,
    (count) => count >= inFlightMin,
  )
  const [end, full] = [await outside.ledger.head(), await outside.ledger.count()]
  if (what !== 'runs') await killAll()
  const inFlight = what === 'runs' ? underWay() : []
  await nodes.kill()
  await nodes.restore()
  const at = performance.now()
  const lost = full - (await outside.ledger.count())
  if (what === 'without_files') rmSync(all.checkpointDir, { recursive: true, force: true })
  if (what !== 'runs') await startAll()
  say(
    `  a node was put back, the service ${what}; ${Math.round(sinceMs)} ms after the backup, ${lost} events lost, ${inFlight.length} calls in flight`,
  )
  say(`    before: ${shoppers.countsOf(0, at)}`)
  const held = { held: [before], heldLost: [late] }
  const damage = { at, end, lostSince: backedUpAt, inFlight, ...held }
  const damagedFrom = await seeDamage(play, shoppers, damage)
  await recover(play, shoppers, held, damagedFrom)
}
