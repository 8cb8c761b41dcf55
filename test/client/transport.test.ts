import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { createClient } from '../../src/client/create-client.ts'
import { type Failed, retryDefaults, retryDelay } from '../../src/client/retry-delay.ts'
import { ShippingLedgerError } from '../../src/client/shipping-ledger-error.ts'
import { verifyWebhook, WebhookRefused } from '../../src/client/verify-webhook.ts'
import { errorTable, type Reason } from '../../src/service/errors.ts'
import {
  exampleBatch,
  exampleShipment,
  exampleShipmentRequest,
} from '../../src/service/http/openapi/examples.ts'
import { exampleInvoice } from '../../src/service/http/openapi/invoice-examples.ts'
import {
  cut,
  gateway,
  half,
  json,
  problem,
  type Step,
  scriptedServer,
} from '../support/scripted-server.ts'

const order = exampleShipmentRequest('order-1001')
const reasonOf = (error: unknown) =>
  error instanceof ShippingLedgerError ? `${error.reason} ${error.outcome}` : String(error)
const failure = (call: Promise<unknown>) => call.then(() => 'no error', reasonOf)

t.test(
  'after a lost, cut or foreign response a creation is retried with the same key',
  async (t) => {
    const { client, seen } = await scriptedServer(t, cut, half, gateway, json(201, exampleShipment))
    const made = await client.shipments.create(order)
    t.equal(made.id, exampleShipment.id)
    t.equal(made.lastAnswer.requests, 4)
    t.equal(seen.length, 4)
    t.ok(made.lastAnswer.idempotencyKey, 'a key is made when none is given, and told')
    t.same([...new Set(seen.map(({ key }) => key))], [made.lastAnswer.idempotencyKey])
  },
)

t.test('the client retries only retryable problems that waiting can fix', async (t) => {
  const sent = { idempotencyKey: 'order-1001' }
  const refused = async (...steps: readonly Step[]) => {
    const { client, seen } = await scriptedServer(t, ...steps)
    return [await failure(client.shipments.create(order, sent)), seen.length]
  }
  const once: readonly Reason[] = ['validation_failed', 'courier_rejected', 'unknown_outcome']
  for (const reason of [...once, 'connection_needs_reauth', 'nothing_created'] as const) {
    t.strictSame(await refused(problem(reason)), [`${reason} ${errorTable[reason].outcome}`, 1])
  }
  const { client, seen } = await scriptedServer(
    t,
    problem('courier_unreachable', 0),
    problem('idempotency_in_flight', 1),
    json(201, exampleShipment, { 'idempotent-replayed': 'true' }),
  )
  const startedAt = performance.now()
  const made = await client.shipments.create(order, sent)
  t.ok(performance.now() - startedAt >= 1_000, 'Retry-After is waited for')
  t.ok(made.lastAnswer.replayed)
  t.same(
    seen.map(({ key }) => key),
    ['order-1001', 'order-1001', 'order-1001'],
  )
  // If Retry-After exceeds the time that is left, the client throws instead of waiting.
  t.strictSame(await refused(problem('overloaded', 600)), ['overloaded not_executed', 1])
})

t.test('a text batch is sent unchanged, with the fields of the batch in the query', async (t) => {
  const { client, seen } = await scriptedServer(t, cut, json(202, exampleBatch))
  const made = await client.batches.createFromCsv({ external_reference: 'a & b', csv: 'x;y\r\n' })
  t.equal(made.id, exampleBatch.id)
  t.same(
    seen.map(({ path, type, body }) => [path, type, body]),
    Array.from({ length: 2 }, () => [
      '/v1/batches?external_reference=a+%26+b',
      'text/csv',
      'x;y\r\n',
    ]),
  )
  t.equal(new Set(seen.map(({ key }) => key)).size, 1, 'repeated with the same key')
})

t.test('a field that a call with a body takes in its query is sent there', async (t) => {
  const pdf: Step = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7')
  const { client, seen } = await scriptedServer(t, pdf)
  const { id } = exampleShipment
  await client.documents.printLabels({ shipment_ids: [id], format: 'pdf', lang: 'es' })
  await client.documents.printManifest({ shipment_ids: [id] })
  t.match(seen, [
    { path: '/v1/labels?lang=es', body: JSON.stringify({ shipment_ids: [id], format: 'pdf' }) },
    { path: '/v1/manifests', body: JSON.stringify({ shipment_ids: [id] }) },
  ])
})

t.test('a check sends the file, with what its columns mean', async (t) => {
  const { client, seen } = await scriptedServer(t, json(200, { lines: 1 }))
  await client.batches.checkCsv({
    csv: 'x;y\r\n',
    columns: { x: 'weight_g', '*': null },
    values: { payer: 'sender' },
  })
  await client.courierInvoices.checkCsv({ courier_connection_id: 'ccn_1', csv: 'x;y\r\n' })
  const query = new URLSearchParams({
    columns: '{"x":"weight_g","*":null}',
    values: '{"payer":"sender"}',
    validate: 'true',
  })
  t.match(seen, [
    { path: `/v1/batches?${query}`, type: 'text/csv', body: 'x;y\r\n' },
    { path: '/v1/courier-invoices?courier_connection_id=ccn_1&validate=true' },
  ])
})

t.test('a batch that is too large for JSON is sent as NDJSON', async (t) => {
  const { client, seen } = await scriptedServer(t, json(202, exampleBatch))
  const line = exampleShipmentRequest('order')
  const batch = (note: string) => ({
    external_reference: 'a & b',
    workspace_id: line.workspace_id,
    items: Array.from({ length: 100 }, () => ({ ...line, metadata: { note } })),
  })
  const [small, large] = [batch('x'.repeat(100)), batch('á'.repeat(12_000))]
  await client.batches.create(small)
  await client.batches.create(large, { idempotencyKey: 'large' })
  t.match(seen[0], { path: '/v1/batches', type: 'application/json', body: JSON.stringify(small) })
  t.match(seen[1], {
    path: `/v1/batches?external_reference=a+%26+b&workspace_id=${line.workspace_id}`,
    type: 'application/x-ndjson',
    key: 'large',
    body: large.items.map((item) => JSON.stringify(item)).join('\n'),
  })
})

t.test('a CSV invoice is sent unchanged, with its fields in the query', async (t) => {
  const { client, seen } = await scriptedServer(t, json(202, exampleInvoice))
  const csv = 'guide_number,amount_minor,currency\r\n1,1450,PEN\r\n'
  const about = { courier_connection_id: 'ccn_1', reference: 'F001 & F002', csv }
  const made = await client.courierInvoices.createFromCsv(about)
  t.equal(made.id, exampleInvoice.id)
  await client.courierInvoices.createFromCsv({ ...about, period: exampleInvoice.period })
  const path = '/v1/courier-invoices?courier_connection_id=ccn_1&reference=F001+%26+F002'
  t.same(
    seen.map((one) => [one.path, one.type, one.body]),
    ['', '&period_from=2026-02-01&period_to=2026-02-28'].map((period) => [
      path + period,
      'text/csv',
      csv,
    ]),
  )
})

t.test('a change without a key is retried only if it certainly was not executed', async (t) => {
  const change = { id: 'ws_0aB1cD2eF3gH4iJ5kL6mN7', name: 'Renamed' }
  const lost = await scriptedServer(t, cut)
  t.equal(await failure(lost.client.workspaces.update(change)), 'connection_lost unknown')
  t.equal(lost.seen.length, 1)
  const busy = await scriptedServer(t, problem('overloaded', 0), json(200, { id: change.id }))
  await busy.client.workspaces.update(change)
  t.equal(busy.seen.length, 2)
  const read = await scriptedServer(t, cut, json(200, exampleShipment))
  t.equal((await read.client.shipments.get({ id: exampleShipment.id })).status, 'created')
  t.equal(read.seen.length, 2)
})

t.test('retry delays are bounded, random and never shorter than Retry-After', async (t) => {
  const error = (facts: object) =>
    new ShippingLedgerError({
      message: '',
      reason: 'overloaded',
      outcome: 'not_executed',
      retryable: true,
      status: 503,
      ...facts,
    })
  const at = (facts: Partial<Failed>, random = 1) =>
    retryDelay(
      { error: error({}), requests: 1, elapsedMs: 0, isRepeatable: true, ...facts },
      retryDefaults,
      () => random,
    )
  t.equal(at({}), 500)
  t.equal(at({}, 0), 250)
  t.equal(at({ requests: 4 }), 4_000)
  t.equal(at({ requests: retryDefaults.requestsMax }), null)
  t.equal(at({ elapsedMs: retryDefaults.totalMs }), null)
  t.equal(at({ error: error({ retryAfterMs: 7_000 }) }), 7_000)
  t.equal(at({ error: error({ retryAfterMs: 3_600_000 }) }), null)
  t.equal(at({ error: error({ retryable: false }) }), null)
  t.equal(at({ error: error({ outcome: 'unknown' }), isRepeatable: false }), null)
})

t.test('a batch is read until it has ended, or the timeout passes', async (t) => {
  const running = { ...exampleBatch, status: 'running', result: null, ended_at: null }
  const { client, seen } = await scriptedServer(
    t,
    json(200, running),
    gateway,
    json(200, exampleBatch),
  )
  const batch = await client.waitForBatch(exampleBatch.id)
  t.match(batch, { status: 'completed', result: exampleBatch.result })
  t.equal(batch.lastAnswer.status, 200)
  t.same(
    [...new Set(seen.map(({ method, path }) => `${method} ${path}`))],
    [`GET /v1/batches/${exampleBatch.id}`],
  )
  t.equal(seen.length, 3)

  const slow = await scriptedServer(t, json(200, running))
  t.match(await slow.client.waitForBatch(exampleBatch.id, { timeoutMs: 50 }), { ended_at: null })
  const gone = new AbortController()
  const waiting = slow.client.waitForBatch(exampleBatch.id, { signal: gone.signal })
  gone.abort(new Error('the shop stops'))
  await t.rejects(waiting)
  const missing = await scriptedServer(t, problem('not_found'))
  t.match(await failure(missing.client.waitForBatch('bat_none')), /^not_found/)
})

t.test(
  'a deletion whose answer was lost is repeated, and one that was done has succeeded',
  async (t) => {
    const none: Step = (_, response) => void response.writeHead(204).end()
    const path = { id: 'ccn_any' }
    const once = await scriptedServer(t, cut, none)
    t.equal(await once.client.courierConnections.delete(path), undefined)
    const done = await scriptedServer(t, cut, problem('not_found'))
    t.equal(await done.client.courierConnections.delete(path), undefined)
    t.same(
      [...once.seen, ...done.seen].map(({ method }) => method),
      ['DELETE', 'DELETE', 'DELETE', 'DELETE'],
    )
    const never = await scriptedServer(t, problem('not_found'))
    t.equal(await failure(never.client.courierConnections.delete(path)), 'not_found not_executed')
  },
)

t.test(
  'a label that is not made yet is waited for, for a bounded time or not at all',
  async (t) => {
    const { client, seen } = await scriptedServer(t, problem('label_not_ready', 10))
    const label = { id: 'shp_any' }
    const reason = (call: Promise<unknown>) => call.then(String, ({ reason }) => reason)
    t.equal(await reason(client.documents.getLabel(label, { wait: false })), 'label_not_ready')
    t.equal(seen.length, 1)
    const later = await scriptedServer(t, problem('label_not_ready', 16))
    t.equal(await reason(later.client.documents.getLabel(label)), 'label_not_ready')
    t.equal(later.seen.length, 1, 'the wait would be longer than its bound')
    const soon = await scriptedServer(t, problem('label_not_ready', 1), json(200, {}))
    await soon.client.documents.getLabel(label)
    t.equal(soon.seen.length, 2)
  },
)

t.test('an aborted call with a key may be repeated, also one that waits to repeat', async (t) => {
  const gone = new AbortController()
  const error = async (call: Promise<unknown>) =>
    call.then(
      () => null,
      (thrown) => thrown,
    )
  const { client } = await scriptedServer(t, () => gone.abort())
  const aborted = {
    reason: 'aborted',
    outcome: 'unknown',
    retryable: true,
    idempotencyKey: 'key-1',
  }
  const options = { signal: gone.signal, idempotencyKey: 'key-1' }
  t.match(await error(client.shipments.create(order, options)), aborted)
  const waiting = new AbortController()
  const busy: Step = (request, response) => {
    problem('idempotency_in_flight', 60)(request, response)
    response.once('close', () => waiting.abort())
  }
  const slow = await scriptedServer(t, busy)
  const until = { signal: waiting.signal, idempotencyKey: 'key-1' }
  t.match(await error(slow.client.shipments.create(order, until)), aborted)
  t.equal(slow.seen.length, 1)
  const unkeyed = new AbortController()
  const patched = await scriptedServer(t, () => unkeyed.abort())
  const change = patched.client.workspaces.update(
    { id: 'ws_any', name: 'Shop' },
    { signal: unkeyed.signal },
  )
  t.match(await error(change), { reason: 'aborted', outcome: 'unknown', retryable: false })
})

t.test('aborting a call rejects it and reports that its outcome is unknown', async (t) => {
  const gone = new AbortController()
  const { client } = await scriptedServer(t, () => gone.abort())
  const call = client.shipments.create(order, { signal: gone.signal })
  t.equal(await failure(call), 'aborted unknown')
  await t.rejects(client.shipments.create(order, { signal: gone.signal }))
})

t.test(
  'a read of a known object sends If-None-Match and returns that object on a 304',
  async (t) => {
    const asked: (string | undefined)[] = []
    const versioned: Step = (request, response) => {
      asked.push(request.headers['if-none-match'])
      const isKnown = request.headers['if-none-match'] === '"one"'
      if (isKnown) response.writeHead(304, { etag: '"one"' }).end()
      else json(200, exampleShipment, { etag: '"one"' })(request, response)
    }
    const { client } = await scriptedServer(t, versioned)
    const { id } = exampleShipment
    const first = await client.shipments.get({ id })
    const again = await client.shipments.get({ id }, { known: first })
    t.equal(again, first)
    t.same(asked, [undefined, '"one"'])
    const { client: other } = await scriptedServer(
      t,
      json(200, { ...exampleShipment, version: 99 }),
    )
    t.match(await other.shipments.get({ id }, { known: first }), { version: 99 })
  },
)

t.test('a read of a known list sends If-None-Match for its first page only', async (t) => {
  const asked: (string | undefined)[] = []
  const page = (at: number, cursor: string | null) => ({
    data: [{ ...exampleShipment, version: at }],
    has_more: cursor !== null,
    next_cursor: cursor,
  })
  const versioned: Step = (request, response) => {
    const known = request.headers['if-none-match']
    asked.push(known)
    if (known === '"one"') response.writeHead(304, { etag: '"one"' }).end()
    else if (request.url?.includes('cursor')) json(200, page(2, null))(request, response)
    else json(200, page(1, 'next'), { etag: '"one"' })(request, response)
  }
  const { client } = await scriptedServer(t, versioned)
  const first = await client.shipments.list()
  const again = client.shipments.list({}, { known: first })
  t.equal(await again, first)
  const versions: number[] = []
  for await (const { version } of again) versions.push(version)
  t.same(versions, [1, 2])
  t.same(asked, [undefined, '"one"', undefined])
})

t.test(
  'the client never exposes its key over plain HTTP, in a redirect or in an error',
  async (t) => {
    const apiKey = 'svc_live_secret'
    t.throws(() => createClient({ baseUrl: 'http://shop.example', apiKey }), /https/)
    t.throws(() => createClient({ baseUrl: 'ftp://shop.example', apiKey }), /https/)
    const elsewhere: Step = (_, response) =>
      void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    const { make, seen } = await scriptedServer(t, elsewhere)
    const client = make({ apiKey, retry: { requestsMax: 1 } })
    const error = await client.keys.get().catch((thrown: unknown) => thrown)
    t.equal(reasonOf(error), 'connection_lost null')
    t.notMatch(JSON.stringify(error) + String((error as Error).stack), apiKey)
    await t.rejects(async () => await client.shipments.get({ id: '..' }), /id is missing/)
    t.equal(seen.length, 1)
  },
)

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = '{"id":"evt_1","type":"shipment.created","data":{"name":"Ñandú"}}'

function signed(by: readonly string[], at = new Date(), text = body) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': by.map((one) => new Webhook(one).sign('evt_1', at, text)).join(' '),
  }
}

t.test(
  'verifyWebhook accepts signatures of an independent library, also in a rotation',
  async (t) => {
    t.match(await verifyWebhook(body, signed([secret]), secret), { id: 'evt_1' })
    t.match(await verifyWebhook(Buffer.from(body), new Headers(signed([secret])), secret), {})
    t.match(await verifyWebhook(body, signed([other, secret]), secret), {}, 'signed by both')
    t.match(await verifyWebhook(body, signed([secret]), [other, secret]), {}, 'verified by both')
    const upper = Object.fromEntries(
      Object.entries(signed([secret])).map(([name, value]) => [name.toUpperCase(), value]),
    )
    t.match(await verifyWebhook(body, upper, secret), { type: 'shipment.created' })
  },
)

t.test(
  'verifyWebhook refuses webhooks that are altered, too old, early or wrongly signed',
  async (t) => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000)
    const good = signed([secret])
    const refused: readonly (readonly [string, string, object, string | readonly string[]])[] = [
      ['wrong_signature', `${body} `, good, secret],
      ['wrong_signature', body, good, other],
      ['wrong_signature', body, { ...good, 'webhook-id': 'evt_2' }, secret],
      ['wrong_signature', body, { ...good, 'webhook-signature': 'v1,AAAA v2,x nonsense' }, secret],
      ['wrong_signature', body, good, []],
      ['outside_tolerance', body, signed([secret], minutes(-6)), secret],
      ['outside_tolerance', body, signed([secret], minutes(6)), secret],
      [
        'outside_tolerance',
        body,
        { ...good, 'webhook-timestamp': `${good['webhook-timestamp']}x` },
        secret,
      ],
      ['header_missing', body, { ...good, 'webhook-signature': undefined }, secret],
      ['not_json', 'no json', signed([secret], new Date(), 'no json'), secret],
    ]
    for (const [reason, text, headers, secrets] of refused) {
      const error = await verifyWebhook(text, { ...headers }, secrets).catch((thrown) => thrown)
      t.ok(error instanceof WebhookRefused)
      t.equal(error.reason, reason)
    }
    t.match(
      await verifyWebhook(body, signed([secret], minutes(-6)), secret, { toleranceSeconds: 600 }),
      {},
    )
    await t.rejects(verifyWebhook(body, good, 'not a secret'), /whsec_/)
  },
)
