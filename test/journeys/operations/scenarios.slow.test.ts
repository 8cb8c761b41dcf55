import { createHash } from 'node:crypto'
import t from 'tap'
import type { ScenarioCall } from '../../../src/service/couriers/scenarios/scenario-calls.ts'
import {
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../../../src/service/couriers/scenarios/scenarios.ts'
import { webhookFamilies } from '../../../src/service/domain/webhooks/webhook-types.ts'
import { type Answer, type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { receiver } from '../../support/receiver.ts'
import { comparable, reportsIn, storyOf } from '../../support/same-play.ts'
import { service } from '../../support/service.ts'

/** The most by which the times of two plays may differ. */
const toleranceMs = 5_000

const shop = await service(t)
const shopsServer = await receiver(t)

type Play = {
  readonly answer: Answer
  readonly shipment: Answer
  readonly operation: Answer | null
  readonly tracking: Answer
  readonly repeated: Answer
  readonly events: readonly { readonly type: string; readonly afterMs: number }[]
  readonly story: readonly string[]
  /** The statuses that tracking reported on the way. */
  readonly reported: readonly string[]
  readonly began: number
  readonly webhooks: readonly string[]
}

/** The listed call with its placeholders filled in. */
function filled(call: ScenarioCall, values: Readonly<Record<string, string>>) {
  const text = JSON.stringify(call).replaceAll(/<([a-z_]+)>/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`nothing to fill in for <${name}>`)
    return value
  })
  return JSON.parse(text) as ScenarioCall
}

async function play(name: ScenarioName, round: number): Promise<Play> {
  const own = await freshShop(shop, `${name}-${round}`)
  const { seeded } = own
  const url = `${shopsServer.url}/${name}-${round}`
  await own.call('/v1/webhook-endpoints', {
    body: { workspace_id: seeded.workspaceId, url, event_types: webhookFamilies },
  })
  const values: Record<string, string> = {
    workspace_id: seeded.workspaceId,
    courier_connection_id: seeded.connectionId,
    origin_agency_id: seeded.originId,
    destination_agency_id: seeded.destinationId,
    product_id: seeded.productId,
    external_reference: `order of ${name}`,
    idempotency_key: `key-of-${name}`,
    cancellation_key: `cancellation-of-${name}`,
  }
  let call: ScenarioCall | undefined
  let answer: Answer | undefined
  const make = async (listed: ScenarioCall) => {
    call = filled(listed, values)
    const { method, path, headers, body } = call
    return await own.call(path, { method, headers, ...(body === null ? {} : { body }) })
  }
  for (const listed of scenarios[name].calls) {
    answer = await make(listed)
    if (answer.body.object === 'courier_connection') {
      values.new_courier_connection_id = answer.body.id
    }
    if (answer.body.object === 'quote') values.quote_id = answer.body.id
    if (answer.body.object === 'shipment' && listed !== scenarios[name].calls.at(-1)) {
      values.shipment_id = answer.body.id
      // Work that is due at once is done now, so that both plays have it before the next call.
      await own.advance('PT1M')
    }
  }
  if (answer === undefined) throw new Error(`${name} lists no call`)
  const { expected } = scenarios[name]
  if (expected.afterMs > 0) await own.advance(`PT${expected.afterMs / 1_000}S`)
  const end = await endOf(own, name, answer.body.operation_id)
  const webhooks = await webhooksOf(own, `/${name}-${round}`, expected.webhooks.length)
  const last = scenarios[name].calls.at(-1)
  if (last === undefined) throw new Error('no call')
  return { answer, ...end, webhooks, repeated: await make(last) }
}

/** Alerts repeat what other webhooks report. */
const isNoAlert = ({ type }: { readonly type: string }) => !type.startsWith('alert.')

/** The types of the webhooks that the play's receiver got, in the order of their events. */
async function webhooksOf(own: ApiClient, path: string, expected: number) {
  const list = `/v1/events?workspace_id=${own.seeded.workspaceId}&limit=100`
  const arrivedAt = () => shopsServer.received.filter((one) => one.path === path)
  await eventually(
    async () => [arrivedAt().length, (await own.call(list)).body.data.length],
    ([received, made]) => received === made && made >= expected,
    20_000,
  )
  const reported = arrivedAt()
    .map(({ event }) => event)
    .filter(isNoAlert)
    .toSorted(
      (a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp) || a.sequence - b.sequence,
    )
    .map(({ type }): string => type)
  const { data } = (await own.call(list)).body
  const listed = data
    .filter(isNoAlert)
    .toReversed()
    .map(({ type }: { type: string }) => type)
  t.same(listed, reported, `${path} is listed as it happened`)
  return reported
}

/** What the API shows of the play's shipment at the end. */
async function endOf(
  own: ApiClient,
  name: ScenarioName,
  operationId: string | undefined,
): Promise<Omit<Play, 'answer' | 'webhooks' | 'repeated'>> {
  const query = `workspace_id=${own.seeded.workspaceId}&idempotency_key=key-of-${name}`
  const { id } = (await own.call(`/v1/shipments?${query}`)).body.data[0]
  const shipment = await own.call(`/v1/shipments/${id}`)
  const operation =
    operationId === undefined ? null : await own.call(`/v1/operations/${operationId}`)
  const tracking = await own.call(`/v1/shipments/${id}/tracking`)
  const before = await own.events(id)
  const began = Date.parse(shipment.body.created_at)
  const events = before.map((event) => ({
    type: event.type,
    afterMs: Date.parse(event.recorded_at) - began,
  }))
  const reported = reportsIn(tracking.body.events)
  const story = storyOf(before)
  return { shipment, operation, tracking, events, story, reported, began }
}

/**
 * Scenarios played at once, each twice, so that real waits, such as those of slow_success, overlap. With
 * more, plays would wait for each other: a worker advances four clocks at once.
 */
const scenariosAtOnce = 2
const plays = new Map(
  scenarioNames.map((name) => [name, Promise.withResolvers<readonly Play[]>()] as const),
)
for (const { promise } of plays.values()) promise.catch(() => undefined)
const waiting = plays.entries()
for (let n = 0; n < scenariosAtOnce; n++) void playWaiting()

async function playWaiting(): Promise<void> {
  // The loops share the iterator.
  for (const [name, { resolve, reject }] of waiting) {
    await Promise.all([play(name, 1), play(name, 2)]).then(resolve, reject)
  }
}

t.test('all nineteen scenarios are played', async (t) => {
  t.equal(plays.size, 19)
})

const parts = ['answer', 'shipment', 'operation', 'tracking', 'repeated'] as const

for (const name of scenarioNames) {
  t.test(
    `scenario ${scenarios[name].number} ${name} ends as its table says, both times`,
    async (t) => {
      const { expected } = scenarios[name]
      const [first, second] = (await plays.get(name)?.promise) ?? []
      if (first === undefined || second === undefined) throw new Error('not played')
      for (const { answer, shipment, operation, tracking, repeated } of [first, second]) {
        t.equal(answer.status, expected.answer.status)
        t.equal(answer.body.reason ?? null, expected.answer.reason)
        t.equal(shipment.body.status, expected.shipment)
        t.equal(operation?.body.result ?? null, expected.operation)
        t.equal(tracking.body.status, expected.tracking)
        t.equal(repeated.status, expected.repeated.status)
        t.equal(repeated.body.reason ?? null, expected.repeated.reason)
      }
      for (const { reported, webhooks } of [first, second]) {
        t.strictSame(reported, expected.tracked)
        t.strictSame(webhooks, expected.webhooks)
      }
      t.strictSame(second.story, first.story, 'the same story')
      for (const part of parts) {
        const [one, other] = [first, second].map((each) =>
          comparable(each[part]?.body ?? null, each.began),
        )
        t.equal(other?.text, one?.text, `${part}: the same bytes`)
        const apart = one?.afterMs.map((ms, index) => Math.abs(ms - (other?.afterMs[index] ?? 0)))
        t.ok(Math.max(0, ...(apart ?? [])) <= toleranceMs, `${part}: at the same times`)
      }
      for (const [index, event] of first.events.entries()) {
        const other = second.events[index]
        const apartMs = Math.abs(event.afterMs - (other?.afterMs ?? Number.NaN))
        t.ok(apartMs <= toleranceMs, `${event.type} at +${event.afterMs} ms, ${apartMs} ms apart`)
      }
    },
  )
}

t.test('a label delayed by ten minutes is not ready before and available after', async (t) => {
  const own = await freshShop(shop, 'label-late')
  const { body } = await own.create('label-late', { scenario: 'label_delayed' })
  const path = `/v1/shipments/${body.id}/documents/label`
  const early = await own.call(path)
  t.match(early, { status: 409, body: { reason: 'label_not_ready', retryable: true } })
  t.match(early.headers.get('retry-after'), /^\d+$/)
  await own.advance('PT9M')
  t.equal((await own.call(`/v1/shipments/${body.id}`)).body.label.status, 'pending')
  await own.advance('PT2M')
  const label = await own.call(path)
  t.equal(label.status, 200)
  const { body: documents } = await own.call(`/v1/shipments/${body.id}/documents`)
  const sha256 = createHash('sha256').update(label.body).digest('hex')
  t.match(documents.data, [{ status: 'ready', size: label.body.length, sha256 }])
  t.equal(label.headers.get('etag'), `"${sha256}"`)
  const ready = (await own.events(body.id)).find(({ type }) => type === 'LabelReady')
  const afterMs = Date.parse(ready?.recorded_at ?? '') - Date.parse(body.created_at)
  t.ok(afterMs >= 600_000 && afterMs < 600_000 + toleranceMs, `ready ${afterMs} ms after T`)
})

t.test(
  'a courier that fails for hours is reported unreachable and then active again',
  async (t) => {
    const [first] = (await plays.get('noisy_tracking')?.promise) ?? []
    const monitoring = first?.story.filter((each) => each.startsWith('TrackingMonitoringChanged'))
    t.same(
      monitoring?.map((each) => each.split(' ')[1]),
      ['unreachable', 'active'],
    )
    const { events, monitoring: now } = first?.tracking.body ?? {}
    t.equal(now.state, 'active')
    const unmapped = events.filter((each: { mapped: boolean }) => !each.mapped)
    t.match(unmapped, [{ code: 'unmapped', status: null }])
    t.equal(events.length, 8, 'repeated scans are stored once, and malformed ones are ignored')
  },
)

t.test('tracking can be refreshed on request, once in ten seconds', async (t) => {
  const own = await freshShop(shop, 'refresh')
  const { body } = await own.create('refresh')
  const path = `/v1/shipments/${body.id}/tracking`
  await own.advance('PT1M')
  const refreshed = await own.call(`${path}/refresh`, { method: 'POST' })
  t.equal(refreshed.status, 200)
  const read = await own.call(path)
  t.same(refreshed.body, read.body, 'it answers what a read answers then')
  t.ok(Date.parse(refreshed.body.monitoring.last_checked_at) > Date.parse(body.created_at) + 60_000)
  const again = await own.call(`${path}/refresh`, { method: 'POST' })
  t.match(again, { status: 429, body: { reason: 'rate_limited', outcome: 'not_executed' } })
  t.equal(again.headers.get('retry-after'), '10')
  const refused = await own.create('refresh-none', { scenario: 'courier_rejected' })
  const list = `/v1/shipments?workspace_id=${own.seeded.workspaceId}&idempotency_key=refresh-none`
  t.equal(refused.status, 422)
  const { id } = (await own.call(list)).body.data[0]
  const none = await own.call(`/v1/shipments/${id}/tracking/refresh`, { method: 'POST' })
  t.match(none, { status: 200, body: { status: null, monitoring: { state: 'not_started' } } })
})
