import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { projections } from '../../projections/all.ts'
import { rfc3339 } from '../../src/service/domain/decider.ts'
import { storeBatch } from '../../src/service/processes/batches/batch-rows.ts'
import { endComparison } from '../../src/service/processes/invoices/invoice-lease.ts'
import type { InvoiceRow } from '../../src/service/processes/invoices/store-invoice.ts'
import { enqueueThresholds } from '../../src/service/processes/quota/enqueue-thresholds.ts'
import { ensureProjection } from '../../src/service/projector/checkpoint.ts'
import { claimByTurns, queueTables } from '../../src/service/queue/claim.ts'
import { storedConditions } from '../../src/service/webhooks/alerts/alert-conditions.ts'
import { checkAlerts } from '../../src/service/webhooks/alerts/check-alerts.ts'
import { disableEndpoint } from '../../src/service/webhooks/disable.ts'
import { enqueueWebhooks, type RowWebhook } from '../../src/service/webhooks/enqueue-webhooks.ts'
import { enqueueFormerNotices } from '../../src/service/webhooks/former-notices.ts'
import { eventually } from '../support/eventually.ts'
import { connectionPlace, request, uuid } from '../support/given.ts'
import { processParts } from '../support/process-parts.ts'

const { deps, query } = await processParts(t)
const { db, store } = deps
const { organization_id: organizationId, workspace_id: workspaceId } = request
const now = Date.now()
for (const projection of projections) await ensureProjection(db, projection)

let made = 0
const idOf = (prefix: string) => `${prefix}_${`enqueue${++made}`.padStart(22, '0')}`

async function endpoint(...eventTypes: readonly string[]): Promise<string> {
  const id = idOf('whe')
  await query(
    `INSERT INTO webhook_endpoints (id, organization_id, workspace_id, livemode, url, event_types,
       status, secret, created_at, updated_at)
     VALUES ($1, $2, $3, false, 'https://shop.example/hooks', $4, 'enabled', '', now(), now())`,
    [id, organizationId, workspaceId, eventTypes],
  )
  return id
}

async function eventsOf(type: string) {
  return await query<{ id: string; body: string; deliveries: string[] }>(
    `SELECT e.id, e.body, array(
       SELECT d.endpoint_id || ' ' || d.state FROM webhook_deliveries d WHERE d.event_id = e.id
       ORDER BY 1) AS deliveries
     FROM webhook_events e WHERE type = $1 ORDER BY created_at, id`,
    [type],
  )
}

/** The events of this type since it was called. */
async function newEventsOf(type: string) {
  const before = new Set((await eventsOf(type)).map(({ id }) => id))
  return async () => (await eventsOf(type)).filter(({ id }) => !before.has(id))
}

const disable = (endpointId: string) =>
  disableEndpoint(db, store, { endpointId, version: 1, reason: 'gone', now })

async function statusOf(id: string) {
  const rows = await query('SELECT status FROM webhook_endpoints WHERE id = $1', [id])
  return rows[0]?.status
}

/** The sessions of this database that wait for a lock. */
async function waiting(count: number) {
  const statement = `SELECT pid FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`
  await eventually(
    () => query(statement),
    (found) => found.length === count,
  )
}

/** A change that is reported by a webhook. */
type Cause = {
  readonly type: string
  /** The table with the changed row. */
  readonly table: string
  readonly change: () => Promise<unknown>
  readonly isDone: () => Promise<boolean>
}

const exists = async (statement: string, values: readonly unknown[]) =>
  (await query(statement, values)).length > 0

async function parked(): Promise<Cause> {
  const account = {
    ...connectionPlace,
    livemode: false,
    providerCode: 'mock',
    status: 'active' as const,
    credentialsVersion: 1,
    credentials: { username: 'shop', password: 'secret' },
  }
  return {
    type: 'connection.needs_reauth',
    table: 'courier_connections',
    change: () => deps.accounts.park(account),
    isDone: () => exists(`SELECT FROM courier_connections WHERE status = 'needs_reauth'`, []),
  }
}

async function disabled(): Promise<Cause> {
  const id = await endpoint('label.ready')
  return {
    type: 'webhook_endpoint.disabled',
    table: 'webhook_endpoints',
    change: () => disable(id),
    isDone: async () => (await statusOf(id)) === 'disabled',
  }
}

async function alerted(): Promise<Cause> {
  const id = await endpoint('label.ready')
  await query(
    'UPDATE webhook_lanes SET failures = 3, failing_since = now() WHERE endpoint_id = $1',
    [id],
  )
  return {
    type: 'alert.endpoint_failing',
    table: 'alerts',
    change: () => checkAlerts(db, storedConditions, { firingMinMs: 60_000 }),
    isDone: () => exists('SELECT FROM alerts WHERE subject_id = $1', [id]),
  }
}

async function completed(): Promise<Cause> {
  const id = idOf('bat')
  const batch = {
    id,
    organizationId,
    workspaceId,
    livemode: false,
    externalReference: 'batch',
    actor: { type: 'system' as const, keyId: null },
    requestId: 'req',
    wrapped: { masterKeyId: 'key', wrappedKey: Buffer.alloc(1) },
  }
  const refused = {
    line: 1,
    connectionId: null,
    idempotencyKey: null,
    shipmentId: null,
    orderKey: null,
    scenario: null,
    body: null,
    refused: { reason: 'validation_failed', refusal: Buffer.alloc(1) },
  }
  return {
    type: 'batch.completed',
    table: 'batches',
    change: () => storeBatch(db, batch, [refused]),
    isDone: () => exists('SELECT FROM batches WHERE id = $1', [id]),
  }
}

async function compared(): Promise<Cause> {
  const id = idOf('inv')
  await query(
    `INSERT INTO courier_invoices (id, organization_id, workspace_id, livemode,
       courier_connection_id, reference, version, state)
     VALUES ($1, $2, $3, false, $4, $1, 1, 'comparing')`,
    [id, organizationId, workspaceId, request.courier_connection_id],
  )
  await query(
    `INSERT INTO courier_invoice_versions (invoice_id, version, organization_id, total, actor,
       request_id)
     VALUES ($1, 1, $2, 0, '{}', 'req')`,
    [id, organizationId],
  )
  const leased = await claimByTurns<InvoiceRow>(db, queueTables.invoices, uuid(1))
  if (leased === null) throw new Error('the invoice was not leased')
  return {
    type: 'courier_invoice.compared',
    table: 'courier_invoices',
    change: () => endComparison(db, leased),
    isDone: () => exists(`SELECT FROM courier_invoices WHERE id = $1 AND state = 'compared'`, [id]),
  }
}

async function threshold(month = '2026-03-01', ofOrganization = organizationId): Promise<Cause> {
  await query(
    `INSERT INTO quota_thresholds (organization_id, livemode, month, percent, used, quota, reached_at)
     VALUES ($1, false, $2, 80, 8, 10, now())`,
    [ofOrganization, month],
  )
  return {
    type: 'quota.threshold_reached',
    table: 'quota_thresholds',
    change: () => enqueueThresholds(db),
    isDone: async () =>
      !(await exists('SELECT FROM quota_thresholds WHERE enqueued_at IS NULL', [])),
  }
}

/** Makes every commit fail that has changed the table. Returns how to end that. */
async function refuseCommits(table: string): Promise<() => Promise<unknown>> {
  await query(
    `CREATE OR REPLACE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION 'refused at the commit'; END $$`,
  )
  await query(
    `CREATE CONSTRAINT TRIGGER refused AFTER INSERT OR UPDATE OR DELETE ON ${table}
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_commit()`,
  )
  return () => query(`DROP TRIGGER refused ON ${table}`)
}

async function committedTogether(t: Test, about: () => Promise<Cause>): Promise<void> {
  const to = await endpoint('alert.*', 'batch.*', 'connection.*', 'courier_invoice.*', 'quota.*')
  const other = await endpoint('webhook_endpoint.disabled')
  const { type, table, change, isDone } = await about()
  for (const refusing of ['webhook_events', table]) {
    const stop = await refuseCommits(refusing)
    await t.rejects(change(), /refused at the commit/, `${type}: ${refusing}`)
    await stop()
    t.notOk(await isDone(), `${type}: the change is rolled back`)
    t.same(await eventsOf(type), [], `${type}: and so is the webhook`)
  }
  await change()
  await change().catch(() => undefined)
  t.ok(await isDone(), `${type}: the change is committed`)
  const receiver = type === 'webhook_endpoint.disabled' ? other : to
  t.same(
    (await eventsOf(type)).map(({ deliveries }) => deliveries),
    [[`${receiver} pending`]],
    `${type}: and so is the webhook, once`,
  )
  await query('UPDATE webhook_endpoints SET deleted_at = now()')
}

t.test('a changed row and its webhook are committed together or not at all', async (t) => {
  for (const about of [parked, disabled, alerted, completed, compared, threshold]) {
    await committedTogether(t, about)
  }
})

function webhook(change: string, about: Partial<RowWebhook> = {}): RowWebhook {
  return {
    change,
    organizationId,
    workspaceId,
    livemode: false,
    type: 'connection.needs_reauth',
    resource: { type: 'courier_connection', id: change, version: 1 },
    object: { id: change },
    previous: null,
    requestId: null,
    at: new Date(now),
    ...about,
  }
}

t.test('two endpoints that are disabled at once tell each other, without a deadlock', async (t) => {
  const types = ['webhook_endpoint.disabled', 'label.ready']
  const [first, second, other] = [
    await endpoint(...types),
    await endpoint(...types),
    await endpoint(...types),
  ]
  t.teardown(() => query('UPDATE webhook_endpoints SET deleted_at = now()'))
  const toldSince = await newEventsOf('webhook_endpoint.disabled')
  const both = await db.transaction().execute(async (tx) => {
    // Both have begun before either can enqueue.
    await sql`LOCK TABLE webhook_events IN SHARE MODE`.execute(tx)
    const disabling = Promise.all([disable(first), disable(second)])
    disabling.catch(() => undefined)
    await waiting(2)
    return { disabling }
  })
  await both.disabling
  t.same([await statusOf(first), await statusOf(second)], ['disabled', 'disabled'])
  const told = await toldSince()
  t.equal(told.length, 2)
  for (const { deliveries } of told) {
    t.same(
      deliveries,
      [`${first} discarded`, `${second} discarded`, `${other} pending`],
      'what was pending for the second is discarded when it is disabled',
    )
  }
})

t.test('an endpoint disabled while webhooks are enqueued for it keeps none pending', async (t) => {
  const [first, second] = [await endpoint('connection.*'), await endpoint('connection.*')]
  const toldSince = await newEventsOf('connection.needs_reauth')
  t.teardown(() => query('UPDATE webhook_endpoints SET deleted_at = now()'))
  const { disabling } = await db.transaction().execute(async (tx) => {
    await enqueueWebhooks(tx, [webhook('locked-1')])
    const both = Promise.all([disable(second), disable(first)])
    both.catch(() => undefined)
    await waiting(2)
    // More than one call, while the endpoints are waited for.
    await enqueueWebhooks(tx, [webhook('locked-3'), webhook('locked-2')])
    return { disabling: both }
  })
  await disabling
  const told = await toldSince()
  t.equal(told.length, 3)
  for (const { deliveries } of told) {
    t.same(deliveries, [`${first} discarded`, `${second} discarded`])
  }
})

t.test('a webhook without a workspace is for each of its mode, on its own clock', async (t) => {
  const ahead = idOf('ws')
  for (const [id, livemode] of [
    [ahead, false],
    [idOf('ws'), true],
  ]) {
    await query(
      `INSERT INTO workspaces (id, organization_id, livemode, name, external_reference, created_at,
         updated_at)
       VALUES ($2, $1, $3, 'Shop', $2, now(), now())`,
      [organizationId, id, livemode],
    )
  }
  const aheadMs = 86_400_000
  await query(
    `INSERT INTO sandbox_clocks (workspace_id, offset_ms) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET offset_ms = excluded.offset_ms`,
    [ahead, aheadMs],
  )
  t.teardown(() => query('DELETE FROM sandbox_clocks WHERE workspace_id = $1', [ahead]))
  const toldSince = await newEventsOf('quota.threshold_reached')
  const resource = { type: 'quota', id: 'everywhere', version: null }
  const everywhere = { type: 'quota.threshold_reached', workspaceId: null, resource } as const
  await db
    .transaction()
    .execute((tx) => enqueueWebhooks(tx, [webhook('everywhere', everywhere), webhook('here')]))
  const told = (await toldSince()).map(({ body }) => JSON.parse(body))
  t.match(told, [
    { workspace_id: workspaceId, timestamp: rfc3339(now), sequence: null },
    { workspace_id: ahead, timestamp: rfc3339(now + aheadMs), sequence: null },
  ])
  t.equal(told.length, 2)
})

t.test('thresholds are reported once, however many processes enqueue them', async (t) => {
  const toldSince = await newEventsOf('quota.threshold_reached')
  const months = Array.from({ length: 24 }, (_, n) => `${2030 + n}-01-01`)
  for (const month of months) await threshold(month)
  const counts = await Promise.all([1, 2, 3].map(() => enqueueThresholds(db)))
  let enqueued = counts.reduce((sum, count) => sum + count, 0)
  for (let count = 1; count > 0; enqueued += count) count = await enqueueThresholds(db)
  t.equal(enqueued, months.length)
  const told = await toldSince()
  const [{ workspaces } = { workspaces: 0 }] = await query<{ workspaces: number }>(
    'SELECT count(*)::int AS workspaces FROM workspaces WHERE NOT livemode AND organization_id = $1',
    [organizationId],
  )
  t.equal(told.length, months.length * workspaces)
  const objects = told.map(({ body }) => JSON.parse(body).data.object)
  t.same(
    objects.find(({ period }) => period === '2030-01'),
    {
      id: organizationId,
      object: 'quota',
      livemode: false,
      metric: 'shipments',
      period: '2030-01',
      percent: 80,
      used: 8,
      limit: 10,
    },
  )
})

async function leaveNotice(change: string, type: string, workspace: string | null) {
  await query(
    `INSERT INTO webhook_notices (change, organization_id, workspace_id, livemode, type, resource,
       object, request_id, at)
     VALUES ($1, $2, $3, false, $4, $5, $6, 'req', now())`,
    [
      change,
      organizationId,
      workspace,
      type,
      JSON.stringify({ type: 'batch', id: change, version: null }),
      JSON.stringify({ id: change }),
    ],
  )
}

t.test('notices of the version before become webhooks, once', async (t) => {
  const to = await endpoint('batch.*')
  t.teardown(() => query('UPDATE webhook_endpoints SET deleted_at = now()'))
  const toldSince = await newEventsOf('batch.completed')
  const changes = Array.from({ length: 230 }, (_, n) => `batch:former-${n}`)
  for (const change of changes) await leaveNotice(change, 'batch.completed', workspaceId)
  const stop = await refuseCommits('webhook_events')
  await t.rejects(enqueueFormerNotices(db), /refused at the commit/)
  await stop()
  await Promise.all([1, 2, 3].map(() => enqueueFormerNotices(db)))
  while ((await enqueueFormerNotices(db)) > 0);
  t.same(await query('SELECT FROM webhook_notices'), [])
  const told = await toldSince()
  t.equal(told.length, changes.length)
  t.match(told[0], { deliveries: [`${to} pending`] })
  t.match(JSON.parse(told[0]?.body ?? ''), { sequence: null, request_id: 'req' })
})

t.test('a threshold that left a notice too is reported once', async (t) => {
  const toldSince = await newEventsOf('quota.threshold_reached')
  const { change } = await threshold('2060-01-01')
  await leaveNotice(`quota:${organizationId}:false:2060-01-01:80`, 'quota.threshold_reached', null)
  await Promise.all([change(), enqueueFormerNotices(db)])
  const told = await toldSince()
  t.equal(told.length, new Set(told.map(({ body }) => JSON.parse(body).workspace_id)).size)
  t.ok(told.length > 0)
})
