import t, { type Test } from 'tap'
import type { CancelGuideAnswer, FindGuidesAnswer } from '../../src/service/couriers/courier.ts'
import type { Cancellation } from '../../src/service/domain/operation/cancellation.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import { nextDue } from '../../src/service/domain/operation/reconciliation.ts'
import { operationsWithWork, statusOf } from '../../src/service/domain/shipment/shipment.ts'
import { Problem } from '../../src/service/errors.ts'
import type { EventStore } from '../../src/service/event-store/event-store.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import {
  lookUpNow,
  type OperatorAct,
  resolveOperation,
} from '../../src/service/processes/calls/operator-acts.ts'
import { reconcile } from '../../src/service/processes/calls/reconcile.ts'
import { cancelShipment } from '../../src/service/processes/calls/shipment-cancellation.ts'
import { eventually } from '../support/eventually.ts'
import { connectionPlace, hours, seconds } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps, courier } = parts
const guideNumber = 'G-1'
const issued: CallOutcome = {
  kind: 'issued',
  guide: { guideNumber, price: null, pickupCodeRef: null },
}
const lost: CancelGuideAnswer = { kind: 'unknown', cause: 'response_lost' }
const found = (...statuses: readonly ('active' | 'cancelled' | 'unclear')[]): FindGuidesAnswer => ({
  kind: 'found',
  guides: statuses.map((status) => ({ guideNumber, pickupCode: null, price: null, status })),
})

async function cancel(made: Made, idempotencyKey = 'c-1', store = deps.store) {
  return await cancelShipment(
    { ...deps, store },
    {
      shipmentId: made.shipmentId,
      found: await loadShipment(deps.store, made.shipmentId),
      idempotencyKey,
      actor: { type: 'api_key', keyId: 'key_1' },
      requestId: 'req_1',
    },
  )
}
const tryOf = async (made: Made, index = 0) =>
  (await parts.state(made)).cancellations[index] as Cancellation

/** Does what is due, each step at its due time, until this time. */
async function live(made: Made, until: number): Promise<void> {
  for (;;) {
    const due = nextDue(operationsWithWork(await parts.state(made)))
    if (due === null || due.at > until) return
    await reconcile(deps, made.shipmentId, () => due.at)
  }
}

async function act(made: Made, now: number): Promise<OperatorAct> {
  const { operationId } = await tryOf(made)
  return {
    shipmentId: made.shipmentId,
    operationId,
    snapshot: await loadShipment(deps.store, made.shipmentId),
    actor: { type: 'api_key', keyId: 'key_1' },
    requestId: 'req_1',
    now: () => now,
  }
}

async function refused(t: Test, work: Promise<unknown>, reason: string): Promise<void> {
  const problem = await work.then(
    () => null,
    (error) => error,
  )
  t.type(problem, Problem)
  t.equal(problem.reason, reason)
}

t.beforeEach(() => {
  courier.cancel = () => ({ kind: 'cancelled' })
  courier.find = () => found('active')
  courier.canCancel = true
})

t.test("a cancellation's intent is recorded before the courier is called", async (t) => {
  const made = await parts.shipment(issued)
  let before: readonly string[] = []
  courier.cancel = async () => {
    before = await parts.types(made)
    return { kind: 'cancelled' }
  }
  t.match(await cancel(made), { origin: 'created', situation: { kind: 'cancelled' } })
  t.equal(before.at(-1), 'CancellationRequested')
  const call = courier.cancelled.at(-1)
  t.match(call, { clientReference: made.shipmentId, guideNumber, requestId: 'req_1' })
  t.ok((call?.notAfter.at.getTime() ?? 0) - Date.now() <= seconds(20))
})

t.test(
  'a cancellation without effect ends as not cancelled, and a new key can try again',
  async (t) => {
    const made = await parts.shipment(issued)
    courier.cancel = () => lost
    t.match((await cancel(made)).situation, { kind: 'open' })
    const { settleUntil } = await tryOf(made)
    const looked = courier.found.length
    await live(made, settleUntil + seconds(59))
    t.match(await tryOf(made), { state: 'reconciling' }, 'nothing is concluded early')
    await live(made, settleUntil + seconds(60))
    t.match(await tryOf(made), { state: 'denied', resolution: { by: 'reconciliation' } })
    t.match(courier.found.slice(looked), [{ includeCancelled: true, guideNumber }])
    t.equal(statusOf(await parts.state(made)), 'created')
    t.match((await cancel(made)).situation, { kind: 'ended' })
    const asked = courier.cancelled.length
    courier.cancel = () => ({ kind: 'cancelled' })
    t.match((await cancel(made, 'c-2')).situation, { kind: 'cancelled' })
    t.equal(courier.cancelled.length, asked + 1)
  },
)

t.test(
  'a guide found cancelled later contradicts the conclusion and waits for a person',
  async (t) => {
    const made = await parts.shipment(issued)
    courier.cancel = () => lost
    await cancel(made)
    const { settleUntil, requestedAt } = await tryOf(made)
    await live(made, settleUntil + seconds(60))
    courier.find = () => found('cancelled')
    await live(made, requestedAt + hours(24))
    t.match(await tryOf(made), { state: 'needs_review', contradicted: true, escalated: true })
    t.match((await cancel(made, 'c-2')).situation, { kind: 'open' })
    await resolveOperation(deps, await act(made, requestedAt + hours(25)), {
      decision: 'cancelled',
      guideNumber: null,
      note: 'seen at the courier',
      decidedBy: 'maria',
    })
    t.equal(statusOf(await parts.state(made)), 'cancelled')
  },
)

t.test('unclear looks are inconclusive, and at the deadline a person must decide', async (t) => {
  const made = await parts.shipment(issued)
  courier.cancel = () => lost
  await cancel(made)
  const answers = [found(), found('unclear'), { kind: 'unknown', cause: 'courier_error' }] as const
  let looks = 0
  courier.find = () => answers[looks++ % answers.length] as FindGuidesAnswer
  const { deadlineAt } = await tryOf(made)
  await live(made, deadlineAt)
  const { state, reviewReason, looks: made_ } = await tryOf(made)
  t.match({ state, reviewReason }, { state: 'needs_review', reviewReason: 'deadline_passed' })
  t.strictSame([...new Set(made_.map(({ answer }) => answer))], ['inconclusive'])
})

t.test(
  'a call whose process died becomes unknown at its deadline and is then resolved',
  async (t) => {
    const made = await parts.shipment(issued)
    const now = Date.now()
    const operationId = `${made.operationId.slice(0, -1)}2`
    const callDeadline = now + seconds(20)
    const intent = { do: 'request_cancellation', now, callDeadline, operationId } as const
    await parts.decide(made, { ...intent, credentialsVersion: 1, key: 'c-1' }, now)
    await live(made, callDeadline - 1)
    t.equal((await tryOf(made)).state, 'calling')
    courier.find = () => found('cancelled')
    await Promise.all(
      Array.from({ length: 10 }, () => reconcile(deps, made.shipmentId, () => callDeadline)),
    )
    await live(made, callDeadline + seconds(2))
    t.match(await tryOf(made), { state: 'affirmed', cause: 'process_died' })
    const types = await parts.types(made)
    t.equal(types.filter((type) => type === 'CancellationOutcomeUnknown').length, 1)
  },
)

t.test(
  'a cancellation that was not sent is reported, and the same key can try again',
  async (t) => {
    const made = await parts.shipment(issued)
    for (const [answer, reason] of [
      [{ kind: 'throttled', retryAfterMs: 60_000 }, 'courier_throttled'],
      [{ kind: 'not_sent', cause: 'too_late' }, 'too_late'],
    ] as const) {
      courier.cancel = () => answer
      const { situation } = await cancel(made)
      t.match(situation, {
        kind: 'ended',
        cancellation: { state: 'not_sent', notSent: { reason } },
      })
      t.equal(statusOf(await parts.state(made)), 'created')
    }
    courier.cancel = () => ({ kind: 'cancelled' })
    t.match((await cancel(made)).situation, { kind: 'cancelled' })
    t.equal((await parts.state(made)).cancellations.length, 3)
  },
)

t.test(
  "a refusal's text is kept in the vault, and waiting requests make no second call",
  async (t) => {
    const made = await parts.shipment(issued)
    const refusal = Promise.withResolvers<CancelGuideAnswer>()
    courier.cancel = () => refusal.promise
    const [first, second] = [cancel(made), cancel(made, 'c-2')]
    while (courier.cancelled.at(-1)?.clientReference !== made.shipmentId) {
      await new Promise(setImmediate)
    }
    const third = cancel(made, 'c-3')
    refusal.resolve({
      kind: 'rejected',
      code: 'not_cancellable',
      text: 'Ya fue recibido.',
      newPrice: null,
    })
    const kinds = (await Promise.all([first, second, third])).map(({ situation }) => situation.kind)
    t.strictSame(kinds.toSorted(), ['already_declined', 'already_declined', 'ended'])
    t.equal(courier.cancelled.filter((call) => call.clientReference === made.shipmentId).length, 1)
    const { refusalRef } = await tryOf(made)
    t.match(await deps.vault.openItem(refusalRef ?? ''), { text: 'Ya fue recibido.' })
    t.notMatch(JSON.stringify(await parts.events(made)), /recibido/)
    for (const key of ['c-1', 'c-2', 'c-3']) t.equal((await cancel(made, key)).origin, 'replayed')
  },
)

t.test('a call whose outcome the code cannot record is looked up, never denied', async (t) => {
  const made = await parts.shipment(issued)
  const store: EventStore = {
    ...deps.store,
    append(stream, expected, events, options) {
      if (events.some(({ type }) => type === 'GuideCancelled')) throw new TypeError('a mistake')
      return deps.store.append(stream, expected, events, options)
    },
  }
  courier.find = () => found('cancelled')
  const { situation } = await cancel(made, 'c-1', store)
  t.equal(situation.kind, 'underway')
  const { callDeadline } = await tryOf(made)
  await live(made, callDeadline + seconds(3))
  t.match(await tryOf(made), { state: 'affirmed' })
  t.match((await cancel(made)).situation, { kind: 'cancelled' })
})

t.test(
  'no call is made to a courier that cannot cancel or through a parked connection',
  async (t) => {
    const made = await parts.shipment(issued)
    courier.canCancel = false
    const asked = courier.cancelled.length
    const { situation } = await cancel(made)
    t.match(situation, { kind: 'already_declined', because: 'courier_cannot_cancel' })
    courier.canCancel = true
    // Changed as by another process: this one's cache is at most a second old.
    await parts.query(`UPDATE courier_connections SET status = 'disabled'`)
    await eventually(
      () => deps.accounts.load(connectionPlace),
      (account) => account?.status === 'disabled',
      1_500,
    )
    await refused(t, cancel(made, 'c-2'), 'connection_disabled')
    await parts.query(`UPDATE courier_connections SET status = 'needs_reauth'`)
    deps.accounts.forget(connectionPlace)
    await refused(t, cancel(made, 'c-2'), 'connection_needs_reauth')
    await parts.activate()
    t.equal(courier.cancelled.length, asked)
  },
)

t.test(
  'an operator looks at a cancellation and resolves it only with its own decisions',
  async (t) => {
    const made = await parts.shipment(issued)
    courier.cancel = () => lost
    await cancel(made)
    const { settleUntil } = await tryOf(made)
    const verdict = { guideNumber: null, note: 'asked', decidedBy: 'maria' }
    const foreign = resolveOperation(deps, await act(made, settleUntil), {
      ...verdict,
      decision: 'nothing_created',
    })
    await refused(t, foreign, 'validation_failed')
    const decision = 'not_cancelled'
    const early = resolveOperation(deps, await act(made, settleUntil - 1), { ...verdict, decision })
    await refused(t, early, 'operation_not_settled')
    await lookUpNow(deps, await act(made, settleUntil))
    t.match((await tryOf(made)).looks.at(-1), { answer: 'standing', counted: true })
    await resolveOperation(deps, await act(made, settleUntil), { ...verdict, decision })
    t.match(await tryOf(made), { state: 'denied', resolution: { by: 'operator' } })
  },
)
