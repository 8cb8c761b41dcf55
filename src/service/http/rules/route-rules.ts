import type { FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import { z } from 'zod'
import { Problem, type Reason } from '../../errors.ts'
import { errorsMax, pointer } from '../../field-errors.ts'
import type { Scope } from '../../security/api-keys.ts'
import { isChanging } from '../problems/problem.ts'
import { problemResponses } from '../problems/problem-schema.ts'
import { accepts } from './accept.ts'
import { headersSchema, type RequestHeader } from './declared-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The scope that this collection requires. Null: any key may read it. A single resource declares
     * its own.
     */
    collectionScope?: Scope | null
    /**
     * A suspended organization may still make this changing call, to finish what is in progress.
     */
    whileSuspended?: boolean
    /** The reasons this route answers with, besides those of every route. */
    problems?: readonly Reason[]
    /** The request headers it reads, besides those of every route. */
    headers?: readonly RequestHeader[]
    /**
     * Its answer has an ETag. A GET takes `If-None-Match`; a change of the route's resource takes
     * `If-Match`.
     */
    isVersioned?: boolean
    /** It acts once for each optional Idempotency-Key, through `idempotentCreate`. */
    isIdempotent?: boolean
    /** It requires an Idempotency-Key. */
    requiresKey?: boolean
    /** Its content types, if not JSON. A caller that accepts one of them is answered. */
    produces?: string | readonly string[]
    /**
     * It will be removed. Every answer and the document say when it was deprecated and when it
     * goes.
     */
    deprecation?: Deprecation
  }
}

const everywhere: readonly Reason[] = [
  'unauthenticated',
  'forbidden_scope',
  'not_acceptable',
  'invalid_request',
  'invalid_filter',
  'headers_too_large',
  'request_timeout',
  'rate_limited',
  'internal_error',
  'dependency_unavailable',
  'ledger_damaged',
  'overloaded',
]
const withOptionalKey: readonly Reason[] = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_in_flight',
  'resource_deleted',
]
const withRequiredKey: readonly Reason[] = [
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'idempotency_in_flight',
]
const withBody: readonly Reason[] = [
  'invalid_json',
  'unsupported_media_type',
  'body_too_large',
  'validation_failed',
]

/**
 * Completes a `/v1` route's schema with the parts that all have: strict query, problems, security.
 */
export function completeRoute(route: RouteOptions): void {
  const { schema = {}, config } = route
  const method = [route.method].flat()[0] ?? 'GET'
  if (config?.resource === undefined && config?.collectionScope === undefined) {
    throw new Error(`bug: ${method} ${route.url} declares neither a resource nor a scope`)
  }
  const reasons: Reason[] = [...everywhere, ...(config?.problems ?? [])]
  if (isChanging(method)) reasons.push(...withBody, 'organization_suspended')
  if (config?.isIdempotent === true) reasons.push(...withOptionalKey)
  if (config?.requiresKey === true) reasons.push(...withRequiredKey)
  if (route.url.includes(':')) reasons.push('not_found')
  const headers = requestHeadersOf(method, { schema, config })
  if (headers.includes('if-match') || method === 'GET') reasons.push('precondition_failed')
  if (isList(schema)) reasons.push('invalid_cursor')
  route.schema = {
    ...schema,
    ...(config?.deprecation === undefined ? {} : announced(config.deprecation, schema)),
    querystring: schema.querystring ?? z.strictObject({}),
    ...(headers.length === 0 ? {} : { headers: headersSchema(headers) }),
    security: schema.security ?? [{ bearer: scopesOf(config) }],
    response: {
      ...problemResponses(reasons, isChanging(method)),
      ...(schema.response as object | undefined),
    },
  }
}

/** The methods that change the resource itself, rather than act on it. */
const resourceChangingMethods: ReadonlySet<string> = new Set(['PATCH', 'PUT', 'DELETE'])

/** The request headers that a route reads, besides those of every route. */
function requestHeadersOf(
  method: string,
  { schema, config }: Pick<RouteOptions, 'schema' | 'config'>,
): RequestHeader[] {
  const headers = [...(config?.headers ?? [])]
  const isVersioned = config?.isVersioned === true
  if (isList(schema) || (isVersioned && method === 'GET')) headers.push('if-none-match', 'if-match')
  if (isVersioned && resourceChangingMethods.has(method)) headers.push('if-match')
  if (config?.isIdempotent === true || config?.requiresKey === true) headers.push('idempotency-key')
  return headers
}

/** OpenAPI 3.1 lets a requirement of an HTTP scheme name roles; they are the scopes here. */
function scopesOf(config: RouteOptions['config']): readonly Scope[] {
  const scope = config?.collectionScope ?? config?.resource?.scope
  return scope == null ? [] : [scope]
}

/** When the route was deprecated, and when it will be removed. */
type Deprecation = { readonly since: Date; readonly sunset: Date }

/** The same in the document: for people in the description, for programs in `x-deprecation`. */
function announced({ since, sunset }: Deprecation, { description = '' }: FastifySchema) {
  const [from, until] = [since, sunset].map((date) => date.toISOString().slice(0, 10))
  const words = `Deprecated since ${from}. It will be removed on ${until}.`
  return {
    deprecated: true,
    description: `${words}\n\n${description}`.trim(),
    'x-deprecation': { since: from, sunset: until },
  }
}

/** Sends the headers of RFC 9745 and RFC 8594, whose date formats differ. */
export async function announceDeprecation(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { deprecation } = request.routeOptions.config
  if (deprecation === undefined) return
  reply.headers({
    deprecation: `@${Math.floor(deprecation.since.getTime() / 1_000)}`,
    sunset: deprecation.sunset.toUTCString(),
    link: '</docs/changelog>; rel="deprecation"; type="text/html"',
  })
}

/** Whether a route answers with a page of a list. */
export function isList(schema: RouteOptions['schema']): boolean {
  return 'cursor' in shapeOf(schema?.querystring)
}

function shapeOf(schema: unknown): object {
  return schema instanceof z.ZodObject ? schema.shape : {}
}

/** Runs before the body is read. A caller that cannot read the answer must not change anything. */
export async function refuseUnacceptable(request: FastifyRequest): Promise<void> {
  const types = [request.routeOptions.config.produces ?? 'application/json'].flat()
  if (!types.some((type) => accepts(request.headers.accept, type))) {
    throw new Problem('not_acceptable', { detail: `This route answers with ${types.join(', ')}.` })
  }
}

/** Malformed bytes would be replaced, and a search for the replacement finds nothing. */
export async function refuseMalformedQuery(request: FastifyRequest): Promise<void> {
  const { url } = request.raw
  const at = url?.indexOf('?') ?? -1
  if (url === undefined || at === -1) return
  try {
    decodeURIComponent(url.slice(at))
  } catch {
    throw new Problem('invalid_filter', { detail: 'The query is not percent-encoded UTF-8.' })
  }
}

const preconditions = ['if-match', 'if-none-match', 'if-unmodified-since'] as const

/**
 * A route that does not support a condition refuses it, rather than make the change
 * unconditionally.
 */
export async function refuseUnsupportedPrecondition(request: FastifyRequest): Promise<void> {
  if (!isChanging(request.method)) return
  const sent = preconditions.filter((name) => request.headers[name] !== undefined)
  if (sent.length === 0) return
  const taken: readonly string[] = requestHeadersOf(request.method, request.routeOptions)
  const idle = sent.filter((name) => !taken.includes(name))
  if (idle.length === 0) return
  throw new Problem('invalid_request', {
    detail: 'The route does not support this condition.',
    errors: idle.map((name) => ({
      pointer: `#/headers/${name}`,
      reason: 'not_supported',
      detail: 'Nothing was done. Leave out the header.',
    })),
  })
}

/**
 * A route without a body accepts an empty object but no field: a client that sends one expects an
 * effect.
 */
export async function refuseUnwantedBody(request: FastifyRequest): Promise<void> {
  if (request.routeOptions.schema?.body !== undefined) return
  const body = request.body
  if (body === undefined || body === null) return
  const fields = typeof body === 'object' && !Array.isArray(body) ? Object.keys(body) : ['']
  if (fields.length === 0) return
  throw new Problem('validation_failed', {
    errors: fields.slice(0, errorsMax).map((field) => ({
      pointer: field === '' ? '' : pointer([field]),
      reason: 'unknown_field',
      detail: 'This route takes no fields.',
    })),
  })
}
