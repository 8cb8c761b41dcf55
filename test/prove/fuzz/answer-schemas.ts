import { z } from 'zod'
import { type ApiOperation, committedDocument } from '../../support/declared-answers.ts'

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0]

/** zod expects shared schemas under `$defs`, and accepts no relative URI references. */
function local<T>(value: T): T {
  const text = JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/')
  return JSON.parse(text.replaceAll(',"format":"uri-reference"', '')) as T
}

const shared = local(committedDocument.components.schemas)
const built = new WeakMap<object, z.ZodType>()

function schemaFor(schema: object): z.ZodType {
  const known = built.get(schema)
  if (known !== undefined) return known
  const made = z.fromJSONSchema({ ...local(schema), $defs: shared } as JsonSchema)
  built.set(schema, made)
  return made
}

/** How a JSON answer differs from the document; null if it does not. */
export function unlikeSchema(
  operation: ApiOperation,
  answer: { readonly status: number; readonly contentType: string; readonly body: unknown },
): string | null {
  const declared = operation.responses[String(answer.status)]
  if (declared === undefined) return `status ${answer.status} is not declared`
  const contents = declared.content ?? {}
  // Clients that accept only plain JSON get problems as JSON.
  const type = answer.contentType.split(';', 1)[0]?.trim() ?? ''
  const content =
    contents[type] ?? (answer.status >= 400 ? contents['application/problem+json'] : undefined)
  if (content === undefined) {
    return Object.keys(contents).length === 0 && answer.body === null
      ? null
      : `${type || 'no content type'} is not declared with ${answer.status}`
  }
  if (!type.includes('json')) return null
  const parsed = schemaFor(content.schema).safeParse(answer.body)
  return parsed.success ? null : z.prettifyError(parsed.error).slice(0, 300)
}
