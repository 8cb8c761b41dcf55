import pg from 'pg'
import t from 'tap'
import { operations } from '../../../src/service/couriers/protocol.ts'
import { shipmentKinds } from '../../../src/service/processes/due/shipment-kinds.ts'
import { advanceOnce } from '../../../src/service/processes/sandbox/sandbox-clock.ts'
import { readClock } from '../../../src/service/processes/sandbox/workspace-clock.ts'
import { runQueue } from '../../../src/service/queue/run.ts'
import { type Answer, type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { forwardingProxy } from '../../support/forwarding-proxy.ts'
import { type Service, service } from '../../support/service.ts'

// Without the role `worker`, only the test's own advance does any work.
const apart = ['api', 'projector'] as const

/**
 * Starts an advance and performs it, in as many shares as it takes. Returns the clock afterwards.
 */
async function advanced(shop: Service, by: string, client: ApiClient = shop): Promise<Answer> {
  const { workspaceId } = client.seeded
  const body = { workspace_id: workspaceId, by }
  const answer = client.call('/v1/sandbox/clock/advance', { body })
  const clock = () => readClock(shop.parts.db, { workspaceId, livemode: false })
  await eventually(clock, ({ advancingTo }) => advancingTo !== null)
  while ((await clock()).advancingTo !== null) {
    await advanceOnce(shop.parts, new AbortController().signal)
  }
  await answer
  return await client.call(`/v1/sandbox/clock?workspace_id=${workspaceId}`)
}

/** Waits until the list of due work has the first tracking read of the shipment. */
async function followed({ parts }: Service, shipmentId: string): Promise<void> {
  await eventually(
    () =>
      parts.pool.query('SELECT FROM due WHERE shipment_id = $1 AND check_at > now()', [shipmentId]),
    ({ rowCount }) => rowCount === 1,
  )
}

async function asAdmin(shop: Service, text: string): Promise<void> {
  const admin = new pg.Client({ connectionString: shop.database.adminUrl })
  await admin.connect()
  try {
    await admin.query(text)
  } finally {
    await admin.end()
  }
}

/** Makes the database refuse the plan of a shipment's next read this often. */
async function refusePlans(shop: Service, shipmentId: string, times: number): Promise<void> {
  await asAdmin(
    shop,
    `CREATE SEQUENCE refused;
     CREATE FUNCTION refuse_plan() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
     BEGIN
       IF nextval('public.refused') <= ${times} THEN RAISE 'refused by the test'; END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER refuse_plan BEFORE UPDATE ON due FOR EACH ROW
       WHEN (NEW.shipment_id = '${shipmentId}' AND OLD.check_at IS DISTINCT FROM NEW.check_at)
       EXECUTE FUNCTION refuse_plan();`,
  )
}

async function trackingOf(client: ApiClient, shipmentId: string) {
  return (await client.call(`/v1/shipments/${shipmentId}/tracking`)).body
}

t.test('an advance arrives with the work done of a step that failed three times', async (t) => {
  const shop = await service(t, { roles: apart })
  const { id } = (await shop.create('order-failing')).body
  await followed(shop, id)
  await refusePlans(shop, id, 3)
  const arrived = await advanced(shop, 'PT33H')
  t.equal((await trackingOf(shop, id)).status, 'delivered')
  t.match(arrived, { status: 200, body: { advancing_to: null, advance: { skipped: [] } } })
  const { rows } = await shop.parts.pool.query('SELECT check_at FROM due WHERE first_at <= $1', [
    arrived.body.now,
  ])
  t.same(rows, [], 'nothing is due')
})

t.test('an advance says which work it could not do, and does the rest', async (t) => {
  const shop = await service(t, { roles: apart })
  const { id } = (await shop.create('order-failing')).body
  const beside = (await shop.create('order-beside')).body
  await followed(shop, id)
  await followed(shop, beside.id)
  await refusePlans(shop, id, 1_000_000)
  const { advance } = (await advanced(shop, 'PT33H')).body
  t.same(advance.skipped, [{ shipment_id: id, what: 'tracking', reason: 'failed' }])
  t.equal(advance.skipped_more, 0)
  t.equal((await trackingOf(shop, beside.id)).status, 'delivered')
  t.not((await trackingOf(shop, id)).status, 'delivered')
  await asAdmin(shop, 'DROP TRIGGER refuse_plan ON due')
  const stop = new AbortController()
  const working = runQueue(shop.parts, shipmentKinds(shop.parts), stop.signal)
  t.teardown(async () => {
    stop.abort()
    await working
  })
  const { status } = await eventually(
    () => trackingOf(shop, id),
    (tracking) => tracking.status === 'delivered',
  )
  t.equal(status, 'delivered', 'the worker does it afterwards')
})

t.test('an advance says that work of a parked connection has to wait', async (t) => {
  const shop = await service(t, { roles: apart })
  const made = await shop.create('order-lost', { scenario: 'lost_response_human_review' })
  const { shipment_id: shipmentId } = made.body
  await shop.parts.pool.query(
    `UPDATE courier_connections SET status = 'needs_reauth' WHERE id = $1`,
    [shop.seeded.connectionId],
  )
  shop.parts.accounts.forget(shop.seeded)
  const { advance } = (await advanced(shop, 'PT10M')).body
  t.same(advance.skipped, [{ shipment_id: shipmentId, what: 'reconciliation', reason: 'deferred' }])
})

/** Tracking reads are answered only once this many are waiting. */
const sideBySide = 6
/** Only a service that reads sequentially waits this long. */
const heldMsMax = 2_000

/** A proxy to the courier that answers tracking reads together. */
async function answeringTogether(t: Parameters<typeof forwardingProxy>[0], courierUrl: string) {
  let waiting = 0
  let most = 0
  let full = Promise.withResolvers<void>()
  const held = async () => {
    waiting += 1
    most = Math.max(most, waiting)
    if (waiting === sideBySide) full.resolve()
    const timer = setTimeout(full.resolve, heldMsMax)
    await full.promise
    clearTimeout(timer)
    waiting -= 1
    if (waiting === 0) full = Promise.withResolvers()
  }
  const url = await forwardingProxy(t, courierUrl, {
    held: (path) => (path === operations.track.path ? held() : undefined),
  })
  return { url, mostTogether: () => most }
}

t.test('an advance works for many shipments side by side', async (t) => {
  let courier: Awaited<ReturnType<typeof answeringTogether>> | undefined
  const shop = await service(t, {
    roles: apart,
    courierUrl: async (url) => {
      courier = await answeringTogether(t, url)
      return courier.url
    },
  })
  for (let number = 0; number < sideBySide; number++) {
    await followed(shop, (await shop.create(`order-${number}`)).body.id)
  }
  await advanced(shop, 'PT90M')
  t.equal(courier?.mostTogether(), sideBySide)
})

/** The events of a shipment with their times since its guide was issued, which are exact. */
async function storyOf(client: ApiClient, shipmentId: string) {
  const events = await client.events(shipmentId)
  const issuedAt = Date.parse(events.find(({ type }) => type === 'GuideIssued')?.recorded_at ?? '')
  return events
    .slice(events.findIndex(({ type }) => type === 'GuideIssued'))
    .map(({ type, recorded_at: at }) => `${type} ${Date.parse(at) - issuedAt}`)
}

t.test('a shipment has the same history beside others as alone', async (t) => {
  const shop = await service(t, { roles: apart })
  const other = await freshShop(shop, 'other')
  const scenarios = ['happy_path', 'delivery_exception', 'noisy_tracking'] as const
  const many: { readonly scenario: string; readonly id: string }[] = []
  for (let number = 0; number < 12; number++) {
    const scenario = scenarios[number % scenarios.length] ?? 'happy_path'
    const { id } = (await shop.create(`order-${number}`, { scenario })).body
    await followed(shop, id)
    many.push({ scenario, id })
  }
  await advanced(shop, 'P4D')
  for (const scenario of scenarios) {
    const alone = (await other.create(`alone-${scenario}`, { scenario })).body.id
    await followed(shop, alone)
    await advanced(shop, 'P4D', other)
    const expected = await storyOf(other, alone)
    t.ok(expected.length > 5, `${scenario} has a history`)
    for (const { id } of many.filter((each) => each.scenario === scenario)) {
      t.same(await storyOf(shop, id), expected, scenario)
    }
  }
})
