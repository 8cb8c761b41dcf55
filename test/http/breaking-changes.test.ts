import t from 'tap'
import { breakingChanges } from '../docs/changes/breaking-changes.ts'
import { committedDocument } from '../support/declared-answers.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests change the document in every place
type Change = (document: any) => void
const schema = (name: string) => (document: { components: { schemas: Record<string, object> } }) =>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  document.components.schemas[name] as any
/** A member of the union `Shipment`. */
const shipment = schema('ShipmentWithGuide')
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
    (d) => delete schema('OtherProblem')(d).properties.retryable,
    /retryable is gone/,
  ],
  'a field of a member of a union that may be null now': [
    (d) => (shipment(d).properties.guide_number.type = ['string', 'null']),
    /201\/guide_number may now be null/,
  ],
  'a field of a member of a union that may be missing': [
    (d) => (schema('OperationProblem')(d).required = ['reason']),
    /409\/operation_id may be missing/,
  ],
  'a value of a union that moves to a member that promises less': [
    (d) => {
      shipment(d).properties.status.enum = ['cancelled']
      schema('ShipmentWithoutGuide')(d).properties.status.enum.push('created')
    },
    /201\/guide_number may now be null/,
  ],
  'one schema in place of a union': [
    (d) => (d.components.schemas.Shipment = single(d)),
    /201\/guide_number may now be null/,
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

/** The shipment as it was before it was a union: it promises only what every member does. */
// biome-ignore lint/suspicious/noExplicitAny: as above
function single(document: any): object {
  const { guide_number, failure, operation_id, status } = shipment(document).properties
  const { mapping } = document.components.schemas.Shipment.discriminator
  const properties = {
    ...shipment(document).properties,
    status: { ...status, enum: Object.keys(mapping) },
    guide_number: { ...guide_number, type: ['string', 'null'] },
    failure: {
      anyOf: [schema('ShipmentNotExecuted')(document).properties.failure, failure],
    },
    operation_id,
  }
  return { ...shipment(document), properties }
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
  'a new member of a union that may grow': (d) => {
    const status = { type: 'string', enum: ['frozen'] }
    const properties = { ...shipment(d).properties, status, guide_number: { type: 'null' } }
    d.components.schemas.FrozenShipment = { ...shipment(d), properties }
    d.components.schemas.Shipment.oneOf.push({ $ref: '#/components/schemas/FrozenShipment' })
  },
  'a member of a union that no longer occurs': (d) => d.components.schemas.Shipment.oneOf.pop(),
  'a new reason of a problem': (d) =>
    schema('OtherProblem')(d).properties.reason.enum.push('new_one'),
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

t.test('the API check lets a union take the place of a schema that promised less', async (t) => {
  const before = structuredClone(committedDocument)
  Object.assign(before.components.schemas, { Shipment: single(before) })
  t.same(breakingChanges(before, committedDocument), [])
})
