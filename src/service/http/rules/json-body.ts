import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { parseStrictJson, utf8Text } from '../../strict-json.ts'

type Longer = {
  readonly bodyLimit: number
  /** Reads the body in slices. */
  readonly parse: (body: Buffer) => Promise<unknown>
}

/**
 * Accepts only JSON in UTF-8; everything else is 415 before it is read. A body is parsed at once and
 * has the server's limit, unless `longer` says otherwise.
 */
export function jsonBodies(app: FastifyInstance, longer?: Longer): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', ...(longer === undefined ? {} : { bodyLimit: longer.bodyLimit }) },
    async (request: FastifyRequest, body: Buffer) => {
      requireUtf8(request)
      refuseCompressed(request)
      return longer === undefined ? parseJson(body) : await longer.parse(body)
    },
  )
}

type Headers = Pick<FastifyRequest, 'headers'>

/** The charset that the content type declares, as written. Null if it declares none. */
export function declaredCharset({ headers }: Headers): string | null {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? null
}

/** Throws a Problem for a compressed body. */
export function refuseCompressed({ headers }: Headers): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return
  throw new Problem('unsupported_media_type', {
    detail: 'The body must not be compressed.',
    headers: { 'accept-encoding': 'identity' },
  })
}

/** Throws a Problem unless the charset is UTF-8 or not declared. */
export function requireUtf8(request: Headers): void {
  const charset = declaredCharset(request)
  if (charset === null || /^utf-?8$/i.test(charset)) return
  throw new Problem('unsupported_media_type', { detail: 'The charset must be UTF-8.' })
}

/** The parsed body. Undefined if it is empty. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  const text = utf8Text(body)
  if (text === null) throw new Problem('invalid_json', { detail: 'The body is not UTF-8.' })
  return parseStrictJson(text)
}
