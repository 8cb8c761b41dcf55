import fc from 'fast-check'
import t, { type Test } from 'tap'
import { type Instant, isRefusal } from '../../src/service/domain/decider.ts'
import { operationIdOf } from '../../src/service/domain/ids.ts'
import {
  type Cancellation,
  cancellation as kind,
} from '../../src/service/domain/operation/cancellation.ts'
import {
  cancellationEventSchemas,
  cancellationLookAnswers,
  type DeclineReason,
} from '../../src/service/domain/operation/cancellation-events.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import { isCarriedOut } from '../../src/service/domain/operation/machine.ts'
import {
  operationResultOf,
  operationStatusOf,
} from '../../src/service/domain/operation/operation.ts'
import {
  looksMax,
  next,
  nextDue,
  nextLookAt,
} from '../../src/service/domain/operation/reconciliation.ts'
import { transitions } from '../../src/service/domain/operation/transitions.ts'
import {
  cancellationSituation,
  declinedMax,
} from '../../src/service/domain/shipment/cancellation-request.ts'
import {
  openOperationOf,
  operationsWithWork,
  type Shipment,
  statusOf,
} from '../../src/service/domain/shipment/shipment.ts'
import { type Command, decide } from '../../src/service/domain/shipment/shipment-decisions.ts'
import {
  operationId as creationId,
  days,
  type Given,
  given,
  hours,
  minutes,
  newlySeen,
  type Past,
  record,
  requestShipment,
  seconds,
  shipmentId,
  start,
  uuid,
} from '../support/given.ts'

const seen = newlySeen()

/** `operation.status` and `operation.result` in each state. */
const shows: Readonly<Record<Cancellation['state'], readonly [string, string | null]>> = {
  calling: ['reconciling', null],
  succeeded: ['resolved', 'cancelled'],
  refused: ['resolved', 'not_cancelled'],
  not_sent: ['resolved', 'not_cancelled'],
  reconciling: ['reconciling', null],
  needs_review: ['needs_review', 'human_review'],
  affirmed: ['resolved', 'cancelled'],
  denied: ['resolved', 'not_cancelled'],
}

/** When the first cancellation is requested. */
const asked = start + hours(1)
const settled = asked + seconds(140)
const first = operationIdOf(shipmentId, 2)
const second = operationIdOf(shipmentId, 3)

const issue: Command = {
  do: 'record_outcome',
  operationId: creationId,
  outcome: {
    kind: 'issued',
    guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null },
  },
}
const request = (key = 'c-1', ordinal = 2, now = asked): Command => ({
  do: 'request_cancellation',
  now,
  callDeadline: now + seconds(20),
  operationId: operationIdOf(shipmentId, ordinal),
  credentialsVersion: 1,
  key,
})
const ended = (outcome: CallOutcome, operationId = first): Command => ({
  do: 'record_outcome',
  operationId,
  outcome,
})
const cancelled: CallOutcome = { kind: 'cancelled' }
const refused: CallOutcome = { kind: 'rejected', detailRef: uuid(7) }
const notSent: CallOutcome = {
  kind: 'not_sent',
  reason: 'courier_throttled',
  retryAfterSeconds: 30,
}
const lost = (courierCanBeAsked = true): CallOutcome => ({
  kind: 'unknown',
  cause: 'response_lost',
  courierCanBeAsked,
})
const look = (
  startedAt: Instant,
  kind: (typeof cancellationLookAnswers)[number],
  operationId = first,
): Command => ({
  do: 'record_look',
  operationId,
  by: 'reconciliation',
  startedAt,
  result: { kind },
})
const resolve = (now: Instant, decision: 'cancelled' | 'not_cancelled'): Command => ({
  do: 'resolve',
  operationId: first,
  now,
  decision,
  guide: null,
  resolutionRef: uuid(8),
})
const decline = (key: string, because: DeclineReason): Command => ({
  do: 'decline_cancellation',
  key,
  because,
})
const review = (now: Instant): Command => ({ do: 'require_review', operationId: first, now })
const erase: Command = { do: 'erase_personal_data' }

const issuedGuide = (t: Test) =>
  given(t)
    .when(requestShipment)
    .decides(['ShipmentRequested'], ['GuideRequested'])
    .when(issue, start + seconds(1))
    .decides(['GuideIssued'])
const calling = (t: Test) =>
  issuedGuide(t)
    .when(request(), asked)
    .decides(['CancellationRequested', { attempt: 1, guide_number: 'G-1', idempotency_key: 'c-1' }])
const confirmed = (t: Test) =>
  calling(t)
    .when(ended(cancelled), asked + seconds(1))
    .decides(['GuideCancelled'])
const refusal = (t: Test) =>
  calling(t)
    .when(ended(refused), asked + seconds(1))
    .decides(['CancellationRefused'])
const unsent = (t: Test) =>
  calling(t)
    .when(ended(notSent), asked + seconds(1))
    .decides(['CancellationNotSent'])
const unknown = (t: Test, canBeAsked = true) =>
  calling(t)
    .when(ended(lost(canBeAsked)), asked + seconds(1))
    .decides(['CancellationOutcomeUnknown'])
const inReview = (t: Test) =>
  unknown(t)
    .when(review(asked + hours(8)), asked + hours(8))
    .decides(['OperationReviewRequired', { because: 'deadline_passed' }], ['OperationEscalated'])
const found = (t: Test) =>
  unknown(t)
    .when(look(asked + seconds(3), 'cancelled'), asked + seconds(3))
    .decides(['CancellationLookedUp'], ['CancellationFound', { evidence: 'look' }])
const standing = (t: Test) =>
  unknown(t)
    .when(look(settled, 'standing'), settled)
    .decides(['CancellationLookedUp', { counted: true }])
    .when(look(settled + seconds(30), 'standing'), settled + seconds(30))
    .decides(['CancellationLookedUp', { counted: true }])
    .when(look(settled + seconds(60), 'standing'), settled + seconds(60))
    .decides(
      ['CancellationLookedUp', { counted: true }],
      ['GuideNotCancelled', { evidence: 'looks' }],
    )

const stateOf = ({ state }: Pick<Past, 'state'>) => state as Shipment
const firstIn = (now: Pick<Past, 'state'>) => stateOf(now).cancellations[0] as Cancellation
const keyGets = (now: Given, key = 'c-1') => cancellationSituation(stateOf(now), key)

const ends: readonly {
  readonly past: (t: Test) => Given
  readonly shipment: string
  readonly tracking: string
  readonly same: string
  readonly other: string
}[] = [
  {
    past: calling,
    shipment: 'cancelling',
    tracking: 'registered',
    same: 'underway',
    other: 'underway',
  },
  {
    past: confirmed,
    shipment: 'cancelled',
    tracking: 'cancelled',
    same: 'cancelled',
    other: 'cancelled',
  },
  { past: refusal, shipment: 'created', tracking: 'registered', same: 'ended', other: 'may_begin' },
  {
    past: unsent,
    shipment: 'created',
    tracking: 'registered',
    same: 'may_begin',
    other: 'may_begin',
  },
  { past: unknown, shipment: 'cancelling', tracking: 'registered', same: 'open', other: 'open' },
  { past: inReview, shipment: 'cancelling', tracking: 'registered', same: 'open', other: 'open' },
  {
    past: found,
    shipment: 'cancelled',
    tracking: 'cancelled',
    same: 'cancelled',
    other: 'cancelled',
  },
  {
    past: standing,
    shipment: 'created',
    tracking: 'registered',
    same: 'ended',
    other: 'may_begin',
  },
]
t.test(
  "a cancellation's status decides the shipment's status and what each key gets",
  async (t) => {
    for (const { past, shipment, tracking, same, other } of ends) {
      const now = past(t)
      const { state } = firstIn(now)
      const [operation, result] = shows[state]
      t.equal(statusOf(stateOf(now)), shipment, state)
      t.equal(stateOf(now).tracking.status, tracking, state)
      t.equal(keyGets(now).kind, same, `${state}: the same key`)
      t.equal(keyGets(now, 'c-2').kind, other, `${state}: another key`)
      t.equal(operationStatusOf(firstIn(now)), operation)
      t.equal(operationResultOf(firstIn(now)), result)
      const isOpen = state === 'reconciling' || state === 'needs_review'
      t.equal(openOperationOf(stateOf(now))?.operationId ?? null, isOpen ? first : null)
      const erased = now.when(erase)
      if (shipment === 'cancelling') erased.refused('operation_open')
      else erased.decides(['PersonalDataErased'])
    }
  },
)

t.test('without a guide a cancellation starts nothing and says why', async (t) => {
  given(t).when(request()).refused('not_found')
  const creating = given(t).when(requestShipment).decides(['ShipmentRequested'], ['GuideRequested'])
  t.match(keyGets(creating), { kind: 'creation', attempt: { operationId: creationId } })
  creating.when(request()).decides()
  creating.when(decline('c-1', 'no_guide')).decides()
  const outcome = { kind: 'rejected', detailRef: null } as const
  const rejected = creating
    .when({ do: 'record_outcome', operationId: creationId, outcome })
    .decides(['GuideRejected'])
  t.match(keyGets(rejected), { kind: 'must_decline', because: 'no_guide' })
  rejected.when(request()).decides()
  const told = rejected.when(decline('c-1', 'no_guide')).decides(['CancellationDeclined'])
  t.match(keyGets(told), { kind: 'already_declined', because: 'no_guide' })
})

t.test('declined cancellations are recorded for a limited number of keys', async (t) => {
  let now = issuedGuide(t)
  for (let key = 0; key < declinedMax; key++) {
    now = now.when(decline(`c-${key}`, 'courier_cannot_cancel')).decides(['CancellationDeclined'])
  }
  now.when(decline('one more', 'courier_cannot_cancel')).decides()
})

t.test('a parcel that was handed over cannot be cancelled', async (t) => {
  const scan = (code: string) => ({
    id: `tev_${code}`,
    code,
    mapped: true,
    agency_id: null,
    action_required: false,
    occurred_at: new Date(start + minutes(1)).toISOString(),
    received_at: new Date(start + minutes(1)).toISOString(),
  })
  const see = (code: string): Command => ({
    do: 'observe_tracking',
    events: [scan(code)],
    eta: null,
    evidenceRef: null,
    monitoring: 'active',
  })
  const moved = issuedGuide(t).when(see('received_at_origin')).decides(['TrackingObserved'])
  t.match(keyGets(moved), { kind: 'must_decline', because: 'handed_over' })
  moved.when(request()).decides()
  const registered = issuedGuide(t).when(see('registered')).decides(['TrackingObserved'])
  t.equal(keyGets(registered).kind, 'may_begin')
  const voided = issuedGuide(t).when(see('cancelled')).decides(['TrackingObserved'])
  t.equal(keyGets(voided).kind, 'may_begin', 'the courier says it again, to us')
})

t.test('scans of a cancelled guide are still recorded, as anomalies', async (t) => {
  const see: Command = {
    do: 'observe_tracking',
    events: [
      {
        id: 'tev_late',
        code: 'in_transit',
        mapped: true,
        agency_id: null,
        action_required: false,
        occurred_at: new Date(asked + hours(1)).toISOString(),
        received_at: new Date(asked + hours(1)).toISOString(),
      },
    ],
    eta: null,
    evidenceRef: null,
    monitoring: 'active',
  }
  const now = confirmed(t).when(see).decides(['TrackingObserved'])
  t.equal(stateOf(now).tracking.status, 'cancelled')
  t.strictSame(stateOf(now).tracking.anomalies, ['tev_late'])
})

t.test("a cancellation has one scan, and the courier's replaces ours", async (t) => {
  const scan = {
    id: 'tev_courier',
    code: 'cancelled',
    mapped: true,
    agency_id: null,
    action_required: false,
    occurred_at: new Date(asked).toISOString(),
    received_at: new Date(asked + hours(1)).toISOString(),
  }
  const see: Command = {
    do: 'observe_tracking',
    events: [scan],
    eta: null,
    evidenceRef: null,
    monitoring: 'active',
  }
  const before = confirmed(t)
  t.match(stateOf(before).tracking.events, [{ code: 'cancelled' }])
  const now = before.when(see).decides(['TrackingObserved'])
  t.strictSame(stateOf(now).tracking.events, [scan])
  t.match(stateOf(now).tracking, { status: 'cancelled', statusSince: asked })
})

t.test('a key whose cancellation was not sent can retry with a new operation', async (t) => {
  const again = unsent(t)
    .when(request('c-1', 3, asked + minutes(1)))
    .decides(['CancellationRequested', { attempt: 2, operation_id: second }])
  t.equal(firstIn(again).state, 'not_sent')
  const taken = unsent(t).when(request('c-1', 2)).decides()
  t.equal(taken.state?.cancellations.length, 1, 'a lost race begins nothing')
})

t.test(
  "looks at a cancellation follow a creation's schedule, with standing as absent",
  async (t) => {
    const now = unknown(t)
    t.equal(nextLookAt(firstIn(now)), asked + seconds(3))
    t.match(nextDue(operationsWithWork(stateOf(calling(t)))), {
      at: asked + seconds(20),
      action: { do: 'expire', operationId: first },
    })
    const once = now
      .when(look(asked + seconds(3), 'standing'), asked + seconds(3))
      .decides(['CancellationLookedUp', { counted: false }])
    t.equal(nextLookAt(firstIn(once)), asked + seconds(8))
    const failed = once
      .when(look(asked + seconds(8), 'inconclusive'), asked + seconds(8))
      .decides(['CancellationLookedUp', { counted: false }])
    t.equal(nextLookAt(firstIn(failed)), asked + seconds(128))
    const broken = [0, 30, 60, 90].reduce(
      (past, after) =>
        past
          .when(look(settled + seconds(after), after === 60 ? 'inconclusive' : 'standing'))
          .decides(['CancellationLookedUp']),
      unknown(t),
    )
    t.equal(firstIn(broken).state, 'reconciling', 'an inconclusive look restarts the count')
    const blind = unknown(t, false)
    t.match(next(operationsWithWork(stateOf(blind)), asked + seconds(1)), { do: 'require_review' })
    blind
      .when(review(asked + seconds(1)))
      .decides(['OperationReviewRequired'], ['OperationEscalated'])
    t.equal(nextLookAt(firstIn(standing(t))), asked + days(1))
    t.equal(nextLookAt(firstIn(found(t))), null)
    const kept = inReview(t).when(look(asked + hours(9), 'standing'))
    t.equal(firstIn(kept.decides(['CancellationLookedUp'])).state, 'needs_review')
    const full = unknown(t)
    const one = { at: start, answer: 'standing', guideNumbers: ['G-1'], counted: false } as const
    const looks = Array.from({ length: looksMax }, () => one)
    const state = { ...stateOf(full), cancellations: [{ ...firstIn(full), looks }] }
    t.match(decide(state, look(settled, 'standing')), { refused: 'operation_full' })
  },
)

t.test(
  'late evidence ends an open cancellation and contradicts a different conclusion',
  async (t) => {
    for (const past of [unknown, inReview]) {
      past(t)
        .when(ended(cancelled))
        .decides(['CancellationFound', { evidence: 'late_answer' }])
      const no = past(t)
        .when(ended(refused))
        .decides(['GuideNotCancelled', { evidence: 'late_refusal', detail_ref: uuid(7) }])
      t.equal(keyGets(no).kind, 'ended')
      past(t)
        .when(ended(notSent))
        .decides(['GuideNotCancelled', { evidence: 'late_not_sent' }])
      past(t).when(ended(lost())).decides()
    }
    for (const past of [refusal, unsent, standing]) {
      for (const command of [ended(cancelled), look(asked + days(1), 'cancelled')]) {
        const looked = command.do === 'record_look'
        const now = past(t)
          .when(command)
          .decides(
            ...(looked ? [['CancellationLookedUp'] as const] : []),
            ['OperationContradicted', { guide_numbers: ['G-1'] }],
            ['OperationEscalated'],
          )
        t.match(firstIn(now), { state: 'needs_review', contradicted: true })
        t.equal(statusOf(stateOf(now)), 'cancelling')
        t.equal(keyGets(now).kind, 'open')
        closedByAPerson(t, now)
      }
    }
    for (const past of [confirmed, found]) {
      past(t).when(ended(cancelled)).decides()
      past(t)
        .when(ended(refused))
        .decides(['LateAnswerRecorded', { answer: 'rejected' }])
      past(t)
        .when(look(asked + days(1), 'cancelled'))
        .decides(['CancellationLookedUp'])
      past(t)
        .when(look(asked + days(1), 'standing'))
        .decides(['CancellationLookedUp'])
    }
    refusal(t)
      .when(ended(notSent))
      .decides(['LateAnswerRecorded', { answer: 'not_sent' }])
    unsent(t).when(ended(refused)).decides(['LateAnswerRecorded'])
    standing(t).when(ended(refused)).decides(['LateAnswerRecorded'])
    calling(t).when(look(asked, 'standing')).decides()
  },
)

/** A contradicted operation accepts further evidence and ends only with a decision. */
function closedByAPerson(t: Test, contradicted: Given): void {
  const later = contradicted
    .when(look(asked + days(2), 'cancelled'))
    .decides(['CancellationLookedUp'])
    .when(look(asked + days(3), 'standing'))
    .decides(['CancellationLookedUp'])
  let now = later
  const told = ({ kind }: CallOutcome) => {
    const { lateAnswers, refused, notSent } = firstIn(now)
    if (kind === 'rejected' && refused) return true
    if (kind === 'not_sent' && notSent !== null) return true
    return lateAnswers.some((answer) => answer === kind)
  }
  for (const outcome of [cancelled, refused, notSent]) {
    const expected = told(outcome) ? [] : [['LateAnswerRecorded'] as const]
    now = now.when(ended(outcome)).decides(...expected)
    t.equal(firstIn(now).state, 'needs_review')
  }
  const before = firstIn(now).resolutions.length
  const closed = now
    .when(resolve(asked + days(4), 'cancelled'), asked + days(4))
    .decides(['OperationResolved'])
  t.equal(statusOf(stateOf(closed)), 'cancelled')
  t.equal(firstIn(closed).resolutions.length, before + 1)
}

t.test('a guide cancelled by a later try does not contradict an earlier one', async (t) => {
  const both = standing(t)
    .when(request('c-2', 3, settled + minutes(2)), settled + minutes(2))
    .decides(['CancellationRequested'])
    .when(ended(cancelled, second))
    .decides(['GuideCancelled'])
  t.equal(nextDue(operationsWithWork(stateOf(both))), null, 'no look is due any more')
  both.when(look(asked + days(1), 'cancelled')).decides(['CancellationLookedUp'])
  both.when(ended(cancelled)).decides(['LateAnswerRecorded', { answer: 'cancelled' }])
  t.equal(keyGets(both).kind, 'cancelled', 'and its key gets the state of the shipment')
})

t.test('a look does not contradict one try if another may have cancelled the guide', async (t) => {
  const again = standing(t)
    .when(request('c-2', 3, settled + minutes(2)), settled + minutes(2))
    .decides(['CancellationRequested'])
  const looks = look(settled + minutes(2) + seconds(1), 'cancelled')
  again.when(looks).decides(['CancellationLookedUp'])
  const open = again.when(ended(lost(), second)).decides(['CancellationOutcomeUnknown'])
  open.when(looks).decides(['CancellationLookedUp'])
  const denied = again.when(ended(refused, second)).decides(['CancellationRefused'])
  denied
    .when(looks)
    .decides(['CancellationLookedUp'], ['OperationContradicted'], ['OperationEscalated'])
  t.equal(nextLookAt(firstIn(denied)), asked + days(1), 'the look that discovers it')
})

t.test(
  'a person decides once after settling, and evidence can contradict the decision',
  async (t) => {
    calling(t).when(resolve(settled, 'cancelled')).refused('operation_not_settled')
    unknown(t)
      .when(resolve(settled - 1, 'cancelled'))
      .refused('operation_not_settled')
    const early = unknown(t, false)
      .when(review(asked + seconds(1)))
      .decides(['OperationReviewRequired'], ['OperationEscalated'])
    early.when(resolve(asked + seconds(2), 'not_cancelled')).refused('operation_not_settled')
    early
      .when(resolve(asked + seconds(2), 'cancelled'))
      .decides(['OperationResolved', { decision: 'cancelled', guide_number: null }])
    for (const [mine, other] of [
      ['cancelled', 'not_cancelled'],
      ['not_cancelled', 'cancelled'],
    ] as const) {
      const at = asked + hours(9)
      const now = inReview(t).when(resolve(at, mine), at).decides(['OperationResolved'])
      t.match(firstIn(now).resolution, { decision: mine, by: 'operator', ref: uuid(8) })
      now.when(resolve(at, other)).refused('operation_already_resolved')
      t.equal(nextLookAt(firstIn(now)), asked + days(1), 'it is looked at again')
      const seenAs = mine === 'cancelled' ? 'standing' : 'cancelled'
      const back = now
        .when(look(asked + days(1), seenAs), asked + days(1))
        .decides(['CancellationLookedUp'], ['OperationContradicted'])
      t.match(firstIn(back), { state: 'needs_review', contradicted: true, resolution: null })
      t.equal(stateOf(back).tracking.status, 'registered', 'tracking no longer says cancelled')
    }
    const at = asked + hours(2)
    const open = unknown(t).when({ do: 'escalate', operationId: first }, at)
    open.decides(['OperationEscalated'])
    unknown(t).when(resolve(at, 'not_cancelled')).decides(['OperationResolved'])
  },
)

t.test('commands for a cancellation that does not exist are refused as not found', async (t) => {
  for (const command of [ended(cancelled), look(start, 'standing'), resolve(start, 'cancelled')]) {
    issuedGuide(t).when(command).refused('not_found')
  }
  const data = { operation_id: first, evidence: 'looks', detail_ref: null } as const
  const impossible = [{ type: 'GuideNotCancelled', data }] as const
  t.throws(() => record(calling(t), impossible, asked), /it is damaged/)
})

const outcome = fc.constantFrom<CallOutcome>(cancelled, refused, notSent, lost(), lost(false))
const moment = fc.integer({ min: 0, max: days(9) / 1_000 }).map((count) => asked + seconds(count))
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(outcome, fc.constantFrom(first, second)).map(([one, id]) => ended(one, id)),
  fc
    .tuple(moment, fc.constantFrom(...cancellationLookAnswers), fc.constantFrom(first, second))
    .map(([at, answer, id]) => look(at, answer, id)),
  fc.tuple(fc.constantFrom('c-1', 'c-2'), fc.constantFrom(2, 3, 4)).map(([k, n]) => request(k, n)),
  moment.map(review),
  fc.constant<Command>({ do: 'escalate', operationId: first }),
  fc
    .tuple(moment, fc.constantFrom('cancelled' as const, 'not_cancelled' as const))
    .map(([at, decision]) => resolve(at, decision)),
)

function decided(past: Past, given: Command): Past {
  const decision = decide(past.state, given)
  return isRefusal(decision) ? past : record(past, decision, asked)
}

t.test('a cancellation keeps its rules for any evidence in any order, repeated', async (t) => {
  const begun = calling(t)
  const results = new Set<string | null>()
  fc.assert(
    fc.property(fc.array(command, { maxLength: 25 }), fc.array(fc.nat(24)), (given, repeats) => {
      let past: Past = begun
      const again = repeats.flatMap((index) => given[index] ?? [])
      for (const each of [...given, ...again]) {
        const before = past
        past = decided(past, each)
        if (past.events.length < before.events.length) throw new Error('history was rewritten')
        if (decided(past, each).events.length > past.events.length) {
          throw new Error('the same again did something')
        }
        const state = stateOf(past)
        const isVoid = state.cancellations.some(isCarriedOut)
        if ((statusOf(state) === 'cancelled') !== isVoid) throw new Error(statusOf(state))
        if ((state.tracking.status === 'cancelled') !== isVoid) throw new Error('its tracking')
        if (state.cancellations.filter((each) => each.state === 'calling').length > 1) {
          throw new Error('two calls at once')
        }
        for (const cancellation of state.cancellations) {
          results.add(operationResultOf(cancellation))
          const was = stateOf(before).cancellations.find(
            ({ operationId }) => operationId === cancellation.operationId,
          )
          if (was?.contradicted && !cancellation.contradicted) throw new Error('forgotten')
          const denies = cancellation.state === 'refused' || cancellation.state === 'denied'
          if (was !== undefined && isCarriedOut(was) && denies)
            throw new Error(`${was.state} became ${cancellation.state}`)
        }
      }
    }),
    { numRuns: 400 },
  )
  t.same([...results].sort(), [...new Set(Object.values(shows).map(([, result]) => result))].sort())
})

t.test('a cancellation that the courier was asked about first is recorded without a call', (t) => {
  const found = given(t)
    .when(requestShipment)
    .decides(['ShipmentRequested'], ['GuideRequested'])
    .when(issue)
    .decides(['GuideIssued'])
    .when({ ...request(), foundFirst: { guides: [] } } as Command)
    .decides(['CancellationRequested'], ['CancellationFound', { evidence: 'recovery' }])
  t.equal(statusOf(found.state!), 'cancelled')
  t.equal(nextDue(operationsWithWork(found.state!)), null)
  t.end()
})

t.test('these tests produce every event and transition of a cancellation', async (t) => {
  const own = Object.keys(cancellationEventSchemas)
  t.same(
    own.filter((type) => !seen.events.has(type)),
    [],
  )
  const table = Object.entries(transitions).flatMap(([status, targets]) =>
    Object.entries(targets)
      .filter(([, target]) => target !== 'never')
      .filter(([step]) => !(status === 'succeeded' && step === 'contradicted'))
      .map(([step]) => `${status} ${kind.events[step as keyof typeof targets]}`),
  )
  t.same(
    table.filter((move) => !seen.moves.has(move)),
    [],
    'no fewer',
  )
  const possible = new Set(table)
  const isOwn = (move: string) => own.includes(move.split(' ')[1] ?? '')
  t.same(
    [...seen.moves].filter((move) => isOwn(move) && !possible.has(move)),
    [],
    'no more',
  )
})
