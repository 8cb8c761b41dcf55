import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { auditStream } from '../../../src/service/domain/ids.ts'
import {
  deliveryAttemptsMax,
  deliveryRules,
} from '../../../src/service/domain/webhooks/webhook-delivery.ts'
import {
  type WebhookType,
  webhookTypeNames,
} from '../../../src/service/domain/webhooks/webhook-types.ts'
import { exampleEvent } from '../../../src/service/http/openapi/webhook-examples.ts'
import { webhookPayloadSchema } from '../../../src/service/http/webhook-deliveries/webhook-event-schema.ts'
import { createPlan } from '../../../src/service/security/plans.ts'
import {
  claimDeliveries,
  inFlightPerEndpointMax,
} from '../../../src/service/webhooks/claim-deliveries.ts'
import type { DeliveryServices } from '../../../src/service/webhooks/deliver.ts'
import { dueDeliveries } from '../../../src/service/webhooks/due-deliveries.ts'
import { expireDeliveries } from '../../../src/service/webhooks/expire.ts'
import { recordAttempts } from '../../../src/service/webhooks/record-attempts.ts'
import { countRecoverable, recover } from '../../../src/service/webhooks/recovery.ts'
import { secretBytes } from '../../../src/service/webhooks/sign.ts'
import { type OutboxEvent, storeWebhooks } from '../../../src/service/webhooks/store-webhooks.ts'
import {
  type Answer,
  aKey,
  anOrganization,
  aWorkspace,
  type Client,
  client,
  serverUnderTest,
} from '../server-under-test.ts'

const server = await serverUnderTest(t)
const { db } = server

async function aShop(order = {}) {
  const organizationId = await anOrganization(server)
  const { key } = await aKey(server, organizationId, order)
  const call = client(server.app, key)
  return { organizationId, call, workspaceId: await aWorkspace(call, 'shop') }
}
type Shop = Awaited<ReturnType<typeof aShop>>

function body(workspaceId: string, more: object = {}) {
  const url = 'https://receiver.example/hooks?token=canary-token'
  return { workspace_id: workspaceId, url, event_types: ['shipment.*', 'label.ready'], ...more }
}

async function anEndpoint({ call, workspaceId }: Shop, more: object = {}): Promise<string> {
  const made = await call('POST', '/v1/webhook-endpoints', body(workspaceId, more))
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.id
}

let published = 0

/** Does what the outbox does with one event, and returns the event's id. */
async function publish(
  { organizationId, workspaceId }: Shop,
  type: WebhookType = 'shipment.created',
  at = Date.now(),
): Promise<string> {
  published += 1
  const id = `evt_${String(published).padStart(22, '0')}`
  const place = { id, at, livemode: false, workspaceId, requestId: null }
  const about = { shipmentId: null, shipmentVersion: null }
  const event: OutboxEvent = { event: exampleEvent(type, place), organizationId, ...about }
  await db
    .transaction()
    .execute((tx) => storeWebhooks(tx as unknown as Parameters<typeof storeWebhooks>[0], [event]))
  return id
}

async function deliveriesOf({ call }: Shop, filter: string) {
  return (await call('GET', `/v1/webhook-deliveries?limit=100&${filter}`)).body.data
}

async function auditEvents({ organizationId }: Shop) {
  return server.store.readStream(auditStream(organizationId))
}

function endpointRow(id: string) {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

t.test('a webhook secret is shown only when it is created and never stored in clear', async (t) => {
  const shop = await aShop()
  const { call, workspaceId, organizationId } = shop
  const made = await call('POST', '/v1/webhook-endpoints', body(workspaceId))
  t.equal(made.status, 201)
  t.match(made.body, {
    id: /^whe_\w{22}$/,
    object: 'webhook_endpoint',
    livemode: false,
    workspace_id: workspaceId,
    description: null,
    event_types: ['shipment.*', 'label.ready'],
    status: 'enabled',
    disabled_reason: null,
    secret: /^whsec_[\w+/=]{40,}$/,
    previous_secret_expires_at: null,
    version: 1,
  })
  const { id, secret } = made.body
  t.equal(made.headers.location, `/v1/webhook-endpoints/${id}`)
  const { secret: _, previous_secret_expires_at: __, ...shown } = made.body
  const path = `/v1/webhook-endpoints/${id}`
  t.strictSame((await call('GET', path)).body, shown)
  t.strictSame((await call('GET', '/v1/webhook-endpoints')).body.data, [shown])
  const sealed = (await endpointRow(id)).secret
  const bytes = secretBytes(secret)
  t.notOk(sealed.includes(bytes))
  const at = { organizationId, endpointId: id }
  t.same(server.deps.webhookSealer.openSecret(at, sealed), bytes)
  t.throws(() => server.deps.webhookSealer.openSecret({ ...at, endpointId: 'whe_x' }, sealed))
  const traces = JSON.stringify(await auditEvents(shop)) + server.lines.join('')
  t.notMatch(traces, /whsec_|canary-token|receiver\.example/)
})

t.test('a rotation keeps the previous secret for a day, and no older one', async (t) => {
  const shop = await aShop()
  const made = await shop.call('POST', '/v1/webhook-endpoints', body(shop.workspaceId))
  const path = `/v1/webhook-endpoints/${made.body.id}/rotate-secret`
  const secrets = [made.body.secret]
  for (let n = 0; n < 2; n++) {
    const rotated = await shop.call('POST', path)
    t.equal(rotated.status, 200)
    t.equal(rotated.body.version, n + 2)
    const hours = (Date.parse(rotated.body.previous_secret_expires_at) - Date.now()) / 3_600_000
    t.ok(hours > 23.9 && hours < 24.1, String(hours))
    secrets.push(rotated.body.secret)
  }
  t.equal(new Set(secrets).size, 3)
  const row = await endpointRow(made.body.id)
  const at = { organizationId: shop.organizationId, endpointId: row.id }
  const open = (sealed: Buffer | null) =>
    server.deps.webhookSealer.openSecret(at, sealed ?? Buffer.alloc(0))
  t.same(open(row.secret), secretBytes(secrets[2]))
  t.same(open(row.previous_secret), secretBytes(secrets[1]))
  const types = (await auditEvents(shop)).map(({ type }) => type)
  t.same(types.slice(2), ['WebhookEndpointCreated', 'WebhookSecretRotated', 'WebhookSecretRotated'])
})

t.test(
  'repeating a rotation with the same key rotates once and shows the secret once',
  async (t) => {
    const shop = await aShop()
    const made = await shop.call('POST', '/v1/webhook-endpoints', body(shop.workspaceId))
    const path = `/v1/webhook-endpoints/${made.body.id}/rotate-secret`
    const rotate = (key: string) => shop.call('POST', path, undefined, { 'idempotency-key': key })
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate('one')))
    t.same([...new Set(answers.map(({ status }) => status))], [200])
    t.same([...new Set(answers.map((answer) => answer.body.version))], [2])
    const shown = answers.flatMap((answer) => answer.body.secret ?? [])
    t.equal(shown.length, 1)
    const until = answers[0]?.body.previous_secret_expires_at
    t.ok(answers.every((answer) => answer.body.previous_secret_expires_at === until))
    const row = await endpointRow(made.body.id)
    const at = { organizationId: shop.organizationId, endpointId: row.id }
    const open = (sealed: Buffer | null) =>
      server.deps.webhookSealer.openSecret(at, sealed ?? Buffer.alloc(0))
    t.same(open(row.secret), secretBytes(String(shown[0])))
    t.same(open(row.previous_secret), secretBytes(made.body.secret), 'it signs beside the new one')
    const notes = await db.selectFrom('idempotent_answers').selectAll().execute()
    t.notMatch(JSON.stringify(notes), /whsec_/)
    const note = notes.find(({ route }) => route === `POST ${path}`)
    t.equal(note?.resource_id, made.body.id)
    // The state after a crash before the rotation: a repeat completes it, once.
    await db
      .updateTable('idempotent_answers')
      .set({ resource_id: 'not_rotated_yet' })
      .where('route', '=', `POST ${path}`)
      .execute()
    t.match(await rotate('one'), { body: { version: 3, secret: /^whsec_/ } })
    t.match(await rotate('one'), { body: { version: 3, secret: null } })
    const other = await rotate('two')
    t.match(other, { status: 200, body: { version: 4, secret: /^whsec_/ } })
  },
)

t.test('repeating the creation of an endpoint returns it without its secret', async (t) => {
  const shop = await aShop()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      shop.call('POST', '/v1/webhook-endpoints', body(shop.workspaceId), {
        'idempotency-key': 'one',
      }),
    ),
  )
  t.ok(answers.every(({ status }) => status === 201))
  t.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
  const secrets = answers.filter((answer) => answer.body.secret !== null)
  t.equal(secrets.length, 1)
  t.notOk('idempotent-replayed' in (secrets[0]?.headers ?? {}))
  t.match((await shop.call('GET', '/v1/usage')).body.webhook_endpoints, { used: 1 })
  await shop.call('DELETE', `/v1/webhook-endpoints/${answers[0]?.body.id}`)
  const late = await shop.call('POST', '/v1/webhook-endpoints', body(shop.workspaceId), {
    'idempotency-key': 'one',
  })
  t.match(late, { status: 409, body: { reason: 'resource_deleted' } }, 'it makes no other')
})

t.test('simultaneous creations never exceed the limit for webhook endpoints', async (t) => {
  const shop = await aShop()
  const unlimited = { shipments_per_month: null, requests_per_minute: null, workspaces: null }
  const limits = { ...unlimited, courier_connections: null, webhook_endpoints: 3 }
  await createPlan(server, { name: 'three', ...limits }, byCli)
  await db
    .updateTable('organizations')
    .set({ plan: 'three' })
    .where('id', '=', shop.organizationId)
    .execute()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      shop.call('POST', '/v1/webhook-endpoints', body(shop.workspaceId)),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  t.equal(made.length, 3)
  t.equal(answers.filter((answer) => answer.body.reason === 'plan_limit_reached').length, 47)
  t.match((await shop.call('GET', '/v1/usage')).body.webhook_endpoints, { used: 3, limit: 3 })
  await shop.call('DELETE', `/v1/webhook-endpoints/${made[0]?.body.id}`)
  t.ok(await anEndpoint(shop), 'deleting makes room')
})

t.test(
  'forbidden URLs and invalid event types are refused when an endpoint is written',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    const live = await aShop({ livemode: true })
    const isRefused = async (answer: Promise<Answer>, reason: string) => {
      const { status, body } = await answer
      t.equal(status, 422, reason)
      t.match(body, { reason: 'validation_failed', errors: [{ pointer: '/url', reason }] })
    }
    const create = ({ call, workspaceId }: Shop, url: string) =>
      call('POST', '/v1/webhook-endpoints', body(workspaceId, { url }))
    await isRefused(create(shop, 'ftp://receiver.example'), 'not_http')
    await isRefused(create(shop, 'no address'), 'not_a_url')
    await isRefused(create(shop, 'https://a:b@receiver.example'), 'has_credentials')
    await isRefused(create(shop, 'http://169.254.169.254/latest'), 'private_address')
    await isRefused(create(live, 'http://receiver.example'), 'not_https')
    await isRefused(create(live, 'https://127.0.0.1'), 'private_address')
    await isRefused(create(live, 'https://localhost'), 'private_name')
    await isRefused(
      shop.call('PATCH', `/v1/webhook-endpoints/${id}`, { url: 'http://a#b' }),
      'has_fragment',
    )
    t.equal((await create(shop, 'http://127.0.0.1:9/hooks')).status, 201, 'allowed in test mode')
    for (const event_types of [[], ['fly'], ['shipment.*', 'shipment.*'], ['*']]) {
      const refused = await shop.call('PATCH', `/v1/webhook-endpoints/${id}`, { event_types })
      t.match(refused, { status: 422, body: { errors: [{ pointer: /^\/event_types/ }] } })
    }
  },
)

t.test(
  'disabling an endpoint discards its deliveries, enabling it resets its breaker',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    const path = `/v1/webhook-endpoints/${id}`
    const { headers } = await shop.call('GET', path)
    const match = { 'if-match': String(headers.etag) }
    const named = await shop.call('PATCH', path, { description: 'Orders' }, match)
    t.match(named.body, { description: 'Orders', version: 2 })
    t.equal((await shop.call('PATCH', path, { description: null }, match)).status, 412)
    t.equal((await shop.call('PATCH', path, { description: 'Orders' })).body.version, 2)
    const event = await publish(shop)
    const off = await shop.call('PATCH', path, { status: 'disabled' })
    t.match(off.body, { status: 'disabled', disabled_reason: 'by_owner', version: 3 })
    const reason = { state: 'discarded', dead_reason: 'endpoint_disabled', next_attempt_at: null }
    t.match(await deliveriesOf(shop, `event_id=${event}`), [reason])
    const told = await db
      .selectFrom('webhook_events')
      .select('body')
      .where('organization_id', '=', shop.organizationId)
      .where('type', '=', 'webhook_endpoint.disabled')
      .execute()
    const object = { id, status: 'disabled', disabled_reason: 'by_owner', version: 3, url: null }
    t.match(
      told.map((row) => JSON.parse(row.body ?? '')),
      [
        {
          type: 'webhook_endpoint.disabled',
          resource: { type: 'webhook_endpoint', id, version: 3 },
          data: { object },
          previous: { status: 'enabled', disabled_reason: null },
          request_id: off.headers['x-request-id'],
        },
      ],
    )
    const meanwhile = await publish(shop)
    t.match(await deliveriesOf(shop, `event_id=${meanwhile}`), [reason])
    const refusedPaths = [`${path}/test`, `${path}/recover`]
    for (const refusedPath of refusedPaths) {
      const range = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }
      const given = refusedPath === `${path}/test` ? { type: 'label.ready' } : range
      const refused = await shop.call('POST', refusedPath, given)
      t.match(refused, { status: 409, body: { reason: /^endpoint_disabled$/ } })
    }
    const lane = { failures: 20, trips: 3, failing_since: new Date(), open_until: new Date() }
    await db.updateTable('webhook_lanes').set(lane).where('endpoint_id', '=', id).execute()
    const on = await shop.call('PATCH', path, { status: 'enabled' })
    t.match(on.body, { status: 'enabled', disabled_reason: null, version: 4 })
    const fresh = await db
      .selectFrom('webhook_lanes')
      .selectAll()
      .where('endpoint_id', '=', id)
      .executeTakeFirstOrThrow()
    t.match(fresh, { failures: 0, trips: 0, open_until: null, failing_since: null })
    const fields = (await auditEvents(shop)).slice(3).map(({ data }) => data.fields)
    t.same(fields, [['description'], ['status', 'disabled_reason'], ['status', 'disabled_reason']])
  },
)

t.test('a deleted endpoint is gone; its deliveries can be read but not redelivered', async (t) => {
  const shop = await aShop()
  const id = await anEndpoint(shop)
  await publish(shop)
  const path = `/v1/webhook-endpoints/${id}`
  t.equal((await shop.call('DELETE', path)).status, 204)
  for (const [method, url] of [
    ['GET', path],
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/rotate-secret`],
  ] as const) {
    const sent = method === 'PATCH' ? { status: 'enabled' } : undefined
    t.equal((await shop.call(method, url, sent)).status, 404, `${method} ${url}`)
  }
  t.same((await shop.call('GET', '/v1/webhook-endpoints')).body.data, [])
  const [delivery] = await deliveriesOf(shop, `endpoint_id=${id}`)
  t.match(delivery, { state: 'discarded', dead_reason: 'endpoint_deleted' })
  const again = await shop.call('POST', `/v1/webhook-deliveries/${delivery.id}/redeliver`)
  t.match(again, { status: 409, body: { reason: 'webhook_endpoint_deleted' } })
  t.equal((await auditEvents(shop)).at(-1)?.type, 'WebhookEndpointDeleted')
})

t.test(
  'a test event of each type matches the document and goes to one endpoint only',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    const other = await anEndpoint(shop, { event_types: [...webhookTypeNames] })
    for (const type of webhookTypeNames) {
      await db.deleteFrom('claims').where('work', '=', `webhook-example:${id}`).execute()
      const sent = await shop.call('POST', `/v1/webhook-endpoints/${id}/test`, { type })
      t.equal(sent.status, 202, type)
      t.match(sent.body, { event_type: type, endpoint_id: id, state: 'pending', attempts: [] })
      const event = await shop.call('GET', `/v1/events/${sent.body.event_id}`)
      t.match(event.body, { object: 'webhook_event', type, sequence: null, livemode: false })
      t.equal(event.body.workspace_id, shop.workspaceId)
      t.notMatch(JSON.stringify(event.body), /Torres|45678912|"4821"|Books/)
      const { object: _, created_at: __, ...payload } = event.body
      t.strictSame(webhookPayloadSchema.parse(payload), payload)
    }
    const hasty = await shop.call('POST', `/v1/webhook-endpoints/${id}/test`, {
      type: 'label.ready',
    })
    t.match(hasty, { status: 429, body: { reason: 'rate_limited' } })
    t.same(await deliveriesOf(shop, `endpoint_id=${other}`), [])
    const range = { since: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) }
    const recovered = await shop.call('POST', `/v1/webhook-endpoints/${other}/recover`, {
      since: range.since.toISOString(),
      until: range.until.toISOString(),
    })
    t.equal(recovered.body.recovered, 0, 'nor is it recovered')
  },
)

/** Leases the endpoint's deliveries and records this status as the outcome of each. */
async function attempts(endpointId: string, statusCode: number, during = async () => {}) {
  const room = { endpoints: 100, organizationMax: 1_000, busy: new Map<string, number>() }
  const { lease, deliveries } = await claimDeliveries(db, deliveryRules, room)
  const own = deliveries.filter(({ endpoint_id }) => endpoint_id === endpointId)
  await during()
  const now = Date.now()
  await recordAttempts(
    { db, deliveryRules },
    own.map(({ id, url, tries, at_once: atOnce }) => ({
      deliveryId: id,
      endpointId,
      url,
      lease,
      tries,
      atOnce,
      now,
      attempt: {
        at: new Date(now).toISOString(),
        status_code: statusCode,
        latency_ms: 7,
        error: null,
        excerpt: server.deps.webhookSealer.sealExcerpt(id, 'canary-answer'),
      },
      answer: { statusCode, retryAfterMs: null },
      after:
        statusCode === 200
          ? { state: 'delivered' as const }
          : { state: 'pending' as const, nextAttemptAt: now + 86_400_000 },
    })),
  )
  return own
}

async function dead(deliveryId: string, made = 0): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'dead', dead_reason: 'attempts_exhausted', next_attempt_at: null, tries: 12 })
    .$if(made > 0, (query) =>
      query.set({
        attempts: JSON.stringify(
          Array.from({ length: made }, () => ({
            at: new Date().toISOString(),
            status_code: null,
            latency_ms: 1,
            error: 'connect',
            excerpt: null,
          })),
        ),
      }),
    )
    .where('id', '=', deliveryId)
    .execute()
}

t.test("a receiver's response is sealed, and shown only when its delivery is read", async (t) => {
  const shop = await aShop()
  const id = await anEndpoint(shop)
  await publish(shop)
  t.equal((await attempts(id, 503)).length, 1)
  const [listed] = await deliveriesOf(shop, `endpoint_id=${id}`)
  t.match(listed.attempts, [{ status_code: 503, latency_ms: 7, response_excerpt: null }])
  const read = await shop.call('GET', `/v1/webhook-deliveries/${listed.id}`)
  t.match(read.body.attempts, [{ status_code: 503, response_excerpt: 'canary-answer' }])
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', listed.id)
    .executeTakeFirstOrThrow()
  t.notMatch(JSON.stringify(row), /canary-answer/)
})

t.test('fifty simultaneous redeliveries of a dead delivery send it once', async (t) => {
  const shop = await aShop()
  const id = await anEndpoint(shop)
  await publish(shop)
  const [{ id: deliveryId, version }] = await deliveriesOf(shop, `endpoint_id=${id}`)
  await dead(deliveryId)
  t.equal((await deliveriesOf(shop, 'state=dead')).length, 1)
  const path = `/v1/webhook-deliveries/${deliveryId}/redeliver`
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.call('POST', path)))
  t.ok(answers.every(({ status }) => status === 202))
  const { body } = await shop.call('GET', `/v1/webhook-deliveries/${deliveryId}`)
  t.match(body, { state: 'pending', dead_reason: null, version: version + 1 })
  t.ok(Math.abs(Date.parse(body.next_attempt_at) - Date.now()) < 5_000)
  t.equal((await attempts(id, 200)).length, 1)
  t.match(await deliveriesOf(shop, `endpoint_id=${id}`), [{ state: 'delivered' }])
  await db.deleteFrom('claims').where('work', 'like', 'redeliver-turn:%').execute()
  t.match((await shop.call('POST', path)).body, { state: 'pending' }, 'delivered ones too')
  await dead(deliveryId, deliveryAttemptsMax)
  t.match(await shop.call('POST', path), {
    status: 409,
    body: { reason: 'delivery_attempts_exhausted', outcome: 'not_executed' },
  })
})

t.test(
  'a redelivery requested during an attempt survives the failure of that attempt',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    await publish(shop)
    await attempts(id, 500)
    const [{ id: deliveryId }] = await deliveriesOf(shop, `endpoint_id=${id}`)
    const due = () =>
      db
        .updateTable('webhook_deliveries')
        .set({ next_attempt_at: new Date(0) })
        .where('id', '=', deliveryId)
        .execute()
    await due()
    const redeliver = async () => {
      await shop.call('POST', `/v1/webhook-deliveries/${deliveryId}/redeliver`)
      const room = { endpoints: 100, organizationMax: 1_000, busy: new Map<string, number>() }
      const { deliveries } = await claimDeliveries(db, deliveryRules, room)
      t.same(
        deliveries.filter((one) => one.id === deliveryId),
        [],
        'no other process sends it',
      )
    }
    t.equal((await attempts(id, 500, redeliver)).length, 1)
    const { body } = await shop.call('GET', `/v1/webhook-deliveries/${deliveryId}`)
    t.equal(body.attempts.length, 2, 'it is noted')
    t.ok(Date.parse(body.next_attempt_at) <= Date.now(), 'and the next one is due')
    t.match(await attempts(id, 200), [{ tries: 0, attempts_made: 2 }])
  },
)

t.test(
  'recovering a period sends each missed event once and continues where it stopped',
  async (t) => {
    const shop = await aShop()
    const start = Date.now() - 3_600_000
    const hour = (n: number) => new Date(start + n * 60_000).toISOString()
    for (let n = 0; n < 6; n++) await publish(shop, 'shipment.created', start + n * 60_000)
    await publish(shop, 'tracking.updated', start + 90_000)
    const id = await anEndpoint(shop)
    const path = `/v1/webhook-endpoints/${id}/recover`
    t.same(await deliveriesOf(shop, `endpoint_id=${id}`), [], 'made after them')
    const countOf = async (since: string, until: string) => {
      const query = new URLSearchParams({ since, until })
      return await shop.call('GET', `/v1/webhook-endpoints/${id}/recoverable?${query}`)
    }
    t.match(await countOf(hour(1), hour(4)), {
      status: 200,
      body: { object: 'webhook_recoverable', endpoint_id: id, count: 3, is_complete: true },
    })
    const first = await shop.call('POST', path, { since: hour(1), until: hour(4) })
    t.equal((await countOf(hour(1), hour(4))).body.count, 0, 'pending ones are not sent again')
    t.equal(first.status, 202)
    t.match(first.body, {
      object: 'webhook_recovery',
      endpoint_id: id,
      recovered: 3,
      has_more: false,
    })
    const made = await deliveriesOf(shop, `endpoint_id=${id}`)
    t.same(
      made.map((one: { state: string }) => one.state),
      ['pending', 'pending', 'pending'],
    )
    await attempts(id, 200)
    const [one, two] = made
    await dead(one.id)
    await dead(two.id, deliveryAttemptsMax)
    const order = { endpointId: id, workspaceId: shop.workspaceId, now: new Date() }
    const limits = { recoveredMax: 4, readMax: 100, batchRows: 2 }
    const range = { since: new Date(start), until: new Date(start + 86_400_000) }
    const answers = await Promise.all([
      recover(db, { ...order, ...range }, limits),
      recover(db, { ...order, ...range }, limits),
    ])
    const sum = answers.reduce(
      (all, each) => all + (typeof each === 'string' ? 0 : each.recovered),
      0,
    )
    t.ok(sum >= 3 && sum <= 4, 'none twice')
    const counted = { ...order, ...range, eventTypes: ['shipment.*'] }
    t.same(await countRecoverable(db, counted), { count: 4 - sum, isComplete: true })
    const unsubscribed = { ...counted, eventTypes: ['tracking.*'] }
    t.same(await countRecoverable(db, unsubscribed), { count: 1, isComplete: true })
    t.match(await countRecoverable(db, counted, { readMax: 2 }), { isComplete: false })
    const whole = { since: hour(0), until: hour(60) }
    await shop.call('POST', path, whole)
    t.match((await shop.call('POST', path, whole)).body, { recovered: 0, next_since: null })
    const after = await deliveriesOf(shop, `endpoint_id=${id}`)
    const states = Object.groupBy(after, (each: { state: string }) => each.state)
    t.equal(states.pending?.length, 4)
    t.equal(states.delivered?.length, 1)
    t.equal(states.dead?.length, 1, 'deliveries with no attempt left')
    const little = await recover(db, { ...order, ...range }, { ...limits, readMax: 2 })
    t.same(little, { recovered: 0, nextSince: new Date(start + 90_000) })
    for (const wrong of [
      { since: hour(1), until: hour(1) },
      { since: '2026-01-01T00:00:00Z', until: '2026-01-15T00:00:01Z' },
      { since: 'yesterday', until: hour(1) },
    ]) {
      t.match(await shop.call('POST', path, wrong), { status: 422 })
      t.equal((await countOf(wrong.since, wrong.until)).status, 400)
    }
  },
)

/** Opens the endpoint's circuit breaker for another half hour. */
async function openBreaker(endpointId: string): Promise<void> {
  const open_until = new Date(Date.now() + 1_800_000)
  const lane = { failures: 20, trips: 7, failing_since: new Date(), open_until }
  await db.updateTable('webhook_lanes').set(lane).where('endpoint_id', '=', endpointId).execute()
}

function breakerOf(endpointId: string) {
  return db
    .selectFrom('webhook_lanes')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirstOrThrow()
}

t.test(
  'an endpoint is failing after three failures in a row, until it is enabled again',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    const path = `/v1/webhook-endpoints/${id}`
    const well = { state: 'ok', failing_since: null, last_success_at: null, next_probe_at: null }
    const read = async () => {
      const { body } = await shop.call('GET', path)
      t.same((await shop.call('GET', '/v1/webhook-endpoints')).body.data, [body], 'as in the list')
      return body.health
    }
    t.strictSame(await read(), well)
    const begun = Date.now()
    for (let n = 0; n < 2; n++) await publish(shop)
    await attempts(id, 500)
    t.strictSame(await read(), well)
    const { headers } = await shop.call('GET', path)
    await publish(shop)
    await attempts(id, 500)
    const failing = await read()
    t.match(failing, { ...well, state: 'failing', failing_since: String })
    const since = Date.parse(failing.failing_since)
    t.ok(since >= begun && since <= Date.now(), 'since the first of them')
    const known = { 'if-none-match': String(headers.etag) }
    t.equal((await shop.call('GET', path, undefined, known)).status, 200, 'its health is news')
    const match = { 'if-match': String(headers.etag) }
    const changed = await shop.call('PATCH', path, { description: 'x' }, match)
    t.equal(changed.status, 200, 'and no reason to refuse a change')
    t.equal((await shop.call('PATCH', path, { description: 'y' }, match)).status, 412)
    await openBreaker(id)
    t.equal((await read()).next_probe_at, (await breakerOf(id)).open_until?.toISOString())
    await shop.call('PATCH', path, { status: 'disabled' })
    t.match(await read(), { state: 'failing', next_probe_at: null }, 'nothing is sent')
    await shop.call('PATCH', path, { status: 'enabled' })
    t.strictSame(await read(), well)
    await publish(shop)
    await attempts(id, 200)
    const { last_success_at: at } = await read()
    t.ok(Date.parse(at) >= since)
    await publish(shop)
    await attempts(id, 500)
    t.match(await read(), { state: 'ok', last_success_at: at })
  },
)

t.test('a redelivery is sent while the breaker is open, and its success closes it', async (t) => {
  const shop = await aShop()
  const id = await anEndpoint(shop)
  for (let n = 0; n < 3; n++) await publish(shop)
  await openBreaker(id)
  t.equal((await attempts(id, 500)).length, 0, 'the breaker defers what was not requested')
  const [{ id: asked }] = await deliveriesOf(shop, `endpoint_id=${id}`)
  await shop.call('POST', `/v1/webhook-deliveries/${asked}/redeliver`)
  t.match(await attempts(id, 500), [{ id: asked }], 'only the requested delivery is sent')
  t.equal((await attempts(id, 500)).length, 0, 'a failure leaves the breaker open')
  await db.deleteFrom('claims').where('work', 'like', 'redeliver-turn:%').execute()
  await shop.call('POST', `/v1/webhook-deliveries/${asked}/redeliver`)
  t.match(await attempts(id, 200), [{ id: asked, attempts_made: 1 }])
  t.match(await breakerOf(id), { failures: 0, trips: 0, open_until: null, failing_since: null })
  t.equal((await attempts(id, 200)).length, 2, 'the rest follows')
})

t.test('a test event is sent while the breaker is open, and its success closes it', async (t) => {
  const shop = await aShop()
  const id = await anEndpoint(shop)
  await publish(shop)
  await openBreaker(id)
  const example = await shop.call('POST', `/v1/webhook-endpoints/${id}/test`, {
    type: 'label.ready',
  })
  t.match(await attempts(id, 200), [{ id: example.body.id }])
  t.match(await breakerOf(id), { failures: 0, open_until: null })
})

t.test(
  'a recovery sends eight deliveries past an open breaker to decide about the rest',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    const start = Date.now() - 3_600_000
    for (let n = 0; n < 30; n++) await publish(shop, 'shipment.created', start + n * 1_000)
    const path = `/v1/webhook-endpoints/${id}`
    await shop.call('PATCH', path, { status: 'disabled' })
    await shop.call('PATCH', path, { status: 'enabled' })
    await openBreaker(id)
    const range = { since: new Date(start).toISOString(), until: new Date().toISOString() }
    const recovered = await shop.call('POST', `${path}/recover`, range)
    t.equal(recovered.body.recovered, 30)
    t.equal((await shop.call('POST', `${path}/recover`, range)).body.recovered, 0)
    t.equal(
      (await attempts(id, 500)).length,
      inFlightPerEndpointMax,
      'no more, however often it was requested',
    )
    t.equal((await attempts(id, 500)).length, 0, 'their failure defers the rest')
    await shop.call('POST', `${path}/recover`, range)
    t.equal(
      (await attempts(id, 200)).length,
      inFlightPerEndpointMax,
      'what the breaker deferred is probed again',
    )
    t.match(await breakerOf(id), { failures: 0, open_until: null })
    t.equal(
      (await attempts(id, 200)).length,
      inFlightPerEndpointMax,
      'a success lets the rest follow',
    )
  },
)

t.test('enabling an endpoint or changing its URL closes its breaker', async (t) => {
  const shop = await aShop()
  const id = await anEndpoint(shop)
  const path = `/v1/webhook-endpoints/${id}`
  const closed = { failures: 0, trips: 0, open_until: null, failing_since: null }
  for (const change of [{ status: 'enabled' }, { url: 'https://other.example/hooks' }]) {
    await openBreaker(id)
    t.equal(
      (await shop.call('PATCH', path, { description: `before ${Object.keys(change)}` })).status,
      200,
    )
    t.match(await breakerOf(id), { failures: 20 }, 'another change leaves it as it is')
    t.equal((await shop.call('PATCH', path, change)).status, 200)
    t.match(await breakerOf(id), closed, JSON.stringify(change))
  }
})

t.test(
  'redelivery, test and recovery of a disabled endpoint are refused with the reason',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    await publish(shop)
    const [{ id: deliveryId }] = await deliveriesOf(shop, `endpoint_id=${id}`)
    const path = `/v1/webhook-endpoints/${id}`
    await shop.call('PATCH', path, { status: 'disabled' })
    const range = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }
    for (const [url, body] of [
      [`/v1/webhook-deliveries/${deliveryId}/redeliver`, undefined],
      [`${path}/test`, { type: 'label.ready' }],
      [`${path}/recover`, range],
    ] as const) {
      const refused = await shop.call('POST', url, body)
      t.match(refused, { status: 409, body: { outcome: 'not_executed', retryable: false } }, url)
      t.equal(refused.body.reason, 'endpoint_disabled')
    }
  },
)

t.test(
  'deliveries held back by a breaker for the whole retry schedule die as expired',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    const ladder = deliveryRules.ladderTimeMs
    const old = { created_at: new Date(0) }
    await db.updateTable('webhook_endpoints').set(old).where('id', '=', id).execute()
    for (const ago of [ladder + 60_000, ladder + 30_000, ladder - 60_000]) {
      await publish(shop, 'shipment.created', Date.now() - ago)
    }
    const expire = () => expireDeliveries(db, deliveryRules)
    t.equal(await expire(), 0, 'the breaker is closed: the last attempt is still to be made')
    await openBreaker(id)
    t.equal(await expire(), 2)
    t.equal(await expire(), 0)
    const deliveries = await deliveriesOf(shop, `endpoint_id=${id}`)
    t.match(deliveries, [
      { state: 'pending' },
      { state: 'dead', dead_reason: 'expired', attempts: [], next_attempt_at: null },
      { state: 'dead', dead_reason: 'expired' },
    ])
    const again = deliveries[2]
    await shop.call('POST', `/v1/webhook-deliveries/${again.id}/redeliver`)
    t.match(
      await attempts(id, 500),
      [{ id: again.id, tries: 0 }],
      'its retry schedule starts again',
    )
    t.equal(await expire(), 0)
  },
)

t.test(
  'an advance of the clock reaches a requested redelivery before the breaker closes',
  async (t) => {
    const shop = await aShop()
    const id = await anEndpoint(shop)
    await publish(shop)
    await openBreaker(id)
    const until = Date.now() + 86_400_000
    const due = dueDeliveries({ db, deliveryRules } as DeliveryServices)
    const [deferred] = await due.next(shop.workspaceId, until, [])
    t.equal(deferred?.at, (await breakerOf(id)).open_until?.getTime())
    const [{ id: asked }] = await deliveriesOf(shop, `endpoint_id=${id}`)
    const { body } = await shop.call('POST', `/v1/webhook-deliveries/${asked}/redeliver`)
    const [first] = await due.next(shop.workspaceId, until, [])
    t.match(first, { key: asked, at: Date.parse(body.next_attempt_at) })
  },
)

type World = { readonly endpoint: string; readonly event: string; readonly delivery: string }

/** Every way to name another caller's endpoint, event or delivery. */
function requestsNaming(
  { endpoint, event, delivery }: World,
  workspace: string,
): readonly Parameters<Client>[] {
  const request = { 'x-request-id': 'req_000000000000000000same' }
  const range = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }
  const at = `/v1/webhook-endpoints/${endpoint}`
  return [
    ['GET', at, undefined, request],
    ['GET', `/v1/events/${event}`, undefined, request],
    ['GET', `/v1/webhook-deliveries/${delivery}`, undefined, request],
    ['PATCH', at, { description: 'x' }, request],
    ['POST', `${at}/rotate-secret`, undefined, request],
    ['POST', `${at}/test`, { type: 'label.ready' }, request],
    ['POST', `${at}/recover`, range, request],
    ['POST', `/v1/webhook-deliveries/${delivery}/redeliver`, undefined, request],
    ['DELETE', at, undefined, request],
    ['POST', '/v1/webhook-endpoints', body(workspace), request],
    ['GET', `/v1/webhook-endpoints?workspace_id=${workspace}`, undefined, request],
    ['GET', `/v1/events?workspace_id=${workspace}`, undefined, request],
    ['GET', `/v1/webhook-deliveries?workspace_id=${workspace}`, undefined, request],
    ['GET', `/v1/webhook-deliveries?endpoint_id=${endpoint}`, undefined, request],
    ['GET', `/v1/webhook-deliveries?event_id=${event}`, undefined, request],
  ]
}

async function aWorld(shop: Shop): Promise<World> {
  const endpoint = await anEndpoint(shop)
  const event = await publish(shop)
  const [{ id: delivery }] = await deliveriesOf(shop, `event_id=${event}`)
  return { endpoint, event, delivery }
}

t.test('other callers cannot find or change an endpoint, event or delivery', async (t) => {
  const shop = await aShop()
  const world = await aWorld(shop)
  const sibling = await aWorkspace(shop.call, 'sibling')
  const stranger = await aShop()
  const keys = [
    (await aKey(server, stranger.organizationId)).key,
    (await aKey(server, shop.organizationId, { livemode: true })).key,
    (await aKey(server, shop.organizationId, { workspaceId: sibling })).key,
    (await aKey(server, stranger.organizationId, { scopes: [] })).key,
  ]
  const value = '0'.repeat(21)
  const absent = { endpoint: `whe_${value}x`, event: `evt_${value}x`, delivery: `dlv_${value}x` }
  const rows = () => db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()
  const before = [await endpointRow(world.endpoint), await rows()]
  for (const key of keys) {
    const call = client(server.app, key)
    const never = requestsNaming(absent, `ws_${value}x`)
    for (const [n, ask] of requestsNaming(world, shop.workspaceId).entries()) {
      const answer = await call(...ask)
      const other = await call(...(never[n] as Parameters<Client>))
      t.strictSame([answer.status, answer.body], [other.status, other.body], `${ask[0]} ${ask[1]}`)
      t.ok(answer.status === 404 || (key === keys[3] && answer.status === 403), ask[1])
    }
    for (const list of ['webhook-endpoints', 'events', 'webhook-deliveries']) {
      if (key !== keys[3]) t.same((await call('GET', `/v1/${list}`)).body.data, [], list)
    }
  }
  t.strictSame([await endpointRow(world.endpoint), await rows()], before, 'nothing changed')
  const bare = client(server.app, (await aKey(server, shop.organizationId, { scopes: [] })).key)
  for (const [n, ask] of requestsNaming(world, shop.workspaceId).entries()) {
    const { status, body } = await bare(...ask)
    t.equal(status, 403, ask[1])
    const isRead = n < 3 || n > 9
    t.match(body.detail, isRead ? /webhooks:read/ : /webhooks:write/)
  }
})

t.test('events and deliveries can be filtered and paged', async (t) => {
  const shop = await aShop()
  const id = await anEndpoint(shop)
  const start = Date.now()
  const [first, second] = [
    await publish(shop, 'shipment.created', start),
    await publish(shop, 'label.ready', start + 1_000),
  ]
  const ids = async (path: string) =>
    (await shop.call('GET', path)).body.data.map((one: { id: string; event_id?: string }) =>
      one.event_id === undefined ? one.id : one.event_id,
    )
  const later = encodeURIComponent(new Date(start + 500).toISOString())
  t.same(await ids('/v1/events'), [second, first])
  t.same(await ids('/v1/events?type=shipment.created'), [first])
  t.same(await ids(`/v1/events?created_at[gte]=${later}`), [second])
  t.same(await ids(`/v1/webhook-deliveries?created_at[lt]=${later}`), [first])
  t.same(await ids('/v1/webhook-deliveries?event_type=label.ready'), [second])
  t.same(await ids(`/v1/webhook-deliveries?endpoint_id=${id}&state=pending`), [second, first])
  t.same(await ids('/v1/webhook-deliveries?state=delivered'), [])
  const page = await shop.call('GET', '/v1/webhook-deliveries?limit=1')
  const cursor = encodeURIComponent(page.body.next_cursor)
  t.same(await ids(`/v1/webhook-deliveries?limit=1&cursor=${cursor}`), [first])
  const unknown = `/v1/events?shipment_id=shp_${'0'.repeat(22)}`
  t.equal((await shop.call('GET', unknown)).status, 404)
})
