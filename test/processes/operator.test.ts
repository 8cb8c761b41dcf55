import t, { type Test } from 'tap'
import type { FindGuidesAnswer } from '../../src/service/couriers/courier.ts'
import type { Instant } from '../../src/service/domain/decider.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import { looksMax } from '../../src/service/domain/operation/reconciliation.ts'
import { currentAttempt, statusOf } from '../../src/service/domain/shipment/shipment.ts'
import { Problem } from '../../src/service/errors.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import {
  lookUpNow,
  type OperatorAct,
  resolveOperation,
} from '../../src/service/processes/calls/operator-acts.ts'
import { reconcile } from '../../src/service/processes/calls/reconcile.ts'
import { hours, minutes, seconds, start } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps, courier } = parts
const lost: CallOutcome = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true }
const settled = start + seconds(140)
const guides = (...numbers: readonly string[]): FindGuidesAnswer => ({
  kind: 'found',
  guides: numbers.map((guideNumber) => ({
    guideNumber,
    pickupCode: null,
    price: { amount: 900, currency: 'PEN' },
  })),
})

async function act(made: Made, now: Instant): Promise<OperatorAct> {
  return {
    ...made,
    snapshot: await loadShipment(deps.store, made.shipmentId),
    actor: { type: 'api_key', keyId: 'key_1' },
    requestId: 'req_1',
    now: () => now,
  }
}
const look = async (made: Made, now: Instant) => lookUpNow(deps, await act(made, now))
const verdict = (guideNumber: string | null = null, acceptUnconfirmed = false) =>
  ({
    decision: guideNumber === null ? 'nothing_created' : 'guide_exists',
    guideNumber,
    acceptUnconfirmed,
    note: 'called the agency',
    decidedBy: 'maria',
  }) as const
const resolve = async (made: Made, now: Instant, guideNumber: string | null = null) =>
  resolveOperation(deps, await act(made, now), verdict(guideNumber))
const insist = async (made: Made, now: Instant, guideNumber: string) =>
  resolveOperation(deps, await act(made, now), verdict(guideNumber, true))
const attemptOf = async (made: Made) => currentAttempt(await parts.state(made))

async function refused(t: Test, work: Promise<unknown>, reason: string): Promise<Problem> {
  const problem = await work.then(
    () => null,
    (error) => error,
  )
  t.type(problem, Problem)
  t.equal(problem.reason, reason)
  return problem
}

t.beforeEach(() => {
  courier.find = () => guides()
})

t.test("an operator's look follows the same rules and records the operator", async (t) => {
  const made = await parts.shipment(lost)
  await look(made, settled - 1)
  t.match((await attemptOf(made)).looks, [{ answer: 'absent', counted: false }])
  const event = (await parts.events(made)).at(-1)
  t.match(event, { type: 'GuideLookedUp', data: { by: 'operator' } })
  t.match(event?.metadata, { actor: { type: 'api_key', key_id: 'key_1' }, request_id: 'req_1' })
})

t.test('an operation is looked at once in ten seconds, however many callers ask', async (t) => {
  const made = await parts.shipment(lost)
  const before = courier.found.length
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => look(made, settled)))
  t.equal(asked.filter(({ status }) => status === 'fulfilled').length, 1)
  t.equal(courier.found.length, before + 1)
  const problem = await refused(t, look(made, settled + hours(1)), 'rate_limited')
  t.equal(problem.options.retryAfterSeconds, 10)
  await parts.query('UPDATE claims SET leased_until = now() WHERE work = $1', [
    `look-turn:${made.operationId}`,
  ])
  await look(made, settled + hours(1))
  t.equal((await attemptOf(made)).looks.length, 2)
})

t.test('only an unknown outcome can be looked at, and only after its call', async (t) => {
  const early = look(await parts.shipment(), start + hours(1))
  const calling = await refused(t, early, 'operation_not_settled')
  t.equal(calling.options.retryAfterSeconds, 5)
  const rejected = await parts.shipment({ kind: 'rejected', detailRef: null })
  await refused(t, look(rejected, start + hours(1)), 'operation_already_resolved')
  const made = await parts.shipment(lost)
  const other = { ...made, operationId: `${made.operationId.slice(0, -1)}2` }
  await refused(t, look(other, start), 'not_found')
  await refused(t, resolve(other, start), 'not_found')
})

t.test('an operation that has used up its looks is not looked at again', async (t) => {
  const made = await parts.shipment(lost)
  const from = await act(made, start + hours(1))
  const state = await parts.state(made)
  const one = { at: start, answer: 'absent', guideNumbers: [], counted: false } as const
  const attempts = [{ ...state.attempts[0]!, looks: Array.from({ length: looksMax }, () => one) }]
  const before = courier.found.length
  const full = { ...from, snapshot: { ...from.snapshot, state: { ...state, attempts } } }
  await refused(t, lookUpNow(deps, full), 'operation_full')
  t.equal(courier.found.length, before)
})

t.test('a look with refused credentials parks the connection and records nothing', async (t) => {
  const made = await parts.shipment(lost)
  courier.find = () => ({ kind: 'unauthorized' })
  await refused(t, look(made, start + hours(1)), 'connection_needs_reauth')
  t.equal(await parts.connectionStatus(), 'needs_reauth')
  t.same((await attemptOf(made)).looks, [])
  await parts.activate()
})

t.test(
  'a look that finds a guide ends an open operation or contradicts a closed one',
  async (t) => {
    const open = await parts.shipment(lost)
    courier.find = () => guides('G-1')
    await look(open, start + minutes(1))
    t.equal((await attemptOf(open)).state, 'affirmed')
    const closed = await parts.shipment(lost)
    await resolve(closed, settled)
    await look(closed, settled + minutes(1))
    t.match(await attemptOf(closed), { state: 'needs_review', contradicted: true })
  },
)

t.test("a decision's note is kept in the vault, and repeating the decision succeeds", async (t) => {
  const made = await parts.shipment(lost)
  await refused(t, resolve(made, settled - 1), 'operation_not_settled')
  await resolve(made, settled)
  const { resolution } = await attemptOf(made)
  t.match(resolution, { decision: 'nothing_created', by: 'operator' })
  t.same((await deps.vault.open(resolution?.ref ?? ''))?.payload, {
    decided_by: 'maria',
    note: 'called the agency',
  })
  const events = await parts.events(made)
  t.notMatch(JSON.stringify(events), /maria|agency"/)
  await resolve(made, settled + hours(1))
  t.equal((await parts.events(made)).length, events.length)
  courier.find = () => guides('G-1')
  await refused(t, resolve(made, settled, 'G-1'), 'operation_already_resolved')
})

t.test(
  'a decided guide is recorded as the courier reports it, and an unknown one refused',
  async (t) => {
    const known = await parts.shipment(lost)
    courier.find = ({ guideNumber }) => guides(guideNumber ?? '?', 'G-9')
    await resolve(known, settled, 'G-1')
    const decided = await attemptOf(known)
    t.match(decided.guide, { guideNumber: 'G-1', price: { amount: 900 } })
    t.match(decided.looks, [{ answer: 'ambiguous', guideNumbers: ['G-1', 'G-9'] }])
    t.match(decided.resolution, { by: 'operator' })
    const asked = courier.found.length
    await resolve(known, settled, 'G-1')
    t.equal(courier.found.length, asked, 'the same again needs no courier')
    const unknown = await parts.shipment(lost)
    courier.find = () => guides('G-9')
    const problem = await refused(t, resolve(unknown, settled, 'G-1'), 'guide_not_found')
    t.match(problem.options.errors, [{ pointer: '/guide_number', reason: 'guide_not_found' }])
    const found = await attemptOf(unknown)
    t.match(found.looks, [{ answer: 'found', guideNumbers: ['G-9'] }])
    t.equal(found.state, 'affirmed', 'what the courier shows instead is recorded as evidence')
  },
)

const silent: FindGuidesAnswer = { kind: 'unknown', cause: 'courier_error', statusCode: 502 }

t.test(
  'a guide that the courier cannot confirm is decided only with explicit acceptance',
  async (t) => {
    for (const answer of [silent, { kind: 'unauthorized' }] as const) {
      const made = await parts.shipment(lost)
      courier.find = () => answer
      await refused(t, resolve(made, settled, 'G-1'), 'guide_unconfirmed')
      const open = await attemptOf(made)
      t.match(open, { state: 'reconciling', guide: null, resolution: null })
      const looks = answer.kind === 'unauthorized' ? 0 : 1
      t.equal(open.looks.length, looks, 'the call that failed is on record')
      if (looks === 1) {
        const failure = { kind: 'courier_error', statusCode: 502 }
        t.match(open.looks, [{ answer: 'inconclusive', call: { failure, latencyMs: Number } }])
      }
      await insist(made, settled + seconds(1), 'G-1')
      const decided = await attemptOf(made)
      t.match(decided.guide, { guideNumber: 'G-1', price: null })
      t.match(decided.resolution, { by: 'operator', guideNumber: 'G-1', confirmed: false })
      t.match((await parts.events(made)).at(-1)?.data, { confirmed: false })
      const asked = courier.found.length
      await resolve(made, settled + seconds(2), 'G-1')
      t.equal(courier.found.length, asked, 'the same decision again is a success')
      await parts.activate()
    }
  },
)

t.test('explicit acceptance does not override a courier that answers', async (t) => {
  const known = await parts.shipment(lost)
  courier.find = () => guides('G-1')
  await insist(known, settled, 'G-1')
  t.match((await attemptOf(known)).resolution, { confirmed: true })
  const unknown = await parts.shipment(lost)
  courier.find = () => guides()
  await refused(t, insist(unknown, settled, 'G-1'), 'guide_not_found')
})

t.test('later looks confirm or contradict an unconfirmed decision', async (t) => {
  const unconfirmed = async () => {
    const made = await parts.shipment(lost)
    courier.find = () => silent
    await insist(made, settled, 'G-1')
    return made
  }
  const dayLater = start + hours(24)
  const confirmed = await unconfirmed()
  courier.find = () => guides()
  t.equal(await reconcile(deps, confirmed.shipmentId, () => dayLater), 'done', 'looks go on')
  t.match(
    (await attemptOf(confirmed)).resolution,
    { confirmed: false },
    'an absence proves nothing',
  )
  courier.find = () => guides('G-1')
  t.equal(await reconcile(deps, confirmed.shipmentId, () => start + hours(48)), 'done')
  const now = await attemptOf(confirmed)
  t.match(now, { state: 'affirmed', contradicted: false, resolution: { confirmed: true } })
  t.match(now.guide, { guideNumber: 'G-1', price: { amount: 900 } }, 'as the courier tells it')
  t.strictSame(now.resolutions, [now.resolution])

  const contradicted = await unconfirmed()
  courier.find = () => guides('G-2')
  await reconcile(deps, contradicted.shipmentId, () => dayLater)
  t.match(await attemptOf(contradicted), {
    state: 'needs_review',
    contradicted: true,
    resolution: null,
    resolutions: [{ guideNumber: 'G-1', confirmed: false }],
  })
  t.equal(statusOf(await parts.state(contradicted)), 'unknown_outcome')
  await reconcile(deps, contradicted.shipmentId, () => start + hours(48))
  t.equal((await attemptOf(contradicted)).state, 'needs_review', 'only a person closes it')
  await resolve(contradicted, start + hours(49), 'G-2')
  t.match(await attemptOf(contradicted), {
    state: 'affirmed',
    contradicted: true,
    guide: { guideNumber: 'G-2' },
    resolutions: [{ confirmed: false }, { guideNumber: 'G-2', confirmed: true }],
  })
})

t.test(
  'of two operators with different decisions, one wins and the other is refused',
  async (t) => {
    const made = await parts.shipment(lost)
    courier.find = () => guides('G-1')
    const both = await Promise.allSettled([resolve(made, settled), resolve(made, settled, 'G-1')])
    t.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
    const failed = both.find((one) => one.status === 'rejected')
    t.equal(failed?.reason.reason, 'operation_already_resolved')
    const types = await parts.types(made)
    t.equal(types.filter((type) => type === 'OperationResolved').length, 1)
    t.ok(types.includes('GuideLookedUp'), 'what the courier showed is on record, whichever won')
  },
)
