import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { isList } from './route-rules.ts'

/** Tags looked at in If-Match and If-None-Match. */
const tagsMax = 32

/** The tag of a representation: the same object, the same tag, whatever version counted it. */
export function etagOf(body: object): string {
  return tagOf(JSON.stringify(body))
}

function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

function names(header: string, etag: string): boolean {
  return header
    .split(',', tagsMax)
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
}

/** Answers a read of one resource with its ETag; who has this very one gets a 304 on the way out. */
export function answerRead<T extends object>(reply: FastifyReply, body: T): T {
  reply.header('etag', etagOf(body))
  return body
}

/** The tag of a page of a list, as it is sent: whoever looks for news of a list asks with it. */
export function tagPage(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const isPage =
    reply.statusCode === 200 && isList(request.routeOptions.schema) && typeof payload === 'string'
  if (isPage) reply.header('etag', tagOf(payload))
}

/** Whether the caller has what this reply would send. */
export function isNotModified(request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag')
  const known = request.headers['if-none-match']
  return (
    reply.statusCode === 200 &&
    typeof etag === 'string' &&
    known !== undefined &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    names(known, etag)
  )
}

/** Refuses a change that was made on another version than the one there is now. */
export function requireMatch(request: FastifyRequest, current: object): void {
  const expected = request.headers['if-match']
  if (expected !== undefined && !names(expected, etagOf(current))) {
    throw new Problem('precondition_failed')
  }
}
