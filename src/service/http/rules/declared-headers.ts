import { z } from 'zod'
import { defaultScenario } from '../../couriers/scenarios/scenarios.ts'
import { rememberedHours } from '../../processes/forget-answers.ts'
import { exampleReference } from '../openapi/examples.ts'

const exampleETag = '"Zk3vQw9xT1bYc7RmLp0aJe"'

/** Headers that a route may read. The code that reads a header checks its value. */
const requestHeaders = {
  'idempotency-key': {
    description: `Identifies the logical attempt: 1 to 255 visible ASCII characters. Repeating the request with the same key has no further effect. A required key never expires. An optional key is remembered for ${rememberedHours} hours; without it, a repeated request is a new one.`,
    example: exampleReference,
  },
  'sandbox-scenario': {
    description: `With a test key: one of the scenarios that \`GET /v1/sandbox/scenarios\` lists; the default is \`${defaultScenario}\`. With a live key: 400 \`sandbox_only\`.`,
    example: 'lost_response_guide_created',
  },
  'accept-language': {
    description:
      'The languages that you prefer (RFC 9110), for the texts that this service writes: `en` or `es`. The query parameter `lang` precedes it. If absent, or if neither matches: English.',
    example: 'es-PE, es;q=0.9, en;q=0.5',
  },
  'if-match': {
    description:
      'An `ETag`. If the current version has another one, the answer is 412 and nothing is changed. Absent: any version is accepted.',
    example: exampleETag,
  },
  'if-none-match': {
    description:
      'An `ETag`. If it is still current, the answer is 304 without a body. Absent: the answer has a body.',
    example: exampleETag,
  },
} as const
export type RequestHeader = keyof typeof requestHeaders

type Json = Record<string, unknown>
type Operation = {
  readonly operationId?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: Record<string, Json>
}

/** The schema of these headers. Others pass unchecked. */
export function headersSchema(names: readonly RequestHeader[]) {
  return z.looseObject(
    Object.fromEntries(
      names.map((name) => [name, z.string().optional().meta(requestHeaders[name])]),
    ),
  )
}

const text = (description: string) => ({ description, schema: { type: 'string' } })
const requestId = text(
  "The request's id: `req_` and 22 letters or digits. If you sent an id of that form, it is used.",
)
const retryAfter = {
  description: 'Seconds to wait before asking again.',
  schema: { type: 'integer', minimum: 0 },
}

const whole = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } })
/** Every answer to a rate-limited key has them. The document declares them only on 429. */
const rates = {
  'RateLimit-Policy': text(
    'The limit of this key: `"minute";q=600;w=60` means 600 requests a minute (draft-ietf-httpapi-ratelimit-headers-10).',
  ),
  RateLimit: text(
    'What is left of the limit: `"minute";r=599;t=30` means 599 requests, and 30 seconds until the next minute.',
  ),
  'RateLimit-Limit': whole('Requests per minute allowed to this key.'),
  'RateLimit-Remaining': whole('Requests left in this minute.'),
  'RateLimit-Reset': whole('Seconds until the next minute.'),
}

/** Headers of every answer of a route that will be removed. */
const deprecation = {
  Deprecation: text('When it was deprecated: `@` and seconds since 1970 (RFC 9745).'),
  Sunset: text('When it will be removed: an HTTP date (RFC 8594).'),
  Link: text('Where to read more, with `rel="deprecation"`.'),
}

/** Headers of a document that has texts of this service. */
const inLanguage = {
  'Content-Language': text('The language of the texts that this service wrote: `en` or `es`.'),
  Vary: text('`accept-language` if that header chose the language.'),
}

/** Adds the answers' headers to an OpenAPI document, and 304 to the reads that have an ETag. */
export function declareAnswerHeaders(document: Json): void {
  const paths = document.paths as Record<string, Record<string, Operation>>
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) {
      const names = (operation.parameters ?? []).map(({ name }) => name.toLowerCase())
      const reads = (name: RequestHeader) => names.includes(name)
      if (reads('if-none-match')) {
        operation.responses['304'] = {
          description: 'You already have this version. There is no body.',
        }
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        response.headers = answerHeaders(status, operation, reads)
      }
    }
  }
}

/** Statuses that are sent before any key is looked up. */
const before = new Set(['400', '401', '403', '406', '408', '413', '415', '431'])

/** With `getOperation`, it says when the next look of an open operation is due. */
function asksAgain(status: string, { operationId }: Operation): boolean {
  return (
    ['409', '429', '503'].includes(status) || (status === '200' && operationId === 'getOperation')
  )
}

function challenged(status: string): Json {
  if (status === '401') return { 'WWW-Authenticate': text('How to authenticate (RFC 6750).') }
  if (status !== '403') return {}
  return { 'WWW-Authenticate': text('The missing scope, if one is missing (RFC 6750).') }
}

function hasVersion(status: string): boolean {
  return ['200', '201', '304'].includes(status)
}

function answerHeaders(
  status: string,
  operation: Operation,
  reads: (name: RequestHeader) => boolean,
): Json {
  // What was accepted can be read at once.
  const isAccepted = status === '202' && /^(create|fetch)/.test(operation.operationId ?? '')
  const mayMake =
    status === '201' || (status === '200' && '201' in operation.responses) || isAccepted
  return {
    'X-Request-Id': requestId,
    ...(mayMake ? { Location: text('The address of the created resource.') } : {}),
    ...(reads('idempotency-key') && !before.has(status)
      ? { 'Idempotent-Replayed': text('`true` if an earlier request with the same key did it.') }
      : {}),
    ...(hasVersion(status)
      ? { ETag: text('Identifies this version, if the resource has versions.') }
      : {}),
    ...(status === '200' && reads('accept-language') ? inLanguage : {}),
    ...challenged(status),
    ...(status === '415' ? { Accept: text('The media types that the route takes.') } : {}),
    ...(status === '409'
      ? { Location: text('With `unknown_outcome`: the address of the operation.') }
      : {}),
    ...(asksAgain(status, operation) ? { 'Retry-After': retryAfter } : {}),
    ...(status === '429' ? rates : {}),
    ...(operation.deprecated === true ? deprecation : {}),
  }
}
