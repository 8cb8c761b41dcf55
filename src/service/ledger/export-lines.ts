import { createReadStream } from 'node:fs'
import type { z } from 'zod'

/** Far longer than a line with the largest event or a thousand keys. */
const lineCharactersMax = 8 * 1024 * 1024

/**
 * The lines of an exported file, given its name or content. Lines end with line feeds only:
 * Unicode's separators occur in texts. Yields null and ends at an invalid line: one that is too
 * long, not UTF-8, has a carriage return or does not end with a line feed.
 */
export async function* linesOf(file: string | Buffer): AsyncGenerator<string | null, void, void> {
  let rest = ''
  for await (const chunk of textsOf(file)) {
    const lines = `${rest}${chunk ?? ''}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.includes('\r')) return yield null
      yield line
    }
    if (chunk === null || rest.length > lineCharactersMax) return yield null
  }
  if (rest !== '') yield null
}

/** Yields null and ends at bytes that are not UTF-8. */
async function* textsOf(file: string | Buffer): AsyncGenerator<string | null, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    for await (const chunk of typeof file === 'string' ? createReadStream(file) : [file])
      yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    yield null
  }
}

/** The content of a line; null if it does not match the schema or is ambiguous. */
export function parsedLine<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null
  try {
    return schema.safeParse(unambiguous(text)).data ?? null
  } catch {
    return null
  }
}

/** Matches every string of a line. A string followed by a colon is a name. */
const texts = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g

/**
 * Parses JSON that every reader understands the same way. A name must not be repeated in an object,
 * because the leaf would cover only one of the values, and `__proto__` is refused, because some
 * readers drop it. Throws SyntaxError.
 */
function unambiguous(text: string): unknown {
  let members = -1
  const value: unknown = JSON.parse(text, function (this: unknown, name: string, member: unknown) {
    if (name === '__proto__') throw new SyntaxError('a name that objects do not keep')
    if (!name.isWellFormed() || (typeof member === 'string' && !member.isWellFormed()))
      throw new SyntaxError('half of a character')
    if (typeof member === 'number' && !Number.isFinite(member))
      throw new SyntaxError('a number that is too large')
    if (!Array.isArray(this)) members++
    return member
  })
  let names = 0
  for (const [, colon] of text.matchAll(texts)) if (colon !== undefined) names++
  if (names !== members) throw new SyntaxError('a name occurs twice')
  return value
}
