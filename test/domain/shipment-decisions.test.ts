import t, { type Test } from 'tap'
import { type Instant, type JsonObject, rfc3339 } from '../../src/service/domain/decider.ts'
import { operationIdOf, operationsPerShipmentMax } from '../../src/service/domain/ids.ts'
import { cancellationEventSchemas } from '../../src/service/domain/operation/cancellation-events.ts'
import { creation } from '../../src/service/domain/operation/creation.ts'
import type { CallOutcome, LookResult } from '../../src/service/domain/operation/kind.ts'
import { type Guide, isUnconfirmed } from '../../src/service/domain/operation/machine.ts'
import {
  operationResultOf,
  operationStatusOf,
  surplusGuidesOf,
  wasUnknown,
} from '../../src/service/domain/operation/operation.ts'
import {
  noOperatorNotes,
  operationToApi,
} from '../../src/service/domain/operation/operation-to-api.ts'
import { looksMax, nextDue } from '../../src/service/domain/operation/reconciliation.ts'
import { transitions } from '../../src/service/domain/operation/transitions.ts'
import { workEventSchemas } from '../../src/service/domain/operation/work-events.ts'
import {
  attemptOf,
  currentAttempt,
  openOperationOf,
  statusOf,
} from '../../src/service/domain/shipment/shipment.ts'
import type { Command } from '../../src/service/domain/shipment/shipment-decisions.ts'
import {
  type Decided,
  guidesNamedMax,
  notSentReasons,
  type ShipmentEventType,
  shipmentEventSchemas,
  type TrackingEventData,
} from '../../src/service/domain/shipment/shipment-events.ts'
import { linkNumberMax } from '../../src/service/domain/shipment/tracking-link.ts'
import { trackingEventsMax } from '../../src/service/domain/tracking/tracking.ts'
import {
  days,
  type Given,
  given,
  hours,
  minutes,
  newlySeen,
  operationId,
  record,
  requestShipment,
  seconds,
  shipmentId,
  start,
  uuid,
} from '../support/given.ts'

const seen = newlySeen()

const settled = start + seconds(140)
const deadline = start + hours(8)

const guide = (guideNumber: string): Guide => ({
  guideNumber,
  price: { amount: 1250, currency: 'PEN' },
  pickupCodeRef: null,
})
const issued = (number = 'G-1'): CallOutcome => ({ kind: 'issued', guide: guide(number) })
const rejected: CallOutcome = { kind: 'rejected', detailRef: uuid(7) }
const notSent: CallOutcome = {
  kind: 'not_sent',
  reason: 'courier_unreachable',
  retryAfterSeconds: null,
}
const unknown = (courierCanBeAsked = true): CallOutcome => ({
  kind: 'unknown',
  cause: 'response_lost',
  courierCanBeAsked,
})
const outcome = (ended: CallOutcome, attempt = 1): Command => ({
  do: 'record_outcome',
  operationId: operationIdOf(shipmentId, attempt),
  outcome: ended,
})
const guides = (...numbers: readonly string[]): LookResult => ({
  kind: 'guides',
  guides: numbers.map(guide),
})
const look = (startedAt: Instant, result: LookResult, operation = operationId): Command => ({
  do: 'record_look',
  operationId: operation,
  by: 'reconciliation',
  startedAt,
  result,
})
const nothing = guides()
const failed: LookResult = { kind: 'inconclusive' }
const resolve = (
  now: Instant,
  decision: 'guide_exists' | 'nothing_created',
  number: string | null = null,
): Command => ({
  do: 'resolve',
  operationId,
  now,
  decision,
  guide: number === null ? null : { guideNumber: number, price: null, pickupCodeRef: null },
  resolutionRef: uuid(8),
})
const requireReview = (now: Instant): Command => ({ do: 'require_review', operationId, now })
const escalate: Command = { do: 'escalate', operationId }
const again = (ordinal: number, now = start + minutes(1)): Command => ({
  do: 'request_guide',
  now,
  callDeadline: now + seconds(20),
  operationId: operationIdOf(shipmentId, ordinal),
  credentialsVersion: 2,
})

const attemptIn = ({ state }: Given) => currentAttempt(state!)
const requested = (t: Test) =>
  given(t).when(requestShipment).decides(['ShipmentRequested'], ['GuideRequested'])
const afterCall = (
  t: Test,
  ended: CallOutcome,
  event: Parameters<Given['when']>[0] | null = null,
) => {
  const types = { issued: 'GuideIssued', rejected: 'GuideRejected' } as const
  const other = { not_sent: 'GuideNotSent', unknown: 'GuideOutcomeUnknown' } as const
  if (ended.kind === 'cancelled') throw new Error('a creation is not cancelled')
  const type = { ...types, ...other }[ended.kind]
  return requested(t)
    .when(event ?? outcome(ended), start + seconds(1))
    .decides([type])
}
const lost = (t: Test) => afterCall(t, unknown())
const inReview = (t: Test) =>
  lost(t)
    .when(look(start + seconds(3), guides('G-1', 'G-2')), start + seconds(3))
    .decides(['GuideLookedUp'], ['OperationReviewRequired'], ['OperationEscalated'])
const found = (t: Test) =>
  lost(t)
    .when(look(start + seconds(3), guides('G-1')), start + seconds(3))
    .decides(['GuideLookedUp'], ['GuideFound'])
const absent = (t: Test) =>
  lost(t)
    .when(look(settled, nothing), settled)
    .decides(['GuideLookedUp', { counted: true }])
    .when(look(settled + seconds(30), nothing), settled + seconds(30))
    .decides(['GuideLookedUp', { counted: true }])
    .when(look(settled + seconds(60), nothing), settled + seconds(60))
    .decides(['GuideLookedUp', { counted: true }], ['GuideNotCreated', { evidence: 'looks' }])

t.test(
  'the first request starts an attempt with its deadlines, and a repeat changes nothing',
  async (t) => {
    const now = given(t)
      .when(requestShipment)
      .decides(
        ['ShipmentRequested', { idempotency_key: 'order-1001' }],
        [
          'GuideRequested',
          {
            attempt: 1,
            operation_id: operationId,
            call_deadline: rfc3339(start + seconds(20)),
            settle_until: rfc3339(settled),
            deadline_at: rfc3339(deadline),
          },
        ],
      )
    t.equal(statusOf(now.state!), 'creating')
    t.equal(openOperationOf(now.state!), null)
    t.same(nextDue(now.state!.attempts), {
      at: start + seconds(20),
      action: { do: 'expire', operationId },
    })
  },
)

t.test('a command for a missing shipment or operation is refused as not found', async (t) => {
  const commands = [again(1), escalate, look(start, nothing), requireReview(start)]
  for (const command of commands) given(t).when(command).refused('not_found')
  given(t).when(resolve(settled, 'nothing_created')).refused('not_found')
  const other = { ...escalate, operationId: operationIdOf(shipmentId, 2) } as Command
  requested(t).when(other).refused('not_found')
  requested(t).when(outcome(notSent, 2)).refused('not_found')
})

const ends: readonly {
  readonly outcome: CallOutcome
  readonly shipment: string
  readonly operation: string
  readonly result: string | null
}[] = [
  { outcome: issued(), shipment: 'created', operation: 'resolved', result: 'guide_exists' },
  { outcome: rejected, shipment: 'rejected', operation: 'resolved', result: 'nothing_created' },
  { outcome: notSent, shipment: 'not_executed', operation: 'resolved', result: 'nothing_created' },
  { outcome: unknown(), shipment: 'unknown_outcome', operation: 'reconciling', result: null },
]
for (const end of ends) {
  t.test(
    `an attempt whose call ended ${end.outcome.kind} shows the shipment as ${end.shipment}`,
    async (t) => {
      const now = afterCall(t, end.outcome)
      const attempt = attemptIn(now)
      t.equal(statusOf(now.state!), end.shipment)
      t.equal(operationStatusOf(attempt), end.operation)
      t.equal(operationResultOf(attempt), end.result)
      const wasLost = end.outcome.kind === 'unknown'
      t.equal(wasUnknown(attempt), wasLost)
      t.equal(attempt.cause, wasLost ? 'response_lost' : null)
      t.same(attempt.looks, [])
      t.equal(openOperationOf(now.state!)?.operationId ?? null, wasLost ? operationId : null)
      if (!wasLost) t.equal(nextDue(now.state!.attempts), null, 'nothing is due any more')
    },
  )
}

t.test(
  'an attempt that is still calling shows as reconciling, without cause or result',
  async (t) => {
    const attempt = attemptIn(requested(t))
    t.equal(operationStatusOf(attempt), 'reconciling')
    t.equal(operationResultOf(attempt), null)
    t.equal(attempt.cause, null)
    t.notOk(wasUnknown(attempt))
  },
)

t.test(
  'only a key whose last attempt was certainly not executed gets another attempt',
  async (t) => {
    for (const reason of notSentReasons) {
      const second = afterCall(t, { ...notSent, reason } as CallOutcome)
        .when(again(2))
        .decides(['GuideRequested', { attempt: 2, credentials_version: 2 }])
      t.equal(statusOf(second.state!), 'creating')
      t.equal(attemptIn(second).number, 2)
    }
    for (const past of [requested, found, absent, inReview, lost]) past(t).when(again(2)).decides()
    for (const ended of [issued(), rejected]) afterCall(t, ended).when(again(2)).decides()
  },
)

t.test('a retry that lost its race to another retry starts nothing', async (t) => {
  afterCall(t, notSent)
    .when(again(2))
    .decides(['GuideRequested'])
    .when(outcome(notSent, 2))
    .decides(['GuideNotSent', { attempt: 2 }])
    .when(again(2))
    .decides()
    .when(again(3))
    .decides(['GuideRequested', { attempt: 3, operation_id: operationIdOf(shipmentId, 3) }])
})

t.test('a key gets at most a thousand attempts, and none after erasure', async (t) => {
  afterCall(t, notSent)
    .when({ do: 'erase_personal_data' })
    .decides(['PersonalDataErased'])
    .when(again(2))
    .decides()
  const past = afterCall(t, notSent)
  const attempts = Array.from({ length: operationsPerShipmentMax }, () => attemptIn(past))
  const { decide } = await import('../../src/service/domain/shipment/shipment-decisions.ts')
  t.same(decide({ ...past.state!, attempts }, again(operationsPerShipmentMax + 1)), [])
})

t.test(
  'absences before settling, or too close to the last counted one, do not count',
  async (t) => {
    const now = lost(t)
      .when(look(settled - 1, nothing))
      .decides(['GuideLookedUp', { answer: 'absent', counted: false }])
      .when(look(settled, nothing))
      .decides(['GuideLookedUp', { counted: true }])
      .when(look(settled + seconds(30) - 1, nothing))
      .decides(['GuideLookedUp', { counted: false }])
      .when(look(settled + seconds(30), nothing))
      .decides(['GuideLookedUp', { counted: true }])
      .when(look(settled + seconds(59), nothing))
      .decides(['GuideLookedUp', { counted: false }])
      .when(look(settled + seconds(60), nothing))
      .decides(['GuideLookedUp', { counted: true }], ['GuideNotCreated', { evidence: 'looks' }])
    t.equal(statusOf(now.state!), 'not_created')
    t.match(attemptIn(now).resolution, { decision: 'nothing_created', by: 'reconciliation' })
  },
)

t.test('an inconclusive look restarts the count of absences', async (t) => {
  const now = lost(t)
    .when(look(settled, nothing))
    .decides(['GuideLookedUp'])
    .when(look(settled + seconds(30), nothing))
    .decides(['GuideLookedUp'])
    .when(look(settled + seconds(60), failed))
    .decides(['GuideLookedUp', { answer: 'inconclusive', counted: false }])
    .when(look(settled + minutes(3), nothing))
    .decides(['GuideLookedUp', { counted: true }])
    .when(look(settled + minutes(4), nothing))
    .decides(['GuideLookedUp', { counted: true }])
    .when(look(settled + minutes(4) + seconds(10), nothing))
    .decides(['GuideLookedUp', { counted: false }])
    .when(look(settled + minutes(5), nothing))
    .decides(['GuideLookedUp', { counted: true }], ['GuideNotCreated'])
  t.equal(operationResultOf(attemptIn(now)), 'nothing_created')
})

t.test('a look that started before the last counted one does not count', async (t) => {
  const now = lost(t)
    .when(look(settled + seconds(40), nothing))
    .decides(['GuideLookedUp', { counted: true }])
    .when(look(settled + seconds(5), nothing))
    .decides(['GuideLookedUp', { counted: false }])
  t.equal(attemptIn(now).state, 'reconciling')
})

t.test('one guide under our reference ends reconciliation, two need a person', async (t) => {
  const one = found(t)
  t.equal(statusOf(one.state!), 'created')
  t.equal(attemptIn(one).guide?.guideNumber, 'G-1')
  t.match(attemptIn(one).resolution, { decision: 'guide_exists', by: 'reconciliation' })
  const two = inReview(t)
  t.equal(operationResultOf(attemptIn(two)), 'human_review')
  t.equal(attemptIn(two).reviewReason, 'ambiguous')
  t.ok(attemptIn(two).escalated)
  t.same(attemptIn(two).looks[0]?.guideNumbers, ['G-1', 'G-2'])
})

t.test(
  'a guide listed twice counts once, and the list of guides is cut to its maximum',
  async (t) => {
    lost(t)
      .when(look(start + seconds(3), guides('G-1', 'G-1')))
      .decides(['GuideLookedUp', { answer: 'found', guide_numbers: ['G-1'] }], ['GuideFound'])
    const many = Array.from({ length: 100 }, (_, index) => `G-${index}`)
    for (const past of [lost, absent]) {
      const after = past === lost ? 'OperationReviewRequired' : 'OperationContradicted'
      past(t)
        .when(look(start + days(1), guides(...many)))
        .decides(
          ['GuideLookedUp', { answer: 'ambiguous', guide_numbers: many.slice(0, guidesNamedMax) }],
          [after, { guide_numbers: many.slice(0, guidesNamedMax) }],
          ['OperationEscalated'],
        )
    }
  },
)

t.test('an operation goes to review at once if the courier cannot be asked', async (t) => {
  const now = afterCall(t, unknown(false))
  t.same(nextDue(now.state!.attempts)?.action, { do: 'require_review', operationId })
  now
    .when(requireReview(start + seconds(1)))
    .decides(
      ['OperationReviewRequired', { because: 'courier_cannot_be_asked' }],
      ['OperationEscalated'],
    )
})

t.test('an operation goes to review at the deadline, not before', async (t) => {
  lost(t)
    .when(requireReview(deadline - 1))
    .decides()
    .when(requireReview(deadline))
    .decides(['OperationReviewRequired', { because: 'deadline_passed' }], ['OperationEscalated'])
  found(t).when(requireReview(deadline)).decides()
})

t.test('an open operation is escalated once, a closed one never', async (t) => {
  lost(t)
    .when(escalate)
    .decides(['OperationEscalated'])
    .when(requireReview(deadline))
    .decides(['OperationReviewRequired'])
    .when(escalate)
    .decides()
  found(t).when(escalate).decides()
  requested(t).when(escalate).decides()
})

t.test('late evidence ends an open operation', async (t) => {
  for (const open of [lost, inReview]) {
    open(t)
      .when(outcome(issued()))
      .decides(['GuideFound', { evidence: 'late_answer' }])
    const refused = open(t)
      .when(outcome(rejected))
      .decides(['GuideNotCreated', { evidence: 'late_refusal', detail_ref: uuid(7) }])
    t.ok(attemptIn(refused).refused)
    t.equal(attemptIn(refused).refusalRef, uuid(7))
    open(t)
      .when(outcome(notSent))
      .decides(['GuideNotCreated', { evidence: 'late_not_sent' }])
    open(t).when(outcome(unknown())).decides()
  }
  const review = inReview(t)
    .when(look(start + days(1), guides('G-2')))
    .decides(['GuideLookedUp'], ['GuideFound', { guide_number: 'G-2', evidence: 'look' }])
  t.equal(statusOf(review.state!), 'created')
})

t.test(
  'a refusal for a changed price is recorded with the new price, also when late',
  async (t) => {
    const to = { amount: 2_046, currency: 'PEN' }
    const refused = outcome({ kind: 'rejected', detailRef: uuid(7), priceChanged: { to } })
    const price_changed = { to }
    const inTime = requested(t).when(refused).decides(['GuideRejected', { price_changed }])
    t.match(attemptIn(inTime), { state: 'refused', priceChanged: { to } })
    const late = lost(t).when(refused).decides(['GuideNotCreated', { price_changed }])
    t.match(attemptIn(late), { state: 'denied', refused: true, priceChanged: { to } })
    const silent = outcome({ kind: 'rejected', detailRef: null, priceChanged: { to: null } })
    const untold = requested(t).when(silent).decides(['GuideRejected'])
    t.strictSame(attemptIn(untold).priceChanged, { to: null })
    const other = requested(t).when(outcome(rejected)).decides(['GuideRejected'])
    t.equal(attemptIn(other).priceChanged, null)
    t.notOk('price_changed' in (other.events.at(-1)?.data ?? {}))
  },
)

t.test('three absences conclude nothing while an operation is in review', async (t) => {
  let now = inReview(t)
  for (const hour of [24, 48, 72]) {
    now = now.when(look(start + hours(hour), nothing)).decides(['GuideLookedUp'])
  }
  t.equal(attemptIn(now).state, 'needs_review')
})

t.test('any guide contradicts nothing_created and makes the outcome unknown again', async (t) => {
  const decided = (t: Test) =>
    inReview(t)
      .when(resolve(settled, 'nothing_created'), settled)
      .decides(['OperationResolved', { decision: 'nothing_created', guide_number: null }])
  for (const past of [absent, decided]) {
    for (const command of [look(start + days(1), guides('G-1')), outcome(issued())]) {
      const looked = command.do === 'record_look' ? [['GuideLookedUp'] as const] : []
      const isEscalated = attemptIn(past(t)).escalated
      const rest = isEscalated ? [] : [['OperationEscalated'] as const]
      const now = past(t)
        .when(command, start + days(1))
        .decides(...looked, ['OperationContradicted', { guide_numbers: ['G-1'] }], ...rest)
      const attempt = attemptIn(now)
      t.equal(statusOf(now.state!), 'unknown_outcome')
      t.equal(operationResultOf(attempt), 'human_review')
      t.equal(openOperationOf(now.state!)?.operationId, operationId)
      t.equal(attempt.resolution, null)
      t.ok(attempt.contradicted)
      const lookedAgain = now
        .when(look(start + days(2), guides('G-1')), start + days(2))
        .decides(['GuideLookedUp', { answer: 'found', guide_numbers: ['G-1'] }])
      t.equal(
        statusOf(lookedAgain.state!),
        'unknown_outcome',
        'the same guide again closes nothing',
      )
      const closed = lookedAgain
        .when(resolve(start + days(2), 'guide_exists', 'G-1'), start + days(2))
        .decides(['OperationResolved'])
      t.equal(statusOf(closed.state!), 'created')
      t.ok(attemptIn(closed).contradicted, 'history is never rewritten')
    }
  }
})

t.test('a decision after the notes were erased keeps no note', async (t) => {
  const late = start + days(1)
  const kept = inReview(t).when({ do: 'erase_personal_data' }).decides(['PersonalDataErased'])
  kept
    .when(resolve(late, 'nothing_created'), late)
    .decides(['OperationResolved', { resolution_ref: uuid(8) }])
  kept
    .when({ do: 'erase_personal_data', includeNotes: true })
    .decides(['PersonalDataErased'])
    .when(resolve(late, 'nothing_created'), late)
    .decides(['OperationResolved', { resolution_ref: null }])
})

t.test(
  'a guide that the decision does not use is surplus until a clear look omits it',
  async (t) => {
    const shown = (now: Given) => surplusGuidesOf(attemptIn(now))
    const ambiguous = inReview(t)
      .when(look(start + hours(9), guides('G-1', 'G-2')))
      .decides(['GuideLookedUp', { answer: 'ambiguous' }])
    t.same(shown(ambiguous), [], 'nothing is decided')
    const decided = ambiguous
      .when(resolve(start + hours(9), 'guide_exists', 'G-1'), start + hours(9))
      .decides(['OperationResolved'])
    t.same(shown(decided), ['G-2'])
    const unclear = decided.when(look(start + hours(10), failed)).decides(['GuideLookedUp'])
    t.same(shown(unclear), ['G-2'], 'an unclear answer proves nothing')
    const seenAgain = unclear
      .when(look(start + hours(11), guides('G-1', 'G-2')))
      .decides(['GuideLookedUp'])
    t.same(shown(seenAgain), ['G-2'], 'it was known, so there is no contradiction')
    const gone = seenAgain.when(look(start + hours(12), guides('G-1'))).decides(['GuideLookedUp'])
    t.same(shown(gone), [])
    t.equal(attemptIn(gone).state, 'affirmed')
    const nothingCreated = ambiguous
      .when(resolve(start + hours(9), 'nothing_created'), start + hours(9))
      .decides(['OperationResolved'])
    t.same(shown(nothingCreated), ['G-1', 'G-2'])
  },
)

t.test('only a person closes a contradicted operation, which keeps every decision', async (t) => {
  let now = absent(t)
    .when(look(start + days(1), guides('G-1')), start + days(1))
    .decides(['GuideLookedUp'], ['OperationContradicted'], ['OperationEscalated'])
  const evidence: readonly [Command, string, JsonObject][] = [
    [look(start + days(2), guides('G-1')), 'GuideLookedUp', { answer: 'found' }],
    [look(start + days(3), guides('G-1', 'G-2')), 'GuideLookedUp', { answer: 'ambiguous' }],
    [look(start + days(4), nothing), 'GuideLookedUp', { answer: 'absent' }],
    [outcome(issued('G-3')), 'LateAnswerRecorded', { answer: 'issued', guide_number: 'G-3' }],
    [outcome(rejected), 'LateAnswerRecorded', { answer: 'rejected', detail_ref: uuid(7) }],
    [outcome(notSent), 'LateAnswerRecorded', { answer: 'not_sent' }],
  ]
  for (const [command, type, data] of evidence) {
    now = now.when(command).decides([type as ShipmentEventType, data])
    t.equal(attemptIn(now).state, 'needs_review', command.do)
  }
  now = now
    .when(resolve(start + days(5), 'nothing_created'), start + days(5))
    .decides(['OperationResolved'])
    .when(look(start + days(6), guides('G-1')), start + days(6))
    .decides(['GuideLookedUp'], ['OperationContradicted'])
  t.equal(attemptIn(now).resolution, null, 'nothing is in force')
  const closed = now
    .when(resolve(start + days(6), 'guide_exists', 'G-3'), start + days(6))
    .decides(['OperationResolved'])
  t.match(attemptIn(closed).resolutions, [
    { decision: 'nothing_created', by: 'reconciliation', guideNumber: null },
    { decision: 'nothing_created', by: 'operator', ref: uuid(8), guideNumber: null },
    { decision: 'guide_exists', by: 'operator', ref: uuid(8), guideNumber: 'G-3' },
  ])
  t.strictSame(attemptIn(closed).resolution, attemptIn(closed).resolutions.at(-1))
})

t.test('evidence confirms or contradicts a decision made without the courier', async (t) => {
  const insisted = (t: Test) =>
    lost(t)
      .when(resolve(settled, 'guide_exists', 'G-1'), settled)
      .decides(['OperationResolved', { guide_number: 'G-1', confirmed: false }])
  t.ok(isUnconfirmed(attemptIn(insisted(t))))
  const confirms = { price: { amount: 1250, currency: 'PEN' }, pickup_code_ref: null }
  for (const [command, type] of [
    [look(start + days(1), guides('G-1')), 'GuideLookedUp'],
    [outcome(issued('G-1')), 'LateAnswerRecorded'],
  ] as const) {
    const now = insisted(t)
      .when(command, start + days(1))
      .decides([type, { confirms }])
    t.match(attemptIn(now), { guide: guide('G-1'), resolution: { confirmed: true } })
    t.notOk(isUnconfirmed(attemptIn(now)))
    const later = now.when(look(start + days(2), guides('G-1'))).decides(['GuideLookedUp'])
    t.notOk('confirms' in (later.events.at(-1)?.data ?? {}), 'once')
  }
  insisted(t)
    .when(look(start + days(1), nothing))
    .decides(['GuideLookedUp'])
  insisted(t)
    .when(look(start + days(1), guides('G-2')))
    .decides(['GuideLookedUp'], ['OperationContradicted'], ['OperationEscalated'])
  insisted(t)
    .when(outcome(issued('G-2')))
    .decides(['OperationContradicted'], ['OperationEscalated'])
  const both = insisted(t)
    .when(look(start + days(1), guides('G-1', 'G-2')))
    .decides(
      ['GuideLookedUp', { confirms }],
      ['OperationContradicted', { guide_numbers: ['G-2'] }],
      ['OperationEscalated'],
    )
  t.match(attemptIn(both).resolutions, [{ guideNumber: 'G-1', confirmed: true }])
  const mistyped = inReview(t)
    .when(resolve(settled, 'guide_exists', 'G-9'), settled)
    .decides(['OperationResolved', { confirmed: false }])
  mistyped
    .when(look(start + days(1), guides('G-1', 'G-2')))
    .decides(['GuideLookedUp'], ['OperationContradicted', { guide_numbers: ['G-1', 'G-2'] }])
})

t.test('a decision of an earlier version is confirmed if a look found its guide', async (t) => {
  const resolved = (guide_number: string): Decided => ({
    type: 'OperationResolved',
    data: {
      operation_id: operationId,
      decision: 'guide_exists',
      guide_number,
      price: null,
      pickup_code_ref: null,
      resolution_ref: uuid(8),
    },
  })
  for (const [number, confirmed] of [
    ['G-2', true],
    ['G-9', false],
  ] as const) {
    const { state } = record(inReview(t), [resolved(number)], settled)
    t.match(currentAttempt(state!).resolution, { guideNumber: number, confirmed })
  }
  const looked: Decided = {
    type: 'GuideLookedUp',
    data: {
      operation_id: operationId,
      method: 'by_client_reference',
      answer: 'found',
      guide_numbers: ['G-9'],
      counted: false,
      by: 'reconciliation',
    },
  }
  const later = record(inReview(t), [resolved('G-9'), looked], settled)
  t.match(currentAttempt(later.state!).resolution, { guideNumber: 'G-9', confirmed: true })
})

t.test(
  'a contradicted operation that an earlier version closed by a guide stays closed',
  async (t) => {
    const contradicted = inReview(t)
      .when(resolve(settled, 'nothing_created'), settled)
      .decides(['OperationResolved'])
      .when(look(start + days(1), guides('G-1')), start + days(1))
      .decides(['GuideLookedUp'], ['OperationContradicted'])
    // As versions before 0036 wrote it.
    const closing: Decided = {
      type: 'GuideFound',
      data: {
        operation_id: operationId,
        guide_number: 'G-1',
        evidence: 'look',
        price: null,
        pickup_code_ref: null,
      },
    }
    const { state } = record(contradicted, [closing], start + days(2))
    const attempt = currentAttempt(state!)
    t.match(attempt, { state: 'affirmed', contradicted: true, guide: { guideNumber: 'G-1' } })
    t.equal(statusOf(state!), 'created')
    t.match(operationToApi(shipmentId, state!, attempt, noOperatorNotes), {
      status: 'resolved',
      result: 'guide_exists',
      contradicted: true,
      reason_for_review: null,
      resolution: { by: 'reconciliation', guide_number: 'G-1' },
      resolutions: [
        { decision: 'nothing_created', by: 'operator', guide_number: null },
        { decision: 'guide_exists', by: 'reconciliation', guide_number: 'G-1', confirmed: true },
      ],
    })
  },
)

t.test('an absence contradicts nothing', async (t) => {
  for (const past of [found, absent]) {
    const before = attemptIn(past(t)).state
    const now = past(t)
      .when(look(start + days(1), nothing))
      .decides(['GuideLookedUp'])
    t.equal(attemptIn(now).state, before)
    t.notOk(attemptIn(now).contradicted)
  }
})

t.test('guide_exists is contradicted only by a guide that was not known before', async (t) => {
  found(t)
    .when(look(start + days(1), guides('G-1')))
    .decides(['GuideLookedUp'])
  found(t)
    .when(outcome(issued('G-1')))
    .decides()
  const other = found(t)
    .when(look(start + days(1), guides('G-1', 'G-2')))
    .decides(
      ['GuideLookedUp'],
      ['OperationContradicted', { guide_numbers: ['G-2'] }],
      ['OperationEscalated'],
    )
  other
    .when(resolve(start + days(1), 'guide_exists', 'G-1'))
    .decides(['OperationResolved'])
    .when(look(start + days(2), guides('G-1', 'G-2')))
    .decides(['GuideLookedUp'])
  inReview(t)
    .when(resolve(start + minutes(1), 'guide_exists', 'G-1'))
    .decides(['OperationResolved'])
    .when(look(start + days(1), guides('G-1', 'G-2')))
    .decides(['GuideLookedUp'])
    .when(look(start + days(2), guides('G-2')))
    .decides(['GuideLookedUp'])
    .when(look(start + days(3), guides('G-3')))
    .decides(['GuideLookedUp'], ['OperationContradicted', { guide_numbers: ['G-3'] }])
})

t.test(
  'a different answer contradicts a recorded outcome, even one that was never unknown',
  async (t) => {
    for (const past of [rejected, notSent, issued('G-1')]) {
      const now = afterCall(t, past)
        .when(outcome(issued('G-2')))
        .decides(
          ['OperationContradicted', { guide_numbers: ['G-2'], evidence: 'late_answer' }],
          ['OperationEscalated'],
        )
      t.equal(attemptIn(now).cause, null)
      t.ok(wasUnknown(attemptIn(now)), 'it is listed from now on')
      t.same(nextDue(now.state!.attempts), {
        at: start + days(1),
        action: { do: 'look', operationId },
      })
    }
    afterCall(t, issued('G-1'))
      .when(outcome(issued('G-1')))
      .decides()
  },
)

t.test('looks at attempts that ended without doubt are recorded and change nothing', async (t) => {
  for (const past of [rejected, notSent, issued('G-1')]) {
    const before = afterCall(t, past)
    const now = before.when(look(start + hours(1), nothing)).decides(['GuideLookedUp'])
    t.equal(attemptIn(now).state, attemptIn(before).state)
  }
  requested(t)
    .when(look(start + seconds(1), guides('G-1')))
    .decides()
})

t.test('a late refusal after a different conclusion is recorded once, as evidence', async (t) => {
  for (const past of [found, absent]) {
    for (const late of [rejected, notSent]) {
      const before = attemptIn(past(t)).state
      const now = past(t)
        .when(outcome(late))
        .decides(['LateAnswerRecorded', { answer: late.kind, guide_number: null }])
      t.equal(attemptIn(now).state, before)
    }
  }
  for (const past of [issued('G-1'), rejected, notSent]) {
    for (const late of [rejected, notSent]) {
      const expected = past.kind === late.kind ? [] : [['LateAnswerRecorded'] as const]
      afterCall(t, past)
        .when(outcome(late))
        .decides(...expected)
    }
  }
})

t.test("a guide of an earlier attempt becomes the shipment's and ends its retries", async (t) => {
  const now = afterCall(t, notSent)
    .when(again(2))
    .decides(['GuideRequested'])
    .when(outcome(notSent, 2))
    .decides(['GuideNotSent'])
    .when(outcome(issued('G-1'), 1))
    .decides(['OperationContradicted'], ['OperationEscalated'])
    .when(resolve(settled, 'guide_exists', 'G-1'), settled)
    .decides(['OperationResolved'])
    .when(again(3))
    .decides()
  t.equal(statusOf(now.state!), 'created')
  t.equal(attemptIn(now).number, 1)
  t.equal(attemptOf(now.state!, operationIdOf(shipmentId, 2))?.state, 'not_sent')
})

t.test('no decision is accepted before settling, except guide_exists in review', async (t) => {
  const early = settled - 1
  requested(t)
    .when(resolve(start + days(1), 'nothing_created'))
    .refused('operation_not_settled')
  requested(t)
    .when(resolve(start + days(1), 'guide_exists', 'G-1'))
    .refused('operation_not_settled')
  for (const past of [lost, inReview]) {
    past(t).when(resolve(early, 'nothing_created')).refused('operation_not_settled')
    past(t).when(resolve(settled, 'nothing_created')).decides(['OperationResolved'])
  }
  lost(t)
    .when(resolve(early, 'guide_exists', 'G-1'))
    .refused('operation_not_settled')
  lost(t)
    .when(resolve(settled, 'guide_exists', 'G-1'))
    .decides(['OperationResolved'])
  const now = inReview(t)
    .when(resolve(early, 'guide_exists', 'G-2'))
    .decides(['OperationResolved', { guide_number: 'G-2', resolution_ref: uuid(8) }])
  t.match(attemptIn(now).resolution, { decision: 'guide_exists', by: 'operator', ref: uuid(8) })
  t.equal(attemptIn(now).guide?.guideNumber, 'G-2')
})

t.test('repeating a decision succeeds, and a different one is refused', async (t) => {
  const other = 'operation_already_resolved'
  found(t)
    .when(resolve(settled, 'guide_exists', 'G-1'))
    .decides()
  found(t)
    .when(resolve(settled, 'guide_exists', 'G-2'))
    .refused(other)
  found(t).when(resolve(settled, 'nothing_created')).refused(other)
  absent(t).when(resolve(settled, 'nothing_created')).decides()
  absent(t)
    .when(resolve(settled, 'guide_exists', 'G-1'))
    .refused(other)
  afterCall(t, rejected).when(resolve(settled, 'nothing_created')).decides()
  afterCall(t, notSent)
    .when(resolve(settled, 'guide_exists', 'G-1'))
    .refused(other)
  afterCall(t, issued())
    .when(resolve(settled, 'guide_exists', 'G-1'))
    .decides()
  lost(t)
    .when(resolve(settled, 'nothing_created'))
    .decides(['OperationResolved'])
    .when(resolve(settled, 'nothing_created'))
    .decides()
    .when(resolve(settled, 'guide_exists', 'G-1'))
    .refused(other)
  t.throws(
    () => lost(t).when(resolve(settled, 'guide_exists')),
    /only the decision guide_exists names a guide/,
  )
  t.throws(
    () => lost(t).when(resolve(settled, 'nothing_created', 'G-1')),
    /only the decision guide_exists names a guide/,
  )
})

t.test('an operation has at most five hundred looks, and each is recorded once', async (t) => {
  const past = lost(t)
  const { decide } = await import('../../src/service/domain/shipment/shipment-decisions.ts')
  const [attempt] = past.state!.attempts
  const one = { at: start, answer: 'inconclusive', guideNumbers: [], counted: false } as const
  const full = { ...attempt!, looks: Array.from({ length: looksMax }, () => one) }
  const state = { ...past.state!, attempts: [full] }
  t.same(decide(state, look(start + hours(1), nothing)), { refused: 'operation_full' })
  seen.refusals.add('operation_full')
  t.same(decide(state, look(start, failed)), [], 'that one is recorded already')
  t.same(
    nextDue(state.attempts)?.action,
    { do: 'escalate', operationId },
    'no other look comes by itself',
  )
})

const scan = (id: string, code: string, at: Instant): TrackingEventData => ({
  id,
  code,
  mapped: true,
  occurred_at: rfc3339(at),
  received_at: rfc3339(at),
  agency_id: null,
  action_required: false,
})
const observe = (
  events: readonly TrackingEventData[],
  more: Partial<Extract<Command, { do: 'observe_tracking' }>> = {},
): Command => ({
  do: 'observe_tracking',
  events,
  eta: null,
  evidenceRef: uuid(9),
  monitoring: 'active',
  ...more,
})

t.test('a tracking read records only new scans, each once', async (t) => {
  const [a, b] = [scan('tev_a', 'registered', start), scan('tev_b', 'in_transit', start + hours(6))]
  const eta = start + hours(21)
  const now = afterCall(t, issued())
    .when(observe([b, a, a]))
    .decides(['TrackingObserved', { events: [a, b], evidence_ref: uuid(9) }])
    .when(observe([a, b]))
    .decides()
    .when(observe([], { eta, evidenceRef: null }))
    .decides(['TrackingObserved', { events: [], eta: rfc3339(eta), evidence_ref: null }])
    .when(observe([a, b], { eta: null }))
    .decides()
    .when(observe([], { monitoring: 'unreachable' }))
    .decides(['TrackingMonitoringChanged', { state: 'unreachable' }])
  t.equal(now.state?.tracking.status, 'in_transit')
  t.equal(now.state?.tracking.eta, eta)
  for (const past of [requested, lost, absent])
    past(t)
      .when(observe([a]))
      .decides()
})

t.test(
  'another shipment with the guide number is noted once, and only for that guide',
  async (t) => {
    const guideNumber = 'G-1'
    const note = (sharedWith: string, number = guideNumber): Command => ({
      do: 'note_shared_guide',
      guideNumber: number,
      sharedWith,
    })
    afterCall(t, issued())
      .when(note('shp_other', 'G-2'))
      .decides()
      .when(note('shp_other'))
      .decides(['GuideShared', { guide_number: guideNumber, shipment_id: 'shp_other' }])
      .when(note('shp_other'))
      .decides()
      .when(note('shp_third'))
      .decides(['GuideShared'])
  },
)

t.test('scans beyond the maximum are not recorded again with each read', async (t) => {
  const all = Array.from({ length: trackingEventsMax + 5 }, (_, index) =>
    scan(`tev_${index}`, 'in_transit', start + minutes(index)),
  )
  let now = afterCall(t, issued())
  for (let from = 0; from < all.length; from += 200) {
    now = now
      .when(observe(all.slice(from, from + 200)))
      .decides(...(from >= trackingEventsMax ? [] : [['TrackingObserved'] as const]))
  }
  t.equal(now.state?.tracking.events.length, trackingEventsMax)
  now.when(observe(all.slice(-200))).decides()
})

t.test('a label is recorded once, and never after erasure', async (t) => {
  const label = {
    label_ref: uuid(5),
    a4_ref: null,
    content_type: 'application/pdf',
    size_bytes: 10,
  }
  const command: Command = { do: 'record_label', label }
  afterCall(t, issued()).when(command).decides(['LabelReady', label])
  afterCall(t, issued())
    .when({ do: 'erase_personal_data' })
    .decides(['PersonalDataErased', { vault_ref: uuid(1) }])
    .when(command)
    .decides()
})

t.test('tracking of a guide starts as soon as it is issued, found or decided', async (t) => {
  const guided = [
    [afterCall(t, issued()), start + seconds(1)],
    [found(t), start + seconds(3)],
    [
      inReview(t)
        .when(resolve(start + hours(1), 'guide_exists', 'G-2'), start + hours(1))
        .decides(['OperationResolved']),
      start + hours(1),
    ],
  ] as const
  for (const [{ state }, at] of guided) {
    t.match(state?.tracking, {
      status: 'registered',
      subStatus: null,
      exception: null,
      events: [],
      monitoring: 'active',
      statusSince: at,
      registeredAt: at,
      lastChangedAt: at,
    })
  }
  for (const past of [requested, lost, inReview, absent]) {
    t.match(past(t).state?.tracking, { status: null, monitoring: 'not_started' })
  }
})

t.test(
  'an older ledger that records the start of monitoring folds to the same state',
  async (t) => {
    const began = { type: 'TrackingMonitoringChanged', data: { state: 'active' } } as const
    const { state } = afterCall(t, issued())
    const old = record({ state, events: [] }, [began], start + seconds(2))
    t.same(old.state?.tracking, state?.tracking)
  },
)

t.test('a replacing guide starts without the label and scans of the former', async (t) => {
  const label = {
    label_ref: uuid(5),
    a4_ref: null,
    content_type: 'application/pdf',
    size_bytes: 10,
  }
  const contradicted = found(t)
    .when(observe([scan('tev_a', 'in_transit', start)]))
    .decides(['TrackingObserved'])
    .when({ do: 'record_label', label })
    .decides(['LabelReady'])
    .when(look(start + days(1), guides('G-2')))
    .decides(['GuideLookedUp'], ['OperationContradicted'], ['OperationEscalated'])
  const ends = [
    ['G-1', 'in_transit'],
    ['G-2', 'registered'],
  ] as const
  for (const [number, status] of ends) {
    const { state } = contradicted
      .when(resolve(start + days(1), 'guide_exists', number))
      .decides(['OperationResolved'])
    t.equal(state?.tracking.status, status)
    t.equal(state?.label === null, number === 'G-2')
  }
})

t.test(
  'personal data is not erased during a call; retention also waits for open operations',
  async (t) => {
    requested(t).when({ do: 'erase_personal_data' }).refused('operation_open')
    for (const past of [lost, inReview, found, absent]) {
      const now = past(t).when({ do: 'erase_personal_data' }).decides(['PersonalDataErased'])
      t.type(now.state?.erasedAt, 'number')
    }
    const byRetention = { do: 'erase_personal_data', unlessOpen: true } as const
    for (const past of [lost, inReview]) past(t).when(byRetention).refused('operation_open')
    for (const past of [found, absent]) past(t).when(byRetention).decides(['PersonalDataErased'])
  },
)

t.test('a legal hold refuses every erasure until it is lifted', async (t) => {
  const place = { do: 'place_hold', noteRef: uuid(6) } as const
  const lift = { do: 'lift_hold', noteRef: uuid(7) } as const
  const erase = { do: 'erase_personal_data' } as const
  for (const past of [requested, lost, inReview, found, absent]) {
    const held = past(t)
      .when(lift)
      .decides()
      .when(place, start + hours(1))
      .decides(['LegalHoldPlaced', { note_ref: uuid(6) }])
      .when(place)
      .decides()
    t.same(held.state?.legalHold, { since: start + hours(1) })
    held.when(erase).refused('legal_hold')
    held.when({ ...erase, unlessOpen: true }).refused('legal_hold')
    const lifted = held.when(lift).decides(['LegalHoldLifted', { note_ref: uuid(7) }])
    t.equal(lifted.state?.legalHold, null)
    lifted.when(lift).decides()
    if (past === requested) lifted.when(erase).refused('operation_open')
    else {
      const erased = lifted.when(erase).decides(['PersonalDataErased'])
      erased.when(place).refused('personal_data_erased')
      erased.when(lift).decides().when(erase).decides()
    }
  }
})

t.test(
  'a link is rolled once for each request that saw it, until its person is erased',
  async (t) => {
    const roll = (number: number) => ({ do: 'roll_tracking_link', number }) as const
    for (const past of [requested, lost, absent])
      past(t).when(roll(1)).refused('shipment_has_no_guide')
    const rolled = found(t)
      .when(roll(1))
      .decides(['TrackingLinkRolled', { number: 1 }])
    t.equal(rolled.state?.linkNumber, 1)
    rolled.when(roll(1)).decides()
    const again = rolled.when(roll(2)).decides(['TrackingLinkRolled', { number: 2 }])
    again.when(roll(linkNumberMax + 1)).refused('limit_reached')
    const erased = again.when({ do: 'erase_personal_data' }).decides(['PersonalDataErased'])
    erased.when(roll(3)).refused('personal_data_erased')
  },
)

t.test('a guide that the courier was asked for first is recorded without a call', (t) => {
  const found = given(t)
    .when({ ...requestShipment, foundFirst: { guides: [guide('G-1')] } } as Command)
    .decides(
      ['ShipmentRequested'],
      ['GuideRequested'],
      ['GuideFound', { guide_number: 'G-1', evidence: 'recovery', client_reference: shipmentId }],
    )
  t.equal(statusOf(found.state!), 'created')
  t.equal(nextDue([attemptIn(found)]), null)
  t.notOk(wasUnknown(attemptIn(found)), 'it is in no list of operations')
  const several = given(t)
    .when({ ...requestShipment, foundFirst: { guides: [guide('G-1'), guide('G-2')] } } as Command)
    .decides(
      ['ShipmentRequested'],
      ['GuideRequested'],
      ['GuideOutcomeUnknown', { cause: 'response_lost', courier_can_be_asked: true }],
      ['OperationReviewRequired', { because: 'ambiguous', guide_numbers: ['G-1', 'G-2'] }],
      ['OperationEscalated'],
    )
  t.equal(statusOf(several.state!), 'unknown_outcome')
  const none = given(t).when({ ...requestShipment, foundFirst: { guides: [] } } as Command)
  none.decides(['ShipmentRequested'], ['GuideRequested'])
  const retried = given(t)
    .when(requestShipment)
    .decides(['ShipmentRequested'], ['GuideRequested'])
    .when(outcome(notSent))
    .decides(['GuideNotSent'])
    .when({ ...again(2), foundFirst: { guides: [guide('G-1')] } } as Command)
    .decides(['GuideRequested'], ['GuideFound', { evidence: 'recovery' }])
  t.equal(statusOf(retried.state!), 'created')
  t.end()
})

t.test('an attempt that the ledger had lost says that it is recorded again', (t) => {
  given(t)
    .when({ ...requestShipment, recovered: true } as Command)
    .decides(['ShipmentRequested'], ['GuideRequested', { recovered: true }])
    .when({ ...outcome(issued()), recovered: true } as Command)
    .decides(['GuideIssued', { guide_number: 'G-1', recovered: true }])
  t.end()
})

t.test('these tests produce every event type, refusal and transition of a creation', async (t) => {
  const own = Object.keys(shipmentEventSchemas).filter(
    (type) => !Object.hasOwn({ ...cancellationEventSchemas, ...workEventSchemas }, type),
  )
  t.same([...seen.events].sort(), own.sort())
  t.same([...seen.refusals].sort(), [
    'legal_hold',
    'limit_reached',
    'not_found',
    'operation_already_resolved',
    'operation_full',
    'operation_not_settled',
    'operation_open',
    'personal_data_erased',
    'shipment_has_no_guide',
  ])
  const table = Object.entries(transitions).flatMap(([status, targets]) =>
    Object.entries(targets)
      .filter(([, target]) => target !== 'never')
      .map(([step]) => `${status} ${creation.events[step as keyof typeof targets]}`),
  )
  t.same([...seen.moves].sort(), table.sort(), 'no more and no fewer')
})
