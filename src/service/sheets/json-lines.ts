import type { FieldError } from '../error-kinds.ts'
import { Problem } from '../errors.ts'
import { parseStrictJson, utf8Text } from '../strict-json.ts'
import type { Sheet } from './sheet-columns.ts'
import { lineBytesMax, type RawLine, refuseTooMany } from './sheet-line.ts'

const newline = 0x0a

type Take = (line: RawLine) => boolean

/**
 * Calls the function for each line of NDJSON, one JSON object each, until it returns false. Empty
 * lines are skipped. Throws a Problem after the last allowed line if more follow, so callers must
 * store nothing until it ends.
 */
export function readNdjson(body: Buffer, { words, linesMax }: Sheet, take: Take): void {
  let line = 0
  let count = 0
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(newline, start)
    const end = found === -1 ? body.length : found
    const bytes = body.subarray(start, end)
    start = end + 1
    line++
    if (bytes.length <= lineBytesMax && isBlank(bytes)) continue
    refuseTooMany(++count, words.file, linesMax)
    if (!take({ line, ...readLine(bytes) })) return
  }
}

/** Calls the function for each item of a list in JSON, until it returns false. `ends` are its ends. */
export function readItems(body: Buffer, ends: readonly number[], take: Take): void {
  let start = 0
  for (const [index, end] of ends.entries()) {
    const bytes = body.subarray(start, end)
    start = end
    if (!take({ line: index + 1, ...readLine(bytes) })) return
  }
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  return true
}

function readLine(bytes: Buffer): Pick<RawLine, 'fields' | 'errors'> {
  if (bytes.length > lineBytesMax) {
    return failed({ reason: 'too_large', detail: `A line has at most ${lineBytesMax} bytes.` })
  }
  const text = utf8Text(bytes)
  if (text === null) return failed({ reason: 'not_utf8', detail: 'The line is not UTF-8.' })
  try {
    const value = parseStrictJson(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { fields: value as Record<string, unknown>, errors: [] }
    }
    return failed({ reason: 'invalid_type', detail: 'Expected object.' })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { errors } = error.options
    if (errors !== undefined) return { fields: null, errors }
    return failed({ reason: error.reason, detail: 'The line is not valid JSON.' })
  }
}

function failed(error: Omit<FieldError, 'pointer'>): Pick<RawLine, 'fields' | 'errors'> {
  return { fields: null, errors: [{ pointer: '', ...error }] }
}
