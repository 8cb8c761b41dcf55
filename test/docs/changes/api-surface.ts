import { declaredReasons } from '../../../src/service/http/problems/problem-schema.ts'
import { resolved } from './breaking-changes.ts'

type Json = { readonly [key: string]: unknown }

/** Such as: `GET /v1/shipments`, takes, `limit`. */
export type Statement = readonly [subject: string, verb: string, object: string]

/**
 * What clients can see of an API, by path; the path of a container is a prefix of its contents'.
 * Null for what is stated where it is used.
 */
type Surface = ReadonlyMap<string, Statement | null>

const entries = (value: unknown) => Object.entries((value ?? {}) as Record<string, Json>)
/** The separator between a path and what is inside it. */
const within = ' > '

/** A statement for each operation, parameter, field, value and reason of an OpenAPI document. */
export function surfaceOf(document: object): Surface {
  const { paths, components } = document as { paths: Json; components: Json }
  return new Map([
    ...entries(paths).flatMap(([path, methods]) =>
      entries(methods).flatMap(([method, operation]) =>
        operationFacts(`${method.toUpperCase()} ${path}`, operation, components),
      ),
    ),
    ...componentFacts(components),
  ])
}

type Fact = readonly [place: string, statement: Statement | null]

function operationFacts(name: string, operation: Json, components: Json): readonly Fact[] {
  const body = operation.requestBody as { readonly content: Json } | undefined
  return [
    [name, [name, 'is new:', String(operation.summary)]],
    ...(operation.deprecated === true ? [deprecation(name, operation)] : []),
    ...((operation.parameters ?? []) as readonly Json[]).flatMap((parameter) => {
      const place = `${name}${within}${parameter.in} ${parameter.name}`
      const taken: Fact = [place, [name, 'takes', String(parameter.name)]]
      const at = { place, name: `${name} ${parameter.name}` }
      return [taken, ...valueFacts(at, parameter.schema as Json)]
    }),
    ...entries(body?.content).flatMap(([, { schema }]) =>
      schemaFacts({ place: `${name}${within}body`, name: `${name} body` }, schema as Json),
    ),
    ...entries(operation.responses).flatMap(([status, answer]) =>
      answerFacts(name, status, resolved({ components }, answer)),
    ),
  ]
}

function deprecation(name: string, operation: Json): Fact {
  const { since, sunset } = (operation['x-deprecation'] ?? {}) as Record<string, string>
  return [
    `${name}${within}deprecated`,
    [name, 'is deprecated:', `since ${since}; it will be removed on ${sunset}`],
  ]
}

function answerFacts(name: string, status: string, answer: Json): readonly Fact[] {
  const place = `${name}${within}${status}`
  return entries(answer.content).flatMap(([type, { schema }]): readonly Fact[] => {
    if (type !== 'application/problem+json') {
      return schemaFacts({ place, name: `${name} ${status}` }, schema as Json)
    }
    return declaredReasons(schema).map((value) => [
      `${place} ${value}`,
      [name, 'may answer', `${status} ${value}`],
    ])
  })
}

/** The members of a union are part of it; a client that knows the union sees no new component. */
function componentFacts(components: Json): readonly Fact[] {
  const schemas = entries(components.schemas)
  const members = new Set(
    schemas.flatMap(([, schema]) => membersOf(schema).map(({ $ref }) => $ref)),
  )
  return schemas
    .filter(([name]) => !members.has(`#/components/schemas/${name}`))
    .flatMap(([name, schema]): readonly Fact[] => {
      const at = { place: name, name }
      const { propertyName: tag } = (schema.discriminator ?? {}) as Json
      const union: Fact = [`${name}${within}by ${tag}`, [name, 'is a union by', String(tag)]]
      return [
        [name, null],
        ...(tag === undefined ? [] : [union]),
        ...schemaFacts(at, schema),
        ...membersOf(schema).flatMap((member) => schemaFacts(at, resolved({ components }, member))),
      ]
    })
}

function membersOf({ discriminator, oneOf }: Json): readonly Json[] {
  return discriminator === undefined ? [] : (oneOf as readonly Json[])
}

type At = { readonly place: string; readonly name: string }

function schemaFacts(at: At, schema: Json): readonly Fact[] {
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as readonly Json[])
  const { items } = schema
  return [
    ...valueFacts(at, schema),
    ...entries(schema.properties).flatMap(([field, property]): readonly Fact[] => {
      const inside = { place: `${at.place}${within}${field}`, name: `${at.name}.${field}` }
      return [[inside.place, [at.name, 'has', field]], ...schemaFacts(inside, property)]
    }),
    ...parts.flatMap((part) => schemaFacts(at, part)),
    ...(typeof items === 'object' ? schemaFacts(at, items as Json) : []),
  ]
}

function valueFacts({ place, name }: At, { enum: values }: Json): readonly Fact[] {
  return ((values ?? []) as readonly unknown[]).map((value) => [
    `${place}${within}= ${String(value)}`,
    [name, 'may be', String(value)],
  ])
}

/**
 * The facts of one surface that the other does not have, without those inside what is itself new.
 */
export function newIn(now: Surface, before: Surface): readonly Statement[] {
  const isNew = (place: string) => now.has(place) && !before.has(place)
  return [...now].flatMap(([place, statement]) => {
    if (statement === null || !isNew(place)) return []
    const parts = place.split(within)
    const parents = parts.slice(1).map((_, count) => parts.slice(0, count + 1).join(within))
    return parents.some(isNew) ? [] : [statement]
  })
}
