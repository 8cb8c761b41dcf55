import { clientNames } from '../../client/client-names.ts'
import type { CodeSample, CodeSamples } from '../site-page.ts'
import { json } from './dialects.ts'
import { literal } from './literal.ts'
import { type Call, nodeProgram, phpProgram, pythonProgram } from './programs.ts'
import { withParts } from './with-parts.ts'

type Json = Record<string, unknown>
type Content = Readonly<Record<string, { readonly example?: unknown; readonly schema?: Json }>>
type Parameter = {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly example?: unknown
  readonly schema: { readonly example?: unknown }
}
export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** A sample call of each operation in four languages, by operation id. */
export function operationSamples(document: object): CodeSamples {
  const { paths } = withParts(document) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        samplesOf(exampleCall(method.toUpperCase(), path, operation)),
      ]),
    ),
  )
}

function samplesOf(call: Call): readonly CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    { lang: 'JavaScript', label: 'Node.js', source: nodeProgram(call) },
    { lang: 'Python', label: 'Python', source: pythonProgram(call) },
    { lang: 'PHP', label: 'PHP', source: phpProgram(call) },
  ]
}

/** A call of the operation with the document's examples. Throws if one is missing. */
export function exampleCall(method: string, path: string, operation: Operation): Call {
  const { parameters = [], requestBody, responses } = operation
  const given = (place: Parameter['in']) =>
    parameters
      .filter((one) => one.in === place && one.required === true)
      .map((one): [string, string] => [one.name, exampleOf(operation, one)])
  const body = requestBody?.content['application/json']?.example as Json | undefined
  const query = new URLSearchParams(given('query')).toString()
  const filled = given('path').reduce(
    (address, [name, value]) => address.replace(`{${name}}`, value),
    path,
  )
  const key = parameters.find(({ name }) => name === 'idempotency-key')
  return {
    client: clientNames(operation),
    method,
    address: query === '' ? filled : `${filled}?${query}`,
    fields: { ...Object.fromEntries([...given('path'), ...given('query')]), ...body },
    key: key && exampleOf(operation, key),
    body,
    answer: answerOf(path, responses),
  }
}

function exampleOf({ operationId }: Operation, parameter: Parameter): string {
  const example = parameter.example ?? parameter.schema.example
  if (example === undefined) throw new Error(`${operationId}: ${parameter.name} has no example`)
  return String(example)
}

function answerOf(path: string, responses: Operation['responses']): Call['answer'] {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const [[type, media] = []] = Object.entries(success?.[1].content ?? {})
  if (type === undefined) return 'nothing'
  if (type !== 'application/json') {
    return { file: `${path.split('/').at(-1)}.${type.split('/').at(-1)}` }
  }
  return 'next_cursor' in ((media?.schema?.properties as Json | undefined) ?? {}) ? 'list' : 'json'
}

function curl({ method, address, key, body, answer }: Call): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl "$SHIPPING_LEDGER_URL${address}"`,
    ...(method === 'GET' ? [] : [`--request ${method}`]),
    '--header "Authorization: Bearer $SHIPPING_LEDGER_KEY"',
    ...(key === undefined ? [] : [`--header ${quoted(`Idempotency-Key: ${key}`)}`]),
    ...(body === undefined
      ? []
      : ["--header 'Content-Type: application/json'", `--data ${quoted(literal(body, json))}`]),
    ...(typeof answer === 'object' ? [`--output ${answer.file}`] : []),
  ].join(' \\\n  ')
}
