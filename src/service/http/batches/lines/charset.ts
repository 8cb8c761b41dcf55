import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../errors.ts'
import { declaredCharset } from '../../rules/json-body.ts'

const charsets = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
/** How a file is written; a byte-order mark in it says otherwise. */
export type Charset = (typeof charsets)[number]

/** The charset of a file; one that is not declared is UTF-8. Throws a Problem for one that is not read. */
export function charsetOf(request: Pick<FastifyRequest, 'headers'>): Charset {
  const declared = declaredCharset(request)
  if (declared === null) return 'utf-8'
  const encoding = encodingOf(declared)
  const found = charsets.find((each) => each === encoding)
  if (found !== undefined) return found
  throw new Problem('unsupported_media_type', {
    detail: 'The charset must be UTF-8, UTF-16 or Windows-1252.',
  })
}

/** By the names of the WHATWG's Encoding Standard: Latin-1 is read as Windows-1252. */
function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}
