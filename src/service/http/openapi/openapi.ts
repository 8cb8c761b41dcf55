import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod'
import type { App } from '../api-services.ts'
import { narrowProblems, problemUnion } from '../problems/problem-schema.ts'
import { declareAnswerHeaders } from '../rules/declared-headers.ts'
import { shipmentUnion } from '../shipments/shipment-schema.ts'
import { apiSchemas, jsonSchemaOptions } from './api-schemas.ts'
import { completeBodies } from './request-bodies.ts'
import { shareParts } from './shared-parts.ts'
import { tags } from './tags.ts'
import { declareUnion, type Schemas } from './unions.ts'
import { declareWebhooks } from './webhooks-document.ts'

const independence =
  'shipping-ledger is an independent service. It is not an official interface of any courier and is affiliated with none.'

const description = `One key, one guide, and the truth when a courier's answer is lost. ${independence}

Authenticate with \`Authorization: Bearer <API key>\`. Errors are problems as in RFC 9457: act on their
\`reason\` and \`outcome\`. Enumerations marked \`x-extensible\` may grow: accept unknown values.`

/**
 * The address of a service with the default `PORT`. A served document has the address of its
 * service.
 */
const defaultAddress = 'http://127.0.0.1:3000'

type Json = Record<string, unknown>

/** Register it before the routes: the document is built from their schemas. */
export function openApi(app: App): void {
  const schemas = apiSchemas()
  const transform = createJsonSchemaTransform({
    schemaRegistry: schemas.registry,
    zodToJsonConfig: jsonSchemaOptions,
  })
  app.addHook('onRoute', schemas.note)
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'shipping-ledger',
        version: '1',
        description,
        license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
      },
      servers: [{ url: defaultAddress, description: 'A service on your own machine.' }],
      tags,
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key: `svc_test_…` uses the simulated courier only, `svc_live_…` real ones. An operation that names a scope needs a key that has it.',
          },
        },
      },
    },
    transform: (input) => {
      schemas.collect()
      return withRequiredKey(transform(input), input.route)
    },
    transformObject: createJsonSchemaTransformObject({
      schemaRegistry: schemas.registry,
      zodToJsonConfig: jsonSchemaOptions,
    }),
  })
}

type Transformed = ReturnType<ReturnType<typeof createJsonSchemaTransform>>

/** In the schema the key is optional, only so that a missing one gets a reason of its own. */
function withRequiredKey(transformed: Transformed, { config }: RouteOptions): Transformed {
  if (config?.requiresKey !== true) return transformed
  const headers = { ...(transformed.schema.headers as Json), required: ['idempotency-key'] }
  return { ...transformed, schema: { ...transformed.schema, headers } }
}

/** The OpenAPI 3.1 document of the app's routes, once it is ready. */
export function openApiDocument(app: App | FastifyInstance): Json {
  return shareParts(wholeDocument(app))
}

/** The same without shared parts, for generators that do not follow references. */
export function wholeDocument(app: App | FastifyInstance): Json {
  const document = structuredClone(app.swagger()) as unknown as Json
  dropUnused(document)
  openAnswers(document)
  completeBodies(document)
  declareAnswerHeaders(document)
  declareWebhooks(document)
  declareUnions(document)
  return withPlainNames(document)
}

/** After everything that reads a component's single schema. */
function declareUnions(document: Json): void {
  const { schemas = {} } = document.components as { schemas?: Schemas }
  for (const union of [shipmentUnion, problemUnion]) declareUnion(schemas, union)
  narrowProblems(document)
  dropUnused(document)
}

/** Opens the schemas of answers, which may gain fields. Those of requests stay closed. */
function openAnswers(document: Json): void {
  const { schemas = {} } = document.components as { schemas?: Json }
  for (const [name, schema] of Object.entries(schemas)) if (!name.endsWith('Input')) open(schema)
  for (const path of Object.values(document.paths as Record<string, Record<string, Json>>)) {
    for (const operation of Object.values(path)) open(operation.responses)
  }
}

function open(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const schema = value as Json
  if (schema.additionalProperties === false) delete schema.additionalProperties
  for (const part of Object.values(schema)) open(part)
}

/** Each registered schema has one form for requests and one for answers. Drops unused ones. */
function dropUnused(document: Json): void {
  const components = document.components as { schemas?: Json }
  for (;;) {
    const text = JSON.stringify(document)
    const unused = Object.keys(components.schemas ?? {}).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    )
    if (unused.length === 0) return
    for (const name of unused) delete components.schemas?.[name]
  }
}

/** Removes the suffix of schemas that only requests use. */
function withPlainNames(document: Json): Json {
  const { schemas = {} } = document.components as { schemas?: Json }
  let text = JSON.stringify(document)
  for (const name of Object.keys(schemas)) {
    const plain = name.replace(/Input$/, '')
    if (plain === name || plain in schemas) continue
    text = text.replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${plain}"`)
    text = text.replaceAll(`"${name}":`, `"${plain}":`)
  }
  return JSON.parse(text) as Json
}

/** Serves `/openapi.json` with the address at which it was requested. */
export function documentation(app: FastifyInstance): void {
  let rest: string | null = null
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    rest ??= JSON.stringify({ ...openApiDocument(app), servers: undefined }).slice(1)
    const { protocol, host } = request
    const url = host === undefined ? '/' : `${protocol}://${host}`
    const servers = [{ url, description: 'The service that serves this document.' }]
    const json = `{"servers":${JSON.stringify(servers)},${rest}`
    return reply.type('application/json').send(Buffer.from(json))
  })
}
