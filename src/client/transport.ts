import type { AnswerInfo, CallOptions, Reason, RetryLimits, Schemas } from './methods.ts'
import { retryDelay } from './retry-delay.ts'
import { type Outcome, ShippingLedgerError } from './shipping-ledger-error.ts'

/** The timeout of one request. The server ends a request after 40 s. */
const requestTimeoutMs = 50_000
/** Larger than any label or page; an endless response is not from our server. */
const answerBytesMax = 32 * 1024 * 1024
/** The service asks the courier for a label again after 10 s, so this is one more attempt. */
const labelWaitMs = 15_000
/** A program should not wait longer than an hour. */
const retryAfterMsMax = 3_600_000

export type Transport = {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  readonly limits: RetryLimits
}

type Request = {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object | undefined
  /** Sent unchanged instead of `body`. */
  readonly text?: { readonly type: string; readonly content: string | Uint8Array<ArrayBuffer> }
  /** Any type but JSON is returned as bytes. */
  readonly accept: 'application/json' | '*/*'
  readonly takesKey: boolean
  /** If this ETag is still current, the response is 304 without a body. */
  readonly ifNoneMatch: string | null
  readonly options: CallOptions
}

type Answer = { readonly body: unknown; readonly info: AnswerInfo }

/** Sends a request, retries it where that is safe, and returns the response or throws. */
export async function send(transport: Transport, request: Request): Promise<Answer> {
  const idempotencyKey =
    request.options.idempotencyKey ?? (request.takesKey ? crypto.randomUUID() : null)
  const isRepeatable = isRepeatableCall(request.method, idempotencyKey)
  const startedAt = performance.now()
  for (let requests = 1; ; requests++) {
    try {
      const { body, response } = await once(transport, request, idempotencyKey)
      return { body, info: infoOf(response, idempotencyKey, requests) }
    } catch (error) {
      if (!(error instanceof ShippingLedgerError)) throw error
      // An earlier request, whose response was lost, has deleted it.
      const isDeleted = request.method === 'DELETE' && requests > 1 && error.status === 404
      if (isDeleted) return { body: undefined, info: infoOfError(error, requests) }
      const elapsedMs = performance.now() - startedAt
      const failed = { error, requests, elapsedMs, isRepeatable }
      const limits = { ...transport.limits, ...request.options.retry }
      const waitMs = retryDelay(failed, limits, Math.random)
      if (waitMs === null || !mayWait(request, error, elapsedMs + waitMs)) throw error
      await pause(waitMs, request.options.signal).catch((cause: unknown) => {
        throw unanswered({ method: request.method, idempotencyKey }, true, cause)
      })
    }
  }
}

function isRepeatableCall(method: string, idempotencyKey: string | null): boolean {
  return method === 'GET' || method === 'DELETE' || idempotencyKey !== null
}

/** A label may take minutes, so one call does not wait for it indefinitely. */
function mayWait({ options }: Request, { reason }: ShippingLedgerError, untilMs: number): boolean {
  const waitsMs = options.retry?.totalMs ?? labelWaitMs
  return reason !== 'label_not_ready' || (options.wait !== false && untilMs <= waitsMs)
}

type Received = { readonly body: unknown; readonly response: Response }

async function once(
  { baseUrl, apiKey, fetch }: Transport,
  request: Request,
  idempotencyKey: string | null,
): Promise<Received> {
  const { options, method, accept } = request
  const body = bodyOf(request)
  const facts = { method, idempotencyKey }
  const timeout = AbortSignal.timeout(options.timeoutMs ?? requestTimeoutMs)
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout])
  options.signal?.throwIfAborted()
  let response: Response
  let bytes: Uint8Array<ArrayBuffer>
  try {
    response = await fetch(baseUrl + request.path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: accept === 'application/json' ? accept : `${accept}, application/problem+json`,
        ...(body === null ? {} : { 'content-type': body.type }),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        ...(options.scenario === undefined ? {} : { 'sandbox-scenario': options.scenario }),
        ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
        ...(request.ifNoneMatch === null ? {} : { 'if-none-match': request.ifNoneMatch }),
      },
      ...(body === null ? {} : { body: body.content }),
      // A redirect must not carry the key elsewhere.
      redirect: 'error',
      signal,
    })
    bytes = await bytesOf(response)
  } catch (cause) {
    throw unanswered(facts, options.signal?.aborted === true, cause)
  }
  if (response.status === 304 && request.ifNoneMatch !== null) return { body: undefined, response }
  if (!response.ok) throw errorOf(facts, response, bytes)
  if (response.status === 204) return { body: undefined, response }
  if (accept !== 'application/json') return { body: bytes, response }
  const json = parsed(bytes)
  if (json === undefined) throw unreadable(facts, response)
  return { body: json, response }
}

function bodyOf({ body, text }: Request): NonNullable<Request['text']> | null {
  if (text !== undefined) return text
  return body === undefined ? null : { type: 'application/json', content: JSON.stringify(body) }
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (const reader = response.body?.getReader(); reader !== undefined; ) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > answerBytesMax) {
      await reader.cancel()
      throw new Error(`The answer is longer than ${answerBytesMax} bytes.`)
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

type Facts = { readonly method: string; readonly idempotencyKey: string | null }

function shared({ method, idempotencyKey }: Facts) {
  const outcome: Outcome | null = method === 'GET' ? null : 'unknown'
  return { outcome, ...(idempotencyKey === null ? {} : { idempotencyKey }) }
}

function unanswered(facts: Facts, isAborted: boolean, cause: unknown): ShippingLedgerError {
  return new ShippingLedgerError({
    ...shared(facts),
    reason: isAborted ? 'aborted' : 'connection_lost',
    // Calling again with the same key returns what the aborted call did.
    retryable: !isAborted || isRepeatableCall(facts.method, facts.idempotencyKey),
    message: isAborted
      ? 'The call was aborted.'
      : 'The connection was lost before the response was complete.',
    cause,
  })
}

/** The error of a call with a key that its signal stopped. */
export function abortedCall(idempotencyKey: string, cause: unknown): ShippingLedgerError {
  return unanswered({ method: 'POST', idempotencyKey }, true, cause)
}

function unreadable(facts: Facts, response: Response): ShippingLedgerError {
  return new ShippingLedgerError({
    ...shared(facts),
    ...answerFacts(response),
    reason: 'unreadable_answer',
    // A gateway may be at fault, or the response was cut off.
    retryable: response.ok || response.status >= 500,
    message: `The answer with status ${response.status} is not from the service.`,
  })
}

function answerFacts(response: Response) {
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterOf(response) ?? undefined,
  }
}

function errorOf(facts: Facts, response: Response, bytes: Uint8Array): ShippingLedgerError {
  const problem = problemOf(parsed(bytes))
  if (problem === null) return unreadable(facts, response)
  return new ShippingLedgerError({
    ...shared(facts),
    ...answerFacts(response),
    outcome: problem.outcome ?? (facts.method === 'GET' ? null : 'unknown'),
    reason: problem.reason,
    retryable: problem.retryable,
    message: `${problem.reason}: ${problem.detail}`,
    requestId: problem.request_id,
    problem,
  })
}

function problemOf(value: unknown): (Schemas['Problem'] & { readonly reason: Reason }) | null {
  if (typeof value !== 'object' || value === null) return null
  const { reason, retryable } = value as Record<string, unknown>
  if (typeof reason !== 'string' || typeof retryable !== 'boolean') return null
  return value as Schemas['Problem']
}

/** Parses seconds, as the service sends them, or a gateway's date. */
function retryAfterOf(response: Response): number | null {
  const header = response.headers.get('retry-after')
  if (header === null) return null
  const waitMs = /^[0-9]+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(waitMs) ? null : Math.min(retryAfterMsMax, Math.max(0, waitMs))
}

function infoOf(response: Response, idempotencyKey: string | null, requests: number): AnswerInfo {
  const { headers, status } = response
  return {
    status,
    requestId: headers.get('x-request-id'),
    idempotencyKey,
    replayed: headers.get('idempotent-replayed') === 'true',
    etag: headers.get('etag'),
    contentType: headers.get('content-type'),
    fileName: fileNameOf(headers.get('content-disposition') ?? ''),
    retryAfterMs: retryAfterOf(response),
    requests,
  }
}

/** From a Content-Disposition. Whatever a server says, it names no other folder. */
export function fileNameOf(disposition: string): string | null {
  const [, encoded] = /filename\*=utf-8''([^;\s]+)/i.exec(disposition) ?? []
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  let name = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
  try {
    if (encoded !== undefined) name = decodeURIComponent(encoded)
  } catch {
    // The other name is for clients that cannot read this one.
  }
  const safe = name.replaceAll(/[/\\\p{Cc}]/gu, '-').replace(/^\.+/, '')
  return safe === '' ? null : safe
}

function infoOfError(
  { status, requestId, idempotencyKey, retryAfterMs }: ShippingLedgerError,
  requests: number,
): AnswerInfo {
  const replayed = false
  return {
    status: status ?? 0,
    requestId,
    idempotencyKey,
    replayed,
    etag: null,
    contentType: null,
    fileName: null,
    retryAfterMs,
    requests,
  }
}

/** Waits, or throws the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
