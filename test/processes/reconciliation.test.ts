import t from 'tap'
import type { FindGuidesAnswer, Guide } from '../../src/service/couriers/courier.ts'
import type { Instant } from '../../src/service/domain/decider.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import { nextDue } from '../../src/service/domain/operation/reconciliation.ts'
import { currentAttempt, statusOf } from '../../src/service/domain/shipment/shipment.ts'
import { reconcile } from '../../src/service/processes/calls/reconcile.ts'
import { hours, minutes, seconds, start } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps, courier } = parts
const lost: CallOutcome = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true }
const guide = (guideNumber: string, pickupCode: string | null = null): Guide => ({
  guideNumber,
  pickupCode,
  price: { amount: 1250, currency: 'PEN' },
})
const guides = (...numbers: readonly string[]): FindGuidesAnswer => ({
  kind: 'found',
  guides: numbers.map((number) => guide(number)),
})
const at = (made: Made, now: Instant) => reconcile(deps, made.shipmentId, () => now)
const tail = async (made: Made, from = 3) => (await parts.types(made)).slice(from)

t.beforeEach(() => {
  courier.find = () => guides()
  courier.canFind = true
})

t.test('nothing is done before it is due, or for a shipment that does not exist', async (t) => {
  const made = await parts.shipment(lost)
  t.equal(await at(made, start + seconds(3) - 1), 'idle')
  t.same(await tail(made), [])
  t.equal(await reconcile(deps, 'shp_0000000000000000000000', () => start), 'idle')
})

t.test(
  "a look uses our reference and the shipment's clock, and seals the pickup code",
  async (t) => {
    const made = await parts.shipment(lost)
    courier.find = () => ({ kind: 'found', guides: [guide('G-1', 'pickup-4711')] })
    const before = courier.found.length
    t.equal(await at(made, start + seconds(3)), 'done')
    t.match(courier.found.slice(before), [
      {
        clientReference: made.shipmentId,
        credentials: { username: 'shop' },
        sandbox: { attempt: 1, attemptAt: new Date(start), now: new Date(start + seconds(3)) },
      },
    ])
    t.same(await tail(made), ['GuideLookedUp', 'GuideFound'])
    const { guide: found } = currentAttempt(await parts.state(made))
    t.equal(found?.guideNumber, 'G-1')
    t.same(await deps.vault.openItem(found?.pickupCodeRef ?? ''), { pickup_code: 'pickup-4711' })
    t.notMatch(JSON.stringify(await parts.events(made)), 'pickup-4711')
  },
)

t.test('simultaneous reconcilers end an operation once, and the losing look is kept', async (t) => {
  const made = await parts.shipment(lost)
  courier.find = () => guides('G-1')
  const clocks = [start + seconds(3), start + seconds(3) + 1]
  const acted = await Promise.all(clocks.map((now) => at(made, now)))
  t.same(acted, ['done', 'done'])
  const events = await parts.events(made)
  t.same(
    events.slice(3).map((event) => event.type),
    ['GuideLookedUp', 'GuideFound', 'GuideLookedUp'],
  )
  t.same(
    events.filter((event) => event.type === 'GuideLookedUp').map((event) => event.occurredAt),
    clocks,
  )
})

t.test('two reconcilers that make the same look record it once', async (t) => {
  const made = await parts.shipment(lost)
  const now = start + seconds(3)
  const acted = await Promise.all([at(made, now), at(made, now)])
  t.same(acted.sort(), ['done', 'idle'])
  t.same(await tail(made), ['GuideLookedUp'])
})

t.test('ten reconcilers expire an orphaned attempt once', async (t) => {
  const made = await parts.shipment()
  const acted = await Promise.all(Array.from({ length: 10 }, () => at(made, start + seconds(20))))
  t.equal(acted.filter((performed) => performed === 'done').length, 1)
  t.same(await tail(made, 2), ['GuideOutcomeUnknown'])
})

t.test('a look that loses its race is decided again on the new state', async (t) => {
  const races: readonly (readonly [FindGuidesAnswer, CallOutcome, readonly string[]])[] = [
    [
      guides('G-1'),
      { kind: 'rejected', detailRef: null },
      ['GuideNotCreated', 'GuideLookedUp', 'OperationContradicted', 'OperationEscalated'],
    ],
    [
      guides(),
      { kind: 'issued', guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null } },
      ['GuideFound', 'GuideLookedUp'],
    ],
    [
      guides('G-1'),
      { kind: 'issued', guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null } },
      ['GuideFound', 'GuideLookedUp'],
    ],
    [
      guides('G-2'),
      { kind: 'issued', guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null } },
      ['GuideFound', 'GuideLookedUp', 'OperationContradicted', 'OperationEscalated'],
    ],
  ]
  for (const [answer, outcome, expected] of races) {
    const made = await parts.shipment(lost)
    courier.find = async () => {
      const { operationId } = made
      const ended = { do: 'record_outcome', operationId, outcome } as const
      await parts.decide(made, ended, start + seconds(3))
      return answer
    }
    await at(made, start + seconds(3))
    t.same(await tail(made), expected)
  }
})

t.test('a look that fails in any way is inconclusive and concludes nothing', async (t) => {
  const failures: readonly FindGuidesAnswer[] = [
    { kind: 'unknown', cause: 'courier_error' },
    { kind: 'throttled', retryAfterMs: 1_000 },
    { kind: 'not_sent', cause: 'unreachable' },
    { kind: 'rejected', code: 'no', text: 'no', newPrice: null },
  ]
  for (const failure of failures) {
    const made = await parts.shipment(lost)
    courier.find = () => failure
    await at(made, start + minutes(10))
    const { looks, state } = currentAttempt(await parts.state(made))
    t.match(looks, [{ answer: 'inconclusive', counted: false }])
    t.equal(state, 'reconciling')
  }
})

t.test(
  'a parked connection defers looks and uses none up, but the deadline still comes',
  async (t) => {
    const made = await parts.shipment(lost)
    courier.find = () => ({ kind: 'unauthorized' })
    t.equal(await at(made, start + seconds(3)), 'deferred')
    t.equal(await parts.connectionStatus(), 'needs_reauth')
    const asked = courier.found.length
    for (const later of [seconds(8), minutes(10), minutes(59)]) {
      t.equal(await at(made, start + later), 'deferred')
    }
    t.equal(courier.found.length, asked, 'a parked connection is not asked')
    t.equal(await at(made, start + hours(1) + seconds(1)), 'done')
    t.same(await tail(made), ['OperationEscalated'])
    t.equal(await at(made, start + hours(8)), 'done')
    t.same(await tail(made), ['OperationEscalated', 'OperationReviewRequired'])
    const { looks, reviewReason } = currentAttempt(await parts.state(made))
    t.same(looks, [])
    t.equal(reviewReason, 'deadline_passed')
    await parts.activate()
  },
)

t.test('new credentials let a deferred look be made', async (t) => {
  const made = await parts.shipment(lost)
  courier.find = () => ({ kind: 'unauthorized' })
  await at(made, start + seconds(3))
  await parts.activate()
  courier.find = () => guides('G-1')
  t.equal(await at(made, start + minutes(30)), 'done')
  t.same(await tail(made), ['GuideLookedUp', 'GuideFound'])
})

t.test('a refusal of credentials that were replaced in the meantime parks nothing', async (t) => {
  const made = await parts.shipment(lost)
  courier.find = async () => {
    await parts.activate()
    return { kind: 'unauthorized' }
  }
  t.equal(await at(made, start + seconds(3)), 'deferred')
  t.equal(await parts.connectionStatus(), 'active')
})

t.test(
  'an attempt expires as deadline_passed if its process lives, else as process_died',
  async (t) => {
    const mine = await parts.shipment()
    const orphan = await parts.shipment()
    const call = Promise.withResolvers<void>()
    const { operationId } = mine
    deps.inFlightCalls.trackCall({ organizationId: 'org_1', operationId }, call.promise)
    for (const made of [mine, orphan]) {
      t.equal(await at(made, start + seconds(20) - 1), 'idle')
      t.equal(await at(made, start + seconds(20)), 'done')
    }
    call.resolve()
    t.equal(currentAttempt(await parts.state(mine)).cause, 'deadline_passed')
    t.equal(currentAttempt(await parts.state(orphan)).cause, 'process_died')
  },
)

t.test('an orphaned attempt goes to review at once if its courier cannot be asked', async (t) => {
  const made = await parts.shipment()
  courier.canFind = false
  await at(made, start + seconds(20))
  t.equal(await at(made, start + seconds(20)), 'done')
  t.same(await tail(made, 2), [
    'GuideOutcomeUnknown',
    'OperationReviewRequired',
    'OperationEscalated',
  ])
})

t.test('without a guide, the scheduled looks end as nothing created and then stop', async (t) => {
  const made = await parts.shipment(lost)
  const at10Days = start + hours(240)
  for (let steps = 0; steps < 40; steps++) {
    const due = nextDue((await parts.state(made)).attempts)
    if (due === null || due.at > at10Days) break
    t.equal(await at(made, due.at), 'done')
  }
  const state = await parts.state(made)
  t.equal(statusOf(state), 'not_created')
  t.same(
    currentAttempt(state).looks.map((look) => (look.at - start) / 1_000),
    [3, 8, 23, 68, 140, 170, 200, 86_400, 172_800, 604_800],
  )
  t.equal(nextDue(state.attempts), null)
})

t.test("the process manager's events name their actor, cause and correlation", async (t) => {
  const made = await parts.shipment(lost)
  await at(made, start + seconds(3))
  const [first, , cause, look] = await parts.events(made)
  t.match(look?.metadata, {
    actor: { type: 'reconciliation', key_id: null },
    request_id: null,
    causation_id: cause?.id,
    correlation_id: first?.id,
    shipment_id: made.shipmentId,
  })
})
