import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { projections } from '../../projections/all.ts'
import { ensureProjection } from '../../src/service/projector/checkpoint.ts'
import {
  storedConditions,
  witnessSilent,
} from '../../src/service/webhooks/alerts/alert-conditions.ts'
import { checkAlerts } from '../../src/service/webhooks/alerts/check-alerts.ts'
import { recover } from '../../src/service/webhooks/recovery.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/given.ts'
import { processParts } from '../support/process-parts.ts'

const { deps, query } = await processParts(t)
const { db } = deps
for (const projection of projections) await ensureProjection(db, projection)

/** All families that existed before alerts. */
const olderFamilies = ['shipment', 'label', 'operation', 'tracking', 'connection', 'quota']
const everythingElse = [...olderFamilies, 'webhook_endpoint'].map((family) => `${family}.*`)

let made = 0
const idOf = (prefix: string) => `${prefix}_${`alerts${++made}`.padStart(22, '0')}`

/** A workspace with its connection. Its endpoints are deleted after the test. */
async function workspace(t: Test, { livemode = false } = {}) {
  const { organization_id: organizationId } = request
  const [id, connectionId] = [idOf('ws'), idOf('ccn')]
  await query(
    `INSERT INTO workspaces (id, organization_id, livemode, name, external_reference, created_at, updated_at)
     VALUES ($2, $1, $3, 'Shop', $2, now(), now())`,
    [organizationId, id, livemode],
  )
  await query(
    `INSERT INTO courier_connections (id, organization_id, workspace_id, livemode, provider_code,
       display_name, status, credentials, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'mock', 'Courier', 'active', '', now(), now())`,
    [connectionId, organizationId, id, livemode],
  )
  t.teardown(() =>
    query('UPDATE webhook_endpoints SET deleted_at = now() WHERE workspace_id = $1', [id]),
  )
  return {
    id,
    connectionId,
    async endpoint(...eventTypes: readonly string[]): Promise<string> {
      const endpointId = idOf('whe')
      await query(
        `INSERT INTO webhook_endpoints (id, organization_id, workspace_id, livemode, url, event_types,
           status, secret, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 'https://shop.example/hooks', $5, 'enabled', '', now(), now())`,
        [endpointId, organizationId, id, livemode, eventTypes],
      )
      return endpointId
    },
    /** The alerts of the workspace, each with the endpoints to which it is sent. */
    async told() {
      const events = await query<{ body: string; sent_to: string[] }>(
        `SELECT e.body, array(SELECT endpoint_id FROM webhook_deliveries d WHERE d.event_id = e.id
           ORDER BY endpoint_id) AS sent_to
         FROM webhook_events e WHERE workspace_id = $1 ORDER BY created_at, id`,
        [id],
      )
      return events.map(({ body, sent_to }) => ({ event: JSON.parse(body), sentTo: sent_to }))
    },
  }
}

const check = (firingMinMs = 0) => checkAlerts(db, storedConditions, { firingMinMs })
const manyChecks = () => Promise.all(Array.from({ length: 12 }, () => check()))

async function fails(endpointId: string, failures: number): Promise<void> {
  await query(
    `UPDATE webhook_lanes
     SET failures = $2::int, failing_since = CASE WHEN $2::int > 0 THEN now() END WHERE endpoint_id = $1`,
    [endpointId, failures],
  )
}

t.test('each episode of a failing endpoint is reported once, and never to itself', async (t) => {
  const shop = await workspace(t)
  const failing = await shop.endpoint('alert.*')
  const other = await shop.endpoint('alert.endpoint_failing')
  await shop.endpoint(...everythingElse)
  await shop.endpoint('alert.review_needed')
  await fails(failing, 2)
  await manyChecks()
  t.same(await shop.told(), [])
  await fails(failing, 3)
  await manyChecks()
  await manyChecks()
  const [firing, ...more] = await shop.told()
  t.same(more, [])
  t.same(firing?.sentTo, [other])
  t.match(firing?.event, {
    type: 'alert.endpoint_failing',
    sequence: null,
    resource: { type: 'alert', version: 1 },
    data: {
      object: {
        object: 'alert',
        workspace_id: shop.id,
        state: 'firing',
        subject: { type: 'webhook_endpoint', id: failing },
        since: String,
        resolved_at: null,
      },
    },
    previous: null,
  })
  t.notMatch(JSON.stringify(firing), /shop\.example/)
  await fails(failing, 0)
  await checkAlerts(db, storedConditions)
  t.equal((await shop.told()).length, 1, 'it fires for some minutes at least')
  await manyChecks()
  const [, resolved] = await shop.told()
  t.same(resolved?.sentTo, [other])
  t.match(resolved?.event, {
    resource: { id: firing?.event.resource.id, version: 2 },
    data: {
      object: { state: 'resolved', resolved_at: String, since: firing?.event.data.object.since },
    },
    previous: { state: 'firing', resolved_at: null },
  })
  await fails(failing, 7)
  await manyChecks()
  t.match((await shop.told()).slice(2), [{ event: { resource: { version: 3 } } }])
  t.equal(new Set((await shop.told()).map(({ event }) => event.id)).size, 3)
})

t.test('an endpoint that the service disabled goes on failing until it is enabled', async (t) => {
  const shop = await workspace(t)
  const failing = await shop.endpoint('alert.*')
  await shop.endpoint('alert.*')
  await fails(failing, 3)
  await check()
  const disable = `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $2 WHERE id = $1`
  await query(disable, [failing, 'failing'])
  await check()
  t.equal((await shop.told()).length, 1)
  await query(disable, [failing, 'by_owner'])
  await check()
  t.match((await shop.told())[1]?.event, { data: { object: { state: 'resolved' } } })
})

t.test('an alert that was not committed is sent by the next check', async (t) => {
  const shop = await workspace(t)
  const failing = await shop.endpoint('alert.*')
  await shop.endpoint('alert.*')
  await fails(failing, 3)
  const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND query ILIKE '%INTO webhook_events%' AND datname = current_database() AND pid <> pg_backend_pid()`
  await db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE webhook_events IN SHARE MODE`.execute(tx)
    const checked = t.rejects(check(), 'its session ended')
    const [{ pid } = { pid: 0 }] = await eventually(
      () => query<{ pid: number }>(waiting),
      (found) => found.length === 1,
    )
    await query('SELECT pg_terminate_backend($1)', [pid])
    await checked
  })
  t.same(await shop.told(), [])
  await manyChecks()
  t.equal((await shop.told()).length, 1)
})

t.test('a recovery does not tell an endpoint of its own failures', async (t) => {
  const shop = await workspace(t)
  const failing = await shop.endpoint('alert.*')
  await fails(failing, 3)
  await check()
  t.match(await shop.told(), [{ sentTo: [] }])
  const late = await shop.endpoint('alert.*')
  const range = { since: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) }
  const recovered = async (endpointId: string) => {
    const order = { endpointId, workspaceId: shop.id, now: new Date(), ...range }
    return await recover(db as unknown as Parameters<typeof recover>[0], order)
  }
  t.match(await recovered(failing), { recovered: 0 })
  t.match(await recovered(late), { recovered: 1 })
})

async function called(shop: { readonly id: string }, ago: string, counts: object): Promise<void> {
  await query(
    `INSERT INTO projections.statistics (organization_id, workspace_id, livemode, provider_code, at,
       is_hour, counts)
     SELECT organization_id, id, livemode, 'mock',
       date_trunc('minute', now() + coalesce(offset_ms, 0) * interval '1 millisecond') - $2::interval,
       false, $3
     FROM workspaces w LEFT JOIN sandbox_clocks c ON c.workspace_id = w.id WHERE id = $1`,
    [shop.id, ago, JSON.stringify(counts)],
  )
}

t.test('a courier is unreachable while most calls have no answer', async (t) => {
  const shop = await workspace(t)
  const to = await shop.endpoint('alert.courier_unreachable')
  await query('UPDATE sandbox_clocks SET offset_ms = 86400000 WHERE workspace_id = $1', [shop.id])
  await called(shop, '1 hour', { 'call.create.courier_unreachable': 9 })
  await called(shop, '3 min', { 'call.create.courier_rejected': 9, 'call.look.response_lost': 2 })
  await check()
  t.same(await shop.told(), [])
  await called(shop, '2 min', { 'call.create.courier_unreachable': 8, 'took.operator.3': 4 })
  await manyChecks()
  const [firing] = await shop.told()
  t.same(firing?.sentTo, [to])
  t.match(firing?.event.data.object, {
    state: 'firing',
    subject: { type: 'courier_connection', id: shop.connectionId },
  })
  const tomorrow = Date.now() + 23 * 3_600_000
  t.ok(Date.parse(firing?.event.timestamp) > tomorrow, "on the workspace's clock")
  t.ok(Date.parse(firing?.event.data.object.since) > tomorrow)
  await query('DELETE FROM projections.statistics WHERE workspace_id = $1', [shop.id])
  await check()
  t.equal((await shop.told()).length, 1, 'nobody has called it: it may still be down')
  await called(shop, '0 min', { 'call.look.ok': 1 })
  await check()
  t.match((await shop.told())[1]?.event.data.object, { state: 'resolved' })
})

t.test('a stopped projection is reported to every subscriber, without its name', async (t) => {
  const shops = [await workspace(t), await workspace(t, { livemode: true })]
  for (const shop of shops) await shop.endpoint('alert.*')
  const uninvolved = await workspace(t)
  await uninvolved.endpoint(...everythingElse)
  const stop = (since: string) =>
    query(
      `UPDATE projections SET stopped_by = 'Error: secret-of-the-machine',
         stopped_at = now() - $1::interval WHERE active`,
      [since],
    )
  await stop('5 s')
  await check()
  for (const shop of shops) t.same(await shop.told(), [], 'it may work again in a moment')
  await stop('2 min')
  await manyChecks()
  for (const shop of shops) {
    const [firing, ...more] = await shop.told()
    t.same(more, [])
    t.match(firing?.event, {
      type: 'alert.projection_stopped',
      workspace_id: shop.id,
      data: { object: { state: 'firing', subject: { type: 'service', id: null } } },
    })
    t.notMatch(JSON.stringify(firing), /secret-of-the-machine|outbox|"shipments"/)
  }
  await query('UPDATE projections SET stopped_by = NULL')
  await manyChecks()
  for (const shop of shops) {
    t.match((await shop.told())[1]?.event.data.object, { state: 'resolved', resolved_at: String })
  }
  t.same(await uninvolved.told(), [])
})

t.test('a silent witness is reported once, without its name', async (t) => {
  const shop = await workspace(t)
  await shop.endpoint('alert.*')
  const look = (...waiting: readonly number[]) =>
    checkAlerts(db, [witnessSilent(waiting.map((waitingSeconds) => ({ waitingSeconds })))], {
      firingMinMs: 0,
    })
  await look()
  await look(0, 500)
  t.same(await shop.told(), [])
  for (let n = 0; n < 3; n++) await look(0, 700 + n)
  await look(900, 0)
  t.match(await shop.told(), [
    { event: { type: 'alert.witness_silent', data: { object: { state: 'firing' } } } },
  ])
  await look(0, 1)
  t.match((await shop.told())[1]?.event.data.object, { state: 'resolved' })
})

t.test('an alert of the whole service reaches every one of many subscribers once', async (t) => {
  const subscribers = 1_203
  const { organization_id: organizationId } = request
  await query(
    `INSERT INTO workspaces (id, organization_id, livemode, name, external_reference, created_at, updated_at)
     SELECT 'ws_' || lpad(n::text, 22, 'm'), $1, false, 'Shop', 'many-' || n, now(), now()
     FROM generate_series(1, $2::int) n`,
    [organizationId, subscribers],
  )
  await query(
    `INSERT INTO webhook_endpoints (id, organization_id, workspace_id, livemode, url, event_types,
       status, secret, created_at, updated_at)
     SELECT 'whe_' || lpad(n::text, 22, 'm'), $1, 'ws_' || lpad(n::text, 22, 'm'), false,
       'https://shop.example/hooks', '{alert.*}', 'enabled', '', now(), now()
     FROM generate_series(1, $2::int) n`,
    [organizationId, subscribers],
  )
  t.teardown(() =>
    query("UPDATE webhook_endpoints SET deleted_at = now() WHERE workspace_id LIKE 'ws_mm%'"),
  )
  const silent = [witnessSilent([{ waitingSeconds: 900 }])]
  const left = await Promise.all([1, 2, 3].map(() => checkAlerts(db, silent, { firingMinMs: 0 })))
  t.equal(
    left.reduce((sum, count) => sum + count, 0),
    subscribers,
  )
  const [told] = await query<{ events: number; workspaces: number; deliveries: number }>(
    `SELECT count(*)::int AS events, count(DISTINCT workspace_id)::int AS workspaces,
       (SELECT count(*)::int FROM webhook_deliveries WHERE workspace_id LIKE 'ws_mm%') AS deliveries
     FROM webhook_events WHERE workspace_id LIKE 'ws_mm%'`,
  )
  t.same(told, { events: subscribers, workspaces: subscribers, deliveries: subscribers })
})

t.test('a condition that no endpoint subscribes to is not kept', async (t) => {
  const shop = await workspace(t)
  const failing = await shop.endpoint(...everythingElse)
  await fails(failing, 3)
  await check()
  t.same(await query('SELECT FROM alerts WHERE subject_id = $1', [failing]), [])
  t.same(await shop.told(), [])
})
