import { nextTurn, type Pause } from '../../../couriers/slices.ts'
import type { FieldError } from '../../../error-kinds.ts'
import { Problem } from '../../../errors.ts'
import { parseStrictJson, utf8Text } from '../../rules/json-body.ts'
import { batchFiles } from './csv-columns.ts'
import { lineBytesMax, linesAtOnceMax, type RawLine, refuseTooMany } from './raw-line.ts'

const newline = 0x0a
/** Read between two pauses: a few milliseconds if all lines are empty. */
const bytesAtOnceMax = 32 * 1024

/**
 * The lines of a batch in NDJSON, one JSON object each. Empty lines are skipped. Throws a Problem
 * after the last allowed line if more follow, so callers keep nothing until it ends.
 */
export async function* linesOfNdjson(
  body: Buffer,
  pause: Pause = nextTurn,
): AsyncGenerator<RawLine> {
  let line = 0
  let count = 0
  let pausedAt = 0
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(newline, start)
    const end = found === -1 ? body.length : found
    const bytes = body.subarray(start, end)
    start = end + 1
    line++
    if (start - pausedAt >= bytesAtOnceMax) {
      pausedAt = start
      await pause()
    }
    if (bytes.length <= lineBytesMax && isBlank(bytes)) continue
    refuseTooMany(++count, batchFiles.file, batchFiles.linesMax)
    if (count % linesAtOnceMax === 0) await pause()
    yield { line, ...read(bytes) }
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

function read(bytes: Buffer): Pick<RawLine, 'fields' | 'errors'> {
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
