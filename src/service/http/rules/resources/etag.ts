import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../errors.ts'
import { isList } from '../route-rules.ts'

/** Tags read from If-Match and If-None-Match. */
const tagsMax = 32

/**
 * The tag of a representation. The same object always has the same tag, whichever answer it is in, so
 * a member that only one answer has is left out. Health changes by itself and has a part of its own:
 * `If-Match` compares only what an owner changes.
 */
function etagOf(body: { readonly health?: unknown; readonly created_keys?: unknown }): string {
  const { health, created_keys: _said, ...owned } = body
  const tag = digestOf(JSON.stringify(owned))
  return health === undefined ? `"${tag}"` : `"${tag}.${digestOf(JSON.stringify(health))}"`
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** The part of a tag that covers what an owner changes. */
function ownedPart(tag: string): string {
  return tag.replace(/\..*"$/, '"')
}

function tagsOf(header: string): readonly string[] {
  return header.split(',', tagsMax).map((tag) => tag.trim().replace(/^W\//, ''))
}

/** Tags the answer of a route that declares `isVersioned`. */
export async function tagVersion(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const isSuccess = reply.statusCode === 200 || reply.statusCode === 201
  if (request.routeOptions.config.isVersioned === true && isSuccess) {
    reply.header('etag', etagOf(payload as object))
  }
  return payload
}

/** Tags a page of a list as it is sent, so that a client that polls the list can get a 304. */
export function tagPage(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const isPage =
    reply.statusCode === 200 && isList(request.routeOptions.schema) && typeof payload === 'string'
  if (isPage) reply.header('etag', `"${digestOf(payload)}"`)
}

/** Whether the client already has what this reply would send. */
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

/**
 * Refuses a read if the version is not the one in `If-Match`. An answer without a tag has no
 * version.
 */
export function refuseStaleRead(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  const expected = request.headers['if-match']
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (expected === undefined || !isRead || reply.statusCode !== 200) return
  const etag = reply.getHeader('etag')
  if (isMatch(expected, typeof etag === 'string' ? etag : null)) return
  if (payload instanceof Readable) payload.destroy()
  throw new Problem('precondition_failed')
}

/** Refuses a change if the current version is not the one in `If-Match`. */
export function requireMatch(request: FastifyRequest, current: object): void {
  const expected = request.headers['if-match']
  if (expected === undefined) return
  if (!isMatch(expected, etagOf(current))) throw new Problem('precondition_failed')
}

function isMatch(expected: string, etag: string | null): boolean {
  return tagsOf(expected).some(
    (tag) => tag === '*' || (etag !== null && ownedPart(tag) === ownedPart(etag)),
  )
}
