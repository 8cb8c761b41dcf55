import { setTimeout as delay } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { reasons } from '../../../src/service/errors.ts'
import type { App } from '../../../src/service/http/api-services.ts'
import {
  exampleQuoteRequest,
  exampleRatesRequest,
  exampleShipmentRequest,
} from '../../../src/service/http/openapi/examples.ts'
import { operationFor, undeclared } from '../../support/declared-answers.ts'
import type { Service } from '../../support/service.ts'
import { routes } from '../isolation/isolation-asks.ts'
import { unlikeSchema } from './answer-schemas.ts'
import { type Chance, chance, nearly, spoiled, texts } from './hostile.ts'
import { hostileFile, takesFiles } from './hostile-files.ts'

export type Fuzzed = {
  readonly requests: number
  readonly violations: readonly string[]
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>
}

export type FuzzOptions = {
  readonly seed: number
  readonly requests: number
  readonly progress?: (done: number) => void
}

/** Concurrent requests. */
const atOnceMax = 8
/** A longer `Retry-After`, in seconds, is not waited for. */
const retryAfterMax = 10
const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'SEARCH']
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/',
  'é',
  '',
  'application/merge-patch+json',
]
const accepts = [
  '*/*',
  'application/json',
  'text/html',
  'application/pdf',
  ';q=x',
  '',
  'image/*;q=0',
]

const importRoutes = routes.filter(({ method, path }) => method === 'POST' && takesFiles(path))

type Shot = Required<Pick<InjectOptions, 'headers'>> & {
  readonly method: string
  readonly url: string
  readonly payload: Buffer | undefined
}

/** Ids of the caller's own resources, which paths sometimes contain. */
async function ownIds(shop: Service): Promise<readonly string[]> {
  const made = await shop.create('fuzzed', {})
  const quote = await shop.call('/v1/quotes', { body: shop.quoteBody() })
  const { workspaceId, connectionId } = shop.seeded
  const { body: endpoint } = await shop.call('/v1/webhook-endpoints', {
    body: { workspace_id: workspaceId, url: 'http://127.0.0.1:9/', event_types: ['shipment.*'] },
  })
  const { body: batch } = await shop.call('/v1/batches', {
    body: { external_reference: 'fuzzed', items: [shop.bodyOf('fuzzed-line')] },
  })
  const { body: invoice } = await shop.call('/v1/courier-invoices', {
    key: shop.seeded.operatorKey,
    body: {
      courier_connection_id: connectionId,
      reference: 'fuzzed',
      lines: [{ guide_number: String(made.body.guide_number), amount: 1, currency: 'PEN' }],
    },
  })
  const ids = [workspaceId, connectionId, made.body.id, quote.body.id, endpoint.id]
  ids.push(batch.id, invoice.id)
  // On a second run with the same service, the answer to a creation may have no id.
  return ids.filter((id) => typeof id === 'string')
}

function bodyOf(route: (typeof routes)[number], shop: Service, by: Chance): unknown {
  const content = route.operation.requestBody?.content['application/json']
  if (content === undefined) return by.is(0.9) ? undefined : {}
  if (route.path === '/v1/shipments') return exampleShipmentRequest('fuzzed', shop.seeded)
  if (route.path === '/v1/quotes') {
    const { seeded } = shop
    return by.is(0.5)
      ? exampleQuoteRequest(seeded)
      : exampleRatesRequest(seeded, [seeded.connectionId])
  }
  const example = structuredClone(content.example) as Record<string, unknown>
  return 'workspace_id' in example ? { ...example, workspace_id: shop.seeded.workspaceId } : example
}

function queryOf({ operation }: (typeof routes)[number], by: Chance): string {
  const names = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const query = new URLSearchParams()
  for (const { name } of names) if (by.is(0.2)) query.append(name, by.one(texts))
  if (names.length > 0 && by.is(0.1)) query.append(by.one(names).name, by.one(texts))
  if (by.is(0.05)) query.append(by.one(texts), by.one(texts))
  const text = query.toString()
  const broken = by.is(0.05) ? by.one(['&&&', '%', '%E0%A4%A', '[]=1', 'a[b]=c', '#', '?']) : ''
  return text + broken === '' ? '' : `?${text}${broken}`
}

/** Characters that a header may contain; others need raw sockets. */
function headerText(text: string): string {
  return [...text]
    .filter((char) => /[\t\x20-\x7e\x80-\xff]/.test(char))
    .join('')
    .trim()
}

function shotOf(shop: Service, ids: readonly string[], by: Chance): Shot {
  const route = by.one(by.is(0.05) ? importRoutes : routes)
  const id = by.is(0.6) ? by.one(ids) : by.one(texts)
  const path = route.path.replace(/\{\w+\}/, () => encode(id, by))
  const isValid = by.is(0.2)
  const value = bodyOf(route, shop, by)
  const sent = value === undefined || isValid ? value : nearly(value, by)
  const text = sent === undefined ? undefined : JSON.stringify(sent)
  const payload =
    text === undefined ? undefined : by.is(0.2) ? spoiled(text, by) : Buffer.from(text)
  const headers: Record<string, string> = {
    authorization: `Bearer ${by.is(0.97) ? shop.seeded.operatorKey : headerText(by.one(texts))}`,
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    'idempotency-key': `fuzz-${by.below(1_000)}`,
  }
  if (by.is(0.1)) headers['content-type'] = headerText(by.one(contentTypes))
  if (by.is(0.1)) headers.accept = headerText(by.one(accepts))
  const hostile = [
    'idempotency-key',
    'if-match',
    'if-none-match',
    'x-request-id',
    'sandbox-scenario',
    'content-encoding',
    'expect',
    'x-forwarded-for',
    'range',
    'prefer',
    'transfer-encoding',
  ]
  if (by.is(0.2)) headers[by.one(hostile)] = headerText(by.one(texts))
  const method = by.is(0.95) ? route.method : by.one(methods)
  const file = route.method === 'POST' && by.is(0.6) ? hostileFile(route.path, shop, by) : null
  if (file !== null) {
    const query = new URLSearchParams(by.is(0.9) ? file.query : nearlyText(file.query, by))
    headers['content-type'] = file.contentType
    return { method, url: `${path}?${query}`, headers, payload: file.payload }
  }
  const url = isValid ? path : path + queryOf(route, by)
  return { method, url, headers, payload }
}

function nearlyText(query: Readonly<Record<string, string>>, by: Chance): Record<string, string> {
  const at = by.one(Object.keys(query))
  return { ...query, [at]: by.one(texts).toWellFormed() }
}

function encode(id: string, by: Chance): string {
  // Half a surrogate pair has no encoding.
  const sound = id.toWellFormed()
  return by.is(0.95) ? encodeURIComponent(sound) : encodeURI(sound)
}

type Reply = Awaited<ReturnType<App['inject']>>

/** What is wrong with an answer; null if nothing is. */
function faultOf({ method, url }: Shot, reply: Reply): string | null {
  const { statusCode: status } = reply
  const contentType = String(reply.headers['content-type'] ?? '')
  let body: unknown = null
  if (contentType.includes('json') && reply.body !== '') {
    try {
      body = JSON.parse(reply.body)
    } catch {
      return `status ${status} with JSON that is none`
    }
  }
  if (reply.headers['x-request-id'] === undefined) return 'no request id'
  const reason = (body as { reason?: string } | null)?.reason
  // Bundles and documents are made one at a time; a busy machine asks some callers to retry.
  const isQueued = /\/(evidence|labels|manifests?)(\?|$)/.test(url)
  const isShed = isQueued && status === 503 && reason === 'overloaded'
  if (status >= 500 && !isShed) return `status ${status}: ${reply.body.slice(0, 200)}`
  if (status >= 400 && method !== 'HEAD' && !(reasons as string[]).includes(String(reason))) {
    return `status ${status} with the reason ${reason}`
  }
  const operation = operationFor(method, url)
  // Not a documented route, or one that the router takes for another, as with an empty id.
  if (operation === null || reason === 'method_not_allowed') return null
  const replyHeaders = { get: (name: string) => reply.headers[name]?.toString() ?? null }
  return (
    undeclared({ method, path: url, status, headers: replyHeaders, body }) ??
    unlikeSchema(operation, { status, contentType, body })
  )
}

/**
 * The answer to a request. A 503 may come from a machine that is too busy, so the request is
 * repeated once, as a client would; an input that causes one gets it again.
 */
async function answerTo(app: App, request: InjectOptions): Promise<Reply> {
  const reply = await app.inject(request)
  const seconds = Number(reply.headers['retry-after'])
  if (reply.statusCode !== 503 || !(seconds <= retryAfterMax)) return reply
  await delay(seconds * 1_000)
  return await app.inject(request)
}

/** Valid, nearly valid and hostile requests of every operation; the same for the same seed. */
export async function fuzzApi(app: App, shop: Service, options: FuzzOptions): Promise<Fuzzed> {
  const by = chance(options.seed)
  const ids = await ownIds(shop)
  const violations: string[] = []
  const statuses: Record<string, number> = {}
  let done = 0
  let answered = 0
  const work = async () => {
    while (done < options.requests) {
      done += 1
      const shot = shotOf(shop, ids, by)
      const remoteAddress = `10.1.${(done >> 8) & 255}.${done & 255}`
      const reply = await answerTo(app, { ...shot, remoteAddress } as InjectOptions).catch(
        (error: unknown) => String(error),
      )
      const said = `${shot.method} ${shot.url.slice(0, 200)} ${shot.payload?.subarray(0, 200) ?? ''}`
      if (typeof reply === 'string') violations.push(`${said}: ${reply}`)
      else {
        statuses[reply.statusCode] = (statuses[reply.statusCode] ?? 0) + 1
        const fault = faultOf(shot, reply)
        if (fault !== null) violations.push(`${said}: ${fault}`)
      }
      if (++answered % 1_000 === 0) options.progress?.(answered)
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, work))
  return { requests: done, violations, statuses }
}
