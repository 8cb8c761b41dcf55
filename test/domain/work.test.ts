import t, { type Test } from 'tap'
import { type Instant, rfc3339 } from '../../src/service/domain/decider.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import {
  noOperatorNotes,
  operationToApi,
} from '../../src/service/domain/operation/operation-to-api.ts'
import { type DueAction, next, nextDue } from '../../src/service/domain/operation/reconciliation.ts'
import {
  commentsMax,
  type WorkRefusal,
  workEventsMax,
} from '../../src/service/domain/operation/work.ts'
import { workEventSchemas } from '../../src/service/domain/operation/work-events.ts'
import { currentAttempt } from '../../src/service/domain/shipment/shipment.ts'
import { type Command, decide } from '../../src/service/domain/shipment/shipment-decisions.ts'
import { evidenceEventsMax } from '../../src/service/ledger/evidence/covering-checkpoint.ts'
import {
  type Given,
  given,
  hours,
  minutes,
  newlySeen,
  operationId,
  type Past,
  record,
  requestShipment,
  seconds,
  shipmentId,
  start,
  uuid,
} from '../support/given.ts'

const seen = newlySeen()

const eva = 'opr_0000000000000000000001'
const tomorrow = start + hours(24)
const assign = (operatorId: string | null): Command => ({ do: 'assign', operationId, operatorId })
const snooze = (until: Instant | null): Command => ({ do: 'snooze', operationId, until })
const comment = (n: number): Command => ({
  do: 'comment',
  operationId,
  commentId: `cmt_${String(n).padStart(22, '0')}`,
  commentRef: uuid(n),
})
const ended = (outcome: CallOutcome): Command => ({ do: 'record_outcome', operationId, outcome })
const lostAnswer = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true } as const
const guide = { guideNumber: 'G-1', price: null, pickupCodeRef: null }
const look = (startedAt: Instant): Command => ({
  do: 'record_look',
  operationId,
  by: 'reconciliation',
  startedAt,
  result: { kind: 'guides', guides: [guide] },
})
const requireReview: Command = { do: 'require_review', operationId, now: start + hours(8) }
const resolve: Command = {
  ...{ do: 'resolve', operationId, now: start + hours(9), decision: 'nothing_created' },
  ...{ guide: null, resolutionRef: uuid(900) },
}

const calling = (t: Test) =>
  given(t).when(requestShipment).decides(['ShipmentRequested'], ['GuideRequested'])
const lost = (t: Test) => calling(t).when(ended(lostAnswer)).decides(['GuideOutcomeUnknown'])
const inReview = (t: Test) =>
  lost(t)
    .when(requireReview, start + hours(8))
    .decides(['OperationReviewRequired'], ['OperationEscalated'])
const resolved = (t: Test) =>
  inReview(t)
    .when(resolve, start + hours(9))
    .decides(['OperationResolved'])
const attemptIn = ({ state }: Pick<Given, 'state'>) => currentAttempt(state!)
const shown = ({ state }: Pick<Given, 'state'>) =>
  operationToApi(shipmentId, state!, currentAttempt(state!), noOperatorNotes)

t.test('an operation is given to one operator at a time, whatever its state', async (t) => {
  for (const past of [calling, lost, inReview, resolved]) {
    const before = past(t)
    before.when(assign(null)).decides()
    const given = before
      .when(assign(eva))
      .decides(['OperationAssigned', { operation_id: operationId, operator_id: eva }])
    t.equal(attemptIn(given).state, attemptIn(before).state, 'nothing else changes')
    t.equal(attemptIn(given).version, attemptIn(before).version + 1)
    const back = given.when(assign(null)).decides(['OperationAssigned', { operator_id: null }])
    t.equal(attemptIn(back).assigneeId, null)
  }
})

t.test('a resolution and evidence against it keep the assignee and the comments', async (t) => {
  const now = inReview(t)
    .when(assign(eva))
    .decides(['OperationAssigned'])
    .when(comment(1))
    .decides(['OperationCommented'])
    .when(resolve, start + hours(9))
    .decides(['OperationResolved'])
    .when(look(start + hours(10)), start + hours(10))
    .decides(['GuideLookedUp'], ['OperationContradicted'])
  t.match(shown(now), {
    status: 'needs_review',
    assignee: { operator_id: eva, name: null },
    comments: [{ id: 'cmt_0000000000000000000001', text: null, by: { operator_id: null } }],
    comment_count: 1,
  })
})

t.test('only an operation with an open outcome can be put off', async (t) => {
  calling(t).when(snooze(tomorrow)).refused('operation_not_settled')
  resolved(t).when(snooze(tomorrow)).refused('operation_already_resolved')
  resolved(t).when(snooze(null)).decides()
  for (const past of [lost, inReview]) {
    const off = past(t)
      .when(snooze(tomorrow))
      .decides(['OperationSnoozed', { until: rfc3339(tomorrow) }])
    t.equal(shown(off).snoozed_until, rfc3339(tomorrow))
    const later = off.when(snooze(tomorrow + minutes(1))).decides(['OperationSnoozed'])
    const back = later.when(snooze(null)).decides(['OperationSnoozed', { until: null }])
    t.equal(shown(back).snoozed_until, null)
  }
})

t.test(
  'a snooze ends with review, with evidence against a conclusion and with the end',
  async (t) => {
    const off = lost(t).when(snooze(tomorrow)).decides(['OperationSnoozed'])
    const review = off
      .when(requireReview, start + hours(8))
      .decides(['OperationReviewRequired'], ['OperationEscalated'])
    t.equal(shown(review).snoozed_until, null)
    const again = review.when(snooze(tomorrow)).decides(['OperationSnoozed'])
    const decided = again.when(resolve, start + hours(9)).decides(['OperationResolved'])
    t.equal(shown(decided).snoozed_until, null)
    const against = decided
      .when(look(start + hours(10)), start + hours(10))
      .decides(['GuideLookedUp'], ['OperationContradicted'])
    t.equal(shown(against).snoozed_until, null)
    const found = off
      .when(look(start + seconds(2)), start + seconds(2))
      .decides(['GuideLookedUp'], ['GuideFound'])
    t.equal(shown(found).snoozed_until, null)
  },
)

t.test('nothing that people do about an operation changes what is due', async (t) => {
  const dueOf = ({ state }: Past) => {
    const operations = state!.attempts
    const due = nextDue(operations)
    const steps: (DueAction | null)[] = [0, 1, 9, 26].map((n) => next(operations, start + hours(n)))
    return { due, steps }
  }
  // An event of an earlier version: in review, and not escalated.
  const { events } = inReview(t)
  const notEscalated = events.filter(({ type }) => type !== 'OperationEscalated')
  const former = record({ state: null, events: [] }, notEscalated, start + hours(8))
  for (const past of [lost(t), inReview(t), resolved(t), former]) {
    let worked: Past = past
    const { operationId: operation_id } = currentAttempt(past.state!)
    const later = start + hours(9) + minutes(7)
    for (const decided of [
      { type: 'OperationAssigned', data: { operation_id, operator_id: eva } },
      {
        type: 'OperationCommented',
        data: { operation_id, comment_id: 'cmt_1', comment_ref: uuid(1) },
      },
      { type: 'OperationSnoozed', data: { operation_id, until: rfc3339(tomorrow) } },
    ] as const) {
      worked = record(worked, [decided], later)
    }
    t.same(dueOf(worked), dueOf(past))
  }
})

t.test('an operation takes a bounded number of comments, and the same one once', async (t) => {
  let now = lost(t)
  for (let n = 1; n <= commentsMax; n++) now = now.when(comment(n)).decides(['OperationCommented'])
  now.when(comment(commentsMax + 1)).refused('operation_full')
  now.when(comment(1)).decides()
  const { comments, comment_count: count } = shown(now)
  t.equal(count, commentsMax)
  t.same(
    comments.map(({ id }) => Number(id.slice(4))),
    Array.from({ length: 20 }, (_, n) => commentsMax - 19 + n),
    'it shows the newest',
  )
})

t.test('people cannot fill the stream that evidence needs', async (t) => {
  let past: Past = inReview(t)
  const { operationId: operation_id } = currentAttempt(past.state!)
  const turns = Array.from({ length: workEventsMax - 3 }, (_, n) => ({
    type: 'OperationAssigned' as const,
    data: { operation_id, operator_id: n % 2 === 0 ? eva : null },
  }))
  past = record(past, turns, start + hours(9))
  t.ok((past.state?.version ?? 0) >= workEventsMax)
  const at = start + hours(10)
  for (const command of [assign(null), comment(1), snooze(tomorrow)]) {
    t.same(decide(past.state, command), { refused: 'operation_full' }, command.do)
  }
  t.same(decide(past.state, assign(eva)), [], 'what is already so succeeds')
  t.match(decide(past.state, resolve), [{ type: 'OperationResolved' }])
  t.match(decide(past.state, look(at)), [{ type: 'GuideLookedUp' }, { type: 'GuideFound' }])
})

t.test("operators' work takes at most half of an evidence bundle", async (t) => {
  t.ok(workEventsMax <= evidenceEventsMax / 2)
})

t.test('a hold keeps the comments that an erasure of the person left', async (t) => {
  const place = { do: 'place_hold', noteRef: null } as const
  const lift = { do: 'lift_hold', noteRef: null } as const
  const erase = { do: 'erase_personal_data' } as const
  const withNotes = { ...erase, includeNotes: true } as const
  inReview(t)
    .when(erase)
    .decides(['PersonalDataErased'])
    .when(place)
    .refused('personal_data_erased')
  const left = inReview(t)
    .when(comment(1))
    .decides(['OperationCommented'])
    .when(erase)
    .decides(['PersonalDataErased'])
  const held = left.when(place).decides(['LegalHoldPlaced'])
  held.when(erase).decides()
  held.when(withNotes).refused('legal_hold')
  const gone = held
    .when(lift)
    .decides(['LegalHoldLifted'])
    .when(withNotes)
    .decides(['PersonalDataErased', { includes_notes: true }])
  gone.when(place).refused('personal_data_erased')
})

t.test('a comment on a shipment whose notes are erased is refused', async (t) => {
  const erase = { do: 'erase_personal_data', includeNotes: true } as const
  const erased = inReview(t).when(erase).decides(['PersonalDataErased'])
  erased.when(comment(1)).refused('personal_data_erased')
  erased.when(assign(eva)).decides(['OperationAssigned'])
  const kept = inReview(t).when({ do: 'erase_personal_data' }).decides(['PersonalDataErased'])
  kept.when(comment(1)).decides(['OperationCommented', { comment_ref: uuid(1) }])
})

t.test('work on an operation that does not exist is refused', async (t) => {
  const missing = 'op_000000000000000000000099'
  for (const command of [assign(eva), comment(1), snooze(tomorrow)]) {
    lost(t)
      .when({ ...command, operationId: missing } as Command)
      .refused('not_found')
  }
})

t.test('these tests produce every event and every refusal of work', async (t) => {
  const refusals = {
    operation_full: null,
    operation_not_settled: null,
    operation_already_resolved: null,
    personal_data_erased: null,
  } satisfies Record<WorkRefusal, null>
  const missing = (names: object, found: ReadonlySet<string>) =>
    Object.keys(names).filter((name) => !found.has(name))
  t.same(missing(workEventSchemas, seen.events), [])
  t.same(missing(refusals, seen.refusals), [])
})
