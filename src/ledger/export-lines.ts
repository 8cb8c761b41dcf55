import { createReadStream } from 'node:fs'
import type { z } from 'zod'

/** Far above a line with the largest event or a thousand keys: a longer line is no export. */
const lineCharactersMax = 8 * 1024 * 1024

/**
 * The lines of an exported file, given its name or content, ended by line feeds only: Unicode's separators occur in texts.
 * Null for a line too long for an export, and nothing after it.
 */
export async function* linesOf(file: string | Buffer): AsyncGenerator<string | null, void, void> {
  let rest = ''
  const chunks = typeof file === 'string' ? createReadStream(file, 'utf8') : [file.toString('utf8')]
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > lineCharactersMax) return yield null
  }
  if (rest !== '') yield rest
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
 * The JSON of a text in which no object repeats a name: readers would choose differently between
 * two, and the leaf would cover only one. `__proto__` is no name of ours: some readers drop it.
 */
function unambiguous(text: string): unknown {
  let members = -1
  const value: unknown = JSON.parse(text, function (this: unknown, name: string, member: unknown) {
    if (name === '__proto__') throw new SyntaxError('a name that objects do not keep')
    if (!Array.isArray(this)) members++
    return member
  })
  let names = 0
  for (const [, colon] of text.matchAll(texts)) if (colon !== undefined) names++
  if (names !== members) throw new SyntaxError('a name occurs twice')
  return value
}
