import t, { type Test } from 'tap'
import type { EnsureOptions } from '../../src/client/ensure-shipped.ts'
import { isNewer } from '../../src/client/newer-version.ts'
import { ShippingLedgerError } from '../../src/client/shipping-ledger-error.ts'
import type { Reason } from '../../src/service/errors.ts'
import { exampleShipment, exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { exampleOperation } from '../../src/service/http/openapi/operation-examples.ts'
import {
  cut,
  gateway,
  json,
  problem,
  type Step,
  scriptedServer,
} from '../support/scripted-server.ts'

const order = exampleShipmentRequest('order-1001')
const { id } = exampleShipment
const unknown = { ...exampleShipment, status: 'unknown_outcome', guide_number: null, version: 2 }
const open = { ...exampleOperation, status: 'reconciling', result: null, version: 3 }
const post = 'POST /v1/shipments'
const readOperation = `GET /v1/operations/${exampleOperation.id}`
const readShipment = `GET /v1/shipments/${id}`

/** Ships against a server that takes these steps, and returns the end and the calls. */
async function shipped(t: Test, steps: readonly Step[], options: EnsureOptions = {}) {
  const { make, seen } = await scriptedServer(t, ...steps)
  const client = make({ retry: { requestsMax: 1 } })
  const end = await client.ensureShipped('order-1001', order, options)
  const posted = seen.filter(({ method }) => method === 'POST')
  t.same([...new Set(posted.map(({ key }) => key))], ['order-1001'], 'one key')
  return { end, calls: seen.map(({ method, path }) => `${method} ${path}`) }
}

t.test('a guide is the end, and its shipment is told once', async (t) => {
  const told: number[] = []
  const { end, calls } = await shipped(t, [json(201, exampleShipment)], {
    onChange: ({ version }) => void told.push(version),
  })
  t.match(end, { kind: 'created', shipment: { guide_number: exampleShipment.guide_number } })
  t.same(calls, [post])
  t.same(told, [exampleShipment.version])
})

t.test('what may succeed later is repeated with the same key', async (t) => {
  const steps = [cut, gateway, problem('courier_unreachable', 0), json(201, exampleShipment)]
  const { end, calls } = await shipped(t, steps)
  t.equal(end.kind, 'created')
  t.same(calls, [post, post, post, post])
})

t.test('an unknown outcome is read, followed and read again', async (t) => {
  const told: string[] = []
  const steps = [
    problem('unknown_outcome'),
    json(200, unknown),
    json(200, open),
    json(200, exampleOperation),
    json(200, exampleShipment),
  ]
  const { end, calls } = await shipped(t, steps, {
    onChange: ({ status, version }, operation) =>
      void told.push(`${status} ${version} ${operation?.version ?? ''}`),
  })
  t.match(end, { kind: 'created', shipment: { version: exampleShipment.version } })
  t.same(calls, [post, readShipment, readOperation, readOperation, readShipment])
  t.same(told, [
    'unknown_outcome 2 ',
    'unknown_outcome 2 3',
    `unknown_outcome 2 ${exampleOperation.version}`,
    `created ${exampleShipment.version} ${exampleOperation.version}`,
  ])
})

t.test('a failed read while following leads back to the operation', async (t) => {
  const steps = [
    problem('unknown_outcome'),
    json(200, unknown),
    gateway,
    problem('unknown_outcome'),
    json(200, unknown),
    json(200, exampleOperation),
    json(200, exampleShipment),
  ]
  const { end, calls } = await shipped(t, steps)
  t.equal(end.kind, 'created')
  t.equal(calls.filter((call) => call === post).length, 2)
})

t.test('an operation that ends without a guide allows another key', async (t) => {
  const none = { ...exampleOperation, result: 'nothing_created' }
  const notCreated = { ...unknown, status: 'not_created', version: 9 }
  const followed = [problem('unknown_outcome'), json(200, unknown), json(200, none)]
  const { end } = await shipped(t, [...followed, json(200, notCreated)])
  t.match(end, { kind: 'nothing_created', operation: { id: none.id }, shipment: { version: 9 } })
  const replayed = await shipped(t, [problem('nothing_created'), json(200, notCreated)])
  t.match(replayed.end, { kind: 'nothing_created', operation: null, shipment: { version: 9 } })
})

t.test('what is open when the time has passed needs attention, and says what to do', async (t) => {
  const lost = [problem('unknown_outcome'), json(200, unknown)]
  const reviewed = { ...exampleOperation, status: 'needs_review', result: 'human_review' }
  const until = { timeoutMs: 50 }
  const follow = await shipped(
    t,
    [...lost, json(200, open), json(200, open), json(200, unknown)],
    until,
  )
  t.match(follow.end, { kind: 'needs_attention', action: 'follow', error: null, operation: open })
  const person = await shipped(
    t,
    [...lost, json(200, reviewed), json(200, reviewed), json(200, unknown)],
    until,
  )
  t.match(person.end, { kind: 'needs_attention', action: 'person', operation: reviewed })
  const down = await shipped(t, [cut], until)
  t.match(down.end, { kind: 'needs_attention', action: 'same_key', shipment: null })
  const slow = await shipped(t, [problem('overloaded', 600)])
  t.match(slow.end, { kind: 'needs_attention', error: { reason: 'overloaded' } })
  t.equal(slow.calls.length, 1, 'a wait beyond the timeout is not begun')
})

t.test('a refusal for good ends as rejected, any other keeps the key', async (t) => {
  const ends: readonly [Reason, string, string?][] = [
    ['courier_rejected', 'rejected'],
    ['quote_price_changed', 'rejected'],
    ['validation_failed', 'needs_attention', 'fix'],
    ['idempotency_key_reused', 'needs_attention', 'fix'],
    ['connection_needs_reauth', 'needs_attention', 'person'],
    ['quota_exceeded', 'needs_attention', 'person'],
  ]
  for (const [reason, kind, action] of ends) {
    const { end } = await shipped(t, [problem(reason)])
    t.match(end, { kind, error: { reason }, ...(action === undefined ? {} : { action }) }, reason)
  }
})

t.test('an abort ends the waiting with an error that allows the same key', async (t) => {
  for (const steps of [[cut], [problem('unknown_outcome'), json(200, unknown), json(200, open)]]) {
    const { make } = await scriptedServer(t, ...steps)
    const stop = new AbortController()
    const shipping = make({ retry: { requestsMax: 1 } }).ensureShipped('order-1001', order, {
      signal: stop.signal,
      onChange: () => stop.abort(),
    })
    if (steps.length === 1) stop.abort()
    const error = await shipping.catch((thrown: unknown) => thrown)
    t.ok(error instanceof ShippingLedgerError)
    t.match(error, { reason: 'aborted', action: 'same_key', idempotencyKey: 'order-1001' })
  }
})

t.test('an error of the shop ends the call as it is', async (t) => {
  const { client } = await scriptedServer(t, json(201, exampleShipment))
  const full = new Error('the disk is full')
  const onChange = () => Promise.reject(full)
  t.equal(
    await client.ensureShipped('order-1001', order, { onChange }).catch((error) => error),
    full,
  )
})

t.test('a higher version is newer, whatever brought it', (t) => {
  const event = { resource: { version: 4 } }
  t.ok(isNewer(null, event))
  t.ok(isNewer(3, event))
  t.ok(isNewer({ version: 3 }, { version: 4 }))
  t.notOk(isNewer(4, event))
  t.notOk(isNewer({ version: 5 }, { shipmentVersion: 4 }))
  t.notOk(isNewer(undefined, { resource: { version: null } }), 'what has no version')
  t.end()
})
