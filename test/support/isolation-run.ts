import type { App } from '../../src/http/deps.ts'
import { undeclared } from './declared-answers.ts'
import type { Ask } from './isolation-asks.ts'
import { kinds, nobody, type Reach } from './isolation-worlds.ts'

export type Violation = { readonly ask: string; readonly what: string }
export type Verdict = { readonly requests: number; readonly violations: readonly Violation[] }

type Told = { readonly status: number; readonly text: string; readonly reason: string | null }

/** Requests at once: enough to keep the database busy, few enough to leave it to others too. */
const atOnceMax = 8

let asked = 0

/** Failed authentications are counted by address: each request comes from another one. */
function address(): string {
  asked += 1
  return `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`
}

async function tell(app: App, ask: Ask): Promise<Told> {
  const { method, path, headers, body, reach } = ask
  const reply = await app.inject({
    method: method as 'GET',
    url: path,
    remoteAddress: address(),
    headers: { authorization: `Bearer ${reach.apiKey}`, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  const isJson = String(reply.headers['content-type'] ?? '').includes('json')
  const parsed: unknown = isJson && reply.body !== '' ? JSON.parse(reply.body) : null
  const shown = Object.entries(reply.headers).filter(([name]) => !/^(date|ratelimit)/.test(name))
  const told = { get: (name: string) => reply.headers[name]?.toString() ?? null }
  const complaint = undeclared({
    ...{ method, path, status: reply.statusCode },
    ...{ headers: told, body: parsed },
  })
  if (complaint !== null) throw new Error(`${method} ${path}: ${complaint}`)
  const reason = (parsed as { reason?: string } | null)?.reason ?? null
  return { status: reply.statusCode, text: `${JSON.stringify(shown)}\n${reply.body}`, reason }
}

/** What belongs to the victims and was not in the question: none of it may come back. */
export function canariesOf({ victims, own }: Reach): readonly string[] {
  const ids = victims.flatMap((world) =>
    kinds.filter((kind) => kind !== 'tag').map((kind) => world[kind]),
  )
  return [...new Set(ids)].filter((text) => !Object.values(own).includes(text))
}

function isEmptyPage(text: string): boolean {
  return text.includes('"data":[]')
}

/** What is wrong with the answer to somebody who may not see it; null = nothing. */
function faultOf(ask: Ask, told: Told, never: Told | null): string | null {
  const { reach, position, operation } = ask
  if (told.status >= 500) return `status ${told.status}: ${told.text}`
  if (reach.name === 'revoked' || reach.name === 'expired') {
    return told.status === 401 && told.reason === 'unauthenticated' ? null : `status ${told.status}`
  }
  if (reach.name === 'own without scopes') {
    const isFree = operation.security[0]?.bearer.length === 0
    return isFree || [403, 404].includes(told.status) ? null : `status ${told.status}`
  }
  const leak = canariesOf(reach).find((one) => one !== ask.value && told.text.includes(one))
  if (leak !== undefined) return `tells ${leak}`
  if (position.in === 'header') return null
  if (never !== null && never.text.replaceAll(nobodyValue(ask), ask.value) !== told.text) {
    return `another answer (${told.status}) than for what never existed (${never.status})`
  }
  // A key without scopes may be told so before anything is looked at.
  const refusals = reach.name === 'foreign without scopes' ? [403, 404] : [404]
  if (position.in === 'cursor') {
    const isRefused = told.reason === 'invalid_cursor' || told.status === 404
    return isRefused || refusals.includes(told.status) || isOtherFault(ask, told)
      ? null
      : `status ${told.status}`
  }
  if (refusals.includes(told.status) || isOtherFault(ask, told)) return null
  if (position.in === 'query' && told.status === 200 && isEmptyPage(told.text)) return null
  return `status ${told.status} ${told.reason}`
}

function nobodyValue({ never }: Ask): string {
  return never?.value ?? nobody.key
}

/** What is wrong for everybody: a value of another kind, an unknown parameter, no live clock. */
function isOtherFault({ kind, position, path }: Ask, { status }: Told): boolean {
  const isOtherKind = kind !== position.kind
  if (path.startsWith('/v1/sandbox/')) return [400, 409, 422].includes(status)
  if (path.startsWith('/v1/couriers') || path.startsWith('/v1/agencies')) return status === 400
  if (path.startsWith('/v1/package-products')) return status === 400
  // A quote is one of the fields that a creation is checked for, together with the others.
  if (position.in === 'body' && position.name === 'quote_id') return status === 422
  // Whose the guide is that a person names is not ours to know: the operation is the caller's own.
  if (position.in === 'body' && position.name === 'guide_number') return true
  return isOtherKind && (status === 400 || status === 422)
}

/** Asks it all, and says what was wrong. */
export async function isolation(
  app: App,
  asks: readonly Ask[],
  progress: (done: number) => void = () => undefined,
): Promise<Verdict> {
  const violations: Violation[] = []
  let next = 0
  let requests = 0
  const work = async () => {
    for (let ask = asks[next++]; ask !== undefined; ask = asks[next++]) {
      const told = await tell(app, ask)
      const never = ask.never === null ? null : await tell(app, ask.never)
      requests += never === null ? 1 : 2
      const what = faultOf(ask, told, never)
      const { reach, method, path, position } = ask
      const where = `${reach.name}: ${method} ${path} (${position.in} ${position.name})`
      if (what !== null) violations.push({ ask: where, what })
      if (next % 500 === 0) progress(next)
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, work))
  return { requests, violations }
}
