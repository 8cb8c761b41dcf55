type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A copy of an OpenAPI document with its shared headers, parameters and responses inlined. */
export function withParts<T extends object>(document: T): T {
  const { components = {} } = document as { readonly components?: Components }
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(copy)
    const { $ref } = value as { readonly $ref?: unknown }
    const [, kind = '', name = ''] =
      /^#\/components\/(headers|parameters|responses)\/(.+)$/.exec(String($ref)) ?? []
    if (kind !== '') return copy(components[kind]?.[name])
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]))
  }
  return copy(document) as T
}
