import { declaredReasons, problemParts } from '../problems/problem-schema.ts'

type Json = Record<string, unknown>
type Response = { readonly headers?: Record<string, Json>; readonly content?: Json }
type Operation = {
  readonly parameters?: Json[]
  readonly responses: Record<string, Json>
}

/** A place of a part in the document, which a reference may replace. */
type Place = { readonly part: Json; readonly name: string; readonly replace: (part: Json) => void }

/**
 * Makes components of the headers, parameters and answers that occur more than once. Most routes share
 * most of them, so the document stays readable.
 */
export function shareParts(document: Json): Json {
  const paths = document.paths as Record<string, Record<string, Operation>>
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const components = document.components as Json
  const responses = operations.flatMap((operation) => Object.values(operation.responses))
  components.headers = shared('headers', responses.flatMap(headersOf))
  components.parameters = shared('parameters', operations.flatMap(parametersOf))
  components.responses = shared('responses', operations.flatMap(responsesOf))
  return document
}

function headersOf(response: Json): readonly Place[] {
  const { headers = {} } = response as Response
  return Object.entries(headers).map(([name, part]) => ({
    part,
    name,
    replace: (reference) => {
      headers[name] = reference
    },
  }))
}

function parametersOf({ parameters = [] }: Operation): readonly Place[] {
  return parameters.map((part, index) => ({
    part,
    name: String(part.name),
    replace: (reference) => {
      parameters[index] = reference
    },
  }))
}

function responsesOf({ responses }: Operation): readonly Place[] {
  return Object.entries(responses).map(([status, part]) => ({
    part,
    name: nameOf(status, part),
    replace: (reference) => {
      responses[status] = reference
    },
  }))
}

/** Names an answer by its status and, for a problem, its reasons. */
function nameOf(status: string, response: Json): string {
  const { content = {} } = response as { content?: Record<string, { schema?: Json }> }
  const schema = content['application/problem+json']?.schema
  const isOfChange = problemParts(schema).some(({ allOf: [, own] }) => 'outcome' in own.properties)
  return [status, ...declaredReasons(schema), ...(isOfChange ? ['change'] : [])].join('.')
}

/** Replaces the parts that occur more than once, and returns the components by name. */
function shared(kind: string, places: readonly Place[]): Json {
  const same = Map.groupBy(places, ({ part }) => JSON.stringify(part))
  const components: Json = {}
  for (const alike of same.values()) {
    const [first] = alike
    if (first === undefined || alike.length < 2) continue
    const name = freeName(components, first.name)
    components[name] = first.part
    for (const { replace } of alike) replace({ $ref: `#/components/${kind}/${name}` })
  }
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Parts of one name that differ are numbered. Names of components have no brackets. */
function freeName(components: Json, name: string): string {
  const plain = name.replace(/\[(\w+)\]/g, '.$1')
  let free = plain
  for (let number = 2; free in components; number++) free = `${plain}.${number}`
  return free
}
