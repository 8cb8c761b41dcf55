import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { z } from 'zod'
import type { Json, JsonObject } from '../../src/service/domain/decider.ts'
import { roleOfEvent } from '../../src/service/domain/operation/transitions.ts'
import {
  type Decided,
  shipmentEventSchemas,
} from '../../src/service/domain/shipment/shipment-events.ts'
import {
  decodeAuditEvent,
  decodeEvent,
  type Envelope,
  encodeEvents,
  fits,
  leafHolds,
  ledgerEventObject,
  metadataOf,
  UnreadableEvent,
  UnwritableEvent,
} from '../../src/service/event-store/codec.ts'
import type { NewEvent, StoredEvent } from '../../src/service/event-store/event-store.ts'
import { eventVersion, type Upcasters } from '../../src/service/event-store/upcasting.ts'
import { checkedEvent } from '../../src/service/ledger/check/check-event.ts'
import { committedSchemas } from '../docs/event-schemas-page.ts'
import { eventSchemas, nextSnapshot, schemaComplaints, schemasNow } from '../docs/schema-changes.ts'
import { operationId, shipmentId, start } from '../support/given.ts'

/**
 * One event of every type and version, as it was first written. This file is never regenerated: its
 * events must stay readable forever. A new version of an event gets an entry of its own.
 */
const everything: readonly StoredEvent[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures', 'events.json'), 'utf8'),
)
const golden = everything.filter(({ type }) => Object.hasOwn(shipmentEventSchemas, type))
const acts = everything.filter(({ type }) => !Object.hasOwn(shipmentEventSchemas, type))
/** The examples in versions that are still written. */
const newest = golden.filter(({ type, metadata }) => metadata.schema === eventVersion(type))
const [first] = golden as [StoredEvent]
const metadataIn = (event: StoredEvent) => event.metadata as { readonly leaf: string } & JsonObject

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

/**
 * An independent implementation of RFC 8785: keys by UTF-16 code units, numbers and strings as in
 * ECMAScript.
 */
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

t.test('every version of every event has one stored example and a schema', async (t) => {
  const examples = everything.map((event) => `${event.type} ${metadataOf(event).schema}`)
  const versions = Object.keys(eventSchemas).flatMap((type) =>
    Array.from({ length: eventVersion(type) }, (_, index) => `${type} ${index + 1}`),
  )
  t.same(examples.toSorted(), versions.toSorted())
  t.same(Object.keys(committedSchemas()).toSorted(), versions.toSorted(), 'and a schema')
})

t.test('a stored event schema changes only with a new version', async (t) => {
  t.same(schemaComplaints(committedSchemas(), schemasNow(eventSchemas)), [])
})

t.test(
  'a changed event schema needs a new version, an added optional field does not',
  async (t) => {
    const before = z.strictObject({
      id: z.string(),
      how: z.enum(['a', 'b']),
      at: z.string().nullable(),
    })
    const committed = schemasNow({ ThingDone: before })
    const complaintsOf = (schema: z.ZodType, version = 1) =>
      schemaComplaints(
        committed,
        schemasNow({ ThingDone: schema }, () => version),
      )
    const changed = {
      renamed: z.strictObject({ key: z.string(), how: before.shape.how, at: before.shape.at }),
      required: before.extend({ more: z.string() }),
      removed: before.omit({ id: true }),
      narrowed: before.extend({ id: z.string().max(3) }),
      retyped: before.extend({ id: z.int() }),
      loosened: before.extend({ id: z.string().exactOptional() }),
      'with fewer values': before.extend({ how: z.enum(['a']) }),
      'never null': before.extend({ at: z.string() }),
    }
    for (const [how, schema] of Object.entries(changed)) {
      const [complaint = ''] = complaintsOf(schema)
      t.match(complaint, /^ThingDone was changed at data.*give it version 2 with an upcaster/, how)
      const next = nextSnapshot(
        committed,
        schemasNow({ ThingDone: schema }, () => 1),
      )
      t.same(next, committed, 'generating does not hide it')
      t.match(complaintsOf(schema, 2), [/^ThingDone 2 is not committed/], 'a new version is')
      const both = nextSnapshot(
        committed,
        schemasNow({ ThingDone: schema }, () => 2),
      )
      t.same(Object.keys(both), ['ThingDone 1', 'ThingDone 2'])
      t.same(both['ThingDone 1'], committed['ThingDone 1'])
    }
    const added = {
      field: before.extend({ more: z.string().exactOptional() }),
      value: before.extend({ how: z.enum(['a', 'b', 'c']) }),
      words: before.describe('Something else').extend({ id: z.string().describe('Its id') }),
    }
    for (const [what, schema] of Object.entries(added)) {
      t.same(complaintsOf(schema), [], what)
      const now = schemasNow({ ThingDone: schema })
      t.same(nextSnapshot(committed, now), now, 'and is kept from then on')
    }
  },
)

t.test('an event stored in an older version is upcast when read, and not changed', async (t) => {
  const issued = golden.find(({ type }) => type === 'GuideIssued') as StoredEvent
  const { guide_number: guideNumber = null, price = null, ...rest } = issued.data
  // As if the first version had another name for the number, and the second had no price.
  const oldest = encodeEvents(
    [{ type: 'SomethingOld', data: { ...rest, number: guideNumber } }],
    issued.revision,
    envelope,
  )[0] as NewEvent
  const table: Upcasters = {
    GuideIssued: [
      ({ number, ...data }) => ({ ...data, guide_number: number ?? null }),
      (data) => ({ ...data, price: null }),
    ],
  }
  t.equal(eventVersion('GuideIssued', table), 3)
  t.equal(eventVersion('LabelReady', table), 1)
  const stored = { ...issued, ...oldest, type: 'GuideIssued' }
  const lifted = decodeEvent(stored, table)
  t.same(lifted.data, { ...issued.data, price: null })
  t.equal(lifted.stored, stored, 'stored data is available unchanged')
  t.same(ledgerEventObject(stored).data, stored.data, 'and is what auditors see')
  const second = { ...stored, data: { ...rest, guide_number: guideNumber } }
  const at = (schema: number) => ({ ...second, metadata: { ...stored.metadata, schema } })
  t.same(decodeEvent(at(2), table).data, { ...issued.data, price: null }, 'from the middle')
  t.throws(() => decodeEvent(at(4), table), /schema version 4 is newer/)
  t.throws(() => decodeEvent(at(1)), /price/, 'without its upcasters it is invalid')
  t.same(decodeEvent({ ...issued, metadata: { ...issued.metadata, schema: 3 } }, table).data, {
    ...issued.data,
    price,
  })
  const act = acts.find(({ type }) => type === 'ApiKeyRevoked') as StoredEvent
  const lift: Upcasters = { ApiKeyRevoked: [({ key }) => ({ key_id: key ?? null })] }
  const old = { ...act, data: { key: act.data.key_id ?? null } }
  t.same(decodeAuditEvent(old, lift).data, act.data)
})

t.test('the leaf covers the stored event, not its upcast form', async (t) => {
  const label = golden.findLast(({ type }) => type === 'LabelReady') as StoredEvent
  const again = (data: JsonObject) => ({ ...data, content_type: 'image/png' })
  const table: Upcasters = { LabelReady: [(data) => data, again] }
  t.equal((decodeEvent(label, table).data as JsonObject).content_type, 'image/png')
  t.ok(leafHolds(label))
  t.notOk(leafHolds({ ...label, data: { ...label.data, content_type: 'image/png' } }))
  t.equal(leafFrom(ledgerEventObject(label)), metadataIn(label).leaf)
})

for (const act of acts) {
  t.test(`the stored ${act.type} of an audit stream is read, and its leaf matches`, async (t) => {
    t.same(decodeAuditEvent(act), { type: act.type, data: act.data })
    t.ok(leafHolds(act))
    t.equal(leafFrom(ledgerEventObject(act)), metadataIn(act).leaf)
    t.throws(() => decodeEvent(act), UnreadableEvent, 'it is not a shipment event')
  })
}

/** What events of older versions are upcast to. */
const lifted: Readonly<Record<string, (data: JsonObject) => JsonObject>> = {
  'LabelReady 1': ({ sha256: _digest, ...data }) => data,
}

for (const event of golden) {
  const version = Number(event.metadata.schema)
  t.test(
    `the stored ${event.type} of version ${version} is read, and its leaf matches`,
    async (t) => {
      const decoded = decodeEvent(event)
      t.equal(decoded.type, event.type)
      const isNewest = version === eventVersion(event.type)
      const expected = isNewest ? event.data : lifted[`${event.type} ${version}`]?.(event.data)
      t.same(decoded.data, expected, 'nothing is lost or added')
      t.equal(decoded.version, event.revision + 1)
      t.equal(new Date(decoded.recordedAt).toISOString(), metadataIn(event).recorded_at)
      t.ok(leafHolds(event))
      t.equal(leafFrom(ledgerEventObject(event)), metadataIn(event).leaf)
    },
  )
}

t.test('the ledger event object has exactly the documented fields', async (t) => {
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

t.test('new events have the same metadata as the examples and a correct leaf', async (t) => {
  const decided = newest.map(({ type, data }) => ({ type, data }))
  const encoded = encodeEvents(decided, 5, envelope)
  t.equal(new Set(encoded.map((event) => event.id)).size, newest.length)
  for (const [index, event] of encoded.entries()) {
    const stored = { ...event, stream: first.stream, revision: 5 + index, position: '1' }
    t.same(Object.keys(event.metadata).sort(), Object.keys(first.metadata).sort())
    t.same(event.data, newest[index]?.data)
    t.match(event.metadata, {
      schema: eventVersion(event.type),
      causation_id: 'cause',
      correlation_id: encoded[0]?.id,
      actor: { type: 'reconciliation', key_id: null },
    })
    t.equal(leafFrom(ledgerEventObject(stored)), event.metadata.leaf)
    t.ok(leafHolds(stored))
  }
})

t.test('the leaf covers the operator, and other actors are written as before', async (t) => {
  const decided = [{ type: 'OperationEscalated', data: { operation_id: operationId } }]
  const forms: readonly (readonly [Envelope['actor'], JsonObject])[] = [
    [
      { type: 'operator', operatorId: 'opr_1', keyId: 'key_1' },
      { type: 'operator', operator_id: 'opr_1', key_id: 'key_1' },
    ],
    [
      { type: 'operator', operatorId: 'opr_1', keyId: null },
      { type: 'operator', operator_id: 'opr_1', key_id: null },
    ],
    [
      { type: 'cli', keyId: null, systemUser: 'ana' },
      { type: 'cli', key_id: null, system_user: 'ana' },
    ],
    [
      { type: 'cli', keyId: null },
      { type: 'cli', key_id: null },
    ],
    [
      { type: 'api_key', keyId: 'key_1' },
      { type: 'api_key', key_id: 'key_1' },
    ],
  ]
  for (const [actor, stored] of forms) {
    const [event] = encodeEvents(decided, 0, { ...envelope, actor })
    if (event === undefined) throw new Error('no event')
    const whole = { ...event, stream: first.stream, revision: 0, position: '1' }
    t.strictSame(event.metadata.actor, stored)
    t.equal(canonical(ledgerEventObject(whole).actor as JsonObject), canonical(stored))
    t.equal(leafFrom(ledgerEventObject(whole)), event.metadata.leaf)
    for (const forged of [
      { ...stored, operator_id: 'opr_2' },
      { ...stored, system_user: 'eva' },
      { type: 'api_key', key_id: null },
    ]) {
      const other = { ...whole, metadata: { ...event.metadata, actor: forged } }
      t.notOk(goesUnnoticed(other), JSON.stringify(forged))
    }
    const more = { ...whole, metadata: { ...event.metadata, actor: { ...stored, name: 'Ana' } } }
    t.equal(checkedEvent(more), 'its metadata has an unknown field, actor.name')
  }
})

t.test('an event that could not be read back is not written', async (t) => {
  const data = { operation_id: operationId, extra: 'x' }
  const bad = [{ type: 'OperationEscalated', data }]
  t.throws(() => encodeEvents(bad, 0, envelope), UnwritableEvent)
})

t.test('an event has separate times for when it happened and when it was recorded', async (t) => {
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

t.test('the leaf no longer matches if any field of the event changes', async (t) => {
  let count = 0
  for (const event of golden) {
    for (const data of changes(event.data)) {
      count += 1
      if (leafHolds({ ...event, data: data as JsonObject })) t.fail(JSON.stringify(data))
    }
    if (
      leafHolds({ ...event, id: `${event.id.slice(0, -1)}${event.id.endsWith('f') ? '0' : 'f'}` })
    )
      t.fail('another id')
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

/** Whether neither the leaf nor the envelope's schema notices the change. */
function goesUnnoticed(event: StoredEvent): boolean {
  try {
    return leafHolds(event)
  } catch (error) {
    if (error instanceof UnreadableEvent) return false
    throw error
  }
}

t.test(
  'an event that fits no schema is unreadable; the error shows where, not its content',
  async (t) => {
    const secret = 'Canary-in-a-bad-event'
    const bad: readonly (readonly [string, Partial<StoredEvent>])[] = [
      ['does not know its type', { type: 'GuideMade' }],
      ['does not know its type', { type: 'constructor' }],
      ['schema version 2 is newer', { metadata: { ...first.metadata, schema: 2 } }],
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
    for (const event of newest) {
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
  },
)

/** The value, and each value that differs by one member removed, added, or of another type. */
function* altered(value: Json): Generator<Json> {
  for (const other of [null, 'x'.repeat(300), '', -1, 1.5, true, [], {}] as const) yield other
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    yield Array.from({ length: 300 }, () => value[0] ?? null)
    for (const [at, each] of value.entries()) {
      for (const other of altered(each)) yield value.with(at, other)
    }
    return
  }
  yield { ...value, another: 1 }
  for (const [key, each] of Object.entries(value)) {
    const { [key]: _, ...without } = value as JsonObject
    yield without
    for (const other of altered(each)) yield { ...value, [key]: other }
  }
}

t.test('the compiled check and the schema agree on every event', (t) => {
  const said = { yes: 0, no: 0 }
  for (const { type, metadata, data } of everything) {
    if (metadata.schema !== eventVersion(type)) continue
    const schema = eventSchemas[type] as z.ZodType
    t.ok(fits(schema, data), type)
    for (const other of altered(data)) {
      const expected = schema.safeParse(other).success
      if (fits(schema, other) !== expected) t.fail(`${type} ${JSON.stringify(other)}`)
      said[expected ? 'yes' : 'no'] += 1
    }
  }
  t.ok(said.yes > 50 && said.no > 2_000, JSON.stringify(said))
  t.end()
})

t.test('stored exchanges and commitments are read as they were written', async (t) => {
  const file = join(import.meta.dirname, 'fixtures', 'evidence-events.json')
  const stored: readonly StoredEvent[] = JSON.parse(readFileSync(file, 'utf8'))
  t.same(
    stored.map(({ type }) => type),
    ['GuideRequested', 'GuideIssued', 'CancellationOutcomeUnknown', 'GuideLookedUp'],
  )
  for (const event of stored) {
    t.ok(leafHolds(event), event.type)
    t.same(decodeEvent(event).data, event.data)
  }
  t.match(stored[1]?.data, { exchanges: [{ attempt: 1 }, { attempt: 2 }], exchanges_ref: String })
  t.equal(Object.keys(stored[1]?.data.commitments ?? {}).length, 2)
})

t.test('every event that a call can end in has room for its exchanges', async (t) => {
  const ends = Object.entries(roleOfEvent).filter(
    ([, role]) => role !== 'escalated' && role !== 'resolved',
  )
  for (const [type] of ends) {
    const schema = shipmentEventSchemas[type as keyof typeof shipmentEventSchemas]
    t.ok('exchanges' in schema.shape, type)
  }
})
