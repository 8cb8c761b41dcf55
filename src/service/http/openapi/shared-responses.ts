type Json = Record<string, unknown>
type Operation = { readonly responses: Record<string, Json> }
type Schema = { readonly allOf?: readonly { readonly properties?: Json }[] }

/**
 * Answers that several routes share become components, so that the document stays readable: most
 * routes share most problems. A component is named after its status and reasons.
 */
export function shareResponses(document: Json): void {
  const paths = document.paths as Record<string, Record<string, Operation>>
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const uses = new Map<string, number>()
  for (const { responses } of operations) {
    for (const response of Object.values(responses)) {
      const text = JSON.stringify(response)
      uses.set(text, (uses.get(text) ?? 0) + 1)
    }
  }
  const shared: Json = {}
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const name = nameOf(status, response)
      const text = JSON.stringify(response)
      if (name === null || (uses.get(text) ?? 0) < 2) continue
      const known = shared[name]
      // If two answers differ only in a header, the second stays inline.
      if (known !== undefined && JSON.stringify(known) !== text) continue
      shared[name] = response
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  const components = document.components as Json
  components.responses = Object.fromEntries(
    Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function nameOf(status: string, response: Json): string | null {
  const { content = {} } = response as { content?: Record<string, { schema?: Schema }> }
  const own = content['application/problem+json']?.schema?.allOf?.at(-1)?.properties
  const reason = own?.reason as { readonly enum?: readonly string[] } | undefined
  if (reason?.enum === undefined) return null
  return [status, ...reason.enum, ...('outcome' in (own ?? {}) ? ['change'] : [])].join('.')
}
