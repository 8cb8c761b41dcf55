import t from 'tap'
import { shipmentProjection } from '../../projections/all.ts'
import { foldBatch } from '../../projections/fold-batch.ts'
import type { Instant } from '../../src/service/domain/decider.ts'
import { pollJitterShare } from '../../src/service/domain/tracking/polling.ts'
import type { Place } from '../../src/service/event-store/event-store.ts'
import { dueList, plansOf } from '../../src/service/processes/due/list.ts'
import { pollTimesOf, readPoll } from '../../src/service/processes/tracking/poll-plan.ts'
import { pollTracking } from '../../src/service/processes/tracking/poll-tracking.ts'
import { applyBatch } from '../../src/service/projector/batch.ts'
import { ensureProjection, projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { runFollower } from '../../src/service/projector/follow.ts'
import { hours, minutes, seconds, start } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps, courier } = parts
const issuedAt = start + seconds(1)
const guide = (guideNumber: string) => ({ guideNumber, price: null, pickupCodeRef: null })
const issued = () => parts.shipment({ kind: 'issued', guide: guide('G-1') })

await ensureProjection(deps.db, shipmentProjection)
await ensureProjection(deps.db, dueList)
const followDeps = { ...deps, pool: parts.pool }
let stop = new AbortController()
let following = Promise.resolve()
t.teardown(async () => {
  stop.abort()
  await following
})

/** Follows the ledger to its end, then stops. */
async function follow(): Promise<void> {
  stop = new AbortController()
  following = runFollower(followDeps, [shipmentProjection, dueList], stop.signal)
  t.ok(await projectionsReached(deps.db, await deps.store.head(), 60_000))
  stop.abort()
  await following
}
const labelAt = async (made: Made) => {
  const [row] = await parts.query<{ label_at: Date | null }>(
    'SELECT label_at FROM due WHERE shipment_id = $1',
    [made.shipmentId],
  )
  return row?.label_at?.getTime() ?? null
}
const planOf = (made: Made) => readPoll(deps.db, made.shipmentId)
const timesOf = async (made: Made) =>
  await pollTimesOf(deps.db, made.shipmentId, await parts.state(made))

t.test(
  "a guide's first poll is due an interval after issue, its label after ten seconds",
  async (t) => {
    const none = await parts.shipment({ kind: 'rejected', detailRef: null })
    const made = await issued()
    const times = { lastCheckedAt: null, nextCheckAt: issuedAt + hours(1) }
    t.same(await timesOf(made), times, 'found before it is planned')
    await follow()
    t.same(await timesOf(made), times)
    t.equal(await labelAt(made), issuedAt + seconds(10))
    t.equal(courier.tracked.length, 0, 'nobody was asked')
    t.equal(await planOf(none), null)
    t.equal(await timesOf(none), null)
  },
)

t.test('later events of a planned guide do not change its plan', async (t) => {
  const made = await issued()
  await follow()
  courier.tracking = () => ({ kind: 'tracked', events: [], malformed: 0, eta: new Date(start) })
  const now = issuedAt + minutes(5)
  await pollTracking(deps, made.shipmentId, now)
  const plan = await planOf(made)
  t.match(plan, { lastCheckedAt: now, nextCheckAt: now + hours(1) })
  await follow()
  t.same(await planOf(made), plan)
})

t.test('a guide that was polled before it was planned still gets its label', async (t) => {
  const made = await issued()
  await pollTracking(deps, made.shipmentId, issuedAt)
  const plan = await planOf(made)
  await follow()
  t.same(await planOf(made), plan)
  t.equal(await labelAt(made), issuedAt + seconds(10))
})

t.test("a shipment's new guide is polled an interval after it became known", async (t) => {
  const made = await issued()
  await follow()
  await pollTracking(deps, made.shipmentId, issuedAt + hours(1))
  const found = start + hours(5)
  const { operationId } = made
  const look = { startedAt: found, by: 'reconciliation' } as const
  const result = { kind: 'guides', guides: [guide('G-1'), guide('G-2')] } as const
  await parts.decide(made, { do: 'record_look', operationId, ...look, result }, found)
  const now = start + hours(6)
  await parts.decide(
    made,
    {
      do: 'resolve',
      operationId,
      decision: 'guide_exists',
      guide: guide('G-2'),
      now,
      resolutionRef: null,
    },
    now,
  )
  const times = { lastCheckedAt: null, nextCheckAt: now + hours(1) }
  t.same(await timesOf(made), times, "the other shipment's read time does not matter")
  await follow()
  t.match(await planOf(made), { guideNumber: 'G-2', ...times })
  t.equal(await labelAt(made), now + seconds(10))
})

t.test('processes that plan the same guides at once plan each guide once', async (t) => {
  const made = await Promise.all(Array.from({ length: 30 }, issued))
  const { place } = await ensureProjection(deps.db, dueList)
  const { events, place: to } = await deps.store.readAll(place, { limit: 1_000 })
  const took = await Promise.allSettled(
    Array.from({ length: 4 }, () => {
      const part = { projection: dueList, generation: 1, active: true, place }
      return applyBatch(followDeps, { parts: [part], kept: new Map() }, to as Place, events)
    }),
  )
  t.equal(took.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const each of made) t.equal((await planOf(each))?.nextCheckAt, issuedAt + hours(1))
})

t.test('the first polls of live guides are spread like all others', async (t) => {
  const waits: number[] = []
  for (let count = 0; count < 20; count++) {
    const events = await parts.events(await issued())
    const { steps } = await foldBatch(deps.store, events, new Map())
    const live = steps.map((step) => {
      const { request } = step.after
      return { ...step, after: { ...step.after, request: { ...request, livemode: true } } }
    })
    const [plan] = plansOf({ steps: live })
    waits.push(Date.parse(plan?.check_at ?? '') - issuedAt)
  }
  const [least, most] = [hours(1) * (1 - pollJitterShare), hours(1) * (1 + pollJitterShare)]
  t.ok(
    waits.every((wait: Instant) => wait >= least && wait <= most),
    waits.join(),
  )
  t.ok(new Set(waits).size > 1)
})
