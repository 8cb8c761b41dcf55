import fc from 'fast-check'
import t from 'tap'
import { rfc3339 } from '../../src/service/domain/decider.ts'
import type { LookResult } from '../../src/service/domain/operation/kind.ts'
import { evolve, type Shipment, type State } from '../../src/service/domain/shipment/shipment.ts'
import type { Decided } from '../../src/service/domain/shipment/shipment-events.ts'
import {
  afterAttempt,
  afterUnsent,
  breaker,
  breakerAfter,
  closedBreaker,
  deliveryAttemptsMax,
  deliveryRules,
  disabledAfterMs,
  type EndpointBreaker,
  endpointHealth,
  isHopeless,
  ladderMs,
} from '../../src/service/domain/webhooks/webhook-delivery.ts'
import {
  previousOf,
  webhookBody,
  webhookBodyBytesMax,
  webhookEventId,
} from '../../src/service/domain/webhooks/webhook-event.ts'
import { renderedWebhooks } from '../../src/service/domain/webhooks/webhook-render.ts'
import {
  isSubscribed,
  webhookFamilies,
  webhooksOf,
  webhookTypeNames,
} from '../../src/service/domain/webhooks/webhook-types.ts'
import {
  days,
  hours,
  minutes,
  operationId,
  type Past,
  record,
  seconds,
  shipmentId,
  start,
  uuid,
} from '../support/given.ts'
import { act, play, type ScriptedCourier, type Timeline } from './timeline.ts'

type Step = { readonly before: State; readonly event: Decided; readonly after: Shipment }

/** Each event of a history with the states before and after it. */
function stepsOf(past: Past): readonly Step[] {
  let before: State = null
  return past.events.map((event, index) => {
    const at = event.occurredAt ?? start
    const recorded = { ...event, version: index + 1, occurredAt: at, recordedAt: at }
    const after = evolve(before, recorded) as Shipment
    const step = { before, event: recorded, after }
    before = after
    return step
  })
}

function recordedOf({ event, after }: Step) {
  const occurredAt = event.occurredAt ?? start
  return { ...event, version: after.version, occurredAt, recordedAt: after.updatedAt }
}

/** Without alerts, which test/domain/alerts.test.ts covers. */
const typesSentBy = (past: Past): readonly string[] =>
  stepsOf(past)
    .flatMap((step) => webhooksOf(step.before, recordedOf(step), step.after))
    .filter(({ resource }) => resource !== 'alert')
    .map(({ type }) => type)
const renderedBy = (past: Past) =>
  stepsOf(past).flatMap((step) =>
    renderedWebhooks({
      shipmentId,
      before: step.before,
      event: recordedOf(step),
      after: step.after,
    }),
  )

const guide = { guideNumber: 'G-1', price: null, pickupCodeRef: uuid(7) }
const found: LookResult = { kind: 'guides', guides: [guide] }
const absent: LookResult = { kind: 'guides', guides: [] }
const away: LookResult = { kind: 'inconclusive' }
const lost: ScriptedCourier['call'] = {
  atMs: seconds(1),
  outcome: { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true },
}

t.test('a guide is reported as created or as reconciled, never as both', async (t) => {
  const issued = play(
    { call: { atMs: seconds(1), outcome: { kind: 'issued', guide } }, look: () => found },
    minutes(10),
  )
  t.same(typesSentBy(issued.past), ['shipment.created'])
  const reconciled = play({ call: lost, look: () => found }, minutes(10))
  t.same(typesSentBy(reconciled.past), [
    'shipment.outcome_unknown',
    'shipment.reconciled',
    'operation.resolved',
  ])
})

t.test('nothing created, review, decision and contradiction each send a webhook', async (t) => {
  const none = play({ call: lost, look: () => absent }, minutes(10))
  t.same(typesSentBy(none.past), ['shipment.outcome_unknown', 'operation.resolved'])
  const late = play({ call: lost, look: (atMs) => (atMs < hours(20) ? away : found) }, hours(9))
  t.same(typesSentBy(late.past), ['shipment.outcome_unknown', 'operation.needs_review'])
  const decided = act(
    late,
    {
      do: 'resolve',
      operationId,
      decision: 'nothing_created',
      guide: null,
      resolutionRef: uuid(9),
      now: start + hours(9),
    },
    start + hours(9),
  )
  t.same(typesSentBy(decided.past).slice(2), ['operation.resolved'])
  const contradicted = act(
    decided,
    {
      do: 'record_look',
      operationId,
      by: 'reconciliation',
      startedAt: start + hours(24),
      result: found,
    },
    start + hours(24),
  )
  t.same(typesSentBy(contradicted.past).slice(3), [
    'operation.contradicted',
    'operation.needs_review',
  ])
  const decision = { decision: 'nothing_created', by: 'operator', decided_by: null, note: null }
  const against = renderedBy(contradicted.past).find(
    ({ type }) => type === 'operation.contradicted',
  )
  t.match(against, {
    object: { resolution: null, resolutions: [decision], reason_for_review: { code: String } },
    previous: { resolution: decision, contradicted: false, reason_for_review: null },
  })
  t.notOk(Object.hasOwn(against?.previous ?? {}, 'resolutions'), 'versions only grow')
  const at = start + hours(48)
  const again = { startedAt: at, by: 'reconciliation', result: found } as const
  const watched = act(contradicted, { do: 'record_look', operationId, ...again }, at)
  t.same(
    typesSentBy(watched.past),
    typesSentBy(contradicted.past),
    'evidence alone sends no webhook',
  )
})

t.test('the webhook of an operation with 100 decisions stays below 20 KB', async (t) => {
  let line = play({ call: lost, look: () => away }, minutes(3))
  for (let n = 0; n < 100; n++) {
    const at = start + hours(24 + n)
    const verdict = { decision: 'nothing_created', guide: null, resolutionRef: uuid(9) } as const
    line = act(line, { do: 'resolve', operationId, now: at, ...verdict }, at)
    const look = { startedAt: at, by: 'operator', result: found } as const
    line = act(line, { do: 'record_look', operationId, ...look }, at)
  }
  const last = renderedBy(line.past).findLast(({ resource }) => resource.type === 'operation')
  t.ok(Buffer.byteLength(JSON.stringify(last)) < 19_500)
  const { resolutions, looks } = (last?.object ?? {}) as {
    resolutions: unknown[]
    looks: unknown[]
  }
  t.ok(resolutions.length > 5 && resolutions.length < 100)
  t.ok(looks.length > 20)
})

function scanned(line: Timeline, codes: readonly string[], at: number): Timeline {
  const events = codes.map((code, index) => ({
    id: `tev_${code}_${index}`,
    code,
    mapped: true,
    occurred_at: rfc3339(at + index),
    received_at: rfc3339(at),
    agency_id: null,
    action_required: false,
  }))
  const observed = {
    type: 'TrackingObserved',
    data: { events, eta: null, evidence_ref: null },
  } as const
  return { ...line, past: record(line.past, [observed], at) }
}

const created = play(
  { call: { atMs: seconds(1), outcome: { kind: 'issued', guide } }, look: () => found },
  seconds(2),
)

t.test('tracking webhooks report every change, and the milestones', async (t) => {
  let line = scanned(created, ['in_transit', 'held'], start + hours(1))
  line = scanned(line, ['released'], start + hours(2))
  line = scanned(line, ['lost'], start + hours(3))
  line = scanned(line, ['found'], start + hours(4))
  line = scanned(line, ['delivered'], start + hours(5))
  t.same(typesSentBy(line.past), [
    'shipment.created',
    'tracking.updated',
    'tracking.exception_raised',
    'tracking.updated',
    'tracking.exception_resolved',
    'tracking.updated',
    'tracking.lost',
    'tracking.updated',
    'tracking.updated',
    'tracking.delivered',
  ])
  const scans = renderedBy(line.past)
    .filter(({ type }) => type === 'tracking.updated')
    .map(({ object }) => (object.events as { code: string }[]).map(({ code }) => code))
  t.same(scans, [['in_transit', 'held'], ['released'], ['lost'], ['found'], ['delivered']])
  const monitored = record(
    line.past,
    [{ type: 'TrackingMonitoringChanged', data: { state: 'unreachable' } }],
    start + hours(6),
  )
  t.equal(
    typesSentBy(monitored).length,
    typesSentBy(line.past).length,
    'monitoring changes send no webhook',
  )
})

t.test('a replacing guide sends shipment.reconciled and no tracking webhook', async (t) => {
  const { past } = scanned(created, ['in_transit', 'held'], start + hours(1))
  const replaced = record(
    past,
    [
      {
        type: 'OperationContradicted',
        data: { operation_id: operationId, evidence: 'look', guide_numbers: ['G-2'] },
      },
      {
        type: 'OperationResolved',
        data: {
          operation_id: operationId,
          decision: 'guide_exists',
          guide_number: 'G-2',
          price: null,
          pickup_code_ref: null,
          resolution_ref: null,
        },
      },
    ],
    start + hours(2),
  )
  t.match(replaced.state?.tracking, { status: 'registered', exception: null, events: [] })
  t.same(typesSentBy(replaced).slice(typesSentBy(past).length), [
    'operation.contradicted',
    'operation.needs_review',
    'shipment.reconciled',
    'operation.resolved',
  ])
})

t.test('a webhook has the previous values of changed fields and no personal data', async (t) => {
  const [made] = renderedBy(created.past)
  t.match(made, {
    resource: { type: 'shipment', id: shipmentId, version: 3 },
    object: {
      status: 'created',
      guide_number: 'G-1',
      pickup_code: null,
      recipient: null,
      tracking: { status: 'registered', phase: 'pre_transit', exception: null },
    },
    previous: { status: 'creating', guide_number: null, tracking: { status: null, phase: null } },
  })
  t.same(Object.keys(made?.previous ?? {}), ['status', 'guide_number', 'tracking'])
  t.match(made?.object, { declared_content: null, metadata: null })
  t.equal(previousOf(null, { a: 1 }), null)
})

t.test(
  'a webhook shows the operation at that time; looks are not in previous values',
  async (t) => {
    const { past } = play({ call: lost, look: () => found }, minutes(10))
    const byType = new Map(renderedBy(past).map((each) => [each.type, each]))
    t.match(byType.get('shipment.outcome_unknown'), {
      resource: { type: 'shipment', id: shipmentId, version: 3 },
      object: { status: 'unknown_outcome', label: { status: 'pending' } },
      previous: { status: 'creating' },
    })
    const resolved = byType.get('operation.resolved')
    t.match(resolved, {
      resource: { type: 'operation', id: operationId },
      object: {
        id: operationId,
        status: 'resolved',
        result: 'guide_exists',
        looks: [{ answer: 'found', guide_numbers: ['G-1'] }],
      },
      previous: { status: 'reconciling', result: null },
    })
    t.notOk(Object.hasOwn(resolved?.previous ?? {}, 'looks'))
  },
)

t.test('webhooks after an erasure show the label as erased', async (t) => {
  const inDoubt = play({ call: lost, look: () => away }, minutes(1))
  const at = start + minutes(2)
  const erased = act(inDoubt, { do: 'erase_personal_data', unlessOpen: false }, at)
  const look = { startedAt: at, by: 'reconciliation', result: found } as const
  const { past } = act(erased, { do: 'record_look', operationId, ...look }, at)
  const reconciled = renderedBy(past).find(({ type }) => type === 'shipment.reconciled')
  t.match(reconciled?.object, { guide_number: 'G-1', label: { status: 'erased' } })
})

t.test('a webhook body stays within its limit and counts the scans it omits', async (t) => {
  const codes = Array.from({ length: 200 }, () => 'in_transit')
  const line = scanned(created, codes, start + hours(1))
  const rendered = renderedBy(line.past)
  for (const each of rendered) {
    const body = webhookBody({
      ...each,
      id: webhookEventId('e', 'w', each.type),
      at: start,
      livemode: false,
      workspaceId: 'w',
      sequence: 1,
      requestId: null,
    })
    t.ok(Buffer.byteLength(body) <= webhookBodyBytesMax)
  }
  const { events, events_omitted: omitted } = rendered.at(-1)?.object ?? {}
  t.equal((events as unknown[]).length + Number(omitted), 200, 'what is left out is counted')
  t.ok(Number(omitted) > 0)
  t.match(events, { [(events as unknown[]).length - 1]: { id: 'tev_in_transit_199' } })
})

t.test('rendering a history again gives the same webhooks with the same ids', async (t) => {
  const outcome = fc.constantFrom(found, absent, away)
  fc.assert(
    fc.property(fc.array(outcome, { minLength: 1, maxLength: 6 }), (answers) => {
      let looks = 0
      const look = () => answers[looks++ % answers.length] ?? away
      const { past } = play({ call: lost, look }, days(8))
      const first = renderedBy(past)
      return JSON.stringify(first) === JSON.stringify(renderedBy(past))
    }),
    { numRuns: 50 },
  )
  const id = webhookEventId('event', 'ws', 'label.ready')
  t.match(id, /^evt_[0-9A-Za-z]{22}$/)
  t.equal(id, webhookEventId('event', 'ws', 'label.ready'))
  t.not(id, webhookEventId('event', 'ws', 'shipment.created'))
})

t.test('endpoints can subscribe to webhook types and to families of types', async (t) => {
  t.ok(isSubscribed(['shipment.*'], 'shipment.created'))
  t.ok(isSubscribed(['label.ready'], 'label.ready'))
  t.notOk(isSubscribed(['shipment.*', 'label.ready'], 'tracking.updated'))
  t.ok(webhookTypeNames.every((type) => webhookFamilies.some((one) => isSubscribed([one], type))))
})

const tried = {
  attemptsMade: 0,
  livemode: false,
  now: start,
  chance: 0.5,
  rules: deliveryRules,
  ladderBeganAt: start,
}

t.test('a delivery has twelve attempts in 75 h 42 min, and is then dead', async (t) => {
  const total = ladderMs.reduce((sum, wait) => sum + wait, 0)
  t.equal(Math.floor(total / minutes(1)), 75 * 60 + 42)
  const failed = { statusCode: 500, retryAfterMs: null }
  let now = start
  for (let tries = 0; tries < ladderMs.length; tries++) {
    const after = afterAttempt(failed, { ...tried, tries, now })
    if (after.state !== 'pending') throw new Error(`ended after ${tries}`)
    t.equal(after.nextAttemptAt - now, ladderMs[tries], 'a sandbox has no jitter')
    now = after.nextAttemptAt
  }
  const end = afterAttempt(failed, { ...tried, tries: ladderMs.length })
  t.same(end, { state: 'dead', reason: 'attempts_exhausted' })
  const full = { ...tried, tries: 0, attemptsMade: deliveryAttemptsMax - 1 }
  t.same(afterAttempt(failed, full), { state: 'dead', reason: 'attempts_exhausted' })
})

t.test('a delivery expires when its retry time is over, however few the attempts', async (t) => {
  const failed = { statusCode: 500, retryAfterMs: days(400) }
  const endsAt = start + deliveryRules.ladderTimeMs
  t.equal(
    deliveryRules.ladderTimeMs,
    ladderMs.reduce((sum, wait) => sum + wait, 0),
  )
  for (const [tries, at] of [
    [3, endsAt - minutes(1)],
    [10, endsAt - hours(20)],
  ] as const) {
    const last = afterAttempt(failed, { ...tried, livemode: true, chance: 1, tries, now: at })
    t.same(last, { state: 'pending', nextAttemptAt: endsAt }, 'the last attempt is not after it')
  }
  const over = afterAttempt(failed, { ...tried, tries: 3, now: endsAt })
  t.same(over, { state: 'dead', reason: 'expired' })
  const success = { statusCode: 200, retryAfterMs: null }
  t.same(afterAttempt(success, { ...tried, tries: 3, now: endsAt }), { state: 'delivered' })
})

t.test('a turn without a request uses up the ladder and ends as unsendable', async (t) => {
  const waits = ladderMs.map((_, tries) => {
    const after = afterUnsent({ ...tried, tries, now: start })
    return after.state === 'pending' ? after.nextAttemptAt - start : Number.NaN
  })
  t.same(waits, ladderMs)
  const ends = { state: 'dead', reason: 'unsendable' }
  t.same(afterUnsent({ ...tried, tries: ladderMs.length }), ends)
  t.same(afterUnsent({ ...tried, tries: 3, now: start + deliveryRules.ladderTimeMs }), ends)
})

t.test(
  'live retry waits vary by a fifth, and Retry-After can lengthen them up to a limit',
  async (t) => {
    const waits = [0, 1].map((chance) => {
      const after = afterAttempt(
        { statusCode: null, retryAfterMs: null },
        { ...tried, livemode: true, tries: 0, chance },
      )
      return after.state === 'pending' ? after.nextAttemptAt - start : Number.NaN
    })
    t.same(waits, [4_000, 6_000])
    const asked = (retryAfterMs: number, tries: number) => {
      const after = afterAttempt({ statusCode: 429, retryAfterMs }, { ...tried, tries })
      return after.state === 'pending' ? after.nextAttemptAt - start : Number.NaN
    }
    t.equal(asked(minutes(1), 0), minutes(1))
    t.equal(asked(1_000, 0), 5_000, 'never sooner than the retry schedule')
    t.equal(asked(days(400), 0), hours(1))
    t.equal(asked(days(400), 10), hours(48), 'or twice the wait')
  },
)

t.test('only 2xx counts as delivered, and 410 ends the delivery', async (t) => {
  for (const statusCode of [200, 201, 204, 299]) {
    const after = afterAttempt({ statusCode, retryAfterMs: null }, { ...tried, tries: 0 })
    t.same(after, { state: 'delivered' })
  }
  for (const statusCode of [null, 199, 300, 301, 302, 400, 404, 429, 500, 503]) {
    const after = afterAttempt({ statusCode, retryAfterMs: null }, { ...tried, tries: 0 })
    t.match(after, { state: 'pending' })
  }
  const gone = afterAttempt({ statusCode: 410, retryAfterMs: null }, { ...tried, tries: 0 })
  t.same(gone, { state: 'dead', reason: 'endpoint_gone' })
})

/** The endpoint's health after failures at these times, each attempt as short as possible. */
function laneAfterFailures(
  times: readonly number[],
  current: EndpointBreaker = closedBreaker,
): EndpointBreaker {
  const failed = { statusCode: 500, retryAfterMs: null }
  return times.reduce((last, now) => breakerAfter(last, failed, { beganAt: now, now }), current)
}

t.test('ten failures in a row open the breaker, for longer each time up to a limit', async (t) => {
  const times = Array.from({ length: breaker.failures }, (_, n) => start + n * seconds(3))
  const [last = start] = times.slice(-1)
  t.equal(laneAfterFailures(times.slice(0, -1)).openUntil, null)
  let current = laneAfterFailures(times)
  t.equal(current.openUntil, last + seconds(5))
  const pauses: number[] = []
  for (let trips = 0; trips < 10; trips++) {
    const now = current.openUntil ?? start
    current = laneAfterFailures([now], current)
    pauses.push((current.openUntil ?? 0) - now)
  }
  t.same(
    pauses.map((ms) => ms / seconds(1)),
    [10, 20, 40, 80, 160, 320, 640, 1_280, 1_800, 1_800],
  )
  const success = { statusCode: 204, retryAfterMs: null }
  t.same(breakerAfter(current, success, { beganAt: start, now: start }), {
    ...closedBreaker,
    lastSuccessAt: start,
  })
})

t.test('failures within one second count once, and the breaker opens after twenty', async (t) => {
  const atOnce = Array.from({ length: 100 }, (_, n) => start + n * 9)
  const restarted = laneAfterFailures(atOnce)
  t.match(restarted, { failures: 100, countedFailures: 1, openUntil: null })
  const secondly = Array.from({ length: 20 }, (_, n) => start + n * seconds(1))
  const soon = laneAfterFailures(secondly)
  t.match(soon, { countedFailures: 20, openUntil: null }, 'within less than 20 s')
  t.equal(laneAfterFailures([start + seconds(20)], soon).openUntil, start + seconds(25))
  const nine = [...atOnce, ...Array.from({ length: 8 }, (_, n) => start + (n + 1) * seconds(4))]
  t.equal(laneAfterFailures(nine).openUntil, null, 'nine seconds with failures')
})

t.test('attempts in flight when the breaker opened do not lengthen the pause', async (t) => {
  const opened = laneAfterFailures(Array.from({ length: 10 }, (_, n) => start + n * seconds(3)))
  const openUntil = opened.openUntil ?? 0
  const failed = { statusCode: null, retryAfterMs: null }
  const now = openUntil + seconds(9)
  const late = breakerAfter(opened, failed, { beganAt: now - seconds(15), now })
  t.match(late, { trips: 1, openUntil }, 'it failed after the pause, and began before its end')
  t.equal(breakerAfter(late, failed, { beganAt: openUntil, now }).trips, 2)
})

t.test('an endpoint is given up after five days without a success', async (t) => {
  const failed = { statusCode: null, retryAfterMs: null }
  const current = breakerAfter(closedBreaker, failed, { beganAt: start, now: start })
  t.notOk(isHopeless(current, start + disabledAfterMs - 1))
  t.ok(isHopeless(current, start + disabledAfterMs))
  t.notOk(isHopeless(closedBreaker, start + days(100)))
  t.equal(disabledAfterMs, days(5))
})

t.test('an endpoint is shown as failing from the third failure in a row', async (t) => {
  const failingLane = { ...closedBreaker, failingSince: start, lastSuccessAt: start - 1 }
  const at = { isEnabled: true, now: start }
  const failing = (failures: number) => endpointHealth({ ...failingLane, failures }, at)
  t.same(failing(2), {
    state: 'ok',
    failing_since: null,
    last_success_at: rfc3339(start - 1),
    next_probe_at: null,
  })
  t.match(failing(3), { state: 'failing', failing_since: rfc3339(start) })
  t.match(failing(4), { state: 'failing', failing_since: rfc3339(start) })
  t.same(endpointHealth({ ...closedBreaker, failures: 3, failingSince: null }, at), {
    state: 'failing',
    failing_since: null,
    last_success_at: null,
    next_probe_at: null,
  })
})

t.test('the next probe is shown only while an enabled endpoint is paused', async (t) => {
  const probe = (openUntil: number | null, isEnabled = true) =>
    endpointHealth({ ...closedBreaker, openUntil }, { isEnabled, now: start }).next_probe_at
  t.equal(probe(start + 1), rfc3339(start + 1))
  t.equal(probe(start), null)
  t.equal(probe(start - 1), null)
  t.equal(probe(null), null)
  t.equal(probe(start + 1, false), null)
})
