import t from 'tap'
import { shipmentStatuses } from '../../src/service/domain/shipment/shipment.ts'
import { webhookTypeNames } from '../../src/service/domain/webhooks/webhook-types.ts'
import type { Action } from '../../src/service/error-kinds.ts'
import { errorTable, Problem, type Reason, reasons } from '../../src/service/errors.ts'
import { exampleShipment } from '../../src/service/http/openapi/examples.ts'
import { exampleBody } from '../../src/service/http/openapi/webhook-examples.ts'
import { problemBody } from '../../src/service/http/problems/problem.ts'
import { committedDocument, wrongInComponent } from '../support/declared-answers.ts'

type Union = {
  readonly oneOf: readonly { readonly $ref: string }[]
  readonly discriminator: { readonly mapping: Readonly<Record<string, string>> }
}
const { schemas } = committedDocument.components

t.test('each union maps every value of its field to one of its members', async (t) => {
  const valuesOf = {
    Shipment: shipmentStatuses,
    Problem: reasons,
    WebhookPayload: webhookTypeNames,
    WebhookEvent: webhookTypeNames,
  }
  for (const [name, values] of Object.entries(valuesOf)) {
    const { oneOf, discriminator } = schemas[name] as Union
    t.same(Object.keys(discriminator.mapping), values, name)
    const used = new Set(Object.values(discriminator.mapping))
    t.same(used, new Set(oneOf.map(({ $ref }) => $ref)), name)
  }
})

for (const type of webhookTypeNames) {
  t.test(`the example of ${type} is of its member, and of no other`, async (t) => {
    const body = exampleBody(type)
    const wrongIn = (changed: object) => wrongInComponent('WebhookPayload', { ...body, ...changed })
    t.equal(wrongIn({}), null)
    const event = { ...body, object: 'webhook_event', created_at: body.timestamp }
    t.equal(wrongInComponent('WebhookEvent', event), null)
    const another =
      type === 'quota.threshold_reached' ? 'alert.ledger_damaged' : 'quota.threshold_reached'
    t.type(wrongIn({ type: another }), 'string', 'the object of another type')
    t.type(wrongIn({ data: {} }), 'string', 'no object')
    t.type(wrongIn({ data: { object: {} } }), 'string', 'an empty object')
    t.type(
      wrongIn({ resource: { ...Object(body.resource), type: 'parcel' } }),
      'string',
      'a resource',
    )
  })
}

t.test('a former value of another form is found', async (t) => {
  const body = exampleBody('shipment.created')
  const wrong = { ...body, previous: { ...Object(body.previous), status: 1 } }
  t.match(wrongInComponent('WebhookPayload', wrong), /previous/)
})

t.test('a shipment that contradicts its status is found', async (t) => {
  const wrongIn = (changed: object) =>
    wrongInComponent('Shipment', { ...exampleShipment, ...changed })
  const { operation_id: _, ...rest } = exampleShipment
  t.equal(wrongIn({}), null)
  t.type(wrongIn({ guide_number: null }), 'string')
  t.type(wrongIn({ status: 'rejected' }), 'string')
  const lost = { status: 'unknown_outcome', guide_number: null }
  t.equal(wrongIn({ ...lost, operation_id: `op_${exampleShipment.id.slice(4)}01` }), null)
  t.type(wrongIn({ ...lost, operation_id: null }), 'string')
  t.type(wrongInComponent('Shipment', rest), 'string')
})

const needsOperation: readonly Reason[] = [
  'unknown_outcome',
  'operation_open',
  'nothing_created',
  'not_cancelled',
]

t.test('a problem about an operation names it, and a validation problem the fields', async (t) => {
  const request = { id: 'req_1', changing: true, keyed: true }
  const shipment = { id: exampleShipment.id, version: 3 }
  const operationId = `op_${exampleShipment.id.slice(4)}01`
  for (const reason of reasons) {
    const bare = problemBody(new Problem(reason), request)
    const whole = { operationId, shipment, errors: [] }
    t.equal(wrongInComponent('Problem', problemBody(new Problem(reason, whole), request)), null)
    const isBareWrong = needsOperation.includes(reason) || reason === 'validation_failed'
    t.equal(wrongInComponent('Problem', bare) !== null, isBareWrong, reason)
  }
})

/** Of a reason, the actions that its retryable and outcome allow. */
function allowed(reason: Reason): readonly Action[] {
  const { retryable, outcome } = errorTable[reason]
  // Only the same key, or the operation, can tell what came of a request.
  if (outcome === 'unknown') return needsOperation.includes(reason) ? ['follow'] : ['same_key']
  // The operation will end; only then can the request succeed.
  if (reason === 'operation_open') return ['follow']
  // Repeating helps once a person has replaced the credentials.
  if (reason === 'connection_needs_reauth') return ['person']
  if (retryable) return ['same_key']
  // Nobody knows whether the network is slow again.
  if (reason === 'request_timeout') return ['same_key']
  return needsOperation.includes(reason) ? ['new_key'] : ['fix', 'person']
}

t.test('what the caller does next follows from what happened', async (t) => {
  for (const reason of reasons) {
    const { action } = errorTable[reason]
    t.ok(allowed(reason).includes(action), `${reason}: ${action}`)
    t.equal(
      problemBody(new Problem(reason), { id: 'req_1', changing: true, keyed: true }).action,
      action,
    )
  }
  // A new key would ship the order twice: it may have been shipped with this one.
  t.equal(errorTable.idempotency_key_reused.action, 'fix')
})
