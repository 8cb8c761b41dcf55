import t from 'tap'
import type { NativeTrackingEvent, TrackAnswer } from '../../src/service/couriers/courier.ts'
import { guideScanTimes, readGuideScans } from '../../src/service/processes/tracking/guide-scans.ts'
import { days, start } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps, courier } = parts
const lost = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true } as const
const guideNumber = 'G-2'
const ask = async (made: Made) =>
  await readGuideScans(deps, {
    shipmentId: made.shipmentId,
    state: await parts.state(made),
    guideNumber,
    requestId: 'req_1',
    now: start,
  })
const scan = (code: string, atMs: number, more: object = {}): NativeTrackingEvent => ({
  id: null,
  code,
  occurredAt: new Date(atMs),
  agencyCode: 'LIM-01',
  text: 'Recibido por Ana Torres',
  actionRequired: false,
  ...more,
})
const tracked = (...events: readonly NativeTrackingEvent[]): TrackAnswer => ({
  kind: 'tracked',
  events,
  malformed: 0,
  eta: null,
})

t.test("a guide's scans are of our parcel, once each, without the courier's words", async (t) => {
  const made = await parts.shipment(lost)
  const received = scan('received_at_origin', start + 1)
  courier.tracking = () =>
    tracked(
      scan('sorted_on_belt', start + 2),
      received,
      received,
      scan('delivered', start - days(30)),
      scan('delivered', Date.parse('+010000-01-01T00:00:00Z')),
    )
  const before = await parts.events(made)
  const read = await ask(made)
  t.match(read, {
    kind: 'read',
    scans: [
      { code: 'received_at_origin', mapped: true, agency_id: /^agy_/ },
      { code: 'unmapped', mapped: false },
    ],
  })
  t.equal(read.kind === 'read' && read.scans.length, 2)
  t.notMatch(JSON.stringify(read), /Ana|sorted_on_belt/)
  const [call] = courier.tracked
  t.match(call, { clientReference: made.shipmentId, guideNumber, requestId: 'req_1' })
  const leftMs = (call?.answerByMs ?? Number.POSITIVE_INFINITY) - performance.now()
  t.ok(leftMs <= guideScanTimes.answerMs, 'a person does not wait longer')
  t.same(await parts.events(made), before, 'nothing is stored')
})

t.test('a guide without scans has none, and is asked about once in a while', async (t) => {
  const made = await parts.shipment(lost)
  courier.tracking = () => tracked()
  t.same(await ask(made), { kind: 'read', scans: [] })
  const { length } = courier.tracked
  const options = { retryAfterSeconds: guideScanTimes.apartMs / 1_000 }
  const [again] = await Promise.allSettled([ask(made)])
  t.match(again, { reason: { reason: 'rate_limited', options } })
  t.equal(courier.tracked.length, length)
})

t.test('refused credentials park the connection, which is then not used', async (t) => {
  const [first, second] = [await parts.shipment(lost), await parts.shipment(lost)]
  courier.tracking = () => ({ kind: 'unauthorized' })
  const failed = { kind: 'failed', failure: { kind: 'unauthorized' } }
  t.same(await ask(first), failed)
  t.equal(await parts.connectionStatus(), 'needs_reauth')
  const { length } = courier.tracked
  t.same(await ask(second), failed)
  t.equal(courier.tracked.length, length)
  await parts.activate()
})

t.test("the courier's failure to give scans is returned as it is", async (t) => {
  const failures = [
    { kind: 'throttled', retryAfterMs: 3_000 },
    { kind: 'unknown', cause: 'response_lost' },
    { kind: 'rejected', code: 'guide_not_found', text: null, newPrice: null },
  ] as const
  for (const failure of failures) {
    courier.tracking = () => failure
    t.same(await ask(await parts.shipment(lost)), { kind: 'failed', failure })
  }
})
