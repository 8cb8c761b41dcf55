import fc from 'fast-check'
import t from 'tap'
import { type Instant, rfc3339 } from '../../src/service/domain/decider.ts'
import type { TrackingEventData } from '../../src/service/domain/shipment/shipment-events.ts'
import { withCancellation } from '../../src/service/domain/tracking/cancellation-scan.ts'
import {
  isTrackingCode,
  meaningOf,
  monitor,
  observe,
  phaseOf,
  registered,
  type Tracking,
  type TrackingStatus,
  trackingCodes,
  trackingEventsMax,
  trackingStatuses,
  unseenEvents,
  untracked,
} from '../../src/service/domain/tracking/tracking.ts'
import { trackingStatusFacts } from '../../src/service/domain/tracking/tracking-transitions.ts'
import { days, hours, minutes, start } from '../support/given.ts'

function scan(code: string, at: Instant, more: Partial<TrackingEventData> = {}): TrackingEventData {
  return {
    id: `tev_${code}_${at - start}`,
    code,
    mapped: isTrackingCode(code),
    occurred_at: rfc3339(at),
    received_at: rfc3339(start),
    agency_id: null,
    action_required: false,
    ...more,
  }
}

const atStart = { version: 1, occurredAt: start, recordedAt: start }

/** The tracking of a guide issued at the start; each list of scans is one read. */
function track(...reads: readonly (readonly TrackingEventData[])[]): Tracking {
  return reads.reduce<Tracking>(
    (tracking, events) =>
      observe(tracking, { events: [...events], eta: null, evidence_ref: null }, atStart),
    registered(atStart),
  )
}
/** Scans an hour apart. */
const hourly = (...codes: readonly string[]) =>
  codes.map((code, index) => scan(code, start + hours(index)))
const statusAfter = (...codes: readonly string[]) => track(hourly(...codes)).status

/**
 * The documented transitions, written down independently: where a newer scan leads from each
 * status.
 */
const higher: Readonly<Record<TrackingStatus, readonly TrackingStatus[]>> = {
  registered: [...trackingStatuses.slice(1)],
  received_at_origin: [...trackingStatuses.slice(2, 11)],
  in_transit: [...trackingStatuses.slice(3, 11)],
  arrived_at_destination: [...trackingStatuses.slice(4, 11), 'in_transit'],
  ready_for_pickup: [
    'out_for_delivery',
    'delivery_attempted',
    'delivered',
    'returning',
    'returned',
    'lost',
  ],
  out_for_delivery: [
    'ready_for_pickup',
    'delivery_attempted',
    'delivered',
    'returning',
    'returned',
    'lost',
  ],
  delivery_attempted: [
    'ready_for_pickup',
    'out_for_delivery',
    'delivered',
    'returning',
    'returned',
    'lost',
  ],
  returning: ['ready_for_pickup', 'delivered', 'returned', 'lost'],
  delivered: [],
  returned: [],
  lost: [],
  cancelled: [],
}

t.test('each scan moves the status as documented; any other move is an anomaly', async (t) => {
  for (const from of trackingStatuses) {
    for (const to of trackingStatuses) {
      const after = track(hourly(from, to))
      const isAllowed = from === to || higher[from].includes(to)
      t.equal(after.status, isAllowed ? to : from, `${from}, then ${to}`)
      t.equal(after.anomalies.length, isAllowed ? 0 : 1)
      t.equal(after.events.length, 2, 'an illegal move is an event all the same')
    }
  }
})

t.test('only a parcel found after a loss, or a correction, leaves a final status', async (t) => {
  const finals = trackingStatuses.filter((each) => trackingStatusFacts[each].phase === 'final')
  t.same(finals, ['delivered', 'returned', 'lost', 'cancelled'])
  for (const final of finals) {
    for (const code of Object.keys(trackingCodes)) {
      const { status } = track(hourly(final, code))
      const leaves = code === 'delivery_reversed' || (code === 'found' && final === 'lost')
      const stays = meaningOf(code).status === null || !leaves
      t.equal(status, stays ? final : meaningOf(code).status, `${final}, then ${code}`)
    }
  }
  t.equal(statusAfter('lost', 'found', 'delivered'), 'delivered')
  t.equal(statusAfter('delivered', 'delivery_reversed', 'collected'), 'delivered')
})

t.test("the sandbox's tracking stories fold to the expected states", async (t) => {
  const way = ['registered', 'received_at_origin', 'in_transit', 'arrived_at_destination']
  const ready = [...way, 'ready_for_pickup']
  t.equal(statusAfter(...ready, 'collected'), 'delivered')
  t.equal(
    statusAfter(...ready, 'reminder_sent', 'last_notice', 'not_collected', 'returned'),
    'returned',
  )
  const found = track(hourly(...way.slice(0, 3), 'missing', 'lost', 'found'))
  t.equal(found.status, 'in_transit')
  t.equal(found.exception, null)
  const held = track(hourly(...way, 'held'))
  t.equal(held.status, 'arrived_at_destination', 'an exception keeps the status')
  t.equal(held.exception?.code, 'held')
  t.equal(track(hourly(...way, 'held', 'released')).exception, null)
  t.equal(track(hourly(...way, 'held', 'collected')).exception, null, 'a final status ends it')
  t.equal(track(hourly(...way, 'held', 'ready_for_pickup')).exception?.code, 'held')
  const noisy = track(
    [scan('collected', start + hours(30)), scan('ready_for_pickup', start + hours(21))],
    [scan('sorted_on_belt', start + hours(7)), scan('in_transit', start + hours(6))],
    [scan('in_transit', start + hours(6)), scan('received_at_origin', start + hours(31))],
  )
  t.equal(noisy.status, 'delivered')
  t.equal(noisy.events.length, 5)
  t.equal(noisy.anomalies.length, 1, 'the late origin scan')
})

t.test('an exception counts from its first report and says whether action is needed', async (t) => {
  const again = track([
    scan('held', start),
    scan('held', start + hours(3), { action_required: true }),
  ])
  t.same(again.exception, { code: 'held', since: start, actionRequired: true })
  const other = track([scan('held', start), scan('damaged', start + hours(3))])
  t.same(other.exception, { code: 'damaged', since: start + hours(3), actionRequired: false })
})

t.test('an unknown tracking code is recorded and changes nothing', async (t) => {
  for (const code of ['sorted_on_belt', 'unmapped', 'constructor', '__proto__', 'toString']) {
    t.notOk(isTrackingCode(code), code)
    const after = track(hourly('in_transit', code))
    t.equal(after.status, 'in_transit')
    t.equal(after.events.length, 2)
    t.same(after.anomalies, [])
  }
})

t.test('each status has its phase, and a reminder does not restart the status', async (t) => {
  for (const status of trackingStatuses) {
    const { phase } = trackingStatusFacts[status]
    t.equal(phaseOf(track(hourly(status))), phase)
  }
  t.equal(phaseOf(untracked), null)
  const moved = track([scan('ready_for_pickup', start), scan('reminder_sent', start + days(5))])
  t.equal(moved.statusSince, start, 'a reminder begins no new status')
  t.equal(moved.subStatus, 'reminder_sent')
})

const code = fc.constantFrom(...Object.keys(trackingCodes), 'sorted_on_belt')
const scans = fc.array(
  fc
    .tuple(code, fc.integer({ min: 0, max: 40 }))
    .map(([each, hour]) => scan(each, start + hours(hour))),
  { maxLength: 14 },
)
const folded = ({ lastChangedAt: _, ...rest }: Tracking) => rest

t.test('scans fold to the same state in any order, repeated or not', async (t) => {
  const ends = new Set<string | null>()
  fc.assert(
    fc.property(
      scans.chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
          fc.integer({ min: 1, max: 5 }),
        ),
      ),
      ([all, shuffled, size]) => {
        const atOnce = track(all)
        ends.add(atOnce.status)
        const reads: TrackingEventData[][] = []
        for (let from = 0; from < shuffled.length; from += size) {
          reads.push(shuffled.slice(from, from + size))
        }
        const piecemeal = reads.length === 0 ? track([]) : track(...reads)
        if (JSON.stringify(folded(piecemeal)) !== JSON.stringify(folded(atOnce))) {
          throw new Error('the order made a difference')
        }
        if (unseenEvents(atOnce, shuffled).length > 0) throw new Error('something is new again')
      },
    ),
    { numRuns: 500 },
  )
  t.ok(ends.size > 5, 'the scans led to many ends')
})

t.test('no sequence of scans moves the status in a way the rules do not allow', async (t) => {
  let moves = 0
  fc.assert(
    fc.property(scans, (all) => {
      const ordered = track(all).events
      let before = null as TrackingStatus | null
      for (let count = 1; count <= ordered.length; count++) {
        const { status } = track(ordered.slice(0, count))
        const last = ordered[count - 1]?.code ?? ''
        const isReopened = last === 'delivery_reversed' || (last === 'found' && before === 'lost')
        if (before !== null && status !== before && !isReopened) {
          moves += 1
          if (status === null || !higher[before].includes(status)) {
            throw new Error(`${before} became ${status} by ${last}`)
          }
        }
        before = status
      }
    }),
    { numRuns: 500 },
  )
  t.ok(moves > 100)
})

const reopening = new Set(['found', 'delivery_reversed'])

t.test('a scan older than the current status never lowers its rank', async (t) => {
  const rank = ({ status }: Tracking) => (status === null ? 0 : trackingStatusFacts[status].rank)
  const final = (tracking: Tracking) => phaseOf(tracking) === 'final'
  let late = 0
  fc.assert(
    fc.property(scans, scans, (all, more) => {
      const known = track(all.filter((each) => !reopening.has(each.code)))
      const since = known.statusSince
      const older = more.filter(
        (each) =>
          !reopening.has(each.code) && since !== null && Date.parse(each.occurred_at) < since,
      )
      late += older.length
      const after = track(known.events, older)
      // A cancellation that turns out to have come after the hand-over is an anomaly.
      if (known.status === 'cancelled') return
      if (final(known) && !final(after)) throw new Error(`${known.status} was left`)
      if (!final(known) && rank(after) < rank(known)) {
        throw new Error(`${known.status} fell to ${after.status}`)
      }
    }),
    { numRuns: 1_000 },
  )
  t.ok(late > 100)
  t.equal(track(hourly('delivered'), [scan('in_transit', start - hours(1))]).status, 'delivered')
})

t.test('a guide is registered from when it is known, in whatever order scans arrive', async (t) => {
  t.match(track(), { status: 'registered', statusSince: start, monitoring: 'active' })
  const before = scan('registered', start - days(2))
  t.match(track([before]), { status: 'registered', statusSince: start })
  const late = [scan('in_transit', start + hours(6)), before]
  t.match(track(...late.map((each) => [each])), { status: 'in_transit', anomalies: [] })
  const unmapped = track([scan('sorted_on_belt', start + hours(1))], [before])
  t.match(unmapped, { status: 'registered', statusSince: start })
  t.equal(track([scan('missing', start)]).status, 'registered', 'an exception keeps the status')
})

t.test('a parcel that was missing and is found keeps its status', async (t) => {
  const found = track(hourly('arrived_at_destination', 'missing', 'found'))
  t.equal(found.status, 'arrived_at_destination')
  t.equal(found.exception, null)
  t.same(found.anomalies, [])
  t.equal(statusAfter('ready_for_pickup', 'found'), 'ready_for_pickup')
  t.equal(statusAfter('returning', 'delivery_reversed'), 'returning', 'nothing to correct')
})

t.test('a cancellation that is taken back restores the tracking', async (t) => {
  const event = { version: 2, occurredAt: start, recordedAt: start }
  const cancelled = { operationId: 'op_1', at: start + hours(1) }
  const asked = { cancellations: [cancelled] }
  for (const before of [registered(atStart), track(hourly('registered', 'in_transit'))]) {
    const cancelledTracking = withCancellation(before, asked, cancelled, event)
    t.same(folded(withCancellation(cancelledTracking, asked, null, event)), folded(before))
  }
  const tracking = withCancellation(registered(atStart), asked, cancelled, event)
  t.equal(tracking.status, 'cancelled')
  const ended = monitor(tracking, 'completed', event)
  const back = withCancellation(ended, asked, null, event)
  t.equal(back.monitoring, 'active', 'what had ended with it begins again')
  t.equal(back.resumedAt, start)
  t.equal(withCancellation(ended, asked, cancelled, event).monitoring, 'completed')
})

t.test('a thousand scans recorded one by one fold in less than a second', async (t) => {
  const all = Array.from({ length: trackingEventsMax }, (_, minute) =>
    scan('in_transit', start + minutes(minute)),
  )
  const began = performance.now()
  const atOnce = folded(track(all))
  t.same(folded(track(...all.map((each) => [each]))), atOnce)
  const ms = performance.now() - began
  t.ok(ms < 1_000, `${Math.round(ms)} ms`)
})

t.test(
  'beyond the maximum the oldest scans are kept, and cut scans do not count as new',
  async (t) => {
    const all = Array.from({ length: trackingEventsMax + 10 }, (_, minute) =>
      scan('in_transit', start + minutes(minute)),
    )
    const kept = track(all)
    t.equal(kept.events.length, trackingEventsMax)
    t.equal(kept.events[0]?.occurred_at, rfc3339(start))
    t.same(unseenEvents(kept, all), [])
    const older = scan('received_at_origin', start - hours(1))
    t.same(unseenEvents(kept, [older]), [older])
    t.same(folded(track(all.slice(500), all.slice(0, 500))), folded(kept))
  },
)
