import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { idsOfRequest } from '../../src/service/tracing/trace-context.ts'
import { attributeNames } from '../../src/service/tracing/tracing.ts'
import { makeCanaries, searchForCanaries } from '../support/canaries.ts'
import { collector, type ReceivedSpan } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { forwardingProxy } from '../support/forwarding-proxy.ts'
import { fleet } from '../support/processes.ts'
import { type Received, receiver } from '../support/receiver.ts'

const kinds = { internal: 1, server: 2, client: 3 }

const all = await fleet(t)
const collected = await collector(t)
const shopServer = await receiver(t)
const asked: { readonly path: string; readonly traceparent: unknown }[] = []
const connectorUrl = await forwardingProxy(t, all.simulatorUrl, {
  isCut: (path, { headers: { traceparent } }) => {
    asked.push({ path, traceparent })
    return false
  },
})
const traced = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collected.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20secret',
  SIMULATOR_URL: connectorUrl,
  WEBHOOK_ALLOW_PRIVATE: 'true',
}
const [api] = await Promise.all([
  all.start({ roles: 'api', env: traced }),
  all.start({ roles: 'worker', env: traced }),
  all.start({ roles: 'projector', env: traced }),
])
const endpoint = {
  workspace_id: api.seeded.workspaceId,
  url: `${shopServer.url}/hooks`,
  event_types: ['shipment.*', 'label.*', 'operation.*'],
}
const made = await api.call('/v1/webhook-endpoints', { body: endpoint })
if (made.status !== 201) throw new Error(JSON.stringify(made.body))

async function spanOf(isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  const found = await eventually(
    () => collected.spans.find(isWanted),
    (span) => span !== undefined,
  )
  return found as ReceivedSpan
}

function webhookAbout(shipmentId: string): Promise<Received> {
  const isAbout = ({ event }: Received) => event.resource.id === shipmentId
  return eventually(
    () => shopServer.received.find(isAbout) as Received,
    (received) => received !== undefined,
  )
}

function traceparentOf({ traceId, spanId }: ReceivedSpan): string {
  return `00-${traceId}-${spanId}-01`
}

/** Checks everything that follows from a creation, from its server span on. */
async function assertStory(t: Test, request: ReceivedSpan, shipmentId: string): Promise<void> {
  const { traceId, spanId } = request
  const ofRequest = (name: string) => (span: ReceivedSpan) =>
    span.name === name && span.traceId === traceId && span.parentSpanId === spanId
  t.equal(request.kind, kinds.server)
  t.match(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/shipments',
    'http.response.status_code': 201,
    'shipping.shipment.id': shipmentId,
  })

  const appends = await eventually(
    () => collected.spans.filter(ofRequest('append')),
    ({ length }) => length >= 2,
  )
  for (const append of appends) {
    t.equal(append.kind, kinds.internal)
    t.match(append.attributes, {
      'shipping.append.result': 'committed',
      'shipping.shipment.id': shipmentId,
    })
  }
  const events = await api.events(shipmentId)
  const types = appends.flatMap(({ attributes }) => attributes['shipping.event.types'])
  t.strictSame(new Set(types), new Set(events.map(({ type }) => type)))

  const call = await spanOf(ofRequest('courier createGuide'))
  t.equal(call.kind, kinds.client)
  t.match(call.attributes, {
    'shipping.courier.code': 'mock',
    'shipping.courier.call': 'createGuide',
    'shipping.courier.answer': 'created',
    'shipping.courier.attempt': 1,
    'shipping.shipment.id': shipmentId,
  })
  t.ok(
    asked.some(({ traceparent }) => traceparent === traceparentOf(call)),
    'the connector got the span of the call',
  )

  const isLinked = ({ links }: ReceivedSpan) =>
    links.some((link) => link.traceId === traceId && link.spanId === spanId)
  const projection = await spanOf((span) => span.name === 'projection' && isLinked(span))
  t.strictSame(projection.resource['shipping.roles'], ['projector'])

  const received = await webhookAbout(shipmentId)
  const delivery = await spanOf(
    (span) => ofRequest('webhook')(span) && traceparentOf(span) === received.headers.traceparent,
  )
  t.equal(delivery.kind, kinds.client)
  t.strictSame(delivery.resource['shipping.roles'], ['worker'])
  t.match(delivery.attributes, {
    'shipping.webhook.attempt': 1,
    'shipping.webhook.outcome': 'answered',
    'shipping.webhook.event_id': received.event.id,
    'http.response.status_code': 200,
  })
}

t.test("a request continues the shop's trace, across three processes", async (t) => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const { status, body } = await api.create('with-a-trace', { headers })
  t.equal(status, 201)
  const request = await spanOf((span) => span.traceId === traceId && span.kind === kinds.server)
  t.equal(request.name, 'POST /v1/shipments')
  t.equal(request.parentSpanId, '00f067aa0ba902b7')
  t.strictSame(request.resource['shipping.roles'], ['api'])
  await assertStory(t, request, body.id)
})

t.test('a request without a traceparent begins a trace that its id tells', async (t) => {
  const answer = await api.create('without-a-trace')
  const requestId = answer.headers.get('x-request-id') ?? ''
  const request = await spanOf(({ attributes, kind }) => {
    return kind === kinds.server && attributes['shipping.request.id'] === requestId
  })
  t.match(request, { ...idsOfRequest(requestId), parentSpanId: '' })
  await assertStory(t, request, answer.body.id)
})

t.test(
  'a request with its own id begins a trace, and a malformed traceparent is ignored',
  async (t) => {
    const requestId = 'req_2Hs9vLq4NxWc6RtYbF3kPg'
    const headers = { 'x-request-id': requestId, traceparent: `00-${'0'.repeat(32)}-1-01` }
    const answer = await api.create('with-an-id', { headers })
    const request = await spanOf(({ attributes, kind }) => {
      return kind === kinds.server && attributes['shipping.request.id'] === requestId
    })
    t.equal(request.parentSpanId, '')
    t.not(request.traceId, idsOfRequest(requestId).traceId)
    await assertStory(t, request, answer.body.id)
  },
)

t.test(
  'a trace that the shop does not record is given on, and not recorded here either',
  async (t) => {
    const traceId = 'd0e0e47364bf92f3577b34da6a3ce929'
    const parent = `00-${traceId}-00f067aa0ba902b7-00`
    const askedBefore = asked.length
    const answer = await api.create('not-recorded', { headers: { traceparent: parent } })
    t.equal(answer.status, 201)
    const creation = asked.slice(askedBefore).find(({ path }) => path.endsWith('/guides'))
    t.equal(creation?.traceparent, parent)
    const { headers } = await webhookAbout(answer.body.id)
    t.equal(headers.traceparent, parent)
    // A recorded request afterwards: its projection is exported after that of the first.
    const recorded = await api.create('recorded')
    const { traceId: after } = idsOfRequest(recorded.headers.get('x-request-id') ?? '')
    await spanOf(
      ({ name, links }) => name === 'projection' && links.some((link) => link.traceId === after),
    )
    t.strictSame(
      collected.spans.filter((span) => span.traceId === traceId),
      [],
    )
  },
)

t.test('a process that records no trace keeps to the decision of the shop', async (t) => {
  const own = await all.start({
    roles: 'api',
    env: { ...traced, OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
  })
  const askedBefore = asked.length
  const unrecorded = await own.create('by-no-one')
  const { traceId, spanId } = idsOfRequest(unrecorded.headers.get('x-request-id') ?? '')
  const creation = asked.slice(askedBefore).find(({ path }) => path.endsWith('/guides'))
  t.equal(creation?.traceparent, `00-${traceId}-${spanId}-00`)
  const parent = '00-e47364bf92f3577b34da6a3ce929d0e0-00f067aa0ba902b7-01'
  const answer = await own.create('by-the-shop', { headers: { traceparent: parent } })
  t.equal(answer.status, 201)
  const isOfShop = (span: ReceivedSpan) => parent.includes(span.traceId)
  await spanOf((span) => isOfShop(span) && span.name === 'append')
  await spanOf((span) => isOfShop(span) && span.kind === kinds.server)
  const isRequest = (span: ReceivedSpan) => span.traceId === traceId && span.kind === kinds.server
  t.notOk(collected.spans.some(isRequest))
  own.signal('SIGTERM')
  t.equal((await own.ended).code, 0)
})

t.test('a look after a lost response continues the trace of the creation', async (t) => {
  const traceId = 'a3ce929d0e0e47364bf92f3577b34da6'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const answer = await api.create('lost', { headers, scenario: 'lost_response_guide_created' })
  t.equal(answer.status, 409)
  const request = await spanOf((span) => span.traceId === traceId && span.kind === kinds.server)
  t.equal(request.attributes['shipping.problem.reason'], 'unknown_outcome')
  t.equal(request.statusCode, 0, 'a refusal is no failure of the service')
  const looked = await eventually(
    async () => {
      await api.advance('PT1H')
      return collected.spans.find(
        (span) => span.name === 'courier findGuides' && span.traceId === traceId,
      )
    },
    (span) => span !== undefined,
  )
  t.match(looked?.attributes, { 'shipping.courier.answer': 'found' })
})

t.test(
  'a span has only listed attributes, and nothing exported is personal or secret',
  async (t) => {
    const canaries = makeCanaries(['name', 'key', 'reference', 'query', 'agent', 'header', 'path'])
    const {
      name = '',
      key = '',
      reference = '',
      query = '',
      agent = '',
      header = '',
      path = '',
    } = canaries
    const body = api.bodyOf(reference) as { readonly recipient: object }
    const recipient = { ...body.recipient, first_name: name }
    const personal = {
      'user-agent': agent,
      baggage: `user=${header}`,
      tracestate: `shop=${header}`,
    }
    const created = await api.create(key, {
      body: { recipient, external_reference: reference },
      headers: personal,
    })
    t.equal(created.status, 201, JSON.stringify(created.body))
    const requests = [
      await api.call(`/v1/shipments?external_reference=${query}`, { headers: personal }),
      await api.call(`/v1/shipments/${path}`),
      await api.call(`/v1/${path}`),
      await api.call('/v1/shipments', { body: { recipient: { first_name: name } } }),
      await api.call('/v1/shipments', { body: { recipient }, headers: { 'idempotency-key': key } }),
      await api.call('/v1/shipments', { key: `sk_test_${header}` }),
    ]
    t.strictSame(
      requests.map(({ status }) => status),
      [200, 404, 404, 422, 422, 401],
    )
    for (const { headers } of [created, ...requests]) {
      const requestId = headers.get('x-request-id')
      await spanOf(({ attributes }) => attributes['shipping.request.id'] === requestId)
    }
    await webhookAbout(created.body.id)
    const names = new Set(collected.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    t.strictSame(
      [...names].filter((each) => !new Set<string>(attributeNames).has(each)),
      [],
    )
    t.strictSame(
      collected.spans.filter(({ events, statusMessage }) => events > 0 || statusMessage !== ''),
      [],
    )
    const file = join(t.testdir(), 'exported')
    writeFileSync(file, Buffer.concat(collected.bodies))
    const secrets = { ...canaries, shopKey: api.seeded.shopKey, ip: '127.0.0.1' }
    t.strictSame(searchForCanaries([file], secrets), [])
    t.ok(collected.headers.every((each) => each['x-collector-key'] === 'a secret'))
  },
)

t.test('a process without a collector traces nothing', async (t) => {
  const untraced = await all.start({ roles: 'api', env: { SIMULATOR_URL: connectorUrl } })
  const askedBefore = asked.length
  const headers = { traceparent: '00-0e0e47364bf92f3577b34da6a3ce929d-00f067aa0ba902b7-01' }
  const answer = await untraced.create('untraced', { headers })
  t.equal(answer.status, 201)
  const creation = asked.slice(askedBefore).find(({ path }) => path.endsWith('/guides'))
  t.match(creation, { traceparent: undefined })
  await webhookAbout(answer.body.id)
  const requestId = answer.headers.get('x-request-id')
  const isOfRequest = ({ kind, attributes }: ReceivedSpan) =>
    kind === kinds.server && attributes['shipping.request.id'] === requestId
  t.notOk(collected.spans.some(isOfRequest))
  untraced.signal('SIGTERM')
  t.equal((await untraced.ended).code, 0)
})

t.test('a collector that does not answer delays neither requests nor a stop', async (t) => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const { port } = silent.address() as { port: number }
  for (const url of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
    const own = await all.start({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'always_on' },
    })
    for (let n = 0; n < 5; n++) t.equal((await own.create(`${url}-${n}`)).status, 201)
    own.signal('SIGTERM')
    const ended = await own.ended
    t.equal(ended.code, 0, 'it stops within the drain')
  }
})
