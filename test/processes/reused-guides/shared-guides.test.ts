import t from 'tap'
import { projections } from '../../../projections/all.ts'
import { trackingToApi } from '../../../src/service/domain/tracking/tracking-to-api.ts'
import { pollTracking } from '../../../src/service/processes/tracking/poll-tracking.ts'
import { ensureProjection, projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { runFollower } from '../../../src/service/projector/follow.ts'
import { days, hours, start } from '../../support/given.ts'
import { type Made, processParts } from '../../support/process-parts.ts'

/** A courier that gives one guide number to two shipments. */
const parts = await processParts(t)
const { deps, courier } = parts
for (const projection of projections) await ensureProjection(deps.db, projection)
const stop = new AbortController()
const following = runFollower({ ...deps, pool: parts.pool }, projections, stop.signal)
t.teardown(async () => {
  stop.abort()
  await following
})
const issued = (guideNumber: string, at = start) =>
  parts.shipment({ kind: 'issued', guide: { guideNumber, price: null, pickupCodeRef: null } }, at)
const poll = async (made: Made, now: number) => {
  t.ok(await projectionsReached(deps.db, await deps.store.head(), 60_000))
  await pollTracking(deps, made.shipmentId, now)
}
const anomaliesOf = async (made: Made) =>
  trackingToApi(made.shipmentId, await parts.state(made)).anomalies
const shares = (...ids: readonly string[]) => [
  { code: 'guide_number_shared', count: ids.length, shipment_ids: ids },
]

t.test('one guide number for two shipments of a connection is noticed on both', async (t) => {
  const delivered = {
    id: 'd-1',
    code: 'delivered',
    occurredAt: new Date(start + hours(5)),
    agencyCode: null,
    text: '',
    actionRequired: false,
  }
  courier.tracking = () => ({ kind: 'tracked', events: [delivered], malformed: 0, eta: null })
  const first = await issued('G-7')
  await poll(first, start + hours(6))
  await poll(first, start + days(2))
  t.match(await parts.state(first), { tracking: { monitoring: 'completed' } })
  t.strictSame(await anomaliesOf(first), [])

  const later = start + days(300)
  const second = await issued('G-7', later)
  await issued('G-8', later)
  await poll(second, later + hours(1))
  t.match(await parts.state(second), { tracking: { status: 'registered' } })
  t.strictSame(
    await anomaliesOf(first),
    shares(second.shipmentId),
    'though it is not read any more',
  )
  const [earlier, shared] = await anomaliesOf(second)
  t.match(earlier, { code: 'earlier_parcel', count: 1 })
  t.strictSame([shared], shares(first.shipmentId))
  t.strictSame(parts.anomalies.splice(0).toSorted(), [
    'earlier_parcel',
    'guide_number_shared',
    'guide_number_shared',
  ])

  const before = [await parts.types(first), await parts.types(second)]
  await poll(second, later + hours(2))
  t.strictSame([await parts.types(first), await parts.types(second)], before, 'once')
  t.strictSame(parts.anomalies, [])
})

t.test('the same guide number on another connection does not matter', async (t) => {
  courier.tracking = () => ({ kind: 'tracked', events: [], malformed: 0, eta: null })
  const one = await issued('G-9')
  const { request: own } = await parts.state(one)
  const other = {
    ...one,
    shipmentId: `shp_${'9'.repeat(22)}`,
    operationId: `op_${'9'.repeat(22)}01`,
  }
  const intent = { callDeadline: start + hours(1), credentialsVersion: 1, now: start } as const
  const { operationId } = other
  const request = { ...own, courier_connection_id: `ccn_${'9'.repeat(22)}` }
  await parts.decide(other, { do: 'request_shipment', operationId, request, ...intent }, start)
  const outcome = {
    kind: 'issued',
    guide: { guideNumber: 'G-9', price: null, pickupCodeRef: null },
  } as const
  await parts.decide(other, { do: 'record_outcome', operationId, outcome }, start)
  await poll(one, start + hours(1))
  t.strictSame(await anomaliesOf(one), [])
})

t.test('the shipments with one number are counted up to ten', async (t) => {
  courier.tracking = () => ({ kind: 'tracked', events: [], malformed: 0, eta: null })
  const made: Made[] = []
  for (let count = 0; count < 13; count++) made.push(await issued('G-10'))
  const [first] = made as [Made]
  for (const each of made) await poll(each, start + hours(1))
  for (const each of made) t.match(await anomaliesOf(each), [{ count: 10 }])
  const types = await parts.types(first)
  await poll(first, start + hours(2))
  t.strictSame(await parts.types(first), types)
})
