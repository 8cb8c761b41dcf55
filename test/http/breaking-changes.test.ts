import t from 'tap'
import { breakingChanges } from '../docs/changes/breaking-changes.ts'
import { committedDocument } from '../support/declared-answers.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests change the document in every place
type Change = (document: any) => void
const schema = (name: string) => (document: { components: { schemas: Record<string, object> } }) =>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  document.components.schemas[name] as any
const shipment = schema('Shipment')
const request = schema('ShipmentRequest')

function changesOf(change: Change): readonly string[] {
  const copy = structuredClone(committedDocument)
  change(copy)
  return breakingChanges(committedDocument, copy)
}

const breaking: Readonly<Record<string, readonly [Change, RegExp]>> = {
  'a removed route': [
    (d) => delete d.paths['/v1/operations/{id}'],
    /GET \/v1\/operations\/\{id\} is gone/,
  ],
  'a removed method': [(d) => delete d.paths['/v1/workspaces/{id}'].patch, /PATCH .* is gone/],
  'a removed request field': [
    (d) => delete request(d).properties.metadata,
    /body\/metadata is gone/,
  ],
  'a new required request field': [
    (d) => request(d).required.push('metadata'),
    /body\/metadata is required now/,
  ],
  'a narrowed request enumeration': [
    (d) => request(d).properties.service.properties.mode.enum.pop(),
    /body\/service\/mode no longer takes air/,
  ],
  'a request field of another type': [
    (d) => (request(d).properties.external_reference = { type: 'integer' }),
    /no longer takes string/,
  ],
  'a removed response property': [
    (d) => delete shipment(d).properties.guide_number,
    /201\/guide_number is gone/,
  ],
  'a response property of another type': [
    (d) => (shipment(d).properties.version = { type: 'string' }),
    /201\/version may now be string/,
  ],
  'a response property that may be null now': [
    (d) =>
      (shipment(d).properties.status = {
        anyOf: [shipment(d).properties.status, { type: 'null' }],
      }),
    /201\/status may now be null/,
  ],
  'a response property that may be missing': [
    (d) => shipment(d).required.splice(shipment(d).required.indexOf('status'), 1),
    /201\/status may be missing/,
  ],
  'a field of a problem that is gone': [
    (d) => delete schema('Problem')(d).properties.retryable,
    /retryable is gone/,
  ],
  'a success that is another status': [
    (d) => {
      const { responses } = d.paths['/v1/shipments'].post
      responses[200] = responses[201]
      delete responses[201]
    },
    /no longer answers 201/,
  ],
  'a parameter that is required now': [
    (d) => (d.paths['/v1/shipments'].get.parameters[0].required = true),
    /needs query/,
  ],
  'a removed parameter': [(d) => d.paths['/v1/shipments'].get.parameters.shift(), /takes no query/],
  'another scope': [
    (d) => (d.paths['/v1/shipments'].get.security = [{ bearer: ['ledger:read'] }]),
    /needs the scope ledger:read/,
  ],
}

const additive: Readonly<Record<string, Change>> = {
  'a new route': (d) => (d.paths['/v1/new'] = d.paths['/v1/key']),
  'a new field of an answer': (d) => (shipment(d).properties.more = { type: 'string' }),
  'a new field of an answer that is always there': (d) => {
    shipment(d).properties.more = { type: 'string' }
    shipment(d).required.push('more')
  },
  'a new value of an open enumeration': (d) => shipment(d).properties.status.enum.push('frozen'),
  'a new optional field of a request': (d) => (request(d).properties.more = { type: 'string' }),
  'a new value that a request may have': (d) =>
    request(d).properties.service.properties.mode.enum.push('sea'),
  'a field that need not be sent any more': (d) => request(d).required.pop(),
  'a new optional parameter': (d) =>
    d.paths['/v1/shipments'].get.parameters.push({ in: 'query', name: 'new', schema: {} }),
  'a new problem': (d) => {
    d.paths['/v1/shipments'].post.responses[423] = d.paths['/v1/shipments'].post.responses[409]
  },
  'a new reason of a problem': (d) => schema('Problem')(d).properties.reason.enum.push('new_one'),
}

t.test('the API check finds each kind of breaking change', async (t) => {
  t.same(
    changesOf(() => undefined),
    [],
  )
  for (const [name, [change, says]] of Object.entries(breaking)) {
    t.match(changesOf(change).join('\n'), says, name)
  }
})

t.test('the API check lets additions pass', async (t) => {
  for (const [name, change] of Object.entries(additive)) t.same(changesOf(change), [], name)
})
