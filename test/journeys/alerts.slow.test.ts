import pg from 'pg'
import t from 'tap'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { webhookPayloadSchema } from '../../src/service/http/webhook-deliveries/webhook-event-schema.ts'
import { type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { type Received, type Receiver, receiver } from '../support/receiver.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
/** All subscriptions that existed before alerts. */
const everythingElse = [
  'shipment.*',
  'label.*',
  'operation.*',
  'tracking.*',
  'connection.*',
  'webhook_endpoint.*',
  'quota.*',
]

async function subscribed(
  own: ApiClient,
  to: Pick<Receiver, 'url'>,
  ...types: readonly string[]
): Promise<{ readonly id: string; readonly secret: string }> {
  const body = { workspace_id: own.seeded.workspaceId, url: to.url, event_types: types }
  const answer = await own.call('/v1/webhook-endpoints', { body })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** Conditions of the machine are checked every ten seconds while there is activity. */
const arrived = (mine: Receiver, count: number) =>
  eventually(
    async () => mine.received,
    (all) => all.length >= count,
    40_000,
  )
const said = ({ event }: Received) => `${event.type} ${event.data.object.state}`

t.test('an operation that needs review raises an alert until a person decides', async (t) => {
  const own = await freshShop(shop, 'alerted')
  const [alerts, others] = [await receiver(t), await receiver(t)]
  const { secret } = await subscribed(own, alerts, 'alert.*')
  await subscribed(own, others, ...everythingElse)
  const scenario = 'lost_response_human_review'
  const created = await own.create('stuck', { scenario })
  const { operation_id: operationId, shipment_id: shipmentId } = created.body
  await own.advance('PT9H')
  const [firing] = await arrived(alerts, 1)
  t.equal(firing && said(firing), 'alert.review_needed firing')
  t.match(firing?.event.data.object, {
    subject: { type: 'operation', id: operationId },
    shipment_id: shipmentId,
    reason: 'deadline_passed',
  })
  t.match(await verifyWebhook(firing?.body ?? '', firing?.headers ?? {}, secret), {
    id: firing?.event.id,
  })
  const decision = { decision: 'nothing_created', note: 'canary-note of Ana' }
  const resolved = await own.call(`/v1/operations/${operationId}/resolve`, {
    key: own.seeded.operatorKey,
    body: decision,
  })
  t.equal(resolved.status, 200)
  t.same((await arrived(alerts, 2)).map(said), [
    'alert.review_needed firing',
    'alert.review_needed resolved',
  ])
  t.ok(alerts.received.every(({ event }) => event.sequence === null))
  t.notMatch(String(alerts.received.map(({ body }) => body)), /canary|Ana/)
  const list = `/v1/events?shipment_id=${shipmentId}&limit=100`
  const { data } = (await own.call(list)).body
  const numbered = data.filter(({ sequence }: { sequence: number | null }) => sequence !== null)
  t.same(
    numbered.map(({ sequence }: { sequence: number }) => sequence).toSorted(),
    numbered.map((_: unknown, index: number) => index + 1),
    'the others are numbered without a gap',
  )
  await arrived(others, numbered.length)
  t.ok(others.received.every(({ event }) => !event.type.startsWith('alert.')))
  // The body of an event without a delivery is created when it is read.
  const quiet = await own.call(`/v1/events/${firing?.event.id}`)
  t.match(quiet.body, { sequence: null, data: firing?.event.data })
})

t.test('a contradiction raises both alerts, also for an event that is only read', async (t) => {
  const own = await freshShop(shop, 'alerts-read')
  const { body } = await own.create('against', { scenario: 'lost_response_human_review' })
  const { operation_id: operationId, shipment_id: shipmentId } = body
  await own.advance('PT9H')
  await own.call(`/v1/operations/${operationId}/resolve`, {
    key: own.seeded.operatorKey,
    body: { decision: 'nothing_created', note: 'The courier said so' },
  })
  await own.advance('P2D')
  const alertsOf = async () => {
    const { data } = (await own.call(`/v1/events?shipment_id=${shipmentId}&limit=100`)).body
    return data.filter(({ type }: { type: string }) => type.startsWith('alert.'))
  }
  const all = await eventually(alertsOf, (found) => found.length >= 4)
  const states = all.map(
    ({ type, data }: { type: string; data: { object: { state: string } } }) =>
      `${type} ${data.object.state}`,
  )
  t.same(states.toSorted(), [
    'alert.contradicted firing',
    'alert.review_needed firing',
    'alert.review_needed firing',
    'alert.review_needed resolved',
  ])
})

t.test('an unreachable courier and a failing endpoint are reported while they last', async (t) => {
  const own = await freshShop(shop, 'outage')
  const alerts = await receiver(t)
  const broken = await receiver(t, () => ({ status: 500 }))
  await subscribed(own, alerts, 'alert.courier_unreachable', 'alert.endpoint_failing')
  const { id } = await subscribed(own, broken, 'alert.*', 'shipment.created')
  for (let n = 0; n < 3; n++) {
    t.match(await own.create(`away-${n}`, { scenario: 'courier_unreachable' }), { status: 503 })
  }
  await arrived(alerts, 1)
  for (let n = 0; n < 3; n++) await own.create(`well-${n}`)
  await own.advance('PT1M')
  const received = await arrived(alerts, 2)
  t.same(received.map(said).toSorted(), [
    'alert.courier_unreachable firing',
    'alert.endpoint_failing firing',
  ])
  const subjects = received.map(({ event }) => event.data.object.subject)
  t.match(
    subjects.toSorted((a, b) => a.type.localeCompare(b.type)),
    [
      { type: 'courier_connection', id: own.seeded.connectionId },
      { type: 'webhook_endpoint', id },
    ],
  )
  t.ok(received.every(({ event }) => webhookPayloadSchema.safeParse(event).success))
  t.notOk(broken.received.some(({ event }) => event.type === 'alert.endpoint_failing'))
})

t.test('webhooks from before there were alerts keep their numbers', async (t) => {
  const former = await service(t)
  const created = await former.create('before', { scenario: 'lost_response_human_review' })
  const { operation_id: operationId, shipment_id: shipmentId } = created.body
  const list = `/v1/events?shipment_id=${shipmentId}&limit=100`
  const eventsOf = async ({ call }: ApiClient) => (await call(list)).body.data.toReversed()
  await former.advance('PT9H')
  await eventually(
    () => eventsOf(former),
    (all) => all.length === 3,
    20_000,
  )
  await former.stop()
  const admin = new pg.Client({ connectionString: former.database.adminUrl })
  await admin.connect()
  await admin.query(`DELETE FROM webhook_events WHERE type LIKE 'alert.%'`)
  await admin.end()
  const upgraded = await service(t, { after: former })
  const ended = await upgraded.call(`/v1/operations/${operationId}/resolve`, {
    key: upgraded.seeded.operatorKey,
    body: { decision: 'nothing_created', note: 'The courier said so' },
  })
  t.equal(ended.status, 200)
  const all = await eventually(
    () => eventsOf(upgraded),
    (found) => found.length === 4,
    20_000,
  )
  const shown = ({ type, sequence }: { type: string; sequence: number | null }) => [type, sequence]
  t.same(all.map(shown).toSorted(), [
    ['alert.review_needed', null],
    ['operation.needs_review', 2],
    ['operation.resolved', 3],
    ['shipment.outcome_unknown', 1],
  ])
})

t.test('an example of every alert can be sent', async (t) => {
  const own = await freshShop(shop, 'examples')
  const mine = await receiver(t)
  const { id } = await subscribed(own, mine, 'alert.*')
  const types = ['review_needed', 'contradicted', 'endpoint_failing', 'courier_unreachable']
  const all = [...types, 'projection_stopped', 'witness_silent'].map((name) => `alert.${name}`)
  for (const type of all) {
    const path = `/v1/webhook-endpoints/${id}/test`
    await eventually(
      () => own.call(path, { body: { type } }),
      ({ status }) => status === 202,
      10_000,
    )
  }
  const received = await arrived(mine, all.length)
  t.same(received.map(({ event }) => event.type).toSorted(), all.toSorted())
  for (const { event } of received) {
    t.match(event.data.object, { object: 'alert', state: 'firing', since: String })
    t.equal(event.resource.id, event.data.object.id)
  }
})
