/**
 * What is shown of a value. `word`: a code, id or time. `reference`: a number that a courier gave.
 * `ours`: a sentence of the service. `text`: somebody else's words, which are quoted.
 */
export type Kind = 'word' | 'reference' | 'ours' | 'text' | 'number' | 'boolean'
export type Shape = { readonly [field: string]: Kind | Shape | readonly [Kind | Shape] }

/** Derived from the OpenAPI document, for one tool. */
export type ToolSchemas = {
  readonly input: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, object>>
    readonly required: readonly string[]
    readonly additionalProperties: false
  }
  readonly isList: boolean
  readonly shape: Shape
  /** The meaning of the values of a field, by its path. */
  readonly explains: Readonly<Record<string, Readonly<Record<string, string>>>>
}
