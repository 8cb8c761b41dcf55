import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'

type Headers = Pick<FastifyRequest, 'headers'>

/** The charset that the content type declares, as it is written; null if it declares none. */
export function declaredCharset({ headers }: Headers): string | null {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? null
}

/** Throws a Problem for a body that is not sent as it is. */
export function refuseCompressed({ headers }: Headers): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return
  throw new Problem('unsupported_media_type', { detail: 'The body must not be compressed.' })
}

/** Throws a Problem unless the charset is UTF-8 or not declared. */
export function requireUtf8(request: Headers): void {
  const charset = declaredCharset(request)
  if (charset === null || /^utf-?8$/i.test(charset)) return
  throw new Problem('unsupported_media_type', { detail: 'The charset must be UTF-8.' })
}
