import { createReadStream } from 'node:fs'
import type { z } from 'zod'

/** Far above a line with the largest event or a thousand keys: a longer line is no export. */
const lineCharactersMax = 8 * 1024 * 1024

/**
 * The lines of an exported file, given its name or content, ended by line feeds only: Unicode's separators occur in texts.
 * Null for what is no line of an export, and nothing after it: it is too long, not UTF-8, has a carriage
 * return or does not end with a line feed.
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

/** Null for bytes that are not UTF-8, and nothing after them. */
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

/**
 * The content of a line; null when it does not fit the schema, or can be read in more than one way.
 */
export function parsedLine<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null
  try {
    return schema.safeParse(unambiguous(text)).data ?? null
  } catch {
    return null
  }
}

/** Every string of a line; one with a colon after it is a name. */
const texts = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g

/**
 * The JSON of a text that all readers take for the same. No object repeats a name: the leaf would cover
 * only one of the two. `__proto__` is no name of ours: some readers drop it. Throws SyntaxError.
 */
export function unambiguous(text: string, allowsProto = false): unknown {
  let members = -1
  const value: unknown = JSON.parse(text, function (this: unknown, name: string, member: unknown) {
    if (name === '__proto__' && !allowsProto)
      throw new SyntaxError('a name that objects do not keep')
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
