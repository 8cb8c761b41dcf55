import t from 'tap'
import { operationIdOf } from '../../src/service/domain/ids.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import { lookOf } from '../../src/service/domain/operation/machine.ts'
import {
  cancellationsOfGuide,
  evolve,
  hasActiveGuide,
  initialState,
  isTracked,
  nextOrdinal,
  operationsWithWork,
  othersOf,
  type Shipment,
  type State,
  statusOf,
} from '../../src/service/domain/shipment/shipment.ts'
import { type Command, decide } from '../../src/service/domain/shipment/shipment-decisions.ts'
import type { Decided, LateAnswer } from '../../src/service/domain/shipment/shipment-events.ts'
import {
  hours,
  operationId,
  type Past,
  record,
  requestShipment,
  seconds,
  shipmentId,
  start,
  uuid,
} from '../support/given.ts'

// The complete folded state for each outcome of a call.

const cancellationId = operationIdOf(shipmentId, 2)
const guide = { guideNumber: 'G-1', price: null, pickupCodeRef: uuid(5) }
const asked = start + hours(1)

function after(past: Past, command: Command, at: number): Past {
  const decision = decide(past.state, command)
  if ('refused' in decision) throw new Error(`${command.do}: ${decision.refused}`)
  return record(past, decision, at)
}
const create = (outcome: CallOutcome): Command => ({
  do: 'record_outcome',
  operationId,
  outcome,
})
const cancel = (outcome: CallOutcome): Command => ({
  do: 'record_outcome',
  operationId: cancellationId,
  outcome,
})
const begun = after({ state: initialState, events: [] }, requestShipment, start)
const issued = after(begun, create({ kind: 'issued', guide }), start + seconds(1))
const lost = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: false } as const
const inDoubt = after(begun, create(lost), start + seconds(1))
const requestCancellation = (operationId: string, key: string, now: number): Command => ({
  do: 'request_cancellation',
  now,
  callDeadline: now + seconds(20),
  operationId,
  credentialsVersion: 1,
  key,
})
const cancelling = after(issued, requestCancellation(cancellationId, 'c-1', asked), asked)
const cancellingInDoubt = after(cancelling, cancel(lost), asked + seconds(1))
const attemptOf = (past: Past) => (past.state as Shipment).attempts[0]
const cancellationOf = (past: Past) => (past.state as Shipment).cancellations[0]

const rejected = { kind: 'rejected', detailRef: uuid(7) } as const
const notSent = { kind: 'not_sent', reason: 'courier_throttled', retryAfterSeconds: 30 } as const
const unended = { refused: false, refusalRef: null, notSent: null, resolution: null }
const concluded = (decision: string, at: number, lateAnswers: readonly LateAnswer[]) => ({
  lateAnswers,
  endedAt: at,
  notSent: null,
  resolution: { decision, by: 'reconciliation', at, ref: null },
})

t.test('an attempt holds everything about how its call ended', async (t) => {
  const at = start + seconds(1)
  t.match(attemptOf(begun), { ...unended, version: 1, endedAt: null, lateAnswers: [] })
  t.match(attemptOf(issued), {
    ...unended,
    version: 2,
    endedAt: at,
    guide,
    knownGuides: ['G-1'],
  })
  const refused = after(begun, create(rejected), at)
  t.match(attemptOf(refused), { ...unended, refused: true, refusalRef: uuid(7), endedAt: at })
  t.match(attemptOf(after(begun, create(notSent), at)), {
    ...unended,
    endedAt: at,
    notSent: { reason: 'courier_throttled', retryAfterSeconds: 30 },
  })
  t.match(attemptOf(inDoubt), {
    ...unended,
    unknownAt: at,
    cause: 'response_lost',
    courierCanBeAsked: false,
    endedAt: null,
  })
})

t.test('a late answer ends an unknown attempt and is kept with its kind', async (t) => {
  const at = start + seconds(30)
  t.match(attemptOf(after(inDoubt, create({ kind: 'issued', guide }), at)), {
    ...concluded('guide_exists', at, ['issued']),
    refused: false,
    guide,
    knownGuides: ['G-1'],
  })
  t.match(attemptOf(after(inDoubt, create(rejected), at)), {
    ...concluded('nothing_created', at, ['rejected']),
    refused: true,
    refusalRef: uuid(7),
    guide: null,
  })
  t.match(attemptOf(after(inDoubt, create(notSent), at)), {
    ...concluded('nothing_created', at, ['not_sent']),
    refused: false,
    refusalRef: null,
    guide: null,
  })
})

t.test('a cancellation holds everything about how its call ended', async (t) => {
  const at = asked + seconds(1)
  const own = { type: 'shipment_cancellation', key: 'c-1', guideNumber: 'G-1' }
  t.match(cancellationOf(cancelling), { ...own, ...unended, version: 1, endedAt: null })
  t.match(cancellationOf(after(cancelling, cancel({ kind: 'cancelled' }), at)), {
    ...own,
    ...unended,
    version: 2,
    state: 'succeeded',
    endedAt: at,
  })
  t.match(cancellationOf(after(cancelling, cancel(rejected), at)), {
    ...own,
    state: 'refused',
    refused: true,
    refusalRef: uuid(7),
    endedAt: at,
  })
  t.match(cancellationOf(after(cancelling, cancel(notSent), at)), {
    ...own,
    ...unended,
    state: 'not_sent',
    endedAt: at,
    notSent: { reason: 'courier_throttled', retryAfterSeconds: 30 },
  })
  t.match(cancellationOf(cancellingInDoubt), {
    ...own,
    ...unended,
    state: 'reconciling',
    unknownAt: at,
    cause: 'response_lost',
    courierCanBeAsked: false,
    endedAt: null,
    lateAnswers: [],
  })
})

t.test('a late answer ends an unknown cancellation and is kept with its kind', async (t) => {
  const at = asked + seconds(30)
  t.match(cancellationOf(after(cancellingInDoubt, cancel({ kind: 'cancelled' }), at)), {
    ...concluded('cancelled', at, ['cancelled']),
    state: 'affirmed',
    refused: false,
  })
  t.match(cancellationOf(after(cancellingInDoubt, cancel(rejected), at)), {
    ...concluded('not_cancelled', at, ['rejected']),
    state: 'denied',
    refused: true,
    refusalRef: uuid(7),
  })
  t.match(cancellationOf(after(cancellingInDoubt, cancel(notSent), at)), {
    ...concluded('not_cancelled', at, ['not_sent']),
    state: 'denied',
    refused: false,
    refusalRef: null,
  })
})

t.test('events that cannot follow each other throw an error about a damaged ledger', async (t) => {
  const first = (past: Past, command: Command) => {
    const decision = decide(past.state, command)
    return (decision as readonly Decided[])[0] as Decided
  }
  const confirmed = after(cancelling, cancel({ kind: 'cancelled' }), asked + seconds(1))
  for (const [name, { state }, event] of [
    ['a guide issued twice', issued, first(begun, create({ kind: 'issued', guide }))],
    ['voided twice', confirmed, first(cancelling, cancel({ kind: 'cancelled' }))],
    ['an operation that is not there', begun, first(cancelling, cancel({ kind: 'cancelled' }))],
    [
      'a guide before its request',
      { state: null },
      first(begun, create({ kind: 'issued', guide })),
    ],
    ['a second beginning', begun, first({ state: null, events: [] }, requestShipment)],
  ] as readonly (readonly [string, { readonly state: State }, Decided])[]) {
    const version = (state?.version ?? 0) + 1
    const recorded = { ...event, version, occurredAt: asked, recordedAt: asked }
    t.throws(
      () => evolve(state, recorded as never),
      /is damaged or was written by other code/,
      name,
    )
  }
})

t.test('a shipment shows its creation, then its tries to cancel the guide', async (t) => {
  const shown = ({ state }: Past) => {
    const shipment = state as Shipment
    return [statusOf(shipment), hasActiveGuide(shipment), isTracked(shipment)]
  }
  const secondId = operationIdOf(shipmentId, 3)
  const later = asked + hours(2)
  const denied = after(
    cancellingInDoubt,
    {
      do: 'resolve',
      operationId: cancellationId,
      now: later,
      decision: 'not_cancelled',
      guide: null,
      resolutionRef: null,
    },
    later,
  )
  const again = after(denied, requestCancellation(secondId, 'c-2', later), later)
  const cancelled = after(
    again,
    { do: 'record_outcome', operationId: secondId, outcome: { kind: 'cancelled' } },
    later + seconds(1),
  )
  t.same(shown(begun), ['creating', false, false])
  t.same(shown(inDoubt), ['unknown_outcome', false, false])
  t.same(shown(after(begun, create(rejected), start + seconds(1))), ['rejected', false, false])
  t.same(shown(issued), ['created', true, true])
  t.same(shown(cancelling), ['cancelling', true, true])
  t.same(shown(denied), ['created', true, true])
  t.same(shown(again), ['cancelling', true, true])
  t.same(shown(cancelled), ['cancelled', false, true])

  const idsOf = (operations: readonly { readonly operationId: string }[]) =>
    operations.map(({ operationId }) => operationId)
  const { state } = cancelled as { state: Shipment }
  t.equal(nextOrdinal(issued.state as Shipment), 2)
  t.equal(nextOrdinal(state), 4)
  t.same(idsOf(cancellationsOfGuide(state)), [cancellationId, secondId])
  t.same(idsOf(cancellationsOfGuide(inDoubt.state as Shipment)), [])
  const [first] = state.cancellations
  if (first === undefined) throw new Error('no cancellation')
  t.same(idsOf(othersOf(state, first)), [secondId])
  t.same(othersOf(state, { ...first, guideNumber: 'G-2' }), [])
  t.same(idsOf(operationsWithWork(denied.state as Shipment)), [operationId, cancellationId])
  t.same(
    idsOf(operationsWithWork(state)),
    [operationId, secondId],
    'a denied try has no work once the guide is cancelled',
  )
})

t.test('a look keeps how its call went, if the event says so', async (t) => {
  const look = (data: object) => lookOf({ occurredAt: asked, data } as never, ['G-1'])
  const plain = { at: asked, answer: 'found', guideNumbers: ['G-1'], counted: false }
  const data = { answer: 'found', counted: false }
  t.same(look(data), plain)
  t.same(look({ ...data, latency_ms: 12 }), { ...plain, call: { failure: null, latencyMs: 12 } })
  const failure = { kind: 'courier_error', status_code: 500 }
  t.same(look({ ...data, latency_ms: 12, failure }), {
    ...plain,
    call: { failure: { kind: 'courier_error', statusCode: 500 }, latencyMs: 12 },
  })
})

t.test('a decision holds its operator, its note and whether its guide was seen', async (t) => {
  const at = start + hours(9)
  const decided = (data: object, operatorId: string | null = null) => {
    const state = inDoubt.state as Shipment
    const [event] = decide(state, {
      do: 'resolve',
      operationId,
      now: at,
      decision: 'nothing_created',
      guide: null,
      resolutionRef: uuid(8),
    }) as readonly Decided[]
    const version = state.version + 1
    const recorded = { ...event, version, occurredAt: at, recordedAt: at, operatorId }
    const changed = { ...recorded, data: { ...event?.data, ...data } }
    return (evolve(state, changed as never) as Shipment).attempts[0]?.resolution
  }
  t.match(decided({}, 'opr_1'), { operatorId: 'opr_1', ref: uuid(8), hasOwnNote: false })
  t.match(decided({ commitments: { [uuid(8)]: 'c' } }), { operatorId: null, hasOwnNote: true })
  t.match(decided({ commitments: { [uuid(9)]: 'c' } }), { hasOwnNote: false })
  t.match(decided({ resolution_ref: null, commitments: { null: 'c' } }), { hasOwnNote: false })
  t.match(decided({ confirmed: true }), { guideNumber: null, confirmed: null })
})
