import fc from 'fast-check'
import t from 'tap'
import { isRefusal } from '../../src/service/domain/decider.ts'
import type { Creation } from '../../src/service/domain/operation/creation.ts'
import type { CallOutcome, LookResult } from '../../src/service/domain/operation/kind.ts'
import { type Guide, isOpen } from '../../src/service/domain/operation/machine.ts'
import { operationResultOf } from '../../src/service/domain/operation/operation.ts'
import {
  currentAttempt,
  initialState,
  type Shipment,
} from '../../src/service/domain/shipment/shipment.ts'
import { type Command, decide } from '../../src/service/domain/shipment/shipment-decisions.ts'
import type { Decided } from '../../src/service/domain/shipment/shipment-events.ts'
import {
  days,
  operationId,
  type Past,
  record,
  requestShipment,
  seconds,
  start,
} from '../support/given.ts'
import { act, play, resume, type Timeline } from './timeline.ts'

const guide = (guideNumber: string): Guide => ({ guideNumber, price: null, pickupCodeRef: null })

const call: fc.Arbitrary<CallOutcome> = fc.oneof(
  fc
    .constantFrom('G-1', 'G-2')
    .map((number) => ({ kind: 'issued', guide: guide(number) }) as const),
  fc.constant({ kind: 'rejected', detailRef: null } as const),
  fc.constant({ kind: 'not_sent', reason: 'too_late', retryAfterSeconds: null } as const),
  fc
    .boolean()
    .map(
      (courierCanBeAsked) =>
        ({ kind: 'unknown', cause: 'response_lost', courierCanBeAsked }) as const,
    ),
)
const lookResult: fc.Arbitrary<LookResult> = fc.oneof(
  fc.constant({ kind: 'inconclusive' } as const),
  fc
    .subarray(['G-1', 'G-2', 'G-3'])
    .map((numbers) => ({ kind: 'guides', guides: numbers.map(guide) }) as const),
)
const moment = fc.integer({ min: 0, max: days(9) / 1_000 }).map((count) => start + seconds(count))
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: call.map((outcome) => ({ do: 'record_outcome', operationId, outcome }) as const),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('record_look' as const),
      operationId: fc.constant(operationId),
      by: fc.constantFrom('reconciliation' as const, 'operator' as const),
      startedAt: moment,
      result: lookResult,
    }),
  },
  moment.map((now) => ({ do: 'require_review', operationId, now }) as const),
  fc.constant({ do: 'escalate', operationId } as const),
  fc.tuple(moment, fc.option(fc.constantFrom('G-1', 'G-2'))).map(
    ([now, number]) =>
      ({
        do: 'resolve',
        operationId,
        now,
        decision: number === null ? 'nothing_created' : 'guide_exists',
        guide: number === null ? null : guide(number),
        resolutionRef: null,
      }) as const,
  ),
)

const first = record({ state: initialState, events: [] }, decided(null, requestShipment), start)
function decided(state: Past['state'], given: Command): readonly Decided[] {
  const decision = decide(state, given)
  return isRefusal(decision) ? [] : decision
}
const attemptOf = ({ state }: Past): Creation => currentAttempt(state as Shipment)

/** Whether the stream records this piece of evidence. */
function isKept(past: Past, given: Command): boolean {
  const { looks, guide: own, knownGuides, lateAnswers, state } = attemptOf(past)
  if (given.do === 'record_look') {
    const numbers = given.result.kind === 'guides' ? given.result.guides : []
    return looks.some(
      (look) =>
        look.at === given.startedAt &&
        look.guideNumbers.join() === numbers.map((each) => each.guideNumber).join(),
    )
  }
  if (given.do !== 'record_outcome' || given.outcome.kind === 'unknown') return true
  const { outcome } = given
  if (outcome.kind === 'issued') {
    const { guideNumber } = outcome.guide
    return own?.guideNumber === guideNumber || knownGuides.includes(guideNumber)
  }
  return (
    (outcome.kind === 'not_sent' && state === 'not_sent') ||
    (outcome.kind === 'rejected' && state === 'refused') ||
    lateAnswers.includes(outcome.kind) ||
    past.events.some(
      (event) => event.type === (outcome.kind === 'rejected' ? 'GuideRejected' : 'GuideNotSent'),
    )
  )
}

const concludes: ReadonlySet<string> = new Set([
  'GuideFound',
  'GuideNotCreated',
  'OperationResolved',
])

/** Guides concluded one after another without a contradiction between them. */
function silentChanges(events: readonly Decided[]): readonly string[] {
  const changes: string[] = []
  let concluded: string | null = null
  for (const { type, data } of events) {
    if (type === 'OperationContradicted') concluded = null
    const isEnd = type === 'GuideIssued' || type === 'GuideFound' || type === 'OperationResolved'
    const number = isEnd ? data.guide_number : type === 'GuideNotCreated' ? 'none' : null
    const end = type === 'OperationResolved' && number === null ? 'none' : number
    if (end === null) continue
    if (concluded !== null && concluded !== end) changes.push(`${concluded} became ${end}`)
    concluded = end
  }
  return changes
}

t.test('an operation keeps its rules for any evidence in any order, repeated', async (t) => {
  const results = new Set<string | null>()
  fc.assert(
    fc.property(fc.array(command, { maxLength: 25 }), fc.array(fc.nat(24)), (commands, repeats) => {
      let past = first
      const given = [...commands]
      for (const index of repeats) {
        const repeated = commands[index]
        if (repeated !== undefined) given.push(repeated)
      }
      for (const each of given) {
        const isLookBefore = each.do === 'record_look' && attemptOf(past).state === 'calling'
        const before = past
        past = record(past, decided(past.state, each), start)
        if (!isLookBefore && !isKept(past, each)) throw new Error(`lost: ${JSON.stringify(each)}`)
        if (past.events.length < before.events.length) throw new Error('history was rewritten')
        if (decided(past.state, each).length > 0) throw new Error('the same again did something')
        const attempt = attemptOf(past)
        if (before.events.some((event) => event.type === 'OperationContradicted')) {
          if (!attempt.contradicted) throw new Error('a contradiction was forgotten')
          const isClosed = attemptOf(before).state === 'needs_review' && !isOpen(attempt)
          if (isClosed && each.do !== 'resolve') throw new Error('closed, and by no person')
        }
        const decisions = past.events.filter(({ type }) => concludes.has(type)).length
        if (attempt.resolutions.length !== decisions) throw new Error('a decision was forgotten')
        const result = operationResultOf(attempt)
        results.add(result)
        if ((result === 'human_review') !== (attempt.state === 'needs_review')) {
          throw new Error('human review is what needs review')
        }
        if (result === 'guide_exists' && attempt.guide === null) throw new Error('which guide?')
        if (result === 'nothing_created' && attempt.guide !== null) throw new Error('a guide?')
      }
      const changes = silentChanges(past.events)
      if (changes.length > 0) throw new Error(changes.join())
    }),
    { numRuns: 600 },
  )
  const ends = ['guide_exists', 'human_review', 'nothing_created', null]
  t.same([...results].sort(), [...ends].sort(), 'and each end was seen')
})

/** What really happened at the courier, and what is visible of it. */
type World = {
  readonly guides: readonly string[]
  /** When they appear, after T: at the latest at the end of the settling time. */
  readonly shownMs: number
  readonly lookMs: number
  /** Which looks fail, in order. */
  readonly failing: readonly boolean[]
  readonly call: { readonly atMs: number; readonly isLost: boolean } | null
  /** When a late answer of the call arrives, twice; null if none does. */
  readonly lateMs: number | null
}

const world: fc.Arbitrary<World> = fc.record({
  guides: fc.constantFrom<readonly string[]>([], ['G-1'], ['G-1', 'G-2']),
  shownMs: fc.integer({ min: 0, max: 140 }).map(seconds),
  lookMs: fc.constantFrom(0, 100, 9_000),
  failing: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  call: fc.option(fc.record({ atMs: fc.integer({ min: 0, max: 20_000 }), isLost: fc.boolean() }), {
    freq: 4,
  }),
  lateMs: fc.option(fc.integer({ min: 21, max: 1_000 }).map(seconds)),
})

function answerOf({ guides }: World): CallOutcome {
  const [number] = guides
  return number === undefined
    ? { kind: 'rejected', detailRef: null }
    : { kind: 'issued', guide: guide(number) }
}

function live(truth: World): Timeline {
  let looks = 0
  const lost = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true } as const
  const { call: ended } = truth
  const courier = {
    call: ended && { atMs: ended.atMs, outcome: ended.isLost ? lost : answerOf(truth) },
    lookMs: truth.lookMs,
    look: (atMs: number): LookResult => {
      looks += 1
      if (truth.failing[looks % truth.failing.length] && atMs < days(2)) {
        return { kind: 'inconclusive' }
      }
      const shown = atMs >= truth.shownMs ? truth.guides : []
      return { kind: 'guides', guides: shown.map(guide) }
    },
  }
  const isAnswerLate = truth.lateMs !== null && (ended === null || ended.isLost)
  let line = play(courier, truth.lateMs ?? 0)
  if (isAnswerLate && truth.lateMs !== null) {
    const late: Command = { do: 'record_outcome', operationId, outcome: answerOf(truth) }
    line = act(act(line, late, start + truth.lateMs), late, start + truth.lateMs + 1)
  }
  return resume(line, courier, days(10))
}

t.test('whatever is lost, an attempt ends with the truth or in review', async (t) => {
  const ends = new Set<string>()
  fc.assert(
    fc.property(world, (truth) => {
      const line = live(truth)
      const { state, guide: known, contradicted, knownGuides } = attemptOf(line.past)
      ends.add(`${truth.guides.length} guides: ${state}`)
      if (state === 'calling' || state === 'reconciling') throw new Error(`left ${state}`)
      if (contradicted && truth.guides.length < 2) throw new Error('contradicted without reason')
      if (known !== null && !truth.guides.includes(known.guideNumber)) throw new Error('invented')
      const saysNothing = state === 'refused' || state === 'denied'
      if (saysNothing && truth.guides.length > 0) throw new Error('a guide was denied')
      if (knownGuides.some((number) => !truth.guides.includes(number))) throw new Error('invented')
      const hasNothing = truth.guides.length === 0
      if (hasNothing && !saysNothing && state !== 'needs_review') throw new Error(state)
    }),
    { numRuns: 600 },
  )
  for (const end of [
    '0 guides: denied',
    '0 guides: refused',
    '1 guides: affirmed',
    '1 guides: succeeded',
    '2 guides: needs_review',
  ]) {
    t.ok(ends.has(end), `${end} was seen`)
  }
  t.notOk(ends.has('0 guides: affirmed'))
})

t.test('a guide that appears after the settling time is still found within a week', async (t) => {
  const ends = new Set<string>()
  fc.assert(
    fc.property(fc.integer({ min: 141, max: days(7) / 1_000 }), (shownSeconds) => {
      const line = live({
        guides: ['G-1'],
        shownMs: seconds(shownSeconds),
        lookMs: 0,
        failing: [false],
        call: { atMs: 100, isLost: true },
        lateMs: null,
      })
      const { state, contradicted, knownGuides } = attemptOf(line.past)
      if (knownGuides.join() !== 'G-1') throw new Error('never found')
      ends.add(contradicted ? `contradicted: ${state}` : state)
    }),
    // The guide appears before the last counted absence, and after it, when a person must decide.
    { numRuns: 100, examples: [[160], [3_600]] },
  )
  t.same([...ends].sort(), ['affirmed', 'contradicted: needs_review'])
})
