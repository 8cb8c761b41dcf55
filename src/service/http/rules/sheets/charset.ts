import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../errors.ts'
import { type Charset, charsets } from '../../../sheets/encodings.ts'
import { declaredCharset } from '../json-body.ts'

/** The declared charset of a file, or null. Throws a Problem for one that is not supported. */
export function charsetOf(request: Pick<FastifyRequest, 'headers'>): Charset | null {
  const declared = declaredCharset(request)
  if (declared === null) return null
  const encoding = encodingOf(declared)
  const found = charsets.find((each) => each === encoding)
  if (found !== undefined) return found
  throw new Problem('unsupported_media_type', {
    detail: 'The charset must be UTF-8, UTF-16 or Windows-1252.',
  })
}

/** Labels are those of the WHATWG Encoding Standard: Latin-1 is read as Windows-1252. */
function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}
