type Json = Record<string, unknown>
type Media = {
  readonly schema: { readonly $ref?: string; readonly type?: string }
  example?: unknown
}
type Body = { description?: unknown; readonly content: Record<string, Media> }
type Schema = { readonly description?: string; readonly examples?: readonly unknown[] }

/** A body other than JSON is lines of text. */
const text = { type: 'string', description: 'One item per line.' } as const

/** Gives a body that is a component the description and the example of the component. */
export function completeBodies(document: Json): void {
  const { schemas = {} } = document.components as { schemas?: Readonly<Record<string, Schema>> }
  const paths = document.paths as Record<string, Record<string, { requestBody?: Body }>>
  for (const { requestBody } of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
      if (type !== 'application/json') {
        // The same object stands for each type.
        requestBody!.content[type] = { schema: text }
        continue
      }
      const name = media.schema.$ref?.split('/').at(-1)
      const component = name === undefined ? undefined : schemas[name]
      if (requestBody === undefined || component === undefined) continue
      requestBody.description ??= component.description
      media.example ??= component.examples?.[0]
    }
  }
}
