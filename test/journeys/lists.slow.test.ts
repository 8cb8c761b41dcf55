import pg from 'pg'
import t, { type Test } from 'tap'
import { byCli } from '../../src/service/cli/acting.ts'
import type { shipmentFilters } from '../../src/service/http/shipments/list-shipments.ts'
import { registerCourier } from '../../src/service/processes/connections/registered-couriers.ts'
import { plannedMax } from '../../src/service/processes/erasure/retention.ts'
import { projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { createApiKey, defaultScopes } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { listPlans } from '../prove/lists/list-plans.ts'
import { fillLists } from '../prove/lists/list-rows.ts'
import { retentionPlan } from '../prove/retention/retention-plan.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const
const organizationId = shop.seeded.organizationId

async function aKey(livemode = false, of = organizationId): Promise<string> {
  const order = { organizationId: of, workspaceId: null, livemode, expiresAt: null }
  return (await createApiKey(shop.parts, { ...order, scopes: defaultScopes }, by)).key
}

async function caughtUp(): Promise<void> {
  const { db, store } = shop.parts
  if (!(await projectionsReached(db, await store.head(), 60_000))) {
    throw new Error('the projections did not catch up')
  }
}

type Item = { readonly id: string }

async function walk(path: string, between: (page: number) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  const joint = path.includes('?') ? '&' : '?'
  let cursor = ''
  for (let page = 0; ; page++) {
    const { body } = await shop.call(`${path}${joint}limit=4${cursor}`)
    seen.push(...body.data.map(({ id }: Item) => id))
    if (!body.has_more) return seen
    cursor = `&cursor=${body.next_cursor}`
    await between(page)
  }
}

function aWorkspace(reference: string) {
  return shop.call('/v1/workspaces', { body: { name: 'Shop', external_reference: reference } })
}

/** Adds a row to each list while it is read page by page. */
const feeds: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  '/v1/shipments': async (name) => {
    await shop.create(name)
    await caughtUp()
  },
  '/v1/operations': async (name) => {
    await shop.create(name, { scenario: 'lost_response_guide_created' })
    await caughtUp()
  },
  '/v1/workspaces': (name) => aWorkspace(name),
  '/v1/keys': () => aKey(),
  '/v1/courier-connections': (name) =>
    shop.call('/v1/courier-connections', {
      body: {
        workspace_id: shop.seeded.workspaceId,
        provider_code: 'mock',
        display_name: name,
        credentials: { username: 'a', password: 'b' },
      },
    }),
  '/v1/webhook-endpoints': (name) =>
    shop.call('/v1/webhook-endpoints', {
      body: {
        workspace_id: shop.seeded.workspaceId,
        url: 'https://receiver.invalid/hooks',
        description: name,
        event_types: ['quota.*'],
      },
    }),
}

t.test('a page with the current ETag gets 304 until something in it changes', async (t) => {
  const path = '/v1/workspaces?limit=3'
  await aWorkspace('etag-1')
  const first = await shop.call(path)
  const etag = first.headers.get('etag') ?? ''
  const readAgain = () => shop.call(path, { headers: { 'if-none-match': etag } })
  const unchanged = await readAgain()
  t.equal(unchanged.status, 304)
  await aWorkspace('etag-2')
  const changed = await readAgain()
  t.equal(changed.status, 200)
  t.not(changed.headers.get('etag'), etag)
  t.equal((await shop.call('/v1/workspaces?limit=0')).headers.get('etag'), null)
})

for (const [path, feed] of Object.entries(feeds)) {
  t.test(
    `${path} read page by page while it grows shows each row once and misses none`,
    async (t) => {
      await Promise.all(Array.from({ length: 10 }, (_, n) => feed(`${path}-before-${n}`)))
      const before = await walk(path, async () => undefined)
      t.ok(before.length >= 10)
      const during = await walk(path, (page) => feed(`${path}-during-${page}`))
      t.equal(new Set(during).size, during.length, 'none twice')
      t.same(
        before.filter((id) => !during.includes(id)),
        [],
        'no existing item is missed',
      )
    },
  )
}

async function cursorOf(path: string): Promise<string> {
  const { body } = await shop.call(`${path}${path.includes('?') ? '&' : '?'}limit=1`)
  if (!body.has_more) throw new Error(`${path} has one page`)
  return body.next_cursor
}

async function refusedCursor(t: Test, path: string, cursor: string, key?: string): Promise<void> {
  const joint = path.includes('?') ? '&' : '?'
  const answer = await shop.call(
    `${path}${joint}cursor=${cursor}`,
    key === undefined ? {} : { key },
  )
  t.equal(answer.status, 400, path)
  t.equal(answer.body.reason, 'invalid_cursor', path)
}

t.test("every list refuses a changed cursor and another list's cursor", async (t) => {
  const [one] = (await shop.call('/v1/shipments?limit=1')).body.data
  const lists = [
    ...Object.keys(feeds),
    `/v1/shipments/${one.id}/events`,
    `/v1/agencies?courier_connection_id=${shop.seeded.connectionId}`,
    '/v1/package-products',
  ]
  const stranger = await createOrganization(shop.parts, { name: 'S', type: 'external' }, by)
  const [theirs, live] = [await aKey(false, stranger.id), await aKey(true)]
  const cursors = await Promise.all(lists.map(cursorOf))
  for (const [n, path] of lists.entries()) {
    const cursor = cursors[n] ?? ''
    const other = cursors[(n + 1) % cursors.length] ?? ''
    await refusedCursor(t, path, other)
    for (const at of [0, 10, cursor.length - 2]) {
      const flipped = cursor[at] === 'A' ? 'B' : 'A'
      await refusedCursor(t, path, cursor.slice(0, at) + flipped + cursor.slice(at + 1))
    }
    await refusedCursor(t, path, cursor.slice(0, -4))
    // A list of one resource answers 404 before it checks the cursor.
    if (!path.includes('/events') && !path.includes('agencies')) {
      await refusedCursor(t, path, cursor, theirs)
      if (!path.includes('package')) await refusedCursor(t, path, cursor, live)
    }
    const joint = path.includes('?') ? '&' : '?'
    for (const wrong of ['limit=0', 'limit=101', 'sort=name', 'limit=2&limit=3']) {
      const { status, body } = await shop.call(`${path}${joint}${wrong}`)
      t.equal(status, 400, `${path} ${wrong}`)
      t.equal(body.reason, 'invalid_filter')
    }
  }
  await refusedCursor(t, `/v1/shipments?status=created`, cursors[0] ?? '')
})

t.test('health shows the platform all open operations, others only their own', async (t) => {
  const platform = await createOrganization(shop.parts, { name: 'P', type: 'platform' }, by)
  const stranger = await createOrganization(shop.parts, { name: 'N', type: 'external' }, by)
  await shop.create('open', { scenario: 'lost_response_nothing_created' })
  await caughtUp()
  const health = async (key?: string) => {
    const { status, body } = await shop.call('/v1/health', key === undefined ? {} : { key })
    t.equal(status, 200)
    return body
  }
  const open = (body: { operations: { status: string; count: number }[] }) =>
    body.operations.find(({ status }) => status === 'reconciling')?.count
  const own = await health()
  t.match(own, { object: 'health', status: 'ok', livemode: false, oldest_undelivered: null })
  t.same(own.couriers, [{ provider_code: 'mock', status: 'reachable' }])
  t.same(own.projections.map(({ name }: { name: string }) => name).toSorted(), [
    'audit',
    'due',
    'outbox',
    'shipments',
  ])
  for (const one of own.projections) {
    t.match(one, { state: 'working', generation: 1, position: null, lag_seconds: Number })
  }
  t.ok((open(own) ?? 0) >= 1)
  t.equal(open(await health(await aKey(false, stranger.id))), 0)
  const all = await health(await aKey(false, platform.id))
  t.ok((open(all) ?? 0) >= 1)
  for (const one of all.projections) t.match(one.position, /^\d{20}/)
  t.equal(
    open(await health(await aKey(true, platform.id))),
    0,
    'live mode sees nothing of test mode',
  )
})

t.test('live keys see within seconds that a courier was registered or removed', async (t) => {
  const live = await aKey(true)
  const codes = async () => {
    const { body } = await shop.call('/v1/couriers', { key: live })
    return body.data.map((one: { provider_code: string }) => one.provider_code)
  }
  t.same(await codes(), [])
  const order = {
    providerCode: 'some',
    displayName: 'Some courier',
    baseUrl: shop.simulator.url,
    token: 'canary-token',
    capabilities: {
      find: true,
      cancel: true,
      tracking: true,
      label: true,
      quote: true,
      invoices: false,
      cash_on_delivery: false,
      declared_value: false,
      recipient_phone: false,
    },
  }
  t.equal(await registerCourier(shop.parts, order, { replace: false, actor: byCli.actor }), 'added')
  t.equal(
    await registerCourier(shop.parts, order, { replace: false, actor: byCli.actor }),
    'exists',
  )
  await eventually(codes, (found) => found.length === 1)
  const { body } = await shop.call('/v1/couriers', { key: live })
  t.match(body.data, [
    { provider_code: 'some', display_name: 'Some courier', modes: ['test', 'live'] },
  ])
  t.ok(body.data[0].capabilities.find, 'its own connector answers')
  const test = await shop.call('/v1/couriers')
  t.equal(test.body.data.length, 2, 'a test key may name it, and meets the simulator')
  await shop.parts.db.deleteFrom('couriers').execute()
  await eventually(codes, (found) => found.length === 0)
})

t.test('every filter of shipments gives the same result from rows and from a stream', async (t) => {
  const other = await aWorkspace('filters')
  const made = (await shop.create('filtered')).body
  await shop.create('also filtered', { scenario: 'courier_rejected' })
  await caughtUp()
  const [before, after] = ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z']
  const values: Readonly<Record<keyof typeof shipmentFilters, readonly [string, string]>> = {
    workspace_id: [made.workspace_id, other.body.id],
    courier_connection_id: [made.courier_connection_id, ''],
    status: ['created', 'cancelled'],
    tracking_status: ['registered', 'lost'],
    external_reference: [made.external_reference, 'another'],
    idempotency_key: [made.idempotency_key, 'another'],
    guide_number: [made.guide_number, '1'],
    has_open_operation: ['false', 'true'],
    'created_at[gte]': [before, after],
    'created_at[gt]': [before, after],
    'created_at[lte]': [after, before],
    'created_at[lt]': [after, before],
  }
  const ids = async (query: Readonly<Record<string, string>>) => {
    const { status, body } = await shop.call(`/v1/shipments?${new URLSearchParams(query)}`)
    t.equal(status, 200, JSON.stringify(query))
    return body.data.map(({ id }: Item) => id)
  }
  const fromStream = { workspace_id: made.workspace_id, idempotency_key: made.idempotency_key }
  const fromRows = { guide_number: made.guide_number }
  for (const [name, [fitting, unfitting]] of Object.entries(values)) {
    for (const by of [fromStream, fromRows]) {
      if (fitting !== '') t.same(await ids({ ...by, [name]: fitting }), [made.id], `${name} fits`)
      if (unfitting !== '') t.same(await ids({ ...by, [name]: unfitting }), [], `${name} does not`)
    }
  }
})

t.test('no list scans its table, whatever the filters', async (t) => {
  const lost = await shop.create('model', { scenario: 'lost_response_guide_created' })
  const model = { shipmentId: lost.body.shipment_id, operationId: lost.body.operation_id }
  await caughtUp()
  // Enough rows that a scan of the table would cost more; `npm run prove:lists` takes a million.
  const filled = await fillLists(shop, model, 2_000)
  const plans = await listPlans(shop, filled, { paired: false })
  t.ok(plans.length > 60)
  t.same(
    plans.filter(({ fault }) => fault !== null),
    [],
  )
})

t.test('retention reads a bounded number of shipments, however many are due', async (t) => {
  // In a transaction that is rolled back, so that the worker sees none of it.
  const client = new pg.Client({ connectionString: shop.database.adminUrl })
  await client.connect()
  t.teardown(() => client.end())
  await client.query('BEGIN')
  const { workspaceId } = shop.seeded
  await client.query(
    `INSERT INTO projections.shipments (shipment_id, version, organization_id, workspace_id,
       livemode, courier_connection_id, external_reference, order_key, idempotency_key, status,
       is_open, collects_cash, created_at)
     SELECT 'shp_old' || n, 2, organization_id, $1, false, courier_connection_id, 'old', 'old',
       'old-' || n, 'created', false, false, now() - n * interval '1 hour'
     FROM (SELECT * FROM projections.shipments LIMIT 1) one, generate_series(1, $2::int) n`,
    [workspaceId, 3 * plannedMax],
  )
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relname ~ '^shipments_g\\d+$' AND relkind = 'r'`,
  )
  const list = String(rows[0]?.name)
  await client.query(`ANALYZE projections.${list}`)
  // With different table statistics the planner prefers to read all due rows and every note, then
  // join.
  await client.query('SET LOCAL enable_nestloop = off')
  const turn = async (days: number) => {
    await client.query('UPDATE workspaces SET personal_data_retention_days = $2 WHERE id = $1', [
      workspaceId,
      days,
    ])
    const { noted, rows: read } = await retentionPlan(client)
    return { noted, shipments: read[list], notes: read.erasures }
  }
  t.same(await turn(3_650), { noted: 0, shipments: 0, notes: 0 })
  t.same(await turn(1), { noted: plannedMax, shipments: plannedMax, notes: 0 })
  t.same(
    await turn(1),
    { noted: plannedMax, shipments: 2 * plannedMax, notes: plannedMax },
    'except those that are noted and not erased yet',
  )
  await client.query('UPDATE workspaces SET legal_hold_since = now() WHERE id = $1', [workspaceId])
  t.same(
    await turn(1),
    { noted: 0, shipments: 0, notes: 0 },
    'no rows of a workspace on hold are read',
  )
  await client.query('UPDATE workspaces SET legal_hold_since = NULL WHERE id = $1', [workspaceId])
  // All that are left, except the ten newest of those that are due.
  await client.query(
    `UPDATE projections.${list} SET held_since = now() WHERE shipment_id IN (
       SELECT shipment_id FROM projections.${list} s
       WHERE workspace_id = $1 AND created_at <= now() - interval '1 day'
         AND NOT EXISTS (SELECT FROM erasures e WHERE e.shipment_id = s.shipment_id)
       ORDER BY created_at DESC OFFSET 10)`,
    [workspaceId],
  )
  t.match(await turn(1), { noted: 10 }, 'shipments on hold do not block others')
  await client.query('DELETE FROM erasures')
  await client.query(`UPDATE projections.${list} SET held_since = now()`)
  t.same(await turn(1), { noted: 0, shipments: 0, notes: 0 }, 'held shipments are not read')
  await client.query(`UPDATE projections.${list} SET held_since = NULL, erased_at = now()`)
  t.same(await turn(1), { noted: 0, shipments: 0, notes: 0 })
  await client.query('ROLLBACK')
})
