import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { projections } from '../../projections/all.ts'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { deliveryRules, ladderMs } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { rebuildProjection } from '../../src/service/projector/rebuild.ts'
import { type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { type Received, type Receiver, receiver } from '../support/receiver.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const everything = [
  'shipment.*',
  'label.*',
  'operation.*',
  'tracking.*',
  'connection.*',
  'webhook_endpoint.*',
  'quota.*',
]

type Endpoint = { readonly id: string; readonly secret: string }

async function subscribed(
  own: ApiClient,
  to: Pick<Receiver, 'url'>,
  eventTypes: readonly string[] = everything,
): Promise<Endpoint> {
  const body = { workspace_id: own.seeded.workspaceId, url: to.url, event_types: eventTypes }
  const answer = await own.call('/v1/webhook-endpoints', { body })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

const arrived = (mine: Receiver, isThere: (all: readonly Received[]) => boolean) =>
  eventually(async () => mine.received, isThere)
/** The paths of all fields. */
function fieldsOf(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([name, each]) => fieldsOf(each, `${at}.${name}`))
}
const typesOf = (all: readonly Received[]) => all.map(({ event }) => event.type as string)
const deliveriesOf = async (own: ApiClient, query: string) =>
  (await own.call(`/v1/webhook-deliveries?${query}&limit=100`)).body.data

t.test("a shipment's webhooks reach its subscribers with valid signatures", async (t) => {
  const own = await freshShop(shop, 'told')
  const [all, labels, uninvolved] = [await receiver(t), await receiver(t), await receiver(t)]
  const { secret } = await subscribed(own, all)
  await subscribed(own, labels, ['label.ready'])
  await subscribed(await freshShop(shop, 'told-elsewhere'), uninvolved)
  const made = await own.create('told-1')
  await own.advance('P2D')
  await arrived(all, (received) => typesOf(received).includes('tracking.delivered'))
  t.same(typesOf(labels.received), ['label.ready'])
  t.same(uninvolved.received, [])
  const mine = all.received.toSorted((a, b) => a.event.sequence - b.event.sequence)
  t.same(
    mine.map(({ event }) => event.sequence),
    mine.map((_, index) => index + 1),
    'dense and complete',
  )
  for (const { event, headers, body } of mine) {
    t.match(event, { livemode: false, workspace_id: own.seeded.workspaceId, api_version: 'v1' })
    t.equal(event.resource.id, made.body.id)
    t.equal(headers['webhook-id'], event.id)
    t.ok(new Webhook(secret).verify(body.toString(), headers))
    t.match(await verifyWebhook(body, headers, secret), { id: event.id })
    const changed = body.toString().replace('"livemode":false', '"livemode":true')
    t.throws(() => new Webhook(secret).verify(changed, headers))
    const old = {
      ...headers,
      'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301),
    }
    t.throws(() => new Webhook(secret).verify(body.toString(), old))
    t.throws(() => new Webhook(`whsec_${'A'.repeat(43)}=`).verify(body.toString(), headers))
  }
  const created = mine[0]?.event.data.object
  const asRead = (await own.call(`/v1/shipments/${made.body.id}?as_of=3`)).body
  const impersonal = { recipient: null, declared_content: null, metadata: null, pickup_code: null }
  t.same(created, { ...asRead, ...impersonal }, 'the shipment as it was then, without the person')
})

t.test('recovery renders an unsent webhook as it would have been sent', async (t) => {
  const [notified, quiet] = [
    await freshShop(shop, 'text-kept'),
    await freshShop(shop, 'text-rendered'),
  ]
  const [atOnce, later] = [await receiver(t), await receiver(t)]
  const types = ['shipment.created', 'label.ready']
  await subscribed(notified, atOnce, types)
  const since = new Date(Date.now() - 60_000).toISOString()
  for (const own of [notified, quiet]) {
    await own.create('order')
    await own.advance('PT1M')
  }
  await arrived(atOnce, (received) => received.length === 2)
  const { rows } = await sql<{ kept: boolean }>`
    SELECT body IS NOT NULL AS kept FROM webhook_events
    WHERE workspace_id = ${quiet.seeded.workspaceId}`.execute(shop.parts.db)
  t.same(
    rows.map(({ kept }) => kept),
    [false, false],
  )
  const { id } = await subscribed(quiet, later, types)
  const until = new Date(Date.now() + 120_000).toISOString()
  const answer = await quiet.call(`/v1/webhook-endpoints/${id}/recover`, {
    body: { since, until },
  })
  t.equal(answer.body.recovered, 2)
  await arrived(later, (received) => received.length === 2)
  // Two orders that differ only in ids and times get the same webhooks.
  const shape = ({ event }: Received) => [event.type, event.sequence, fieldsOf(event).toSorted()]
  const inOrder = (all: readonly Received[]) =>
    all.toSorted((a, b) => a.event.sequence - b.event.sequence).map(shape)
  t.same(inOrder(later.received), inOrder(atOnce.received))
  for (const { event, body } of later.received) {
    const { object, created_at: _, ...read } = (await quiet.call(`/v1/events/${event.id}`)).body
    t.equal(object, 'webhook_event')
    t.same(JSON.parse(body.toString()), read, 'the event as it is read')
  }
})

t.test('every attempt and every redelivery sends the same bytes', async (t) => {
  const own = await freshShop(shop, 'same-bytes')
  const mine = await receiver(t, (_, number) => ({ status: number <= 3 ? 500 : 200, body: 'no' }))
  const { id: endpointId, secret } = await subscribed(own, mine, ['shipment.created'])
  await own.create('same-bytes-1')
  await own.advance('PT1H')
  await arrived(mine, (received) => received.length === 4)
  const [delivery] = await deliveriesOf(own, `endpoint_id=${endpointId}`)
  t.match(delivery, { state: 'delivered', attempts: { length: 4 }, next_attempt_at: null })
  const { attempts } = (await own.call(`/v1/webhook-deliveries/${delivery.id}`)).body
  t.match(attempts[0], { status_code: 500, response_excerpt: 'no', error: null })
  const again = await own.call(`/v1/webhook-deliveries/${delivery.id}/redeliver`, {
    method: 'POST',
  })
  t.match(again, { status: 202, body: { state: 'pending' } })
  await arrived(mine, (received) => received.length === 5)
  for (const { body, headers } of mine.received) {
    t.ok(mine.received[0]?.body.equals(body))
    t.equal(headers['webhook-id'], delivery.event_id)
    t.ok(new Webhook(secret).verify(body.toString(), headers))
  }
  const event = await own.call(`/v1/events/${delivery.event_id}`)
  const { object, created_at: at, ...payload } = event.body
  t.match({ object, at }, { object: 'webhook_event', at: payload.timestamp })
  t.same(payload, mine.received[0]?.event)
})

t.test(
  'a failing delivery follows the whole retry schedule on the clock and then dies',
  async (t) => {
    const own = await freshShop(shop, 'ladder')
    const mine = await receiver(t, () => ({ status: 503, headers: { 'retry-after': '1' } }))
    const { id } = await subscribed(own, mine, ['shipment.created'])
    await own.create('ladder-1')
    await arrived(mine, (received) => received.length === 1)
    await own.advance('P4D')
    const [delivery] = await deliveriesOf(own, `endpoint_id=${id}&state=dead`)
    t.match(delivery, { dead_reason: 'attempts_exhausted', attempts: { length: 12 } })
    const times = delivery.attempts.map(({ at }: { at: string }) => Date.parse(at))
    const waits = times.slice(1).map((at: number, index: number) => at - times[index])
    const endsAt = Date.parse(delivery.created_at) + deliveryRules.ladderTimeMs
    t.equal(times.at(-1), endsAt, 'the last attempt comes when the time of the ladder is over')
    for (const [index, wait] of waits.slice(0, -1).entries()) {
      const late = wait - (ladderMs[index] ?? 0)
      t.ok(late >= 0 && late < 5_000, `attempt ${index + 2} after ${wait} ms`)
    }
    t.equal(mine.received.length, 12)
    const seconds = mine.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    t.ok(Math.max(...seconds) * 1_000 < Date.now() + 1_000, 'signed at the real time')
  },
)

t.test('an open breaker defers deliveries without using up their attempts', async (t) => {
  const own = await freshShop(shop, 'breaker')
  let isUp = false
  const mine = await receiver(t, () => ({ status: isUp ? 200 : 500 }))
  const { id } = await subscribed(own, mine, ['shipment.created'])
  const { db } = shop.parts
  const failing_since = new Date(Date.now() - 60_000)
  const failing = { failures: 9, counted_failures: 9, failing_since }
  await db.updateTable('webhook_lanes').set(failing).where('endpoint_id', '=', id).execute()
  await Promise.all(Array.from({ length: 15 }, (_, n) => own.create(`breaker-${n}`)))
  await eventually(
    () => deliveriesOf(own, `endpoint_id=${id}`),
    (all) => all.length === 15,
    10_000,
  )
  const { health } = await eventually(
    async () => (await own.call(`/v1/webhook-endpoints/${id}`)).body,
    (endpoint) => endpoint.health.next_probe_at !== null,
    10_000,
  )
  t.equal(health.state, 'failing')
  const attempts = mine.received.length
  t.ok(attempts < 15, `${attempts} attempts before it opened`)
  isUp = true
  await own.advance('PT3M')
  const all = await deliveriesOf(own, `endpoint_id=${id}`)
  t.ok(all.every(({ state }: { state: string }) => state === 'delivered'))
  const made = all.flatMap((each: { attempts: unknown[] }) => each.attempts).length
  t.equal(made, mine.received.length, 'each attempt was made and is on record')
})

t.test('a receiver that restarts gets everything at the first repetition', async (t) => {
  const own = await freshShop(shop, 'restarted')
  const count = 15
  const seen = new Set<string>()
  const mine = await receiver(t, ({ headers }) => {
    const isFirst = !seen.has(String(headers['webhook-id']))
    seen.add(String(headers['webhook-id']))
    return { status: isFirst ? 503 : 200 }
  })
  const { id } = await subscribed(own, mine, ['shipment.created'])
  await Promise.all(Array.from({ length: count }, (_, n) => own.create(`restarted-${n}`)))
  const all = await eventually(
    () => deliveriesOf(own, `endpoint_id=${id}&state=delivered`),
    (delivered) => delivered.length === count,
  )
  for (const { attempts } of all) t.equal(attempts.length, 2)
  const lane = shop.parts.db.selectFrom('webhook_lanes').selectAll().where('endpoint_id', '=', id)
  t.match(await lane.executeTakeFirst(), { failures: 0, trips: 0, open_until: null })
})

t.test(
  'an endpoint that answers 410 is disabled at once, and other endpoints are told',
  async (t) => {
    const own = await freshShop(shop, 'gone')
    const gone = await receiver(t, () => ({ status: 410 }))
    const other = await receiver(t)
    const { id } = await subscribed(own, gone, ['shipment.created'])
    await subscribed(own, other, ['webhook_endpoint.disabled'])
    await own.create('gone-1')
    await arrived(other, (received) => received.length === 1)
    const endpoint = (await own.call(`/v1/webhook-endpoints/${id}`)).body
    t.match(endpoint, { status: 'disabled', disabled_reason: 'gone' })
    t.match(other.received[0]?.event, {
      type: 'webhook_endpoint.disabled',
      sequence: null,
      resource: { type: 'webhook_endpoint', id, version: endpoint.version },
      data: { object: { id, url: null, status: 'disabled', disabled_reason: 'gone' } },
      previous: { status: 'enabled' },
    })
    t.same(
      other.received[0]?.event.data.object,
      { ...endpoint, url: null, description: null },
      'the object of the API, without what is only for its owner',
    )
    await own.create('gone-2')
    const discarded = await eventually(
      () => deliveriesOf(own, `endpoint_id=${id}&state=discarded`),
      (all) => all.length === 1,
      10_000,
    )
    t.match(discarded, [{ dead_reason: 'endpoint_disabled', attempts: [] }])
    t.equal(gone.received.length, 1)
  },
)

t.test('a 410 from the former URL does not disable an endpoint that has moved', async (t) => {
  const own = await freshShop(shop, 'moved')
  const moved = Promise.withResolvers<void>()
  const former = await receiver(t, async () => {
    await moved.promise
    return { status: 410 }
  })
  const current = await receiver(t)
  const { id } = await subscribed(own, former, ['shipment.created'])
  await own.create('moved-1')
  await arrived(former, (received) => received.length === 1)
  const path = `/v1/webhook-endpoints/${id}`
  t.equal((await own.call(path, { method: 'PATCH', body: { url: current.url } })).status, 200)
  moved.resolve()
  await arrived(current, (received) => received.length === 1)
  t.match((await own.call(path)).body, { status: 'enabled', health: { state: 'ok' } })
  const [delivery] = await eventually(
    () => deliveriesOf(own, `endpoint_id=${id}`),
    ([one]) => one.state === 'delivered',
  )
  t.match(delivery.attempts, [{ status_code: 410 }, { status_code: 200 }])
})

t.test('five days of failures disable an endpoint', async (t) => {
  const own = await freshShop(shop, 'failing')
  const mine = await receiver(t, () => ({ status: 500 }))
  const { id } = await subscribed(own, mine, ['shipment.*', 'tracking.*'])
  await own.create('failing-1', { scenario: 'not_collected_returned' })
  await own.advance('P7D')
  const { status, disabled_reason: reason } = (await own.call(`/v1/webhook-endpoints/${id}`)).body
  t.same({ status, reason }, { status: 'disabled', reason: 'failing' })
  const pending = await deliveriesOf(own, `endpoint_id=${id}&state=pending`)
  t.same(pending, [])
})

t.test('a parked connection and each quota threshold send one webhook', async (t) => {
  const own = await freshShop(shop, 'rows')
  const mine = await receiver(t)
  await subscribed(own, mine, ['connection.*', 'quota.*'])
  const { connectionId, organizationId, workspaceId } = own.seeded
  for (const key of ['rows-1', 'rows-2']) {
    await own.create(key, { scenario: 'credentials_invalid' })
  }
  await arrived(mine, (received) => received.length === 1)
  const parked = (await own.call(`/v1/courier-connections/${connectionId}`)).body
  t.match(mine.received[0]?.event, {
    type: 'connection.needs_reauth',
    workspace_id: workspaceId,
    sequence: null,
    resource: { type: 'courier_connection', id: connectionId, version: parked.version },
    previous: { status: 'active' },
  })
  t.equal(parked.status, 'needs_reauth')
  t.same(
    mine.received[0]?.event.data.object,
    { ...parked, display_name: null },
    'the object of the API, without the name that a client chose',
  )
  const { db } = shop.parts
  await sql`INSERT INTO plans (name, shipments_per_month) VALUES ('reached', 1)`.execute(db)
  await sql`UPDATE organizations SET plan = 'reached' WHERE id = ${organizationId}`.execute(db)
  await sql`SELECT quota_note_thresholds(ARRAY[${organizationId}], ARRAY[false],
    ARRAY[date_trunc('month', now() AT TIME ZONE 'UTC')::date]) FROM generate_series(1, 3)`.execute(
    db,
  )
  await sql`UPDATE organizations SET plan = 'default' WHERE id = ${organizationId}`.execute(db)
  await arrived(mine, (received) => received.length === 3)
  const quotas = mine.received.slice(1).map(({ event }) => event.data.object)
  t.same(quotas.map(({ percent }) => percent).toSorted(), [100, 80])
  t.match(quotas[0], { object: 'quota', metric: 'shipments', limit: 1 })
})

t.test('rebuilding the read models sends no webhook again', async (t) => {
  const own = await freshShop(shop, 'rebuilt')
  const mine = await receiver(t)
  const { id } = await subscribed(own, mine)
  await own.create('rebuilt-1')
  await own.advance('P2D')
  const before = await deliveriesOf(own, `endpoint_id=${id}`)
  const { db, store } = shop.parts
  for (const projection of projections) {
    await rebuildProjection(
      { db, pool: shop.parts.pool, store },
      projection,
      new AbortController().signal,
    )
  }
  t.same(await deliveriesOf(own, `endpoint_id=${id}`), before)
  t.equal(mine.received.length, before.length)
  t.ok(before.length > 5)
})

t.test('webhooks and logs contain no personal data and no secret', async (t) => {
  const { rows } = await sql<{ text: string }>`
    SELECT string_agg(body, ' ') AS text FROM webhook_events`.execute(shop.parts.db)
  const text = `${rows[0]?.text} ${shop.logged.join(' ')}`
  const { recipient, declared_content: content } = exampleShipmentRequest('any', shop.seeded)
  for (const personal of [recipient.document, recipient.last_name, content, 'whsec_']) {
    t.notOk(text.includes(personal))
  }
  t.same(
    shop.logged.filter((line) => /"level":(50|60)/.test(line)),
    [],
  )
})
