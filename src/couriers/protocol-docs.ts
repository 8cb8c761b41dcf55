import { z } from 'zod'
import {
  answers,
  callSeconds,
  connectorLimits,
  type OperationName,
  operations,
  protocolVersion,
  refusalCodes,
  requests,
  trackingCodes,
} from './protocol.ts'

type Description = {
  readonly summary: string
  readonly description: string
  /** Statuses besides 200, 401, 429 and 5XX. */
  readonly other: readonly ('400' | '404' | '409' | '412')[]
}

const descriptions: Readonly<Record<OperationName, Description>> = {
  describe: {
    summary: 'Describe the connector',
    description: 'What the connector is and what it can be asked.',
    other: ['400'],
  },
  agencies: {
    summary: 'List agencies',
    description: `Every agency, at most ${connectorLimits.agenciesMax}. Needs no credentials.`,
    other: ['400'],
  },
  packageProducts: {
    summary: 'List package products',
    description: `Every product, at most ${connectorLimits.packageProductsMax}. Needs no credentials.`,
    other: ['400'],
  },
  verifyCredentials: {
    summary: 'Verify credentials',
    description: 'Whether the courier accepts the credentials. Changes nothing.',
    other: ['400'],
  },
  quote: {
    summary: 'Quote',
    description:
      'Prices of every service on the route, or of the one asked for. A service that cannot be priced is in `errors`.',
    other: ['400'],
  },
  createGuide: {
    summary: 'Create a guide',
    description:
      'Creates one guide, at most once per call, and keeps `client_reference` with it so that `POST /guides/find` finds it at once. A call that arrives after `not_after` is answered 412 and not executed. The ledger never repeats a call whose outcome it does not know.',
    other: ['400', '412'],
  },
  findGuides: {
    summary: 'Find guides by reference',
    description:
      'Every guide that stands under the reference, cancelled ones left out. An empty list says that there is certainly none now; a connector that cannot tell answers 5XX. `guide_number`, when given, helps couriers that can only be asked by number: the guide is listed if it belongs to the reference.',
    other: ['400'],
  },
  cancelGuide: {
    summary: 'Cancel a guide',
    description: 'Voids the guide. Success also if it was cancelled before.',
    other: ['400', '404', '412'],
  },
  track: {
    summary: 'Track a guide',
    description: `Every event the courier knows of, in any order, at most ${connectorLimits.trackingEventsMax}.`,
    other: ['400', '404'],
  },
  label: {
    summary: 'Download the label',
    description:
      'The label as a PDF, a page a piece. While it does not exist: 202, or 409 with the code `label_not_ready`.',
    other: ['400', '404', '409'],
  },
}

const exampleCredentials = { username: 'shop', password: 'secret' }
const exampleRoute = {
  origin: { agency_code: 'A001' },
  destination: { agency_code: 'A004' },
  package: {
    product_code: 'box_xs',
    quantity: 1,
    weight_kg: 1.5,
    height_m: 0.1,
    length_m: 0.2,
    width_m: 0.15,
  },
}
const exampleGuide = {
  guide_number: 'SG00000000000001',
  pickup_code: '0000',
  price: { amount: 1860, currency: 'PEN' },
}
const exampleCall = {
  credentials: exampleCredentials,
  client_reference: 'shp_0000000000000000000001',
}
const exampleGuideCall = { ...exampleCall, guide_number: exampleGuide.guide_number }

/** Examples of requests and answers; a test parses each with its schema. */
export const examples: Readonly<
  Record<OperationName, { readonly request: object | null; readonly answer: object | null }>
> = {
  describe: {
    request: null,
    answer: {
      protocol: protocolVersion,
      name: 'Example courier',
      capabilities: { find: true, cancel: true, tracking: true, label: true, quote: false },
    },
  },
  agencies: {
    request: null,
    answer: {
      success: true,
      agencies: [
        {
          code: 'A001',
          name: 'Agencia Lima Norte',
          address: 'Avenida Alameda Serena 118',
          department: 'Lima',
          province: 'Lima',
          district: 'Lima',
          capabilities: ['drop_off', 'pickup'],
        },
      ],
    },
  },
  packageProducts: {
    request: null,
    answer: {
      success: true,
      package_products: [
        {
          code: 'box_xs',
          name: 'Box XS',
          max_weight_kg: 5,
          max_length_m: 0.3,
          max_width_m: 0.2,
          max_height_m: 0.15,
        },
      ],
    },
  },
  verifyCredentials: {
    request: { credentials: exampleCredentials },
    answer: { success: true },
  },
  quote: {
    request: {
      credentials: exampleCredentials,
      workspace_reference: 'ws_0000000000000000000001',
      ...exampleRoute,
      service: null,
    },
    answer: {
      success: true,
      rates: [
        {
          service: { mode: 'terrestrial', payer: 'sender' },
          price: exampleGuide.price,
          breakdown: [{ code: 'freight', amount: 1860 }],
          transit_days: { min: 1, max: 4 },
        },
      ],
      errors: [
        { service: { mode: 'air', payer: 'sender' }, reason: 'no_capacity', text: 'No capacity.' },
      ],
    },
  },
  createGuide: {
    request: {
      ...exampleCall,
      not_after: '2030-01-01T12:00:20.000Z',
      ...exampleRoute,
      service: { mode: 'terrestrial', payer: 'sender' },
      declared_content: 'Books',
      recipient: {
        document_type: 'DNI',
        document: '00000000',
        first_name: 'Ana',
        last_name: 'Ejemplo',
      },
      quoted_amount: null,
    },
    answer: { success: true, guide: exampleGuide },
  },
  findGuides: { request: exampleCall, answer: { success: true, guides: [exampleGuide] } },
  cancelGuide: {
    request: { ...exampleGuideCall, not_after: '2030-01-01T12:00:20.000Z' },
    answer: { success: true },
  },
  track: {
    request: exampleGuideCall,
    answer: {
      success: true,
      eta: '2030-01-02T09:00:00.000Z',
      events: [
        {
          id: 'e1',
          code: 'received_at_origin',
          occurred_at: '2030-01-01T14:00:00.000Z',
          agency_code: 'A001',
          text: 'Recibido en agencia de origen',
          action_required: false,
        },
      ],
    },
  },
  label: { request: { ...exampleGuideCall, size: 'a6' }, answer: null },
}

const statusTexts = {
  '400': 'The request does not have the form of the protocol.',
  '404': 'There is no such guide under the reference.',
  '409': 'The label does not exist yet.',
  '412': 'The call came after `not_after`; nothing was executed.',
} as const

/** The protocol as an OpenAPI 3.1 document, made from the schemas that the code runs with. */
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

/** Every named schema once, pointing at one another within `components`. */
function componentSchemas(): Record<string, object> {
  const made: Record<string, object> = {}
  for (const schema of [...Object.values(requests), ...Object.values(answers)]) {
    const {
      $schema: _draft,
      $defs: defs,
      ...own
    } = z.toJSONSchema(schema, {
      io: 'input',
      // The format says it; the pattern is a screenful.
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

/** The page for whoever writes a connector. */
export function connectorProtocolPage(): string {
  const rows = operationEntries().map(
    ([name, { method, path }]) =>
      `| \`${method} ${path}\` | ${descriptions[name].summary} | ${descriptions[name].description} |`,
  )
  return [
    '# The courier connector protocol',
    '',
    'A connector is an HTTP server, in any language, that translates this small protocol into what one courier speaks. `connector-openapi.json` beside this page has every schema. `ledger courier check <url>` proves that a connector keeps it.',
    '',
    '| Route | What it does | Notes |',
    '|---|---|---|',
    ...rows,
    '',
    '## Answers',
    '',
    '| The connector answers | The ledger takes it as |',
    '|---|---|',
    '| 200 with `success: true` in the form of the schema | done |',
    '| 200 or 4XX with `{"success": false, "code", "message"}` | refused: understood and certainly not executed |',
    '| 401 | the credentials are refused, not executed |',
    '| 429, with `Retry-After` in seconds or without | not executed, may be asked again later |',
    '| 412 with `{"success": false, "executed": false, "code": "too_late"}` | not executed, and never will be |',
    '| 5XX, 3XX, a 2XX that cannot be read, a 4XX without the refusal body, a broken connection, no answer | **unknown**: the guide may exist |',
    '',
    'Say 5XX only where it is not known whether the courier executed the call: each such answer opens an operation that reconciles.',
    '',
    '## Rules',
    '',
    '1. `not_after` is real time. A creation or cancellation that arrives later is answered 412 and never executed, however late.',
    '2. A creation makes at most one guide and is never repeated by the connector where the courier may have executed it.',
    '3. `client_reference` is stored with the guide. `POST /guides/find` answers from the courier, never from a memory of the connector; an empty list is a statement.',
    '4. Unknown fields of a request are ignored. `sandbox` is for the simulated courier alone.',
    `5. Answer within ${callSeconds} s. Bodies of at most ${connectorLimits.bodyBytesMax} bytes of JSON in UTF-8 (\`application/json\`), labels ${connectorLimits.labelBytesMax}, catalogues ${connectorLimits.catalogueBytesMax}; no content encoding.`,
    "6. `code` of a refusal is normalized (`a-z`, digits, `_`) and never carries anything personal. The courier's own words go into `message` and `text`.",
    '7. No redirects; the ledger follows none.',
    '',
    '## Refusal codes with a meaning',
    '',
    ...listOf(refusalCodes),
    '',
    '## Tracking codes',
    '',
    'Anything else is kept as an unmapped event and moves no status.',
    '',
    ...listOf(trackingCodes),
    '',
  ].join('\n')
}

function listOf(codes: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(codes).map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
}
