import { randomUUID } from 'node:crypto'
import t from 'tap'
import { shipmentKinds } from '../../../src/service/processes/due/shipment-kinds.ts'
import { advanceOnce } from '../../../src/service/processes/sandbox/sandbox-clock.ts'
import { readClock } from '../../../src/service/processes/sandbox/workspace-clock.ts'
import { runQueue } from '../../../src/service/queue/run.ts'
import { type Answer, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { type Service, service } from '../../support/service.ts'

t.test('creations during an advance wait for it and start at its target time', async (t) => {
  const shop = await service(t)
  const slow = shop.create('order-slow', { scenario: 'slow_success' })
  const path = `/v1/shipments?workspace_id=${shop.seeded.workspaceId}&idempotency_key=order-slow`
  // The slow creation begins before the advance does.
  while ((await shop.call(path)).body.data.length === 0);
  const by = { workspace_id: shop.seeded.workspaceId, by: 'PT1H' }
  const advance = shop.call('/v1/sandbox/clock/advance', { body: by })
  const clock = () => shop.call(`/v1/sandbox/clock?workspace_id=${shop.seeded.workspaceId}`)
  while ((await clock()).body.advancing_to === null);
  const second = await shop.call('/v1/sandbox/clock/advance', { body: by })
  t.match(second, { status: 409, body: { reason: 'clock_advancing' } })
  const others = await Promise.all(['a', 'b', 'c'].map((name) => shop.create(`order-${name}`)))
  const arrived = await advance
  t.match(arrived, { status: 200, body: { advancing_to: null } })
  t.equal((await slow).status, 201)
  // A creation waits for less time than an advance: if they waited for each other, it would be 409.
  for (const other of others) {
    t.equal(other.status, 201)
    t.ok(Date.parse(other.body.created_at) > Date.now() + 59 * 60_000, 'it starts at the target')
  }
})

t.test('an advance takes only a positive ISO 8601 duration of at most 60 days', async (t) => {
  const shop = await service(t)
  for (const by of ['', 'P', 'PT', 'PT0S', '-PT1H', 'P61D', 'PT1H30', '6 hours', 'P1Y', 'PT1e3S']) {
    const answer = await shop.call('/v1/sandbox/clock/advance', { body: { by } })
    t.match(answer, { status: 422, body: { errors: [{ pointer: '/by' }] } }, `by ${by}`)
  }
  const before = Date.parse((await shop.call('/v1/sandbox/clock')).body.now)
  t.equal((await shop.advance('P1DT2H30M')).status, 200)
  const after = Date.parse((await shop.call('/v1/sandbox/clock')).body.now)
  t.ok(after - before >= (26 * 60 + 30) * 60_000)
})

/** Waits until the workspace's clock has reached its target. */
async function arrived(shop: Service): Promise<Answer> {
  return await eventually(
    () => shop.call(`/v1/sandbox/clock?workspace_id=${shop.seeded.workspaceId}`),
    ({ body }) => body.advancing_to === null,
    60_000,
  )
}

t.test('an advance completes in order even if its worker dies in the middle', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'], advance: { answerMs: 100 } })
  const { parts, seeded } = shop
  const { workspaceId } = seeded
  const made = await shop.create('order-killed')
  // No worker runs, so the caller's wait ends before the advance does.
  const accepted = await shop.call('/v1/sandbox/clock/advance', { body: { by: 'PT33H' } })
  t.equal(accepted.status, 202, 'it continues in the background')
  const target = Date.parse(accepted.body.advancing_to)
  t.ok(target > Date.now() + 32 * 3_600_000)
  // The lease of a worker that was killed after claiming the advance.
  await parts.pool.query(
    `INSERT INTO claims (work, owner, leased_until) VALUES ($1, $2, now() + interval '1 second')`,
    [`advance:${workspaceId}`, randomUUID()],
  )
  const again = await shop.call('/v1/sandbox/clock/advance', { body: { by: 'PT1H' } })
  t.match(again, { status: 409, body: { reason: 'clock_advancing', retryable: true } })
  const stops = [new AbortController(), new AbortController()] as const
  const works = (stop: AbortController) => runQueue(parts, shipmentKinds(parts), stop.signal)
  // The first worker to take over is stopped midway too; the second does the rest.
  const first = works(stops[0])
  await eventually(
    () => readClock(parts.db, { workspaceId, livemode: false }),
    ({ now }) => now > Date.now() + 3 * 3_600_000,
  )
  stops[0].abort()
  await first
  const second = works(stops[1])
  t.teardown(async () => {
    stops[1].abort()
    await second
  })
  const now = Date.parse((await arrived(shop)).body.now)
  t.ok(now >= target && now < target + 60_000, 'where it was to arrive')
  const tracking = await shop.call(`/v1/shipments/${made.body.id}/tracking`)
  t.equal(tracking.body.status, 'delivered')
  const times = (await shop.events(made.body.id)).map((event) => event.recorded_at)
  t.same(times, times.toSorted(), 'in the order in which it fell due')
})

t.test('an advance with too many steps for one turn answers 202 and continues later', async (t) => {
  // Deferred work is tried again in each round and is not counted. The label is requested five
  // times in ten minutes.
  // The wait of the caller is never over, so only the pause of the worker ends it.
  const advanceOptions = { steps: 3, answerMs: 600_000 }
  const shop = await service(t, { roles: ['api', 'projector'], advance: advanceOptions })
  const { parts, seeded } = shop
  const other = await freshShop(shop, 'other')
  await shop.create('order-lost', { scenario: 'lost_response_human_review' })
  t.equal((await shop.create('order-labelled', { scenario: 'label_delayed' })).status, 201)
  await parts.pool.query(`UPDATE courier_connections SET status = 'needs_reauth' WHERE id = $1`, [
    seeded.connectionId,
  ])
  parts.accounts.forget(seeded)
  const share = () => advanceOnce(parts, new AbortController().signal)
  const advance = async ({ seeded: { workspaceId } }: typeof other) => {
    const body = { workspace_id: workspaceId, by: 'PT10M' }
    const answer = shop.call('/v1/sandbox/clock/advance', { body })
    await eventually(
      () => readClock(parts.db, { workspaceId, livemode: false }),
      ({ advancingTo }) => advancingTo !== null,
    )
    return { answer }
  }
  const pauseFor = (ms: number) =>
    parts.pool.query(
      `UPDATE claims SET leased_until = now() + $2 * interval '1 millisecond' WHERE work = $1`,
      [`advance:${seeded.workspaceId}`, ms],
    )
  const first = await advance(shop)
  t.equal(await share(), 1)
  // Longer than the rest of the test, however slow the machine is.
  await pauseFor(3_600_000)
  const accepted = await first.answer
  t.equal(accepted.status, 202)
  const second = await advance(other)
  t.equal(await share(), 1, 'a later workspace is served during the pause')
  t.equal((await second.answer).status, 200)
  t.not(
    (await shop.call(`/v1/sandbox/clock?workspace_id=${seeded.workspaceId}`)).body.advancing_to,
    null,
  )
  t.equal(await share(), 0, 'it is in its pause')
  await pauseFor(0)
  t.equal(await share(), 1)
  t.ok(Date.parse((await arrived(shop)).body.now) >= Date.parse(accepted.body.advancing_to))
})

t.test('an advance moves one workspace, never live time, and no clock goes back', async (t) => {
  const shop = await service(t)
  const other = await freshShop(shop, 'other')
  const { workspaceId } = shop.seeded
  const live = { workspaceId, livemode: true }
  const dueAt = new Date(Date.now() + 3_600_000)
  await shop.parts.pool.query(
    `INSERT INTO due (shipment_id, workspace_id, livemode, check_at)
     VALUES ('shp_live', $1, true, $2)`,
    [workspaceId, dueAt],
  )
  const clockOf = async (client: typeof other) => {
    const path = `/v1/sandbox/clock?workspace_id=${client.seeded.workspaceId}`
    return Date.parse((await client.call(path)).body.now)
  }
  const made = await shop.create('order-ahead')
  await shop.advance('PT6H')
  let before = await clockOf(shop)
  t.ok(before > Date.now() + 5 * 3_600_000)
  t.ok(Math.abs((await clockOf(other)) - Date.now()) < 5_000, 'the other runs with the wall')
  const { now } = await readClock(shop.parts.db, live)
  t.ok(Math.abs(now - Date.now()) < 1_000, 'live time is wall time')
  // By then the workers have checked for due work more than once.
  await eventually(
    () => shop.call(`/v1/shipments/${made.body.id}/tracking`),
    ({ body }) => body.monitoring.last_checked_at !== null,
  )
  const { rows } = await shop.parts.pool.query(
    `SELECT check_at FROM due WHERE shipment_id = 'shp_live'`,
  )
  t.same(rows, [{ check_at: dueAt }], 'what is due live is not due earlier')
  for (let count = 0; count < 5; count++) {
    const after = await clockOf(shop)
    t.ok(after >= before)
    before = after
  }
})
