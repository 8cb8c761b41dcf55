type Json = Record<string, unknown>
type Schema = {
  readonly properties: Json
  readonly required: readonly string[]
  readonly examples?: readonly Json[]
  readonly [keyword: string]: unknown
}

/** What the API's event has besides what is sent. */
const shownOnly: readonly string[] = ['object', 'created_at']

const headers = {
  'webhook-id': "The event's id: the same on every delivery",
  'webhook-timestamp':
    'Seconds since 1970 of this attempt, in real time; refuse what is older than 300 s',
  'webhook-signature':
    '`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, after Standard Webhooks 1.0. While a secret is rotated two of them with a space between.',
  'webhook-body-signature':
    '`sha256=` and hex of HMAC-SHA256 over the body alone, which binds no time. As many as of the other.',
} as const

/** Adds what receivers get to an OpenAPI 3.1 document that has the event as a schema. */
export function declareWebhooks(document: Json): void {
  const { schemas = {} } = document.components as { schemas?: Record<string, Schema> }
  const event = schemas.WebhookEvent
  if (event === undefined) return
  const { examples = [], ...rest } = event
  schemas.WebhookPayload = {
    ...rest,
    properties: without(event.properties),
    required: event.required.filter((name) => !shownOnly.includes(name)),
    examples: examples.map(without),
  }
  document.webhooks = {
    event: {
      post: {
        operationId: 'receiveWebhook',
        summary: 'What an endpoint is sent',
        description:
          'Serialised once: the same bytes on every attempt and redelivery. Verify before you parse, answer 2xx within 15 s, do the work afterwards. At least once, and in no order: deduplicate by `id`, order by `sequence`.',
        tags: ['Webhook events'],
        security: [],
        parameters: Object.entries(headers).map(([name, description]) => ({
          in: 'header',
          name,
          description,
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/WebhookPayload' } },
          },
        },
        responses: {
          '2XX': { description: 'Delivered' },
          '410': { description: 'Gone for good: the endpoint is disabled' },
          default: { description: 'Tried again after 5 s, then ever longer, for three days' },
        },
      },
    },
  }
}

function without(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !shownOnly.includes(name)))
}
