import { clientNames } from './client-names.ts'
import { type Dialect, literal } from './literal.ts'

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

/** One call of an operation, made of the examples in the document. */
type Call = {
  readonly client: { readonly resource: string; readonly name: string }
  readonly method: string
  /** With its query. */
  readonly address: string
  readonly fields: Json
  readonly key: string | undefined
  readonly body: Json | undefined
  readonly answer: 'json' | 'list' | 'nothing' | { readonly file: string }
}

/** Adds a call of each operation, as programs of four languages make it. */
export function addCodeSamples(document: Json): void {
  const paths = document.paths as Record<string, Record<string, Operation>>
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const call = callOf(method.toUpperCase(), path, operation)
      operation['x-codeSamples'] = [
        { lang: 'Shell', label: 'curl', source: curl(call) },
        { lang: 'JavaScript', label: 'Node.js', source: node(call) },
        { lang: 'Python', label: 'Python', source: python(call) },
        { lang: 'PHP', label: 'PHP', source: php(call) },
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

const json: Dialect = {
  indent: '  ',
  object: ['{ ', ' }'],
  member: (name, value) => `"${name}": ${value}`,
  quote: '"',
  hasLastComma: false,
  constants: { true: 'true', false: 'false', null: 'null' },
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

const javascript: Dialect = {
  indent: '  ',
  object: ['{ ', ' }'],
  member: (name, value) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${value}`,
  quote: "'",
  hasLastComma: true,
  constants: { true: 'true', false: 'false', null: 'null' },
}

/** What a sample prints with; nothing in this project's own code does. */
const print = 'console.log'

function node({ client, fields, key, answer }: Call): string {
  const options = key === undefined ? [] : [literal({ idempotencyKey: key }, javascript)]
  const input = Object.keys(fields).length === 0 ? [] : [literal(fields, javascript)]
  const call = `client.${client.resource}.${client.name}(${[...input, ...options].join(', ')})`
  const isFile = typeof answer === 'object'
  return [
    ...(isFile ? ["import { writeFile } from 'node:fs/promises'"] : []),
    "import { env } from 'node:process'",
    "import { createClient } from 'shipping-ledger/client'",
    '',
    'const client = createClient({',
    "  baseUrl: env.SHIPPING_LEDGER_URL ?? '',",
    "  apiKey: env.SHIPPING_LEDGER_KEY ?? '',",
    '})',
    ...(isFile ? [`await writeFile('${answer.file}', await ${call})`] : []),
    ...(answer === 'nothing' ? [`await ${call}`] : []),
    ...(answer === 'json' ? [`const answer = await ${call}`, `${print}(answer)`] : []),
    ...(answer === 'list' ? [`for await (const item of ${call}) {`, `  ${print}(item)`, '}'] : []),
  ].join('\n')
}

const pythonDialect: Dialect = {
  indent: '    ',
  object: ['{', '}'],
  member: (name, value) => `"${name}": ${value}`,
  quote: '"',
  hasLastComma: true,
  constants: { true: 'True', false: 'False', null: 'None' },
}

function python({ method, address, key, body, answer }: Call): string {
  const data =
    body === undefined ? [] : [`data=json.dumps(${literal(body, pythonDialect, '    ')}).encode(),`]
  const read = {
    json: ['    print(json.load(response))'],
    list: ['    print(json.load(response)["data"])'],
    nothing: ['    print(response.status)'],
  }
  const isFile = typeof answer === 'object'
  const usesJson = body !== undefined || answer === 'json' || answer === 'list'
  return [
    ...(usesJson ? ['import json'] : []),
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    os.environ["SHIPPING_LEDGER_URL"] + "${address}",`,
    `    method="${method}",`,
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["SHIPPING_LEDGER_KEY"],',
    ...(key === undefined ? [] : [`        "Idempotency-Key": "${key}",`]),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...data.map((line) => `    ${line}`),
    ')',
    'with urlopen(request) as response:',
    ...(isFile
      ? [`    with open("${answer.file}", "wb") as file:`, '        file.write(response.read())']
      : read[answer]),
  ].join('\n')
}

const phpDialect: Dialect = {
  indent: '    ',
  object: ['[', ']'],
  member: (name, value) => `'${name}' => ${value}`,
  quote: "'",
  hasLastComma: true,
  constants: { true: 'true', false: 'false', null: 'null' },
}

function php({ method, address, key, body, answer }: Call): string {
  const data =
    body === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, phpDialect, '    ')}),`]
  const isFile = typeof answer === 'object'
  return [
    '<?php',
    `$curl = curl_init(getenv('SHIPPING_LEDGER_URL') . '${address}');`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_HTTPHEADER => [',
    "        'Authorization: Bearer ' . getenv('SHIPPING_LEDGER_KEY'),",
    ...(key === undefined ? [] : [`        'Idempotency-Key: ${key}',`]),
    ...(body === undefined ? [] : ["        'Content-Type: application/json',"]),
    '    ],',
    ...data,
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    isFile ? `file_put_contents('${answer.file}', curl_exec($curl));` : 'echo curl_exec($curl);',
  ].join('\n')
}
