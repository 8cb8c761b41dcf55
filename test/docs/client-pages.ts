import openapiTypescript, { astToString, tsUnion } from 'openapi-typescript'
import ts from 'typescript'
import { clientNames } from '../../src/client/client-names.ts'
import { errorTable, reasons } from '../../src/service/errors.ts'
import { agentToolsFile } from './agent-tools.ts'

type Json = Record<string, unknown>
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly [string]
  parameters?: readonly {
    readonly in: string
    readonly name: string
    readonly required?: boolean
    readonly schema?: object
  }[]
  readonly requestBody?: { readonly content: object }
  readonly responses: Record<string, { readonly content?: Record<string, { schema: Json }> }>
}
export type Paths = Record<string, Record<string, Operation>>

/** The files of the client's package that are generated. */
export function clientPages(document: () => Promise<object>) {
  return {
    'src/client/generated/api-types.ts': async () => await apiTypes(await document()),
    'src/client/generated/operations.ts': async () => operationsTable(await document()),
    'src/client/generated/agent-tools.ts': async () => agentToolsFile(await document()),
    'src/client/generated/error-texts.ts': errorTextsFile,
  }
}

/** The title and remedy of each reason, for agents. */
function errorTextsFile(): string {
  const lines = reasons.map((reason) => {
    const { title, remedy, retryable, outcome, action } = errorTable[reason]
    return `  ${reason}: ${JSON.stringify({ title, remedy, retryable, outcome, action })},\n`
  })
  return `// Generated from src/service/error-table.ts by \`npm run generate\`.\nexport const errorTexts = {\n${lines.join('')}} as const\n`
}

const header = '// Generated from docs/openapi.json by `npm run generate`.\n'

/** The output of openapi-typescript, with enumerations that accept unknown values. */
async function apiTypes(document: object): Promise<string> {
  const nodes = await openapiTypescript(JSON.stringify(withoutProblems(document)), {
    alphabetize: false,
    transform: (schema) => {
      if (!('x-extensible' in schema) || !('enum' in schema)) return undefined
      return openUnion(schema.enum as readonly string[])
    },
  })
  return header + astToString(nodes)
}

/** `'a' | 'b' | (string & {})`: editors suggest the known values, and other values are allowed. */
function openUnion(values: readonly string[]): ts.TypeNode {
  const { factory } = ts
  const known = values.map((value) =>
    factory.createLiteralTypeNode(factory.createStringLiteral(value)),
  )
  const any = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ])
  return tsUnion([...known, factory.createParenthesizedType(any)])
}

/** Problems are thrown as one class, so the types of calls need only successful responses. */
function withoutProblems(document: object): object {
  const copy = structuredClone(document) as {
    paths: Paths
    components: { responses?: unknown }
  }
  delete copy.components.responses
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    if (takesText(operation)) {
      operation.parameters = operation.parameters?.filter((one) => one.in !== 'query') ?? []
      // The answer of a check, which has a method of its own.
      delete operation.responses['200']
    }
    const { responses } = operation
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('2')) delete responses[status]
      else delete (response as Json).headers
    }
  }
  return copy
}

export type Row = {
  readonly resource: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly answers: 'json' | 'list' | 'bytes' | 'nothing'
  readonly hasBody: boolean
  /** The fields of a call with a body that are in the query. */
  readonly inQuery?: readonly string[]
  readonly takesKey: boolean
}

/** What the client needs to know about each operation at run time. */
function operationsTable(document: object): string {
  const rows = operationRows((document as { paths: Paths }).paths)
  const lines = rows.map(([id, row]) => `  ${id}: ${JSON.stringify(row)},\n`)
  return `${header}export const operations = {\n${lines.join('')}} as const\n`
}

export function operationRows(paths: Paths): readonly (readonly [string, Row])[] {
  const taken = new Map<string, string>()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId } = operation
      const { resource, name } = clientNames(operation)
      const place = `${resource}.${name}`
      const other = taken.get(place)
      if (other !== undefined) throw new Error(`${operationId} and ${other} would be ${place}`)
      taken.set(place, operationId)
      const isWritten = operation.requestBody !== undefined
      const inQuery = isWritten && !takesText(operation) ? parametersIn(operation, 'query') : []
      const row: Row = {
        resource,
        name,
        method: method.toUpperCase(),
        path,
        answers: answersOf(operation),
        hasBody: isWritten,
        ...(inQuery.length === 0 ? {} : { inQuery }),
        takesKey: parametersIn(operation, 'header').includes('idempotency-key'),
      }
      return [operationId, row] as const
    }),
  )
}

/**
 * Whether a body can be text besides JSON, which the client sends. The query is for text bodies.
 */
export function takesText({ requestBody }: Operation): boolean {
  return Object.keys(requestBody?.content ?? {}).length > 1
}

function parametersIn(operation: Operation, place: string): readonly string[] {
  return (operation.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name)
}

function answersOf({ responses }: Operation): Row['answers'] {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const content = success?.[1].content
  if (content === undefined) return 'nothing'
  const json = content['application/json']
  if (json === undefined) return 'bytes'
  const { properties = {} } = json.schema as { properties?: object }
  return 'next_cursor' in properties ? 'list' : 'json'
}
