type Json = { readonly [key: string]: unknown }
type Direction = 'request' | 'answer'
type Sides = { readonly before: Json; readonly now: Json }
/** Where a schema is used: its changes mean something else in a request than in an answer. */
type Use = { readonly documents: Sides; readonly direction: Direction }
type Changes = Generator<string, void, undefined>

/** Schemas refer to each other and to themselves; deeper than this nothing new is found. */
const depthMax = 24
/** More would be of no use to a reader. */
const foundMax = 1_000

/**
 * The changes that could break a client of the previous API, as sentences. It supports only the
 * parts of OpenAPI that this project's document uses: paths, parameters, bodies, answers,
 * properties, types, enumerations, `anyOf`, `oneOf` and `allOf`, scopes. Enumerations in answers are open,
 * so a new value is not a breaking change; a value that requests may no longer send is one. Bounds,
 * patterns and formats are not compared.
 */
export function breakingChanges(before: object, now: object): readonly string[] {
  const documents = { before: before as Json, now: now as Json }
  const found: string[] = []
  for (const change of compareDocuments(documents)) {
    found.push(change)
    if (found.length === foundMax) break
  }
  return found
}

function* compareDocuments(documents: Sides): Changes {
  for (const [path, methods] of entries(documents.before.paths)) {
    for (const [method, operation] of entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      const now = at(documents.now.paths, path, method)
      if (now === undefined) yield `${name} is gone`
      else yield* compareOperation(name, { before: operation as Json, now }, documents)
    }
  }
}

const entries = (value: unknown) => Object.entries((value ?? {}) as Json)

function at(value: unknown, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<unknown>((one, key) => (one as Json | undefined)?.[key], value) as
    | Json
    | undefined
}

/** What a schema or response refers to, or itself. */
export function resolved(document: Json, value: unknown): Json {
  const { $ref } = (value ?? {}) as { $ref?: string }
  if ($ref === undefined) return (value ?? {}) as Json
  return resolved(document, at(document, ...$ref.split('/').slice(1)))
}

function* compareOperation(name: string, { before, now }: Sides, documents: Sides): Changes {
  if (before.operationId !== now.operationId) yield `${name} has another operationId`
  const scopes = (operation: Json) =>
    ((operation.security ?? []) as { bearer?: string[] }[]).flatMap(({ bearer = [] }) => bearer)
  for (const scope of scopes(now)) {
    if (!scopes(before).includes(scope)) yield `${name} needs the scope ${scope}`
  }
  yield* compareParameters(name, { before, now }, documents)
  const body = (operation: Json) => at(operation, 'requestBody', 'content', 'application/json')
  const bodies = [body(before), body(now)] as const
  if (bodies[0] === undefined && at(now, 'requestBody')?.required === true) {
    yield `${name} needs a body`
  }
  if (bodies[0] !== undefined && bodies[1] === undefined) yield `${name} takes no body`
  if (bodies[0] !== undefined && bodies[1] !== undefined) {
    const schemas = { before: bodies[0].schema as Json, now: bodies[1].schema as Json }
    yield* compareSchema(`${name} body`, schemas, { documents, direction: 'request' })
  }
  yield* compareAnswers(name, { before, now }, documents)
}

function* compareParameters(name: string, { before, now }: Sides, documents: Sides): Changes {
  const named = (operation: Json) =>
    new Map(((operation.parameters ?? []) as Json[]).map((one) => [`${one.in} ${one.name}`, one]))
  const old = named(before)
  const fresh = named(now)
  for (const [parameter, { required }] of fresh) {
    const wasRequired = old.get(parameter)?.required === true
    if (required === true && !wasRequired) yield `${name} needs ${parameter}`
  }
  for (const [parameter, was] of old) {
    const is = fresh.get(parameter)
    if (is === undefined) yield `${name} takes no ${parameter}`
    else {
      const schemas = { before: was.schema as Json, now: is.schema as Json }
      yield* compareSchema(`${name} ${parameter}`, schemas, { documents, direction: 'request' })
    }
  }
}

function* compareAnswers(name: string, { before, now }: Sides, documents: Sides): Changes {
  for (const [status, answer] of entries(before.responses)) {
    const isSuccess = status.startsWith('2')
    const other = at(now.responses, status)
    // A problem that no longer happens breaks no client.
    if (other === undefined) {
      if (isSuccess) yield `${name} no longer answers ${status}`
      continue
    }
    const contents = {
      before: resolved(documents.before, answer).content,
      now: resolved(documents.now, other).content,
    }
    for (const [type, content] of entries(contents.before)) {
      const fresh = at(contents.now, type)
      if (fresh === undefined) yield `${name} ${status} is no longer ${type}`
      else {
        const schemas = { before: (content as Json).schema as Json, now: fresh.schema as Json }
        yield* compareSchema(`${name} ${status}`, schemas, { documents, direction: 'answer' })
      }
    }
  }
}

/** A schema with its references resolved and its `allOf` merged. */
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

/** The alternatives of a value, such as an object or `null`. */
function forms(document: Json, value: unknown): readonly Json[] {
  const schema = flat(document, value)
  const { anyOf, oneOf, type } = schema as { anyOf?: unknown[]; oneOf?: unknown[]; type?: unknown }
  const several = anyOf ?? oneOf
  if (several !== undefined) return several.flatMap((one) => forms(document, one))
  return Array.isArray(type) ? type.map((each) => ({ ...schema, type: each })) : [schema]
}

const typeOf = (schema: Json) => String(schema.type ?? typeof (schema.const ?? schema.enum))

function valuesOf({ enum: list, const: one }: Json): readonly unknown[] | null {
  return (list as readonly unknown[] | undefined) ?? (one === undefined ? null : [one])
}

/**
 * The field by whose values the members of a union differ: every member names its own. Undefined if
 * there is none, so that nothing tells the forms apart.
 */
function tagOf(members: readonly Json[]): string | undefined {
  const fields = Object.keys((members[0]?.properties ?? {}) as Json)
  return fields.find((field) => {
    const lists = members.map((member) => valuesOf(at(member.properties, field) ?? {}))
    const values = lists.flatMap((list) => list ?? [])
    return lists.every((list) => list !== null) && new Set(values).size === values.length
  })
}

/**
 * The forms that a value of this form could have on the other side. Of a union, the members that
 * share one of its tag's values.
 */
function counterparts(form: Json, others: readonly Json[]): readonly Json[] {
  const same = others.filter((one) => typeOf(one) === typeOf(form))
  const tag = same.length < 2 ? undefined : tagOf(same)
  if (tag === undefined) return same
  const values = valuesOf(at(form.properties, tag) ?? {})
  if (values === null) return same
  return same.filter((one) =>
    valuesOf(at(one.properties, tag) ?? {})?.some((value) => values.includes(value)),
  )
}

function* compareSchema(name: string, schemas: Sides, use: Use, depth = 0): Changes {
  if (depth > depthMax) return
  const { documents, direction } = use
  const before = forms(documents.before, schemas.before)
  const now = forms(documents.now, schemas.now)
  // A request may send every old alternative; an answer may contain only known ones.
  const [must, allowed] = direction === 'request' ? [before, now] : [now, before]
  const isOpen = resolved(documents.before, schemas.before)['x-extensible'] === true
  for (const form of must) {
    const same = counterparts(form, allowed)
    const isKnownType = allowed.some((one) => typeOf(one) === typeOf(form))
    // A union of answers that may grow has got a member.
    if (same.length === 0 && isKnownType && isOpen && direction === 'answer') continue
    if (same.length === 0) yield `${name} ${changed(direction)} ${typeOf(form)}`
    // Without a tag it is not known which of several forms corresponds to this one.
    if (same.length > 1 && tagOf(same) === undefined) continue
    for (const other of same) {
      const sides =
        direction === 'request' ? { before: form, now: other } : { before: other, now: form }
      yield* compareForm(name, sides, use, depth)
    }
  }
}

const changed = (direction: Direction) =>
  direction === 'request' ? 'no longer takes' : 'may now be'

function* compareForm(name: string, { before, now }: Sides, use: Use, depth: number): Changes {
  const { direction } = use
  yield* compareValues(name, { before, now }, direction)
  const required = (schema: Json) => (schema.required ?? []) as readonly string[]
  const [asked, known] =
    direction === 'request' ? [required(now), required(before)] : [required(before), required(now)]
  for (const field of asked) {
    if (known.includes(field)) continue
    yield `${name}/${field} ${direction === 'request' ? 'is required now' : 'may be missing'}`
  }
  for (const [field, schema] of entries(before.properties)) {
    const other = at(now.properties, field)
    if (other === undefined) yield `${name}/${field} is gone`
    else {
      const schemas = { before: schema as Json, now: other }
      yield* compareSchema(`${name}/${field}`, schemas, use, depth + 1)
    }
  }
  for (const inner of ['items', 'additionalProperties']) {
    const schemas = { before: before[inner] as Json, now: now[inner] as Json }
    if (typeof schemas.before !== 'object' || typeof schemas.now !== 'object') continue
    yield* compareSchema(`${name}/*`, schemas, use, depth + 1)
  }
}

function* compareValues(name: string, sides: Sides, direction: Direction): Changes {
  const [before, now] = [valuesOf(sides.before), valuesOf(sides.now)]
  const isOpen = sides.before['x-extensible'] === true
  const [given, taken] = direction === 'request' ? [before, now] : [now, before]
  if (taken === null || (direction === 'answer' && isOpen)) return
  if (given === null) yield `${name} ${changed(direction)} any value`
  for (const value of given ?? []) {
    if (!taken.includes(value)) yield `${name} ${changed(direction)} ${String(value)}`
  }
}
