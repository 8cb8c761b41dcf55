/**
 * A sample's call. `$NAME` stands for one of the reader's values or a value from an earlier
 * response.
 */
export type Sample = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The values to keep from the response, such as `OPERATION_ID: operation_id`. */
  readonly keeps: Readonly<Record<string, string>>
  /** The call is repeated until the operation ends. */
  readonly isWatched: boolean
  /** The response may be an error. */
  readonly mayBeRefused: boolean
  /** The file to save the response to; null if it is shown. */
  readonly file: string | null
}

/** A call as a program, in the form of the OpenAPI extension `x-codeSamples`. */
export type CodeSample = {
  readonly lang: string
  readonly label: string
  readonly source: string
}
/** The samples of each operation, by operation id. */
export type CodeSamples = Readonly<Record<string, readonly CodeSample[]>>

/** The path of a document's page; a folder's README has the folder's own path. */
export function pathOfDocument(file: string): string {
  return file.replace(/\.md$/, '').replace(/\/README$/, '')
}

/** An API tag in a fragment of the reference. */
export const slugOfTag = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

export const addressOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`)

/** The fields of an API operation that the site uses. */
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, unknown>>
}
/** The parts of the OpenAPI document that the site uses. */
export type ApiDocument = {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
