type Json = { readonly [key: string]: unknown }
type Direction = 'request' | 'answer'
type Sides = { readonly before: Json; readonly now: Json }

/** Schemas refer to each other and to themselves; deeper than this nothing new is found. */
const depthMax = 24

/**
 * The changes that could break a client of the former API, as sentences. It supports only the parts of
 * OpenAPI that this project's document uses: paths, parameters, bodies, answers, properties, types,
 * enumerations, `anyOf` and `allOf`, scopes. Enumerations of answers are open, so a new value is not a
 * breaking change; a value that requests may no longer send is one. Bounds, patterns and formats are not
 * compared.
 */
export function breakingChanges(before: object, now: object): readonly string[] {
  const found: string[] = []
  const documents = { before: before as Json, now: now as Json }
  for (const [path, methods] of entries(documents.before.paths)) {
    for (const [method, operation] of entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      const other = at(documents.now.paths, path, method)
      if (other === undefined) found.push(`${name} is gone`)
      else compareOperation(name, operation as Json, other, documents, found)
    }
  }
  return found
}

const entries = (value: unknown) => Object.entries((value ?? {}) as Json)

function at(value: unknown, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<unknown>((one, key) => (one as Json | undefined)?.[key], value) as
    | Json
    | undefined
}

function resolved(document: Json, value: unknown): Json {
  const { $ref } = (value ?? {}) as { $ref?: string }
  if ($ref === undefined) return (value ?? {}) as Json
  return resolved(document, at(document, ...$ref.split('/').slice(1)))
}

function compareOperation(
  name: string,
  before: Json,
  now: Json,
  documents: Sides,
  found: string[],
): void {
  if (before.operationId !== now.operationId) found.push(`${name} has another operationId`)
  const scopes = (operation: Json) =>
    ((operation.security ?? []) as { bearer?: string[] }[]).flatMap(({ bearer = [] }) => bearer)
  for (const scope of scopes(now)) {
    if (!scopes(before).includes(scope)) found.push(`${name} needs the scope ${scope}`)
  }
  compareParameters(name, before, now, documents, found)
  const body = (operation: Json) => at(operation, 'requestBody', 'content', 'application/json')
  const bodies = [body(before), body(now)] as const
  if (bodies[0] === undefined && at(now, 'requestBody')?.required === true) {
    found.push(`${name} needs a body`)
  }
  if (bodies[0] !== undefined && bodies[1] === undefined) found.push(`${name} takes no body`)
  if (bodies[0] !== undefined && bodies[1] !== undefined) {
    const schemas = { before: bodies[0].schema as Json, now: bodies[1].schema as Json }
    compareSchema(`${name} body`, schemas, 'request', documents, found)
  }
  compareAnswers(name, before, now, documents, found)
}

function compareParameters(
  name: string,
  before: Json,
  now: Json,
  documents: Sides,
  found: string[],
): void {
  const named = (operation: Json) =>
    new Map(((operation.parameters ?? []) as Json[]).map((one) => [`${one.in} ${one.name}`, one]))
  const old = named(before)
  const fresh = named(now)
  for (const [parameter, { required }] of fresh) {
    const wasRequired = old.get(parameter)?.required === true
    if (required === true && !wasRequired) found.push(`${name} needs ${parameter}`)
  }
  for (const [parameter, was] of old) {
    const is = fresh.get(parameter)
    if (is === undefined) found.push(`${name} takes no ${parameter}`)
    else {
      const schemas = { before: was.schema as Json, now: is.schema as Json }
      compareSchema(`${name} ${parameter}`, schemas, 'request', documents, found)
    }
  }
}

function compareAnswers(
  name: string,
  before: Json,
  now: Json,
  documents: Sides,
  found: string[],
): void {
  for (const [status, answer] of entries(before.responses)) {
    const isSuccess = status.startsWith('2')
    const other = at(now.responses, status)
    // A problem that no longer happens breaks no client.
    if (other === undefined) {
      if (isSuccess) found.push(`${name} no longer answers ${status}`)
      continue
    }
    const contents = {
      before: resolved(documents.before, answer).content,
      now: resolved(documents.now, other).content,
    }
    for (const [type, content] of entries(contents.before)) {
      const fresh = at(contents.now, type)
      if (fresh === undefined) found.push(`${name} ${status} is no longer ${type}`)
      else {
        const schemas = { before: (content as Json).schema as Json, now: fresh.schema as Json }
        compareSchema(`${name} ${status}`, schemas, 'answer', documents, found)
      }
    }
  }
}

/** One schema with its references followed and its `allOf` taken together. */
function flat(document: Json, value: unknown): Json {
  const { allOf, ...own } = resolved(document, value)
  if (!Array.isArray(allOf)) return own
  const parts = [own, ...allOf.map((part) => flat(document, part))]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => (part.required ?? []) as string[]),
  }
}

/** The forms that a value may have: `null` beside an object, for instance. */
function forms(document: Json, value: unknown): readonly Json[] {
  const schema = flat(document, value)
  const { anyOf, oneOf } = schema as { anyOf?: unknown[]; oneOf?: unknown[] }
  const several = anyOf ?? oneOf
  return several === undefined ? [schema] : several.flatMap((one) => forms(document, one))
}

const typeOf = (schema: Json) => String(schema.type ?? typeof (schema.const ?? schema.enum))

function compareSchema(
  name: string,
  schemas: Sides,
  direction: Direction,
  documents: Sides,
  found: string[],
  depth = 0,
): void {
  if (depth > depthMax || found.length > 1_000) return
  const before = forms(documents.before, schemas.before)
  const now = forms(documents.now, schemas.now)
  // A request may send every old form; an answer may have only forms that were known.
  const [must, allowed] = direction === 'request' ? [before, now] : [now, before]
  for (const form of must) {
    const same = allowed.filter((one) => typeOf(one) === typeOf(form))
    if (same.length === 0) found.push(`${name} ${changed(direction)} ${typeOf(form)}`)
    else if (same.length === 1) {
      const sides =
        direction === 'request'
          ? { before: form, now: same[0] as Json }
          : { before: same[0] as Json, now: form }
      compareForm(name, sides, direction, documents, found, depth)
    }
  }
}

const changed = (direction: Direction) =>
  direction === 'request' ? 'no longer takes' : 'may now be'

function compareForm(
  name: string,
  { before, now }: Sides,
  direction: Direction,
  documents: Sides,
  found: string[],
  depth: number,
): void {
  compareValues(name, { before, now }, direction, found)
  const required = (schema: Json) => (schema.required ?? []) as readonly string[]
  const [asked, known] =
    direction === 'request' ? [required(now), required(before)] : [required(before), required(now)]
  for (const field of asked) {
    if (known.includes(field)) continue
    found.push(`${name}/${field} ${direction === 'request' ? 'is required now' : 'may be missing'}`)
  }
  for (const [field, schema] of entries(before.properties)) {
    const other = at(now.properties, field)
    if (other === undefined) found.push(`${name}/${field} is gone`)
    else {
      const schemas = { before: schema as Json, now: other }
      compareSchema(`${name}/${field}`, schemas, direction, documents, found, depth + 1)
    }
  }
  for (const inner of ['items', 'additionalProperties']) {
    const schemas = { before: before[inner] as Json, now: now[inner] as Json }
    if (typeof schemas.before !== 'object' || typeof schemas.now !== 'object') continue
    compareSchema(`${name}/*`, schemas, direction, documents, found, depth + 1)
  }
}

function compareValues(name: string, sides: Sides, direction: Direction, found: string[]): void {
  const values = ({ enum: list, const: one }: Json) =>
    (list as readonly unknown[] | undefined) ?? (one === undefined ? null : [one])
  const [before, now] = [values(sides.before), values(sides.now)]
  const isOpen = sides.before['x-extensible'] === true
  const [given, taken] = direction === 'request' ? [before, now] : [now, before]
  if (taken === null || (direction === 'answer' && isOpen)) return
  if (given === null) found.push(`${name} ${changed(direction)} any value`)
  for (const value of given ?? []) {
    if (!taken.includes(value)) found.push(`${name} ${changed(direction)} ${String(value)}`)
  }
}
