import { z } from 'zod'
import { protocolVersion } from '../../src/service/couriers/connector-description.ts'
import { courierTimes } from '../../src/service/couriers/courier.ts'
import {
  answers,
  type OperationName,
  operations,
  requests,
} from '../../src/service/couriers/protocol.ts'
import {
  connectorLimits,
  findableDays,
  priceChangedCode,
  refusalCodes,
  trackingCodes,
} from '../../src/service/couriers/protocol-codes.ts'
import { breakdownCodes, quoteErrorReasons } from '../../src/service/domain/quote.ts'
import { descriptions, examples } from './protocol-examples.ts'

/** How long the service waits for the courier's answer; connectors should answer well within it. */
const callSeconds = courierTimes.callMs / 1000

const statusTexts = {
  '400': 'The request does not have the form of the protocol.',
  '404': 'There is no such guide under the reference.',
  '409': 'What is asked for does not exist yet.',
  '412': 'The call came after `not_after`; nothing was executed.',
} as const

/** The protocol as an OpenAPI 3.1 document, generated from the schemas that the code uses. */
export function connectorOpenApi(): object {
  const schemas = componentSchemas()
  const paths: Record<string, object> = {}
  for (const [name, { method, path }] of operationEntries()) {
    paths[path] = { [method.toLowerCase()]: operationObject(name) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Courier connector protocol',
      version: protocolVersion,
      description:
        'What a connector serves so that shipping-ledger can ship with a courier. Normalized and independent of any courier.',
      license: { name: 'Unlicensed', url: 'https://choosealicense.com/no-permission/' },
    },
    servers: [{ url: 'https://connector.example', description: 'Wherever the connector runs' }],
    security: [{ connectorToken: [] }],
    tags: [
      { name: 'Account', description: 'What the courier offers.' },
      { name: 'Guides', description: 'Guides and what becomes of them.' },
    ],
    paths,
    components: {
      securitySchemes: {
        connectorToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Between the ledger and the connector; optional on a trusted network.',
        },
      },
      schemas,
    },
  }
}

function operationEntries() {
  return Object.entries(operations) as [OperationName, (typeof operations)[OperationName]][]
}

/** Every named schema once, with references within `components`. */
function componentSchemas(): Record<string, object> {
  const made: Record<string, object> = {}
  for (const schema of [...Object.values(requests), ...Object.values(answers)]) {
    const {
      $schema: _draft,
      $defs: defs,
      ...own
    } = z.toJSONSchema(schema, {
      io: 'input',
      // The format says the same; the pattern fills a screen.
      override: ({ jsonSchema }) => {
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      },
    })
    for (const [id, part] of Object.entries(defs ?? {})) made[id] = componentOf(part)
    // A schema that others refer to is among the definitions already, and is itself a reference.
    if (!('$ref' in own)) made[nameOf(schema)] = componentOf(own)
  }
  return Object.fromEntries(Object.entries(made).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function nameOf(schema: z.ZodType): string {
  return String(schema.meta()?.id)
}

/** References of the generator's own `$defs` become references into the document. */
function componentOf(schema: object): object {
  const { id: _id, ...rest } = JSON.parse(
    JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/'),
  )
  return rest
}

function reference(schema: z.ZodType): object {
  return { $ref: `#/components/schemas/${nameOf(schema)}` }
}

function json(schema: z.ZodType, example: object | null): object {
  return {
    'application/json': { schema: reference(schema), ...(example === null ? {} : { example }) },
  }
}

function successOrRefusal(schema: z.ZodType, example: object | null): object {
  const oneOf = [reference(schema), reference(answers.refusal)]
  return { 'application/json': { schema: { oneOf }, ...(example === null ? {} : { example }) } }
}

function contentOf(name: OperationName): object {
  if (name === 'label') {
    return {
      'application/pdf': { schema: { type: 'string', contentMediaType: 'application/pdf' } },
    }
  }
  const example = examples[name].answer
  if (name === 'describe') return json(answers.describe, example)
  return successOrRefusal(answers[name], example)
}

function operationObject(name: OperationName): object {
  const { summary, description, other } = descriptions[name]
  const { request } = operations[name]
  const refused = json(answers.refusal, { success: false, code: 'invalid_request', message: null })
  return {
    operationId: name,
    tags: [
      name.toLowerCase().includes('guide') || name === 'track' || name === 'label'
        ? 'Guides'
        : 'Account',
    ],
    summary,
    description,
    ...(request === null
      ? {}
      : { requestBody: { required: true, content: json(request, examples[name].request) } }),
    responses: {
      '200': {
        description: 'Done; or `success: false`, a refusal: understood and not executed.',
        headers: {
          'X-Request-Id': {
            description: "The courier's id of the call.",
            schema: { type: 'string', maxLength: 128 },
          },
        },
        content: contentOf(name),
      },
      ...(name === 'label' ? { '202': { description: 'The label does not exist yet.' } } : {}),
      ...Object.fromEntries(
        other.map((status) => [status, { description: statusTexts[status], content: refused }]),
      ),
      '401': {
        description: "The courier refuses the account's credentials, or the token is wrong.",
      },
      '429': {
        description: 'Slow down; nothing was executed.',
        headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
      },
      '5XX': { description: 'It is not known whether the call was executed.' },
    },
  }
}

/** The page for authors of connectors. */
export function connectorProtocolPage(): string {
  const rows = operationEntries().map(
    ([name, { method, path }]) =>
      `| \`${method} ${path}\` | ${descriptions[name].summary} | ${descriptions[name].description} |`,
  )
  return [
    '# The courier connector protocol',
    '',
    'A connector is an HTTP server, in any language, that translates this small protocol into the API of one courier. [connector-openapi.json](connector-openapi.json) has every schema, and [a guide](guides/connect-a-courier.md) builds a connector. `npm run --silent ledger -- courier check --url <url>` checks that a connector follows the protocol.',
    '',
    "If the connector is registered with a token, each request carries it as `Authorization: Bearer <token>`. The credentials of the shop's account with the courier are in the body of each `POST`.",
    '',
    '| Route | What it does | Notes |',
    '|---|---|---|',
    ...rows,
    '',
    '## Answers',
    '',
    '| The connector answers | The ledger understands |',
    '|---|---|',
    '| 200 with `success: true` in the form of the schema | done |',
    '| 200 or 4XX with `{"success": false, "code", "message"}` | refused: understood and certainly not executed |',
    '| 401 | the credentials are refused; not executed |',
    '| 429, with or without `Retry-After` in seconds | not executed; may be asked again later |',
    '| 412 with `{"success": false, "executed": false, "code": "too_late"}` | not executed, and never will be |',
    '| 5XX, 3XX, a 2XX that cannot be read, a 4XX without the refusal body, a broken connection, no answer | **unknown**: the guide may exist |',
    '',
    'Answer 5XX only if you do not know whether the courier executed the call: after such an answer to a creation or cancellation, the ledger opens an operation and looks for the guide.',
    '',
    "An answer may have an `X-Request-Id`, the courier's own id of the call: up to 128 letters, digits and `_.:-`. It is stored with the event and shown in evidence. The `X-Request-Id` of a request is the id of the API request that caused it.",
    '',
    'If the ledger records traces, a request has a `traceparent` of [W3C Trace Context](https://www.w3.org/TR/trace-context/): the span of the call. A connector may continue it, or ignore it.',
    '',
    '## Rules',
    '',
    '1. `not_after` is real time. A creation or cancellation that arrives later is answered 412 and never executed, however late.',
    '2. A creation makes at most one guide and the connector never repeats it if the courier may have executed it.',
    `3. \`client_reference\` is stored with the guide, for at least ${findableDays} days. \`POST /guides/find\` asks the courier and never answers from the connector's own memory; an empty list means that there is certainly no guide. References are compared whole and case-sensitively. With \`include_cancelled\` it lists cancelled guides beside those that stand.`,
    `4. A ledger that lost its newest events, for example by a restore, does not know guides that exist. For ${findableDays} days it asks \`POST /guides/find\` with \`include_cancelled\` before it creates a guide, and creates none if one is found.`,
    '5. Unknown fields of a request are ignored. `sandbox` is only for the simulated courier.',
    `6. Answer within ${callSeconds} s, with \`application/json\` in UTF-8 and without content encoding. A body has at most ${connectorLimits.bodyBytesMax} bytes, a label ${connectorLimits.labelBytesMax}, a catalogue ${connectorLimits.catalogueBytesMax}, an invoice ${connectorLimits.invoiceBytesMax} (both with at most ${connectorLimits.catalogueItemBytesMax} for each item, before the list and after it).`,
    "7. `code` of a refusal is normalized (`a-z`, digits, `_`) and never carries anything personal. The courier's own words go into `message` and `text`.",
    `8. Texts are Unicode without control characters: the ledger removes those, and cuts \`message\` and \`text\` after ${connectorLimits.textCharactersMax} characters. A code that contains one is refused.`,
    '9. No redirects; the ledger follows none.',
    `10. A creation with a \`quoted_amount\` is made at exactly that price, or refused as \`${priceChangedCode}\` with today's \`price\`.`,
    '',
    '## Refusal codes with a meaning',
    '',
    ...listOf(refusalCodes),
    '',
    '## Reasons for which a service has no price',
    '',
    'Any other is shown as `unavailable`.',
    '',
    ...listOf(quoteErrorReasons),
    '',
    '## Codes of a price breakdown',
    '',
    'Any other is shown as `other`.',
    '',
    ...listOf(breakdownCodes),
    '',
    '## Tracking codes',
    '',
    'Any other code is kept as an unmapped event and does not change the status.',
    '',
    ...listOf(trackingCodes),
    '',
  ].join('\n')
}

function listOf(codes: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(codes).map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
}
