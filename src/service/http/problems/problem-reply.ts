import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorEntry, Outcome } from '../../error-kinds.ts'
import { errorTable, Problem, type Reason } from '../../errors.ts'
import { problemTypeFor } from '../rules/accept.ts'
import { newRequestId } from '../rules/request-id.ts'
import { problemOf } from './faults.ts'
import { isChanging, problemBody, problemHeaders } from './problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The problem that the request was answered with. Null if there was none. */
    refusal: { readonly reason: Reason; readonly outcome: Outcome | null } | null
  }
}

/** Headers of every answer. */
export function headersOfAll(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
}

/** Answers with the thrown error, in the shape that all errors have. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error)
  const { status } = errorTable[problem.reason] as ErrorEntry
  if (status >= 500) {
    const line = { err: problem.options.cause ?? problem, requestId: request.id }
    if (problem.reason === 'internal_error') request.log.error(line, 'a request failed')
    else request.log.warn(line, 'a request could not be served')
  }
  const changing = isChanging(request.method)
  const keyed = changing && request.headers['idempotency-key'] !== undefined
  const body = problemBody(problem, { id: request.id, changing, keyed })
  request.refusal = { reason: problem.reason, outcome: body.outcome ?? null }
  reply
    .code(status)
    .headers({ ...acceptedTypes(problem, request), ...problemHeaders(problem) })
    .removeHeader('etag')
    .type(problemTypeFor(request.headers.accept))
    .send(Buffer.from(JSON.stringify(body)))
}

const bodyTypes = ['application/json', 'application/x-ndjson', 'text/csv']

/**
 * The media types that would have been accepted: RFC 9110, 15.5.16, and for a PATCH RFC 5789, 2.2.
 */
function acceptedTypes(
  { reason }: Problem,
  { server, method }: FastifyRequest,
): Record<string, string> {
  if (reason !== 'unsupported_media_type') return {}
  const types = bodyTypes.filter((type) => server.hasContentTypeParser(type)).join(', ')
  return { accept: types, ...(method === 'PATCH' ? { 'accept-patch': types } : {}) }
}

const bySocketCode: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Writes the same shape to the socket when Node refuses the input before there is a request. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable && mayWrite(socket)) {
    const reason = bySocketCode[error.code ?? ''] ?? 'invalid_request'
    const id = newRequestId()
    // The method is unknown, so assume a changing call. In any case nothing was done.
    const problem = new Problem(reason, {
      outcome: 'not_executed',
      ...(reason === 'invalid_request'
        ? { detail: 'This is not a well-formed HTTP request.' }
        : {}),
    })
    socket.write(rawReply(problem, id))
  }
  socket.destroySoon()
}

/**
 * Whether a client would not mistake the reply for the answer to an earlier pipelined request that is
 * still in progress. The faulty request itself has not arrived completely.
 */
function mayWrite(socket: Socket): boolean {
  const pending = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage
  return pending == null || (!pending.headersSent && !pending.req.complete)
}

function rawReply(problem: Problem, id: string): string {
  const { status } = errorTable[problem.reason] as ErrorEntry
  const body = JSON.stringify(problemBody(problem, { id, changing: true, keyed: false }))
  const headers = {
    ...headersOfAll(id),
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...problemHeaders(problem),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
