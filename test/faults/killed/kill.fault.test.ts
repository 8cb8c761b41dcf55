import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { ScenarioName } from '../../../src/service/couriers/scenarios/scenarios.ts'
import type { CaseAnswers } from '../../prove/crashes/crash-checks.ts'
import { subjectOf } from '../../prove/crashes/crash-subjects.ts'
import { shipOrder, violationsOfOrders } from '../../prove/crashes/killed-orders.ts'
import { fleet } from '../../support/processes.ts'
import { random, seedOf } from '../../support/random.ts'
import { verifySealed } from '../../support/sealed-whole.ts'

const creations = 36
const kills = 3
/** The latest kill after sending a wave of creations. */
const killAfterMsMax = 1_500
/** Longer than an attempt with a lost answer takes to end after its call deadline. */
const untilEverythingEnded = 'PT10M'

const mixed: readonly ScenarioName[] = [
  'happy_path',
  'slow_success',
  'courier_rejected',
  'courier_throttled',
  'courier_unreachable',
  'lost_response_guide_created',
  'lost_response_nothing_created',
  'lost_response_late_guide',
  'duplicate_guides',
  'malformed_success',
  'cancel_response_lost',
]

t.test('a service killed at random moments never makes a second guide', async (t) => {
  const seed = seedOf('KILL_SEED')
  const draw = random(seed)
  t.comment(`KILL_SEED=${seed}`)
  const all = await fleet(t)
  let service = await all.start()
  const port = Number(new URL(service.url).port)
  const subjects = Array.from({ length: creations }, (_, index) => {
    const scenario = mixed[Math.floor(draw() * mixed.length)] ?? 'happy_path'
    return subjectOf(service, `order-${index}`, scenario)
  })
  const asking: Promise<CaseAnswers>[] = []
  for (let kill = 0; kill < kills; kill++) {
    const wave = subjects.slice(asking.length, Math.ceil(((kill + 1) * creations) / kills))
    asking.push(...wave.map((subject) => shipOrder(service, subject)))
    await delay(draw() * killAfterMsMax)
    service.signal('SIGKILL')
    await service.ended
    service = await all.start({ port })
  }
  const orders = await Promise.all(asking)
  t.equal((await service.advance(untilEverythingEnded)).body.advancing_to, null)
  t.strictSame(await violationsOfOrders(all, service, orders), [], `seed ${seed}`)
  await t.test('the ledger sealed between the kills verifies', async (t) => {
    const verified = await verifySealed(all)
    t.match(verified, { problems: 0, findings: [] })
    t.ok(verified.checkpoints > kills, 'it went on sealing after each')
  })
})
