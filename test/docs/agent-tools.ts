import { type ToolRow, toolTable } from '../../src/client/mcp/tool-table.ts'

type Json = Record<string, unknown>
type Parameter = {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Json
}
type Operation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Json }> }
  readonly responses: Record<string, { readonly content?: Record<string, { schema: Json }> }>
}
type Document = {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Json> }
}

/** Few enough that a result is short. */
const rowsMax = 20

/** Text that is neither ours nor of a fixed form is shown as a quotation. These fields are. */
const words =
  /^(code|sub_status|currency|provider_code|mode|payer|method|from|to|matched|status|type)$/
const numbersOfCouriers = /^(guide_number|guide_numbers|surplus_guide_numbers)$/
/** Sentences of the service itself, whatever the courier says. */
const ours = new Set(['Tracking.events.description', 'Operation.reason_for_review.text'])
const idExample = /^[a-z]{2,4}_[0-9A-Za-z]{22,24}$/

/** The schemas of the agents' tools, from the table of tools and the OpenAPI document. */
export function agentToolsFile(document: object): string {
  const api = document as Document
  const lines = Object.entries<ToolRow>(toolTable).map(
    ([name, row]) => `  ${name}: ${JSON.stringify(toolOf(api, row))},\n`,
  )
  return `// Generated from docs/openapi.json and mcp/tool-table.ts by \`npm run generate\`.\nimport type { ToolSchemas } from '../mcp/tool-schemas.ts'\n\nexport const agentTools: Readonly<Record<string, ToolSchemas>> = {\n${lines.join('')}}\n`
}

function toolOf(api: Document, row: ToolRow): object {
  const operation = Object.values(api.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === row.operation)
  if (operation === undefined) throw new Error(`There is no operation ${row.operation}.`)
  const answer = answerOf(api, operation)
  return {
    input: inputOf(api, operation, row),
    isList: answer.isList,
    shape: shapeOf(api, answer.schema, row.shows, answer.name),
    explains: Object.fromEntries(
      (row.explains ?? []).map((path) => [path, meaningsOf(api, answer.schema, path)]),
    ),
  }
}

function inputOf(api: Document, operation: Operation, row: ToolRow): object {
  const body = resolved(api, operation.requestBody?.content['application/json']?.schema ?? {})
  const fields = (body.properties ?? {}) as Record<string, Json>
  const required = new Set(body.required as readonly string[] | undefined)
  const properties: Record<string, Json> = {}
  for (const [name, source] of Object.entries(row.inputs)) {
    const parameter = operation.parameters?.find((one) => one.name === source)
    if (parameter?.required === true) required.add(source)
    const { schema, description } = parameter ?? { schema: fields[source], description: undefined }
    if (schema === undefined) throw new Error(`${row.operation} has no input ${source}.`)
    properties[name] = {
      ...inputSchema(api, schema),
      // The error of an unknown id says it by itself.
      ...(description && {
        description: description.replace(/ An id that does not exist.*/s, '').trim(),
      }),
    }
    if (source === 'limit') properties[name] = { type: 'integer', minimum: 1, maximum: rowsMax }
  }
  for (const [name, added] of Object.entries(row.adds ?? {})) {
    properties[name] = { ...properties[name], ...added }
  }
  const optional = new Set(row.optional)
  return {
    type: 'object',
    properties,
    required: Object.entries(row.inputs)
      .filter(([, source]) => required.has(source) && !optional.has(source))
      .map(([name]) => name),
    additionalProperties: false,
  }
}

/** The schema without references, examples and patterns that only repeat a format. */
function inputSchema(api: Document, schema: Json): Json {
  const { example, examples: _, 'x-extensible': _1, ...rest } = resolved(api, schema)
  if (rest.format !== undefined) delete rest.pattern
  if (typeof example === 'string' && idExample.test(example)) {
    rest.pattern = `^${example.split('_')[0]}_\\w+$`
  }
  const properties = rest.properties as Record<string, Json> | undefined
  if (properties !== undefined) {
    rest.properties = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, inputSchema(api, one)]),
    )
  }
  if (Array.isArray(rest.anyOf)) rest.anyOf = rest.anyOf.map((one) => inputSchema(api, one))
  return rest
}

function answerOf(api: Document, { operationId, responses }: Operation) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = success?.content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`${operationId} has no JSON answer.`)
  const whole = resolved(api, schema)
  const properties = whole.properties as Record<string, Json>
  const isList = 'next_cursor' in properties
  const shown = isList ? ((properties.data as Json).items as Json) : schema
  const name = String(shown.$ref ?? '').replace(/^.*\//, '')
  return { isList, schema: resolved(api, shown), name }
}

/** What is shown of an answer: `word`, `number`, `text` … for each field, objects and lists. */
function shapeOf(
  api: Document,
  schema: Json,
  shows: readonly string[] | null,
  place: string,
): object {
  const properties = schema.properties as Record<string, Json>
  const names = shows === null ? Object.keys(properties) : shows.map((path) => first(path))
  const shape: Record<string, unknown> = {}
  for (const name of new Set(names)) {
    const field = properties[name]
    if (field === undefined) throw new Error(`${place} has no field ${name}.`)
    if (name === 'object') continue
    const below = (shows ?? [])
      .filter((path) => path.startsWith(`${name}.`))
      .map((path) => path.slice(name.length + 1))
    const inside = below.length === 0 ? null : below
    shape[name] = kindOf(api, field, inside, `${place}.${name}`)
  }
  return shape
}

function first(path: string): string {
  return path.split('.')[0] ?? path
}

function kindOf(
  api: Document,
  field: Json,
  shows: readonly string[] | null,
  place: string,
): unknown {
  const schema = withoutNull(api, field)
  const types = [schema.type].flat().filter((type) => type !== 'null')
  if (types[0] === 'object') return shapeOf(api, schema, shows, place)
  if (types[0] === 'array') return [kindOf(api, schema.items as Json, shows, place)]
  if (types[0] === 'string') return textKind(schema, place)
  return types[0] === 'boolean' ? 'boolean' : 'number'
}

function textKind(schema: Json, place: string): string {
  const name = place.replace(/^.*\./, '')
  const isFixed = 'enum' in schema || 'const' in schema || schema.format === 'date-time'
  if (isFixed || idExample.test(String(schema.example)) || words.test(name)) return 'word'
  if (/(^|_)id$/.test(name)) return 'word'
  if (numbersOfCouriers.test(name)) return 'reference'
  return ours.has(place) ? 'ours' : 'text'
}

/** `{ created: 'it has a guide.' }` from the lines of a description. */
function meaningsOf(api: Document, schema: Json, path: string): object {
  let at = schema
  for (const name of path.split('.')) {
    at = withoutNull(api, (at.properties as Record<string, Json>)[name] ?? {}, true)
  }
  const lines = String(at.description).matchAll(/^- `(\w+)`: (.+)$/gm)
  const meanings = Object.fromEntries([...lines].map(([, value, text]) => [value, text]))
  if (Object.keys(meanings).length === 0) throw new Error(`${path} explains no value.`)
  return meanings
}

function withoutNull(api: Document, field: Json, keepsDescription = false): Json {
  const schema = resolved(api, field)
  if (!Array.isArray(schema.anyOf)) return schema
  const one = (schema.anyOf as readonly Json[]).find(({ type }) => type !== 'null') ?? {}
  const found = resolved(api, one)
  return keepsDescription ? { ...found, description: schema.description } : found
}

function resolved(api: Document, schema: Json): Json {
  if (Array.isArray(schema.oneOf)) return ofUnion(api, schema)
  if (typeof schema.$ref !== 'string') return { ...schema }
  const { $ref, ...rest } = schema
  const found = api.components.schemas[$ref.replace(/^.*\//, '')]
  if (found === undefined) throw new Error(`${$ref} is not in the document.`)
  return { ...resolved(api, found), ...rest }
}

/** The fields of all members of a union, each with the descriptions of all. */
function ofUnion(api: Document, { oneOf, ...rest }: Json): Json {
  const properties: Record<string, Json> = {}
  for (const member of oneOf as readonly Json[]) {
    const fields = resolved(api, member).properties as Record<string, Json>
    for (const [name, field] of Object.entries(fields)) {
      const known = properties[name]
      const isKnown = known !== undefined && known.type !== 'null'
      const description = [known?.description, field.description].filter(Boolean).join('\n')
      properties[name] = { ...(isKnown ? known : field), description }
    }
  }
  return { ...rest, type: 'object', properties }
}
