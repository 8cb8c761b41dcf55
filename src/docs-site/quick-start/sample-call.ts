import type { Sample } from '../site-page.ts'

/** The reader's values by variable name, such as `WORKSPACE_ID`. */
export type Variables = Readonly<Record<string, string>>

/** The response to one call. */
export type Answer = {
  readonly status: number
  /** The response is that of an earlier request with the same key. */
  readonly isReplayed: boolean
  /** The `reason` of an error response. */
  readonly reason: string | null
  /** The JSON; null for a file or an empty response. */
  readonly body: unknown
  readonly file: { readonly type: string; readonly content: Blob } | null
}

const variable = /\$([A-Z][A-Z_]+)/g

/** The variables of a sample that have no value yet. */
export function missingNames(sample: Sample, variables: Variables): readonly string[] {
  const text = [sample.path, sample.body ?? '', ...Object.values(sample.headers)].join('\n')
  const names = [...text.matchAll(variable)].map(([, name]) => String(name))
  return [...new Set(names)].filter((name) => variables[name] === undefined)
}

/** Makes the sample's call, to this service only. */
export async function makeCall(sample: Sample, variables: Variables): Promise<Answer> {
  const fill = (text: string) =>
    text.replace(variable, (whole, name: string) => variables[name] ?? whole)
  const headers = Object.entries(sample.headers).map(
    ([name, value]) => [name, fill(value)] as [string, string],
  )
  const response = await fetch(fill(sample.path), {
    method: sample.method,
    headers,
    body: sample.body === null ? null : fill(sample.body),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
  })
  const { status } = response
  const type = response.headers.get('content-type') ?? ''
  const isReplayed = response.headers.get('idempotent-replayed') === 'true'
  const answer = { status, isReplayed, reason: null, body: null, file: null }
  if (type === '') return answer
  if (!type.includes('json')) return { ...answer, file: { type, content: await response.blob() } }
  const body: unknown = await response.json()
  return { ...answer, reason: textAt(body, 'reason'), body }
}

/** The values in the response that later samples use. */
export function keptFrom({ keeps }: Sample, { body }: Answer): Variables {
  const kept = Object.entries(keeps).map(([name, path]) => [name, textAt(body, path)] as const)
  return Object.fromEntries(kept.filter(([, value]) => value !== null) as [string, string][])
}

/** The text at a path such as `data.0.id`. */
export function textAt(body: unknown, path: string): string | null {
  let value: unknown = body
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return typeof value === 'string' ? value : null
}
