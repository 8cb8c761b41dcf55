import t from 'tap'
import { projections } from '../../../projections/all.ts'
import type { NativeTrackingEvent } from '../../../src/service/couriers/courier.ts'
import type { Instant } from '../../../src/service/domain/decider.ts'
import { operationIdOf } from '../../../src/service/domain/ids.ts'
import type { Command } from '../../../src/service/domain/shipment/shipment-decisions.ts'
import { trackingToApi } from '../../../src/service/domain/tracking/tracking-to-api.ts'
import { pollTracking } from '../../../src/service/processes/tracking/poll-tracking.ts'
import { ensureProjection } from '../../../src/service/projector/checkpoint.ts'
import { days, hours, seconds, start } from '../../support/given.ts'
import { type Made, processParts } from '../../support/process-parts.ts'

/** A courier that reuses guide numbers and still has the scans of the previous parcel. */
const parts = await processParts(t)
const { deps, courier } = parts
for (const projection of projections) await ensureProjection(deps.db, projection)
const issuedAt = start + seconds(1)
const guide = { guideNumber: 'G-1', price: null, pickupCodeRef: null }
const issued = () => parts.shipment({ kind: 'issued', guide })
const scan = (code: string, at: Instant): NativeTrackingEvent => ({
  id: `${code}-${at}`,
  code,
  occurredAt: new Date(at),
  agencyCode: null,
  text: `Texto de ${code}`,
  actionRequired: false,
})
const reports = (...events: readonly NativeTrackingEvent[]) => {
  courier.tracking = () => ({ kind: 'tracked', events, malformed: 0, eta: null })
}
const trackingOf = async (made: Made) => (await parts.state(made)).tracking
const poll = (made: Made, now: Instant) => pollTracking(deps, made.shipmentId, now)

t.test('scans of an earlier parcel with the number are kept and never folded', async (t) => {
  const made = await issued()
  const lastYear = [
    scan('in_transit', 0),
    scan('in_transit', start - days(370)),
    scan('delivered', start - days(368)),
    scan('delivered', start - days(1) - 1),
  ]
  reports(...lastYear)
  await poll(made, issuedAt + hours(1))
  t.match(await trackingOf(made), {
    status: 'registered',
    monitoring: 'active',
    events: [],
    statusSince: issuedAt,
    lastChangedAt: issuedAt,
  })
  t.equal((await trackingOf(made)).earlier.length, lastYear.length)
  t.strictSame(parts.anomalies.splice(0), ['earlier_parcel'])
  t.strictSame(trackingToApi(made.shipmentId, await parts.state(made)).anomalies, [
    { code: 'earlier_parcel', count: lastYear.length, shipment_ids: [] },
  ])
  const observed = (await parts.events(made)).findLast(({ type }) => type === 'TrackingObserved')
  const ref = observed?.type === 'TrackingObserved' ? observed.data.evidence_ref : null
  const kept = await deps.vault.openItem(ref ?? '')
  t.match(kept, { native: lastYear.map(({ text }) => ({ text })) }, 'as evidence')

  await poll(made, issuedAt + hours(2))
  t.equal((await parts.types(made)).length, 4, 'the same scans again append nothing')

  const own = [scan('received_at_origin', start - hours(23)), scan('in_transit', start + hours(2))]
  reports(...lastYear, ...own)
  await poll(made, issuedAt + hours(3))
  const { status, events } = await trackingOf(made)
  t.equal(status, 'in_transit', 'monitoring continues as before')
  t.strictSame(
    events.map(({ code }) => code),
    ['received_at_origin', 'in_transit'],
    'a scan from a clock that is a day off is still accepted',
  )
})

t.test('a parcel whose number was used before is given up in its own time', async (t) => {
  const made = await issued()
  reports(scan('delivered', start - days(300)))
  await poll(made, issuedAt + days(30) - 1)
  t.equal((await trackingOf(made)).monitoring, 'active')
  await poll(made, issuedAt + days(30))
  t.match(await trackingOf(made), { status: 'registered', monitoring: 'expired' })
})

t.test("an earlier parcel's time of arrival is not the new one's", async (t) => {
  const made = await issued()
  const eta = new Date(start - days(368))
  courier.tracking = () => ({ kind: 'tracked', events: [], malformed: 0, eta })
  await poll(made, issuedAt + hours(1))
  t.equal((await trackingOf(made)).eta, null)
  t.equal((await parts.types(made)).length, 3)
})

t.test('a guide that is found after a recovery keeps the scans from before it', async (t) => {
  const requested = await issued()
  const { request } = await parts.state(requested)
  const intent = {
    do: 'request_shipment',
    now: start,
    callDeadline: start + seconds(20),
    credentialsVersion: 1,
  } as const
  const lost = [scan('received_at_origin', start - days(58)), scan('delivered', start - days(55))]
  reports(scan('delivered', start - days(400)), scan('lost', 0), ...lost)
  const other = { ...guide, guideNumber: 'G-2' }
  const found = async (
    key: string,
    more: Partial<Extract<Command, { do: 'request_shipment' }>>,
  ) => {
    const shipmentId = `shp_${key.padEnd(22, '0')}`
    const made = { shipmentId, operationId: operationIdOf(shipmentId, 1) }
    const { operationId } = made
    await parts.decide(made, { ...intent, operationId, request, ...more }, start)
    return made
  }
  const one = await found('one', { foundFirst: { guides: [guide] } })
  await poll(one, start + hours(1))
  t.match(await trackingOf(one), { status: 'delivered', events: { length: 2 } })

  const two = await found('two', { foundFirst: { guides: [guide, other] } })
  const decision = { decision: 'guide_exists', guide: other, resolutionRef: null } as const
  const { operationId } = two
  await parts.decide(two, { do: 'resolve', operationId, now: start, ...decision }, start)
  await poll(two, start + hours(1))
  t.match(await trackingOf(two), { status: 'delivered', events: { length: 2 } })

  const again = await found('again', { request: { ...request, recovered: true } })
  const outcome = { kind: 'issued', guide } as const
  await parts.decide(again, { do: 'record_outcome', ...again, outcome }, start)
  await poll(again, start + hours(1))
  t.match(await trackingOf(again), { status: 'delivered', events: { length: 2 } })
})

t.test('no more than a thousand scans of earlier parcels are kept', async (t) => {
  const made = await issued()
  const many = Array.from({ length: 1_050 }, (_, hour) =>
    scan('in_transit', start - days(400) + hours(hour)),
  )
  reports(...many)
  for (let count = 1; count <= 7; count++) await poll(made, issuedAt + hours(count))
  t.equal((await trackingOf(made)).earlier.length, 1_000)
  reports(...many, scan('in_transit', start + hours(1)))
  for (let count = 8; count <= 9; count++) await poll(made, issuedAt + hours(count))
  t.equal((await trackingOf(made)).status, 'in_transit')
})
