import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { ScenarioName } from '../../src/couriers/simulator/scenarios.ts'
import { shipmentIdOf } from '../../src/domain/ids.ts'
import { type Answer, type ApiClient, isFinal } from '../support/api-client.ts'
import { fleet } from '../support/processes.ts'
import { random, seedOf } from '../support/random.ts'
import { verifySealed } from '../support/sealed-whole.ts'

const creations = 36
const kills = 3
/** From the moment at which a wave of creations is sent to the kill. */
const killAfterMsMax = 1_500
/** A shop goes on asking with its key for so long: an orphan's call deadline, and some starts. */
const shopGivesUpMs = 60_000
const askAgainMs = 1_000
/** More than a lost attempt needs from its call deadline to its end. */
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

type Order = { readonly key: string; readonly scenario: ScenarioName }

/** A shop that repeats with the same key, as it is told to, until it gets an end. */
async function insist(ask: () => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const until = performance.now() + shopGivesUpMs
  while (performance.now() < until) {
    const answer = await ask().catch(() => null)
    if (answer !== null) answers.push(answer)
    if (answer !== null && isFinal(answer)) return answers
    await delay(askAgainMs)
  }
  return answers
}

/** Creates and, where the scenario is about that, cancels. */
async function shipOrder(shop: ApiClient, { key, scenario }: Order): Promise<readonly Answer[]> {
  const created = await insist(() => shop.create(key, { scenario }))
  const made = created.at(-1)
  if (scenario !== 'cancel_response_lost' || made?.status !== 201) return created
  const path = `/v1/shipments/${made.body.id}/cancel`
  const headers = { 'idempotency-key': `cancel-${key}` }
  return [...created, ...(await insist(() => shop.call(path, { method: 'POST', headers })))]
}

t.test('killed at random moments, the service never makes a second guide', async (t) => {
  const seed = seedOf('KILL_SEED')
  const draw = random(seed)
  t.comment(`KILL_SEED=${seed}`)
  const all = await fleet(t)
  const orders: Order[] = Array.from({ length: creations }, (_, index) => ({
    key: `order-${index}`,
    scenario: mixed[Math.floor(draw() * mixed.length)] ?? 'happy_path',
  }))
  const asking: Promise<readonly Answer[]>[] = []
  let service = await all.start()
  const port = Number(new URL(service.url).port)
  for (let kill = 0; kill < kills; kill++) {
    const wave = orders.slice(asking.length, Math.ceil(((kill + 1) * creations) / kills))
    asking.push(...wave.map((order) => shipOrder(service, order)))
    await delay(draw() * killAfterMsMax)
    service.signal('SIGKILL')
    await service.ended
    service = await all.start({ port })
  }
  const answers = await Promise.all(asking)
  t.equal((await service.advance(untilEverythingEnded)).body.advancing_to, null)

  for (const [index, { key, scenario }] of orders.entries()) {
    const told = answers[index] ?? []
    const said = `${key} ${scenario} (seed ${seed})`
    const shipmentId = shipmentIdOf({
      organizationId: all.seeded.organizationId,
      workspaceId: all.seeded.workspaceId,
      livemode: false,
      idempotencyKey: key,
    })
    const { body } = await service.call(`/v1/shipments/${shipmentId}`)
    const guides = all.record.guidesOf(shipmentId).map(({ guideNumber }) => guideNumber)
    const executed = all.record
      .callsOf(shipmentId)
      .filter(({ outcome }) =>
        ['created', 'nothing_created', 'destination_suspended'].includes(outcome),
      )
    t.ok(told.length > 0 && isFinal(told.at(-1) as Answer), `${said}: the shop got an end`)
    const voided = all.record.callsOf(shipmentId).filter(({ outcome }) => outcome === 'cancelled')
    t.ok(voided.length <= 1, `${said}: cancelled ${voided.length} times`)
    t.ok(executed.length <= 1, `${said}: executed ${executed.length} times`)
    t.ok(guides.length <= (scenario === 'duplicate_guides' ? 2 : 1), `${said}: ${guides.length}`)
    for (const answer of told) {
      if (answer.status !== 201) continue
      t.strictSame(guides, [answer.body.guide_number], `${said}: what it was told is true`)
    }
    const truth =
      guides.length === 0
        ? ['rejected', 'not_created', 'not_executed']
        : guides.length === 1
          ? [all.record.guidesOf(shipmentId)[0]?.cancelledAt === null ? 'created' : 'cancelled']
          : ['unknown_outcome']
    t.ok(truth.includes(body.status), `${said}: ${body.status} with ${guides.length} guides`)
    if (body.status === 'created') t.strictSame(guides, [body.guide_number], said)
    if (body.operation_id !== null) {
      const operation = await service.call(`/v1/operations/${body.operation_id}`)
      t.equal(operation.body.result, 'human_review', `${said}: two guides are a person's`)
    }
  }
  const twofold = orders.filter(({ scenario }) => scenario === 'duplicate_guides').length
  t.ok(all.record.doubled().length <= twofold)
  await t.test('the ledger that was sealed between the kills is whole', async (t) => {
    const verified = await verifySealed(all)
    t.match(verified, { problems: 0, findings: [] })
    t.ok(verified.checkpoints > kills, 'it went on sealing after each')
  })
})
