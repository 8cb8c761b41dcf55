import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { headerCount } from './header-count.ts'

const lengthMax = 255
/** Only the quote and the backslash are escaped. */
const sfString = String.raw`"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"`
const sfNumber = String.raw`-?(?:[0-9]{1,12}\.[0-9]{1,3}|[0-9]{1,15})`
const bareItems = [
  sfString,
  sfNumber,
  String.raw`[A-Za-z*][!#$%&'*+\-.^_\x60|~0-9A-Za-z:/]*`,
  ':[A-Za-z0-9+/]*={0,2}:',
  String.raw`\?[01]`,
  '@-?[0-9]{1,15}',
  String.raw`%"(?:[\x20\x21\x23\x24\x26-\x7e]|%[0-9a-f]{2})*"`,
]
const parameter = `; *[a-z*][a-z0-9_.*-]*(?:=(?:${bareItems.join('|')}))?`
const item = new RegExp(`^(${sfString})(?:${parameter})*$`)
const visible = /^[\x21-\x7e]{1,255}$/

/**
 * The request's key: 1 to 255 visible ASCII characters. `"abc"`, the form of RFC 9651, is the same
 * key as `abc`.
 */
export function parseIdempotencyKey(request: FastifyRequest): string {
  const key = optionalIdempotencyKey(request)
  if (key === null) throw new Problem('idempotency_key_missing')
  return key
}

/** The same for requests whose key is optional. Null if there is none. */
export function optionalIdempotencyKey(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  if (typeof header !== 'string' || headerCount(request, 'idempotency-key') > 1) {
    throw invalid('The header occurs more than once.')
  }
  const key = header.startsWith('"') ? unquoted(header) : header
  if (!visible.test(key)) {
    throw invalid(`A key is 1 to ${lengthMax} visible ASCII characters.`)
  }
  return key
}

/**
 * A key to search for, quoted or not. Text that is not a valid key is searched as it is, and not
 * found.
 */
export function keyToFind(given: string): string {
  if (!given.startsWith('"')) return given
  try {
    return unquoted(given)
  } catch {
    return given
  }
}

/** The string of an item (RFC 9651, 3.3). Its parameters have no meaning here. */
function unquoted(header: string): string {
  const text = item.exec(header)?.[1]?.slice(1, -1)
  if (text === undefined) throw invalid('The quoted key is not well-formed.')
  return text.replace(/\\(["\\])/g, '$1')
}

function invalid(detail: string): Problem {
  return new Problem('idempotency_key_invalid', {
    detail,
    errors: [{ pointer: '#/headers/Idempotency-Key', reason: 'invalid_value', detail }],
  })
}
