import t from 'tap'
import { service } from '../support/service.ts'

t.test('creations that meet an advance wait for it and start where it arrives', async (t) => {
  const shop = await service(t)
  const slow = shop.create('order-slow', { scenario: 'slow_success' })
  const path = `/v1/shipments?workspace_id=${shop.seeded.workspaceId}&idempotency_key=order-slow`
  // The slow one is under way before the advance begins.
  while ((await shop.call(path)).body.data.length === 0);
  const began = performance.now()
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
  for (const other of others) {
    t.equal(other.status, 201)
    t.ok(Date.parse(other.body.created_at) > Date.now() + 59 * 60_000, 'it starts at the target')
  }
  t.ok(performance.now() - began < 11_000, 'nobody waits for the other')
})

t.test('the clock takes durations only, of the past none, and of live keys none', async (t) => {
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
