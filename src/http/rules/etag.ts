import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { isList } from './route-rules.ts'

/** Tags looked at in If-Match and If-None-Match. */
const tagsMax = 32

/**
 * The tag of a representation: the same object, the same tag, whatever version counted it. Health, which
 * changes by itself, has a part of its own: `If-Match` is about what an owner changes.
 */
export function etagOf(body: { readonly health?: unknown }): string {
  const { health, ...owned } = body
  const tag = digestOf(JSON.stringify(owned))
  return health === undefined ? `"${tag}"` : `"${tag}.${digestOf(JSON.stringify(health))}"`
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** The part of a tag that is about what an owner changes. */
function ownedPart(tag: string): string {
  return tag.replace(/\..*"$/, '"')
}

function tagsOf(header: string): readonly string[] {
  return header.split(',', tagsMax).map((tag) => tag.trim().replace(/^W\//, ''))
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
  if (isPage) reply.header('etag', `"${digestOf(payload)}"`)
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
    tagsOf(known).some((tag) => tag === etag || tag === '*')
  )
}

/** Refuses a change that was made on another version than the one there is now. */
export function requireMatch(request: FastifyRequest, current: object): void {
  const expected = request.headers['if-match']
  if (expected === undefined) return
  const owned = ownedPart(etagOf(current))
  if (!tagsOf(expected).some((tag) => ownedPart(tag) === owned || tag === '*')) {
    throw new Problem('precondition_failed')
  }
}
