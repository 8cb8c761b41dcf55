import t from 'tap'
import { rfc3339 } from '../../src/service/domain/decider.ts'
import type { Creation } from '../../src/service/domain/operation/creation.ts'
import type { CallOutcome, LookResult } from '../../src/service/domain/operation/kind.ts'
import type { Guide } from '../../src/service/domain/operation/machine.ts'
import { operationResultOf } from '../../src/service/domain/operation/operation.ts'
import {
  looksMax,
  next,
  nextDue,
  nextLookAt,
  reconciliationTimes,
} from '../../src/service/domain/operation/reconciliation.ts'
import {
  currentAttempt,
  type Shipment,
  statusOf,
} from '../../src/service/domain/shipment/shipment.ts'
import { days, hours, minutes, operationId, seconds, start } from '../support/given.ts'
import { act, play, resume, type ScriptedCourier, type Timeline, timesOf } from './timeline.ts'

const guide = (guideNumber: string): Guide => ({ guideNumber, price: null, pickupCodeRef: null })
const guides = (...numbers: readonly string[]): LookResult => ({
  kind: 'guides',
  guides: numbers.map(guide),
})
const failed: LookResult = { kind: 'inconclusive' }
const lost: CallOutcome = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true }
/** Loses the answer a second after T; looks return what the script says. */
const losing = (look: ScriptedCourier['look']): ScriptedCourier => ({
  call: { atMs: seconds(1), outcome: lost },
  look,
})
const stateOf = ({ past }: Timeline) => past.state as Shipment
const attemptOf = (line: Timeline): Creation => currentAttempt(stateOf(line))
const resultOf = (line: Timeline) => operationResultOf(attemptOf(line))
const hour = 3_600
const day = 24 * hour

t.test(
  'if every look finds nothing, looks follow the schedule and conclude after 200 s',
  async (t) => {
    const line = play(
      losing(() => guides()),
      days(30),
    )
    const times = [3, 8, 23, 68, 140, 170, 200]
    t.same(timesOf(line, 'look absent').slice(0, 7), times)
    t.same(timesOf(line, 'GuideNotCreated'), [200])
    t.equal(resultOf(line), 'nothing_created')
    t.same(
      attemptOf(line).looks.map((look) => look.counted),
      [false, false, false, false, true, true, true, true, true, true],
    )
    t.same(timesOf(line, 'look').slice(7), [day, 2 * day, 7 * day], 'it is watched for a week')
    t.equal(statusOf(stateOf(line)), 'not_created')
  },
)

t.test('no wait between looks goes beyond the settling time', async (t) => {
  const line = play(
    losing((at) => (at < seconds(10) ? failed : guides())),
    minutes(10),
  )
  t.same(timesOf(line, 'look'), [3, 123, 128, 140, 170, 200])
  const late = play(
    { ...losing(() => guides()), call: { atMs: seconds(120), outcome: lost } },
    minutes(10),
  )
  t.same(timesOf(late, 'look'), [122, 127, 140, 170, 200])
})

t.test('the wait for the next look runs from the start of the last one', async (t) => {
  const line = play({ ...losing(() => guides()), lookMs: seconds(4) }, minutes(10))
  t.same(timesOf(line, 'look'), [3, 8, 23, 68, 140, 170, 200])
  const slow = play({ ...losing(() => guides()), lookMs: seconds(9) }, minutes(10))
  t.same(timesOf(slow, 'look').slice(0, 3), [3, 12, 27], 'never before the previous one has ended')
})

t.test(
  'after inconclusive looks the waits are 2, 5, 15 min, 1 h and 2 h, to the deadline',
  async (t) => {
    const line = play(
      losing(() => failed),
      hours(20),
    )
    const expected = [3]
    for (const wait of [120, 300, 900, hour, 2 * hour, 2 * hour, 2 * hour]) {
      expected.push((expected.at(-1) ?? 0) + wait)
    }
    t.same(timesOf(line, 'look inconclusive'), expected)
    t.same(timesOf(line, 'OperationEscalated'), [hour + 1], 'open for an hour')
    t.same(timesOf(line, 'OperationReviewRequired'), [8 * hour])
    t.equal(attemptOf(line).reviewReason, 'deadline_passed')
    t.equal(resultOf(line), 'human_review')
  },
)

t.test('no look is scheduled after the deadline', async (t) => {
  const line = play(
    losing(() => failed),
    hours(7.5),
  )
  t.equal(timesOf(line, 'look').at(-1), 26_523)
  t.equal(nextLookAt(attemptOf(line)), null, 'the next look would come after the deadline')
})

t.test('an operation that reached its maximum of looks is not looked at again', async (t) => {
  const attempt = attemptOf(
    play(
      losing(() => failed),
      minutes(1),
    ),
  )
  const [look] = attempt.looks
  const looked = (times: number) => ({
    ...attempt,
    looks: Array.from({ length: times }, () => look!),
  })
  t.not(nextLookAt(looked(looksMax - 1)), null)
  t.equal(nextLookAt(looked(looksMax)), null)
  const at = nextLookAt(attempt)!
  t.equal(nextLookAt({ ...attempt, deadlineAt: at + 1 }), at)
  t.equal(nextLookAt({ ...attempt, deadlineAt: at }), null, 'at the deadline itself it is over')
})

t.test('inconclusive looks are counted over the whole operation, not in a row', async (t) => {
  let looks = 0
  const line = play(
    losing(() => (++looks % 2 === 1 ? failed : guides())),
    minutes(60),
  )
  t.same(timesOf(line, 'look inconclusive').slice(0, 3), [3, 128, 458])
  t.same(timesOf(line, 'look absent').slice(0, 3), [123, 428, 1_358])
})

t.test('a guide that appears late is found before absence is concluded', async (t) => {
  const line = play(
    losing((at) => (at >= seconds(180) ? guides('G-1') : guides())),
    days(8),
  )
  t.same(timesOf(line, 'look'), [3, 8, 23, 68, 140, 170, 200])
  t.equal(attemptOf(line).looks.filter((look) => look.counted).length, 2)
  t.same(timesOf(line, 'GuideFound'), [200])
  t.equal(resultOf(line), 'guide_exists')
  t.equal(nextDue(stateOf(line).attempts), null, 'a guide that was found is not looked at again')
})

t.test('after a lost or unreadable answer, the first look finds the guide', async (t) => {
  for (const cause of ['response_lost', 'response_unreadable'] as const) {
    const courier = losing(() => guides('G-1'))
    const outcome = { ...lost, cause }
    const line = play({ ...courier, call: { atMs: 500, outcome } }, days(8))
    t.same(line.happened.slice(2), [
      { at: 0.5, what: 'GuideOutcomeUnknown' },
      { at: 2.5, what: 'look found' },
      { at: 2.5, what: 'GuideFound' },
    ])
    t.equal(attemptOf(line).cause, cause)
  }
})

t.test(
  'looks that all fail lead to review, and evidence contradicts a wrong decision',
  async (t) => {
    const courier = losing((at) => (at < hours(20) ? failed : guides('G-1')))
    const review = play(courier, hours(9))
    t.same(timesOf(review, 'OperationReviewRequired'), [8 * hour])
    const decided = act(
      review,
      {
        do: 'resolve',
        operationId,
        now: start + hours(9),
        decision: 'nothing_created',
        guide: null,
        resolutionRef: null,
      },
      start + hours(9),
    )
    t.equal(statusOf(stateOf(decided)), 'not_created')
    const contradicted = resume(decided, courier, hours(30))
    t.same(timesOf(contradicted, 'OperationContradicted'), [day])
    t.equal(resultOf(contradicted), 'human_review')
    t.equal(statusOf(stateOf(contradicted)), 'unknown_outcome')
    const watched = resume(contradicted, courier, days(30))
    t.same(timesOf(watched, 'GuideFound'), [], 'a guide that shows again closes nothing')
    t.same(timesOf(watched, 'look found'), [day, 2 * day, 7 * day], 'it is evidence')
    t.match(attemptOf(watched), { state: 'needs_review', contradicted: true })
    t.equal(nextDue(stateOf(watched).attempts), null)
    const undecided = play(courier, days(30))
    t.same(timesOf(undecided, 'GuideFound'), [day], 'without a decision the guide resolves it')
  },
)

t.test('two guides send an operation to review, where it waits for a person', async (t) => {
  const line = play(
    losing(() => guides('G-1', 'G-2')),
    days(30),
  )
  t.same(timesOf(line, 'OperationReviewRequired'), [3])
  t.same(timesOf(line, 'OperationEscalated'), [3])
  t.same(timesOf(line, 'look ambiguous'), [3, day, 2 * day, 7 * day])
  t.equal(resultOf(line), 'human_review')
  t.equal(nextDue(stateOf(line).attempts), null)
})

t.test('an attempt orphaned by a crash becomes unknown at its call deadline', async (t) => {
  const line = play({ call: null, look: () => guides('G-1') }, days(1))
  t.same(line.happened.slice(2), [
    { at: 20, what: 'GuideOutcomeUnknown' },
    { at: 22, what: 'look found' },
    { at: 22, what: 'GuideFound' },
  ])
  t.equal(attemptOf(line).cause, 'process_died')
})

t.test('no looks are made at a courier that cannot be asked', async (t) => {
  const outcome = { ...lost, courierCanBeAsked: false }
  const line = play({ call: { atMs: 1_000, outcome }, look: () => failed }, days(30))
  t.same(timesOf(line, 'look'), [])
  t.same(timesOf(line, 'OperationReviewRequired'), [1])
  t.equal(nextLookAt(attemptOf(line)), null)
})

/** An attempt concluded at the start, without looks unless given. */
function concluded(more: Partial<Creation>): Creation {
  const base = attemptOf(
    play(
      losing(() => failed),
      seconds(1),
    ),
  )
  return { ...base, state: 'denied', looks: [], endedAt: start, ...more }
}
const lookAt = (ms: number): Creation['looks'][number] => ({
  at: start + ms,
  answer: 'absent',
  guideNumbers: [],
  counted: true,
})
const relative = (at: number | null) => (at === null ? null : at - start)

t.test(
  'follow-up looks come 24 h, 48 h and 7 d after the request; missed ones are skipped',
  async (t) => {
    const nextAfter = (concludedMs: number, ...looks: readonly number[]) =>
      relative(nextLookAt(concluded({ endedAt: start + concludedMs, looks: looks.map(lookAt) })))
    t.equal(nextAfter(hours(9)), days(1))
    t.equal(nextAfter(hours(9), hours(8)), days(1))
    t.equal(nextAfter(hours(30)), days(2), 'the look at 24 h has passed and is not repeated')
    t.equal(nextAfter(hours(30), hours(31)), days(2), 'an operator’s look replaces none')
    t.equal(nextAfter(hours(9), days(1) + seconds(5)), days(2))
    t.equal(nextAfter(hours(9), days(3)), days(7), 'one late look instead of two that were due')
    t.equal(nextAfter(days(6)), days(7))
    t.equal(nextAfter(days(6), days(7)), null)
  },
)

t.test('a conclusion after seven days gets one look, a day later', async (t) => {
  const at = days(8)
  const after = (...looks: readonly number[]) =>
    relative(nextLookAt(concluded({ endedAt: start + at, looks: looks.map(lookAt) })))
  t.equal(after(), days(9))
  t.equal(after(days(7), at + hours(1)), days(9), 'looks in between do not replace it')
  t.equal(after(days(9)), null)
  t.equal(relative(nextLookAt(concluded({ endedAt: start + days(7) }))), days(8))
})

t.test(
  'follow-up looks are made unless reconciliation found a guide or the call ended',
  async (t) => {
    const guideNumber = 'G-1'
    const decided = { decision: 'guide_exists', guideNumber, confirmed: true } as const
    const resolution = { ...decided, at: start, operatorId: null, ref: null, hasOwnNote: false }
    const by = (who: 'operator' | 'reconciliation') =>
      nextLookAt(concluded({ state: 'affirmed', resolution: { ...resolution, by: who } }))
    t.equal(relative(by('operator')), days(1))
    t.equal(by('reconciliation'), null)
    t.equal(relative(nextLookAt(concluded({ state: 'needs_review' }))), days(1))
    t.equal(relative(nextLookAt(concluded({ state: 'denied' }))), days(1))
    for (const state of ['calling', 'succeeded', 'refused', 'not_sent'] as const) {
      t.equal(nextLookAt(concluded({ state })), null)
    }
  },
)

t.test(
  'a guide found at the last look contradicts the conclusion and needs a person',
  async (t) => {
    const line = play(
      losing((at) => (at >= days(6) ? guides('G-1') : guides())),
      days(30),
    )
    t.same(timesOf(line, 'OperationContradicted'), [7 * day])
    t.same(timesOf(line, 'look found'), [7 * day, 8 * day])
    t.same(timesOf(line, 'GuideFound'), [])
    t.match(attemptOf(line), { state: 'needs_review', contradicted: true })
  },
)

t.test('past its deadline an operation goes to review, whatever else is due', async (t) => {
  const line = play(
    losing(() => failed),
    minutes(10),
  )
  const { attempts } = stateOf(line)
  t.equal(next(attempts, start + minutes(1)), null)
  t.same(next(attempts, start + hours(9)), { do: 'require_review', operationId })
})

t.test('a deferred look does not delay escalation or review', async (t) => {
  const { attempts } = stateOf(
    play(
      losing(() => failed),
      seconds(1),
    ),
  )
  const dueStep = (ms: number) => next(attempts, start + ms)?.do ?? null
  t.equal(dueStep(seconds(2)), null)
  t.equal(dueStep(seconds(3)), 'look')
  t.equal(dueStep(hours(1)), 'look')
  t.equal(dueStep(hours(1) + seconds(1)), 'escalate')
  t.equal(dueStep(hours(8)), 'require_review')
})

t.test('of several attempts, the one that is due first is handled first', async (t) => {
  const [attempt] = stateOf(
    play(
      losing(() => failed),
      seconds(1),
    ),
  ).attempts
  const other = { ...attempt!, number: 2, operationId: 'op_other', unknownAt: start - seconds(5) }
  t.match(nextDue([attempt!, other])?.action, { operationId: 'op_other' })
  t.match(nextDue([other, attempt!])?.action, { operationId: 'op_other' })
  t.equal(nextDue([]), null)
  const same = { ...attempt!, operationId: 'op_same' }
  t.match(nextDue([attempt!, same])?.action, { operationId }, 'at one time the first')
  t.same(next([attempt!, other], start + minutes(1)), { do: 'look', operationId: 'op_other' })
  t.same(next([other, attempt!], start + minutes(1)), { do: 'look', operationId: 'op_other' })
})

t.test('the times of reconciliation are the documented ones', async (t) => {
  t.same(reconciliationTimes, {
    settleMs: 120_000,
    deadlineMs: 8 * 3_600_000,
    firstLookMs: 2_000,
    afterAbsentMs: [5_000, 15_000, 45_000],
    afterSettledMs: 30_000,
    afterInconclusiveMs: [2, 5, 15, 60, 120].map((count) => count * 60_000),
    countedApartMs: 30_000,
    countedToConclude: 3,
    escalateMs: 3_600_000,
    followUpMs: [1, 2, 7].map((count) => count * 86_400_000),
    followUpLateMs: 86_400_000,
    lookApartMs: 10_000,
  })
  t.equal(rfc3339(start), '2026-03-01T12:00:00.000Z')
})
