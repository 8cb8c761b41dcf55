import t from 'tap'
import { operationIdOf } from '../../src/domain/ids.ts'
import type { CallOutcome } from '../../src/domain/operation/kind.ts'
import {
  evolve,
  initialState,
  type Shipment,
  type State,
} from '../../src/domain/shipment/shipment.ts'
import { type Command, decide } from '../../src/domain/shipment/shipment-decisions.ts'
import type { Decided, LateAnswer } from '../../src/domain/shipment/shipment-events.ts'
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

// The complete folded state for each way in which a call can end.

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
const cancelling = after(
  issued,
  {
    do: 'request_cancellation',
    now: asked,
    callDeadline: asked + seconds(20),
    operationId: cancellationId,
    credentialsVersion: 1,
    key: 'c-1',
  },
  asked,
)
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
