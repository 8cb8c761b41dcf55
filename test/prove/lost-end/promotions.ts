import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createServices } from '../../../src/service/app.ts'
import { byCli } from '../../../src/service/cli/acting.ts'
import type { Secrets } from '../../../src/service/secrets/secrets.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { eventually } from '../../support/eventually.ts'
import { fleet } from '../../support/processes.ts'
import { random } from '../../support/random.ts'
import { receiver } from '../../support/receiver.ts'
import { runCommand } from '../../support/run-process.ts'
import { noLogger } from '../../support/service.ts'
import { heldNow, ledgerInPostgres, type Outside, queryOnce } from './after-recovery.ts'
import { Readiness } from './readiness.ts'
import { recordingCourier } from './recording-courier.ts'
import { type ClusterFiles, type ReplicaPair, replicaPair } from './replica-pair.ts'
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
import { Violations } from './violations.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type PromotionsOptions = {
  readonly seed: number
  /** Promotions of the same service, one after another. */
  readonly rounds: number
  readonly apis: number
  /** The longest time for which replication is cut. */
  readonly cutMsMax: number
  /**
   * Whether the promoted server gets a longer history than the lost one before the service switches
   * to it; random by default.
   */
  readonly isOutgrown?: boolean
  /** Whether checkpoints are stored outside the database; random by default. */
  readonly keepsCheckpoints?: boolean
  readonly limits: Limits
  readonly say: (line: string) => void
}

const beforeMs = 1_500
const inFlightMin = 3
/** More than is still committed until the switch. */
const outgrownBy = 100
/** The longest time between losing the primary and the promotion. */
const lostMsMax = 1_500

/** A service on a primary whose asynchronous replica is promoted repeatedly. */
export async function playPromotions(
  t: Test,
  files: ClusterFiles,
  options: PromotionsOptions,
): Promise<Violations> {
  const { seed, say, limits } = options
  const chance = random(seed)
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-lost-end-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const courier = await recordingCourier()
  t.teardown(() => courier.close())
  const pair = await replicaPair(t, files)
  const webhooks = await receiver(t)
  const all = await fleet(t, { database: pair })
  await registerRecordingCourier(all.parts, courier)
  const { keepsCheckpoints = chance() < 0.7 } = options
  const env = {
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...(keepsCheckpoints ? {} : { CHECKPOINT_DIR: '' }),
  }
  const commandEnv = {
    ...all.environment,
    ...env,
    SIMULATOR_URL: all.simulatorUrl,
    DATA_DIR: folder,
  }
  const violations = new Violations()
  const query: Outside['query'] = (text, values) => queryOnce(pair.adminUrl, text, values)
  const start = async (roles: string, port?: number) =>
    await all.start({ roles, env, ...(port === undefined ? {} : { port }) })
  const apis = await Promise.all(Array.from({ length: options.apis }, () => start('api')))
  const behind = await start('projector,worker')
  behind.ended.then(
    ({ code, stderr }) => code !== null && violations.add('a process ended', stderr),
  )
  const urls = apis.map(({ url }) => url)
  const shops = await openShops(all.parts, urls)
  await tellShop(shops.test, webhooks.url)
  const readiness = new Readiness(urls)
  t.teardown(() => readiness.stop())
  const play: Play = {
    apis,
    startAgain: (index) => start('api', Number(new URL(urls[index] ?? '').port)),
    readiness,
    shops,
    books: { courier, record: all.record },
    outside: {
      command: (...words) => runCommand(commandEnv, ...words),
      ledger: ledgerInPostgres(query),
      query,
      folder,
      keepsCheckpoints,
    },
    webhooks,
    violations,
    every: [],
    chance,
    limits,
    say,
  }
  for (let round = 1; round <= options.rounds; round++) {
    const beganAt = performance.now()
    const shoppers = new Shoppers(shops, random(Math.ceil(chance() * 2 ** 31)), `${seed}-${round}`)
    play.every.push(shoppers)
    const { cutMsMax, isOutgrown = chance() < 0.3 } = options
    const outgrow = isOutgrown
      ? (events: number) => grow(pair.promotedUrl(), all.secrets, events)
      : () => Promise.resolve()
    await promoteUnder(play, pair, shoppers, { cutMsMax, outgrow, name: `${round}` })
    if (round < options.rounds) await pair.replicate()
    const seconds = Math.round((performance.now() - beganAt) / 1_000)
    say(`  promotion ${round} of ${seed}: ${seconds} s, ${violations.count} violations`)
    for (const line of violations.lines()) say(`    ${line}`)
  }
  return violations
}

async function promoteUnder(
  play: Play,
  pair: ReplicaPair,
  shoppers: Shoppers,
  order: {
    readonly cutMsMax: number
    readonly outgrow: (events: number) => Promise<unknown>
    readonly name: string
  },
): Promise<void> {
  const { cutMsMax, outgrow, name } = order
  const { shops, books, outside, chance, say } = play
  const { courier } = books
  courier.answerAfterMs = () => chance() * quickMs
  shoppers.start(perSecond)
  await delay(beforeMs)
  await somethingIsMade(shoppers)
  const before = await sealedCheckpoint(play, `before-${name}.txt`)
  await eventually(pair.hasCaughtUp, (isSo) => isSo)

  pair.cutReplication()
  const cutAt = performance.now()
  const cutMs = cutMsMax * (0.1 + 0.9 * chance())
  await delay(cutMs)
  const late = await heldNow(shops, outside.folder, `late-${name}.txt`)
  courier.answerAfterMs = () => 1_000 + chance() * 1_500
  const slow = [1, 2].map(() => shoppers.create('test', 'slow_success'))
  await eventually(
    () => courier.calls.filter((call) => isInFlight(call, cutAt)).length,
    (count) => count >= inFlightMin,
  )
  const [end, full] = [await outside.ledger.head(), await outside.ledger.count()]
  const isLost = chance() < 0.5
  if (isLost) {
    await pair.losePrimary()
    await delay(chance() * lostMsMax)
  }
  await pair.promote()
  const promoted = ledgerInPostgres((text, values) => queryOnce(pair.promotedUrl(), text, values))
  const lost = full - (await promoted.count())
  await outgrow(full)
  const at = performance.now()
  await pair.switchOver()
  // What was answered earlier may have been recorded on the former primary and lost with it.
  const inFlight = courier.calls.filter((call) => isInFlight(call, cutAt))
  say(
    `  promoted, the primary ${isLost ? 'lost' : 'alive'}; cut for ${Math.round(cutMs)} ms, ${lost} events lost, ${inFlight.length} calls in flight`,
  )
  say(`    before: ${shoppers.countsOf(0, at)}`)
  const held = { held: [before], heldLost: [late] }
  const damagedFrom = await seeDamage(play, shoppers, {
    at,
    end,
    lostSince: cutAt,
    inFlight,
    ...held,
  })
  await Promise.all(slow)
  await recover(play, shoppers, held, damagedFrom)
}

/**
 * Another process, without memory of the old history, writes to the promoted server until it has
 * more events.
 */
async function grow(databaseUrl: string, secrets: Secrets, events: number): Promise<void> {
  const parts = createServices({ databaseUrl, secrets, simulatorUrl: null, log: noLogger() })
  try {
    const by = { actor: byCli.actor, requestId: null }
    for (let head = 0; head <= events + outgrownBy; head = Number(await parts.store.head())) {
      await Promise.all(
        Array.from({ length: 20 }, () =>
          createOrganization(parts, { name: 'Another', type: 'external' }, by),
        ),
      )
    }
  } finally {
    await parts.close()
  }
}
