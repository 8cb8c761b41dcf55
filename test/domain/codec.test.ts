import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Json, JsonObject } from '../../src/domain/decider.ts'
import { type Decided, shipmentEventSchemas } from '../../src/domain/shipment-events.ts'
import {
  decodeEvent,
  type Envelope,
  encodeEvents,
  leafHolds,
  ledgerEventObject,
  metadataOf,
  UnreadableEvent,
  UnwritableEvent,
} from '../../src/event-store/codec.ts'
import type { StoredEvent } from '../../src/event-store/event-store.ts'
import { operationId, shipmentId, start } from '../support/given.ts'

/**
 * One event of every type, as it was once written. This file is never made again: what it says can
 * be read for ever. A new version of an event gets a second entry beside the first.
 */
const golden: readonly StoredEvent[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures', 'events.json'), 'utf8'),
)
const [first] = golden as [StoredEvent]
const metadataIn = (event: StoredEvent) => event.metadata as { readonly leaf: string } & JsonObject

/** RFC 8785, written here anew: keys by UTF-16 code units, numbers and strings as ECMAScript has it. */
function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}

/** The leaf, from nothing but the ledger event object that the API shows. */
function leafFrom(object: JsonObject): string {
  const { position: _position, leaf: _leaf, ...hashed } = object
  return createHash('sha256').update(canonical(hashed)).digest('hex')
}

t.test('every type of event has an example that was written once', async (t) => {
  t.same(
    golden.map((event) => event.type),
    Object.keys(shipmentEventSchemas),
  )
})

for (const event of golden) {
  t.test(
    `the ${event.type} that was once written is read, and its leaf is still its own`,
    async (t) => {
      const decoded = decodeEvent(event)
      t.equal(decoded.type, event.type)
      t.same(decoded.data, event.data, 'nothing is lost or added')
      t.equal(decoded.version, event.revision + 1)
      t.equal(new Date(decoded.recordedAt).toISOString(), metadataIn(event).recorded_at)
      t.ok(leafHolds(event))
      t.equal(leafFrom(ledgerEventObject(event)), metadataIn(event).leaf)
    },
  )
}

t.test('the ledger event object has the promised fields and no other', async (t) => {
  t.same(Object.keys(ledgerEventObject(first)).sort(), [
    'actor',
    'causation_id',
    'correlation_id',
    'created_at',
    'data',
    'id',
    'leaf',
    'livemode',
    'object',
    'occurred_at',
    'position',
    'recorded_at',
    'request_id',
    'revision',
    'schema',
    'shipment_id',
    'type',
    'workspace_id',
  ])
  t.match(ledgerEventObject(first), { object: 'ledger_event', position: first.position })
})

const envelope: Envelope = {
  organizationId: 'org_1',
  workspaceId: 'ws_1',
  shipmentId,
  livemode: true,
  actor: { type: 'reconciliation', keyId: null },
  requestId: null,
  causationId: 'cause',
  correlationId: null,
  recordedAt: start,
}

t.test('what is written now has the envelope of the examples and an honest leaf', async (t) => {
  const decided = golden.map(({ type, data }) => ({ type, data }))
  const encoded = encodeEvents(decided, 5, envelope)
  t.equal(new Set(encoded.map((event) => event.id)).size, golden.length)
  for (const [index, event] of encoded.entries()) {
    const stored = { ...event, stream: first.stream, revision: 5 + index, position: '1' }
    t.same(Object.keys(event.metadata).sort(), Object.keys(first.metadata).sort())
    t.same(event.data, golden[index]?.data)
    t.match(event.metadata, {
      schema: 1,
      causation_id: 'cause',
      correlation_id: encoded[0]?.id,
      actor: { type: 'reconciliation', key_id: null },
    })
    t.equal(leafFrom(ledgerEventObject(stored)), event.metadata.leaf)
    t.ok(leafHolds(stored))
  }
})

t.test('what could not be read again is not written', async (t) => {
  const data = { operation_id: operationId, extra: 'x' }
  const bad = [{ type: 'OperationEscalated', data }]
  t.throws(() => encodeEvents(bad, 0, envelope), UnwritableEvent)
})

t.test('an event says when it happened apart from when it was recorded', async (t) => {
  const type = 'OperationEscalated'
  const data = { operation_id: operationId }
  const decided: readonly Decided[] = [{ type, data, occurredAt: start - 1_500 }]
  const [event] = encodeEvents(decided, 0, { ...envelope, correlationId: 'first' })
  t.equal(event?.metadata.occurred_at, '2026-03-01T11:59:58.500Z')
  t.equal(event?.metadata.recorded_at, '2026-03-01T12:00:00.000Z')
  t.equal(event?.metadata.correlation_id, 'first')
})

/** Every JSON value that differs from this one in one leaf value, or lacks one member. */
function* changes(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      for (const changed of changes(each)) yield value.with(index, changed)
    }
    yield [...value, 'more']
  } else if (value !== null && typeof value === 'object') {
    for (const [key, each] of Object.entries(value as JsonObject)) {
      for (const changed of changes(each)) yield { ...value, [key]: changed }
    }
  } else if (typeof value === 'number') yield value + 1
  else if (typeof value === 'boolean') yield !value
  else yield value === null ? 'something' : `${value}x`
}

t.test('a leaf no longer holds when any field of the event is another', async (t) => {
  let count = 0
  for (const event of golden) {
    for (const data of changes(event.data)) {
      count += 1
      if (leafHolds({ ...event, data: data as JsonObject })) t.fail(JSON.stringify(data))
    }
    if (leafHolds({ ...event, id: `${event.id.slice(0, -1)}f` })) t.fail('another id')
    if (leafHolds({ ...event, revision: event.revision + 1 })) t.fail('another revision')
    if (leafHolds({ ...event, type: 'GuideMade' })) t.fail('another type')
  }
  t.ok(count > 100)
  const { leaf, organization_id: _organization, ...metadata } = metadataIn(first)
  for (const [field, value] of Object.entries(metadata)) {
    for (const changed of changes(value)) {
      const other = { ...first, metadata: { ...first.metadata, [field]: changed } }
      t.notOk(goesUnnoticed(other), `${field} ${JSON.stringify(changed)}`)
    }
  }
  const later = { ...first.metadata, recorded_at: '2026-03-01T12:00:00.001Z' }
  t.notOk(leafHolds({ ...first, metadata: later }))
  t.notOk(leafHolds({ ...first, metadata: { ...first.metadata, occurred_at: later.recorded_at } }))
  t.notOk(leafHolds({ ...first, metadata: { ...first.metadata, leaf: `${leaf.slice(1)}0` } }))
})

/** Whether the change goes unnoticed: neither the leaf nor the schema of the envelope sees it. */
function goesUnnoticed(event: StoredEvent): boolean {
  try {
    return leafHolds(event)
  } catch (error) {
    if (error instanceof UnreadableEvent) return false
    throw error
  }
}

t.test('what no schema fits is unreadable, with the place and never the content', async (t) => {
  const secret = 'Canary-in-a-bad-event'
  const bad: readonly (readonly [string, Partial<StoredEvent>])[] = [
    ['type is unknown', { type: 'GuideMade' }],
    ['type is unknown', { type: 'constructor' }],
    ['schema 2 is newer', { metadata: { ...first.metadata, schema: 2 } }],
    ['schema', { metadata: { ...first.metadata, schema: 0 } }],
    ['recorded_at', { metadata: { ...first.metadata, recorded_at: 'yesterday' } }],
    ['actor', { metadata: { ...first.metadata, actor: { type: secret, key_id: null } } }],
    ['unrecognized_keys', { data: { ...first.data, extra: secret } }],
    ['livemode', { data: { ...first.data, livemode: secret } }],
    [
      'package',
      {
        data: {
          ...first.data,
          package: { ...(first.data.package as object), quantity: 0.5 },
        } as never,
      },
    ],
    ['leaf', { metadata: { ...first.metadata, leaf: 'short' } }],
  ]
  for (const [why, change] of bad) {
    const event = { ...first, ...change }
    const error = t.throws(() => decodeEvent(event), UnreadableEvent) as Error
    t.match(error.message, why)
    t.match(error.message, first.id)
    t.match(error.message, first.position)
    t.notMatch(error.message, secret)
  }
  for (const event of golden) {
    for (const field of Object.keys(event.data)) {
      const { [field]: _gone, ...rest } = event.data
      t.throws(
        () => decodeEvent({ ...event, data: rest }),
        UnreadableEvent,
        `${event.type} ${field}`,
      )
    }
  }
  t.throws(() => metadataOf({ ...first, metadata: {} }), UnreadableEvent)
})
