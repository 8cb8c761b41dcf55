import type { App } from '../../../src/service/http/api-services.ts'
import { undeclared } from '../../support/declared-answers.ts'
import type { Ask } from './isolation-asks.ts'
import { faultOf, type Received } from './isolation-verdict.ts'

export type Violation = { readonly ask: string; readonly what: string }
export type Verdict = { readonly requests: number; readonly violations: readonly Violation[] }

/** Requests at once: enough to keep the database busy, few enough to leave it usable for others. */
const atOnceMax = 8

let asked = 0

/** Failed authentications are counted by address, so each request uses a different one. */
function address(): string {
  asked += 1
  return `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`
}

async function receive(app: App, ask: Ask): Promise<Received> {
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
  const replyHeaders = { get: (name: string) => reply.headers[name]?.toString() ?? null }
  const complaint = undeclared({
    method,
    path,
    status: reply.statusCode,
    headers: replyHeaders,
    body: parsed,
  })
  if (complaint !== null) throw new Error(`${method} ${path}: ${complaint}`)
  const reason = (parsed as { reason?: string } | null)?.reason ?? null
  return { status: reply.statusCode, text: `${JSON.stringify(shown)}\n${reply.body}`, reason }
}

async function both(app: App, ask: Ask): Promise<{ received: Received; never: Received | null }> {
  const received = await receive(app, ask)
  return { received, never: ask.never === null ? null : await receive(app, ask.never) }
}

/**
 * Requests that may change the caller's own data run one after another; otherwise they would
 * conflict.
 */
function turns() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>({ method, path, isOfVictim }: Ask, work: () => Promise<T>): Promise<T> => {
    if (method === 'GET' || isOfVictim) return await work()
    const before = last.get(path) ?? Promise.resolve()
    const own = before.then(work)
    last.set(path, own)
    return await own
  }
}

/** Makes all requests and returns the violations. */
export async function isolation(
  app: App,
  asks: readonly Ask[],
  progress: (done: number) => void = () => undefined,
): Promise<Verdict> {
  const violations: Violation[] = []
  const turn = turns()
  let next = 0
  let requests = 0
  const work = async () => {
    for (let ask = asks[next++]; ask !== undefined; ask = asks[next++]) {
      const { received, never } = await turn(ask, () => both(app, ask))
      requests += never === null ? 1 : 2
      const what = faultOf(ask, received, never)
      const { reach, method, path, position } = ask
      const where = `${reach.name}: ${method} ${path} (${position.in} ${position.name})`
      if (what !== null) violations.push({ ask: where, what })
      if (next % 500 === 0) progress(next)
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, work))
  return { requests, violations }
}
