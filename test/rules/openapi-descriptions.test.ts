import t from 'tap'
import { committedDocument } from '../support/declared-answers.ts'

type Json = { readonly [key: string]: unknown }
type Described = { readonly place: string; readonly description: unknown }

const entries = (value: unknown) => Object.entries((value ?? {}) as Record<string, Json>)

/**
 * Every property of a schema and of its nested schemas. References are described where they are
 * used.
 */
function* propertiesOf(place: string, schema: Json): Generator<Described> {
  for (const [name, property] of entries(schema.properties)) {
    const inside = `${place}.${name}`
    yield { place: inside, description: property.description }
    yield* propertiesOf(inside, property)
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    for (const one of (schema[keyword] ?? []) as readonly Json[]) yield* propertiesOf(place, one)
  }
  for (const keyword of ['items', 'additionalProperties']) {
    const inner = schema[keyword]
    if (typeof inner !== 'object' || inner === null) continue
    yield* propertiesOf(`${place}[]`, inner as Json)
  }
}

function* contentOf(place: string, { content }: Json): Generator<Described> {
  for (const [, media] of entries(content)) yield* propertiesOf(place, media.schema as Json)
}

function* answerOf(place: string, answer: Json): Generator<Described> {
  if (answer.$ref !== undefined) return
  yield { place, description: answer.description }
  for (const [name, header] of entries(answer.headers)) {
    yield { place: `${place} ${name}`, description: header.description }
  }
  yield* contentOf(place, answer)
}

function* operationOf(place: string, operation: Json): Generator<Described> {
  yield { place, description: operation.description }
  for (const parameter of (operation.parameters ?? []) as readonly Json[]) {
    yield { place: `${place} ${parameter.name}`, description: parameter.description }
  }
  const body = operation.requestBody as Json | undefined
  if (body !== undefined) {
    yield { place: `${place} body`, description: body.description }
    yield* contentOf(`${place} body`, body)
  }
  for (const [status, answer] of entries(operation.responses)) {
    yield* answerOf(`${place} ${status}`, answer)
  }
  for (const [name, addresses] of entries(operation.callbacks)) {
    for (const [, methods] of entries(addresses)) yield* pathOf(`${place} ${name}`, methods)
  }
}

function* pathOf(place: string, methods: Json): Generator<Described> {
  for (const [method, operation] of entries(methods)) {
    yield* operationOf(`${method.toUpperCase()} ${place}`, operation)
  }
}

function* everything(document: Json): Generator<Described> {
  const { schemas, responses } = document.components as Json
  for (const tag of document.tags as readonly Json[]) {
    yield { place: `tag ${tag.name}`, description: tag.description }
  }
  for (const [path, methods] of entries(document.paths)) yield* pathOf(path, methods)
  for (const [name, methods] of entries(document.webhooks)) yield* pathOf(name, methods)
  for (const [name, answer] of entries(responses)) yield* answerOf(name, answer)
  for (const [name, schema] of entries(schemas)) {
    yield { place: name, description: schema.description }
    yield* propertiesOf(name, schema)
  }
}

const document = committedDocument as unknown as Json
/** The plugin's text for an undeclared response. */
const placeholder = 'Default Response'

t.test('every part of the OpenAPI document that a reader meets is described', async (t) => {
  const parts = [...everything(document)]
  t.ok(parts.length > 1_500, `${parts.length} parts`)
  const bare = parts.filter(
    ({ description }) =>
      typeof description !== 'string' || description.trim() === '' || description === placeholder,
  )
  t.strictSame(
    bare.map(({ place }) => place),
    [],
    'add a `description` where the field or the route is declared',
  )
})

const articles = new Set(['a', 'an', 'the', 'of', 'its', 'this'])
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

t.test('no description only repeats the name of what it describes', async (t) => {
  const idle = [...everything(document)].filter(({ place, description }) => {
    const name = new Set(wordsOf(place.split(/[. ]/).at(-1) ?? ''))
    return wordsOf(String(description)).every((word) => name.has(word) || articles.has(word))
  })
  t.strictSame(
    idle.map(({ place, description }) => `${place}: ${description}`),
    [],
  )
})

t.test('the walk finds what has no description', async (t) => {
  const bare = structuredClone(document) as { components: { schemas: { Money: Json } } }
  bare.components.schemas.Money = { type: 'object', properties: { amount: {}, currency: {} } }
  const found = [...everything(bare as unknown as Json)]
    .filter(({ description }) => description === undefined)
    .map(({ place }) => place)
  t.strictSame(found, ['Money', 'Money.amount', 'Money.currency'])
})
