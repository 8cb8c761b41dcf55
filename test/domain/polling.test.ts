import t from 'tap'
import type { Instant } from '../../src/service/domain/decider.ts'
import {
  failedPollDelayMs,
  monitoringAfterFailure,
  monitoringAfterRead,
  pollIntervalMs,
  pollJitterShare,
  restsUntil,
} from '../../src/service/domain/tracking/polling.ts'
import {
  monitor,
  type Tracking,
  type TrackingStatus,
  trackingStatuses,
  untracked,
} from '../../src/service/domain/tracking/tracking.ts'
import { days, hours, minutes, start } from '../support/given.ts'

const at = (status: TrackingStatus | null, more: Partial<Tracking> = {}): Tracking => ({
  ...untracked,
  status,
  statusSince: status === null ? null : start,
  lastChangedAt: status === null ? null : start,
  ...more,
})
const interval = (tracking: Tracking, ageMs: number) =>
  pollIntervalMs(tracking, start, start + ageMs) / minutes(1)

t.test('the polling interval depends on the status, its age and the ETA', async (t) => {
  const early: Record<TrackingStatus, number> = {
    registered: 60,
    received_at_origin: 120,
    in_transit: 120,
    arrived_at_destination: 120,
    ready_for_pickup: 120,
    out_for_delivery: 30,
    delivery_attempted: 60,
    delivered: 1_440,
    returning: 360,
    returned: 1_440,
    lost: 360,
    cancelled: 1_440,
  }
  for (const status of trackingStatuses) t.equal(interval(at(status), 0), early[status], status)
  for (const status of [null, 'registered'] as const) {
    t.equal(interval(at(status), hours(72) - 1), 60)
    t.equal(interval(at(status), hours(72)), 360)
  }
  for (const status of ['arrived_at_destination', 'ready_for_pickup'] as const) {
    t.equal(interval(at(status), hours(24) - 1), 120)
    t.equal(interval(at(status), hours(24)), 360)
  }
  for (const status of ['received_at_origin', 'in_transit'] as const) {
    const expected = (etaMs: number) => interval(at(status, { eta: start + etaMs }), 0)
    t.equal(expected(hours(12)), 120)
    t.equal(expected(hours(12) - 1), 30)
    t.equal(expected(-hours(5)), 30, 'overdue')
  }
})

t.test('after failures, polls wait 5 min, doubling up to six hours', async (t) => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((count) => failedPollDelayMs(count) / minutes(1))
  t.same(waits, [5, 10, 20, 40, 80, 160, 320, 360, 360])
})

t.test('monitoring becomes unreachable after five failures in a row', async (t) => {
  const after = (failures: number) =>
    monitoringAfterFailure(at('in_transit'), start, start + hours(1), failures)
  t.equal(after(4), null)
  t.equal(after(5), 'unreachable')
  t.equal(after(50), 'unreachable')
  t.equal(monitoringAfterRead(at('in_transit'), start, start + hours(9), false), 'active')
})

t.test('monitoring ends in time, whether the courier answers, fails or is not asked', async (t) => {
  const ends = (tracking: Tracking, now: Instant) => [
    monitoringAfterRead(tracking, start, now, true),
    monitoringAfterFailure(tracking, start, now, 7),
    monitoringAfterFailure(tracking, start, now, 0),
  ]
  const going = ['active', 'unreachable', null]
  for (const status of [null, 'registered'] as const) {
    t.same(ends(at(status), start + days(30) - 1), going)
    t.same(ends(at(status), start + days(30)), ['expired', 'expired', 'expired'])
  }
  t.same(ends(at('lost'), start + days(30) - 1), going)
  t.same(ends(at('lost'), start + days(30)), ['completed', 'completed', 'completed'])
  for (const status of trackingStatuses) {
    if (['registered', 'lost'].includes(status)) continue
    t.same(ends(at(status), start + days(90) - 1), going, status)
    t.same(ends(at(status), start + days(90)), ['expired', 'expired', 'expired'], status)
    const changed = at(status, { lastChangedAt: start + days(1) })
    t.same(ends(changed, start + days(90)), going, 'it counts from the last change')
  }
})

t.test('a scan dated long before the guide does not make monitoring expire', async (t) => {
  const old = at('registered', { statusSince: start - days(400) })
  t.equal(monitoringAfterRead(old, start, start + hours(1), false), 'active')
})

t.test('a confirming read completes a final status; a loss completes only with time', async (t) => {
  const after = (status: TrackingStatus, ageMs: number, hasNews: boolean) =>
    monitoringAfterRead(at(status), start, start + ageMs, hasNews)
  for (const status of ['delivered', 'returned', 'cancelled'] as const) {
    t.equal(after(status, days(1), false), 'completed')
    t.equal(after(status, days(1), true), 'active', 'news must be confirmed as well')
    t.equal(after(status, hours(2), false), 'active', 'a request came too soon to confirm it')
    t.equal(interval(at(status), hours(2)), 22 * 60, 'the confirming read stays where it was')
    t.equal(interval(at(status), days(2)), 1)
    const early = days(1) * (1 - pollJitterShare)
    t.equal(after(status, early, false), 'completed', 'as early as jitter may make it')
  }
  t.equal(after('lost', days(1), false), 'active')
  t.equal(after('in_transit', days(1), false), 'active')
})

t.test('monitoring that resumes after expiring gets its full time again', async (t) => {
  for (const [status, age] of [
    ['registered', days(30)],
    ['in_transit', days(90)],
  ] as const) {
    const given = at(status, { monitoring: 'expired' })
    const resumedAt = start + age + days(10)
    const resumed = monitor(given, 'active', { version: 9, occurredAt: 0, recordedAt: resumedAt })
    t.equal(resumed.resumedAt, resumedAt)
    t.equal(monitoringAfterRead(resumed, start, resumedAt + age - 1, false), 'active')
    t.equal(monitoringAfterRead(resumed, start, resumedAt + age, false), 'expired')
  }
  const back = monitor(at('in_transit', { monitoring: 'unreachable' }), 'active', {
    version: 9,
    occurredAt: 0,
    recordedAt: start,
  })
  t.equal(back.resumedAt, null, 'a courier that answers again changes nothing')
})

t.test('a shipment without a guide is checked every six hours, for 90 quiet days', async (t) => {
  const [quiet, rest] = [days(90), hours(6)]
  t.equal(restsUntil(start, start), start + rest)
  t.equal(restsUntil(start, start + quiet - 1), start + quiet - 1 + rest)
  t.equal(restsUntil(start, start + quiet), null)
})
