import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { withParts } from '../../src/docs-site/code-samples/with-parts.ts'
import { declaredReasons } from '../../src/service/http/problems/problem-schema.ts'
import { projectRoot } from './source-files.ts'

type Response = {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<
    Record<string, { readonly schema: Readonly<Record<string, unknown>> }>
  >
}
export type ApiOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly security: readonly { readonly bearer: readonly string[] }[]
  readonly parameters?: readonly {
    in: string
    name: string
    required?: boolean
    schema: Record<string, unknown>
  }[]
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: Record<string, unknown>
        readonly example?: unknown
      }
    }
  }
  readonly responses: Readonly<Record<string, Response>>
}
export type ApiDocument = {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Record<string, unknown>>>
  }
}

/** The committed document; another test reports when it is outdated. */
export const committedDocument: ApiDocument = withParts(
  JSON.parse(readFileSync(join(projectRoot, 'docs', 'openapi.json'), 'utf8')),
)

/** The routes that change something, such as `POST /v1/quotes`. */
export const changingRoutes: readonly string[] = Object.entries(committedDocument.paths).flatMap(
  ([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
)

/** Where each operation is in the document. */
const placeOf = new Map(
  Object.entries(committedDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [operation, [path, method]] as const),
  ),
)

const patterns = Object.keys(committedDocument.paths).map(
  (path) => [path, new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
)

export type Answered = {
  readonly method: string
  /** With or without its query. */
  readonly path: string
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** What was parsed from JSON; anything else for a file. */
  readonly body: unknown
}

/** Headers that clients rely on, which must be documented. */
const declaredHeaders = [
  'location',
  'retry-after',
  'etag',
  'idempotent-replayed',
  'www-authenticate',
]

/** The operation of a request; null if it is not a documented route. */
export function operationFor(method: string, path: string): ApiOperation | null {
  const [address = ''] = path.split('?', 1)
  const exact = committedDocument.paths[address] === undefined ? undefined : address
  const template = exact ?? patterns.find(([, pattern]) => pattern.test(address))?.[0]
  if (template === undefined) return null
  return committedDocument.paths[template]?.[method.toLowerCase()] ?? null
}

/** The reasons that an operation declares for a status. */
export function reasonsOf(operation: ApiOperation, status: number): readonly string[] {
  const found = operation.responses[String(status)]
  return declaredReasons(found?.content?.['application/problem+json']?.schema)
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
ajv.addSchema(committedDocument, 'document')
const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

/** The first thing in the value that contradicts the schema at this place of the document. */
function contradiction(value: unknown, ...place: readonly string[]): string | null {
  const $ref = `document#/${place.map(escaped).join('/')}`
  const check = ajv.getSchema($ref) ?? ajv.compile({ $id: `check ${$ref}`, $ref })
  if (check(value)) return null
  // Of the members of a union, the errors of the one that is meant are not the first.
  const known = (check.errors ?? []).filter(({ keyword }) => !/^(oneOf|anyOf|enum)$/.test(keyword))
  const { instancePath, message } = known[0] ?? check.errors?.[0] ?? {}
  return `${instancePath === '' ? 'the body' : instancePath} ${message}`
}

/** What is wrong with a value of a component of the document; null if nothing is. */
export function wrongInComponent(name: string, value: unknown): string | null {
  return contradiction(value, 'components', 'schemas', name)
}

function wrongIn(operation: ApiOperation, { status, headers, body }: Answered): string | null {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  if (!/json$/.test(type)) return null
  const [path, method] = placeOf.get(operation) ?? ['', '']
  const declared = status >= 400 ? 'application/problem+json' : type
  if (operation.responses[String(status)]?.content?.[declared] === undefined) return null
  return contradiction(
    body,
    'paths',
    path,
    method,
    'responses',
    String(status),
    'content',
    declared,
    'schema',
  )
}

/** What the answer contains that the document does not declare, as a sentence; null if nothing. */
export function undeclared(answer: Answered): string | null {
  const operation = operationFor(answer.method, answer.path)
  if (operation === null) return null
  const { operationId } = operation
  const declared = operation.responses[String(answer.status)]
  if (declared === undefined) return `${operationId} does not declare status ${answer.status}`
  if (answer.status >= 400) {
    const { reason, outcome } = answer.body as { reason: string; outcome?: string }
    if (!reasonsOf(operation, answer.status).includes(reason)) {
      return `${operationId} does not declare ${answer.status} ${reason}`
    }
    if ((answer.method !== 'GET') !== (outcome !== undefined)) {
      return `${operationId} says ${outcome} as outcome`
    }
  }
  const wrong = wrongIn(operation, answer)
  if (wrong !== null) return `${operationId} ${answer.status}: ${wrong}`
  const names = Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase())
  const silent = declaredHeaders.filter(
    (name) => answer.headers.get(name) !== null && !names.includes(name),
  )
  return silent.length === 0
    ? null
    : `${operationId} does not declare ${silent} with ${answer.status}`
}

/** For the clients of the tests: throws if the document does not declare the answer. */
export function requireDeclared(answer: Answered): void {
  const complaint = undeclared(answer)
  if (complaint !== null) throw new Error(`docs/openapi.json: ${complaint}`)
}
