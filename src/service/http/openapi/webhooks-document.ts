import { webhookTypeNames, webhookTypes } from '../../domain/webhooks/webhook-types.ts'
import type { Schema, Schemas } from './unions.ts'
import { exampleBody } from './webhook-examples.ts'
import { declareWebhookUnions } from './webhook-unions.ts'

type Json = Record<string, unknown>

/** Fields of the API's event that the delivered event does not have. */
const responseOnly: readonly string[] = ['object', 'created_at']

const headers = {
  'webhook-id': 'The `id` of the event: the same on every delivery.',
  'webhook-timestamp':
    'The time of this attempt: seconds since 1970, in real time. Reject anything older than 300 s.',
  'webhook-signature':
    '`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, as in Standard Webhooks 1.0. During a rotation there are two, separated by a space.',
  'webhook-body-signature':
    '`sha256=` and hex of HMAC-SHA256 over the body alone. It does not protect the time, so prefer `webhook-signature`. During a rotation there are two.',
} as const

const optionalHeaders = {
  traceparent:
    'The trace that the delivery belongs to, as in W3C Trace Context: the one that the request which caused the event came with, if any. Only if the service records traces. It is not signed.',
} as const

function parametersOf(described: Readonly<Record<string, string>>, required: boolean) {
  return Object.entries(described).map(([name, description]) => ({
    in: 'header',
    name,
    description,
    required,
    schema: { type: 'string' },
  }))
}

const delivery = {
  summary: 'A delivery to an endpoint',
  description:
    'The body is serialized once, so every attempt and redelivery sends the same bytes. Verify before you parse, answer 2xx within 15 s, and do the work afterwards. Delivery is at least once and in no particular order: deduplicate by `id`, order by `resource.version`.',
  tags: ['Webhook events'],
  security: [],
  parameters: [...parametersOf(headers, true), ...parametersOf(optionalHeaders, false)],
  requestBody: {
    required: true,
    description: 'The event. `type` says what `data.object` is.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/WebhookPayload' },
        examples: Object.fromEntries(
          webhookTypeNames.map((type) => [type, { $ref: `#/components/examples/${type}` }]),
        ),
      },
    },
  },
  responses: {
    '2XX': { description: 'Delivered.' },
    '410': { description: 'The receiver is gone for good: the endpoint is disabled.' },
    default: { description: 'Retried after 5 s, then at growing intervals, for three days.' },
  },
}

/**
 * Adds deliveries to an OpenAPI 3.1 document that already has the schema of the event: as a webhook,
 * and as a callback of the operation that creates an endpoint.
 */
export function declareWebhooks(document: Json): void {
  const { schemas = {} } = document.components as { schemas?: Schemas }
  const event = schemas.WebhookEvent as Schema | undefined
  if (event === undefined) return
  const payload = {
    ...event,
    description: 'The body of a delivery: something that happened in a workspace.',
    properties: without(event.properties),
    required: event.required.filter((name) => !responseOnly.includes(name)),
    examples: (event.examples as readonly Json[]).map(without),
  }
  declareWebhookUnions(schemas, payload as unknown as Schema, event)
  Object.assign(document.components as Json, {
    examples: Object.fromEntries(
      webhookTypeNames.map((type) => [
        type,
        { summary: webhookTypes[type], value: exampleBody(type) },
      ]),
    ),
  })
  document.webhooks = { event: { post: { operationId: 'receiveWebhook', ...delivery } } }
  const paths = document.paths as Record<string, { readonly post?: Json }>
  const creation = paths['/v1/webhook-endpoints']?.post
  if (creation === undefined) return
  creation.callbacks = {
    event: { '{$request.body#/url}': { post: { operationId: 'receiveCallback', ...delivery } } },
  }
}

function without(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !responseOnly.includes(name)))
}
