type Json = Record<string, unknown>
export type Schema = {
  readonly properties: Readonly<Record<string, Json>>
  readonly required: readonly string[]
  readonly [keyword: string]: unknown
}
export type Schemas = Record<string, Schema | Json>

/**
 * A member of a union. Fields that are always null stay nullable: openapi-fetch drops a field whose
 * type is only null.
 */
type Member = {
  readonly description: string
  /** Fields that are always there and not null. */
  readonly present?: readonly string[]
}

/**
 * How a component of the OpenAPI document is a union by one of its fields. Routes serialize answers
 * with the single schema of the component, which is faster; the tests check answers and webhooks
 * against the union.
 */
export type Union<Name extends string = string> = {
  readonly name: string
  readonly by: string
  readonly members: Readonly<Record<Name, Member>>
  /** The member of each value of the field. */
  readonly memberOf: Readonly<Record<string, Name>>
}

export function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** Replaces a component by a union of members, which are components too. */
export function declareUnion(schemas: Schemas, { name, by, members, memberOf }: Union): void {
  const base = schemas[name] as Schema | undefined
  if (base === undefined) return
  const { description, examples } = base
  for (const [member, about] of Object.entries(members)) {
    const values = Object.keys(memberOf).filter((value) => memberOf[value] === member)
    schemas[member] = withValues(narrowed(base, about), by, values)
  }
  const text = `${description} A union by \`${by}\`, which may get more values.`
  schemas[name] = {
    ...unionOf(by, memberOf, Object.keys(members)),
    description: text,
    ...(examples ? { examples } : {}),
  }
}

/** A union of components by the value of a field. */
export function unionOf(
  by: string,
  memberOf: Readonly<Record<string, string>>,
  names: readonly string[] = [...new Set(Object.values(memberOf))],
): Json {
  const mapping = Object.entries(memberOf).map(([value, name]) => [value, reference(name).$ref])
  return {
    oneOf: names.map(reference),
    discriminator: { propertyName: by, mapping: Object.fromEntries(mapping) },
    'x-extensible': true,
  }
}

function narrowed(base: Schema, { description, present = [] }: Member): Schema {
  const { examples: _, ...rest } = base
  const properties = { ...base.properties }
  for (const field of present) properties[field] = withoutNull(properties[field] ?? {})
  const required = [...new Set([...base.required, ...present])]
  return { ...rest, description, properties, required }
}

/** Only these values of the field, whose description may list what they mean. */
export function withValues(schema: Schema, field: string, values: readonly string[]): Schema {
  const { description, ...rest } = schema.properties[field] ?? {}
  const isAbout = (line: string) => values.some((value) => line.startsWith(`- \`${value}\``))
  const lines = String(description)
    .split('\n')
    .filter((line) => !line.startsWith('- ') || isAbout(line))
  const own = { ...rest, enum: values, description: lines.join('\n') }
  return { ...schema, properties: { ...schema.properties, [field]: own } }
}

export function nullable({ type, ...schema }: Json): Json {
  return { ...schema, type: [type, 'null'] }
}

/** Also without the sentence that says when the value is null or absent. */
function withoutNull({ description, ...schema }: Json): Json {
  const { anyOf, type, ...rest } = schema
  const about = { description: String(description).replace(/ (`null`|Absent) [^.]*\.$/, '') }
  if (Array.isArray(type)) return { ...rest, type: type.find((one) => one !== 'null'), ...about }
  if (!Array.isArray(anyOf)) return { ...schema, ...about }
  const [form] = anyOf.filter((one) => one.type !== 'null')
  return { ...form, ...rest, ...about }
}
