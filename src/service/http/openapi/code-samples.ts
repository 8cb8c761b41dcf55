import { clientNames } from '../../../client/code-samples/client-names.ts'
import { json } from '../../../client/code-samples/dialects.ts'
import { literal } from '../../../client/code-samples/literal.ts'
import {
  type Call,
  nodeProgram,
  phpProgram,
  pythonProgram,
} from '../../../client/code-samples/programs.ts'

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
  'x-codeSamples'?: readonly object[]
}

/** Adds a call of each operation, as programs of four languages make it. */
export function addCodeSamples(document: Json): void {
  const paths = document.paths as Record<string, Record<string, Operation>>
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const call = callOf(method.toUpperCase(), path, operation)
      operation['x-codeSamples'] = [
        { lang: 'Shell', label: 'curl', source: curl(call) },
        { lang: 'JavaScript', label: 'Node.js', source: nodeProgram(call) },
        { lang: 'Python', label: 'Python', source: pythonProgram(call) },
        { lang: 'PHP', label: 'PHP', source: phpProgram(call) },
      ]
    }
  }
}

/** Throws if an example is missing. */
export function callOf(method: string, path: string, operation: Operation): Call {
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
