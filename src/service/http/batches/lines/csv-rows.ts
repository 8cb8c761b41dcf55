import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { Pause } from '../../../couriers/slices.ts'
import type { Charset } from './charset.ts'
import type { Separator } from './csv-cells.ts'
import { lineBytesMax, linesAtOnceMax, refusedFile } from './raw-line.ts'

export type CsvRow = {
  /** As a spreadsheet shows it: the first is 1, and empty ones count. */
  readonly row: number
  readonly cells: readonly string[]
}

export type CsvFile = {
  readonly separator: Separator
  /** Whether a replacement character in a cell may stand for bytes that are not UTF-8. */
  readonly hasBrokenText: boolean
  rows(): AsyncGenerator<CsvRow>
}

/** Parsed between two pauses: about a millisecond. */
const bytesAtOnceMax = 16 * 1024
/** Parsed between two pauses: one with a wrong number of cells takes 25 µs, however short it is. */
const lineEndsAtOnceMax = 200
/** As many as a sheet has. The size of a row does not count empty ones. */
const cellsMax = 16_384
/** Beside the lines: sheets may end with many empty rows, but each is parsed. */
const emptyRowsMax = 90_000
const separators: readonly Separator[] = [',', ';', '\t']
const byteOrderMarks = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), encoding: 'utf-8' },
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
] as const
/** How .xlsx and .xls files begin. */
const workbooks = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])]

type Expected = { readonly linesMax: number; readonly charset: Charset }

/** Finds out how the file is written. Throws a Problem if it is not CSV that we read. */
export async function openCsv(
  body: Buffer,
  { linesMax, charset }: Expected,
  pause: Pause,
): Promise<CsvFile> {
  if (workbooks.some((start) => begins(body, start))) {
    throw refusedFile('workbook', 'The file is a workbook. Save the sheet as “CSV UTF-8”.')
  }
  const bytes = await inUtf8(body, charset, pause)
  const head = bytes.toString('utf8', 0, lineBytesMax)
  const declared = /^"?sep=([^"\r\n]?)"?(?:\r\n|\n|\r|$)/i.exec(head)
  const separator = declared === null ? separatorOf(head) : declaredSeparator(declared[1])
  const rest = bytes.subarray(Buffer.byteLength(declared?.[0] ?? ''))
  return {
    separator,
    hasBrokenText: !isUtf8(rest),
    rows: () => rowsOf(rest, { separator, rowsMax: linesMax + emptyRowsMax }, pause),
  }
}

function begins(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}

/** Without its byte-order mark. */
async function inUtf8(body: Buffer, charset: Charset, pause: Pause): Promise<Buffer> {
  const found = byteOrderMarks.find(({ mark }) => begins(body, mark))
  const bytes = body.subarray(found?.mark.length ?? 0)
  const encoding = found?.encoding ?? charset
  if (encoding === 'utf-8') return bytes
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  const parts: Buffer[] = []
  try {
    for await (const chunk of chunksOf(bytes, pause)) {
      parts.push(Buffer.from(decoder.decode(chunk, { stream: true })))
    }
    parts.push(Buffer.from(decoder.decode()))
  } catch {
    throw refusedFile(
      'not_utf16',
      'The file begins like UTF-16 or is declared so, but is not. Save it as “CSV UTF-8”.',
    )
  }
  return Buffer.concat(parts)
}

async function* chunksOf(bytes: Buffer, pause: Pause): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    if (at > 0) await pause()
    const end = endOfChunk(bytes, at)
    yield bytes.subarray(at, end)
    at = end
  }
}

function endOfChunk(bytes: Buffer, start: number): number {
  const end = Math.min(start + bytesAtOnceMax, bytes.length)
  let lineEnds = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if ((byte === 0x0a || byte === 0x0d) && ++lineEnds === lineEndsAtOnceMax) return at + 1
  }
  return end
}

/**
 * Passes the chunks on, up to a row of too many cells: the parser would collect all of them before it
 * counts any.
 */
async function* withFewCells(
  chunks: AsyncIterable<Buffer>,
  separator: Separator,
): AsyncGenerator<Buffer> {
  const between = separator.charCodeAt(0)
  let cells = 1
  let isQuoted = false
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === 0x22) isQuoted = !isQuoted
      else if (isQuoted) continue
      else if (byte === 0x0a || byte === 0x0d) cells = 1
      else if (byte === between && ++cells > cellsMax) {
        throw refusedFile('too_many_columns', `A row has at most ${cellsMax} cells.`)
      }
    }
    yield chunk
  }
}

/** The one that occurs most often in the first line, quoted cells aside. */
function separatorOf(head: string): Separator {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(head.replace(/^[\r\n]+/, ''))?.[0] ?? ''
  const bare = line.replace(/"(?:[^"]|"")*"/g, '')
  const count = (separator: Separator) => bare.split(separator).length
  return separators.toSorted((a, b) => count(b) - count(a))[0] as Separator
}

function declaredSeparator(declared: string | undefined): Separator {
  const separator = separators.find((each) => each === declared)
  if (separator !== undefined) return separator
  throw refusedFile(
    'unknown_separator',
    'The separator that the first line declares must be a comma, a semicolon or a tab.',
  )
}

async function* rowsOf(
  bytes: Buffer,
  { separator, rowsMax }: { readonly separator: Separator; readonly rowsMax: number },
  pause: Pause,
): AsyncGenerator<CsvRow> {
  const parser = pipeline(
    withFewCells(chunksOf(bytes, pause), separator),
    parse({
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: lineBytesMax,
      info: true,
    }),
    // The loop below gets its errors.
    () => {},
  )
  let count = 0
  try {
    for await (const { record, info } of parser) {
      if (++count > rowsMax)
        throw refusedFile('too_many_rows', `A file has at most ${rowsMax} rows.`)
      if (count % linesAtOnceMax === 0) await pause()
      yield { row: info.records + info.empty_lines, cells: record }
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error
  }
}

/** Without its cause, whose message repeats what is in a cell. */
function unreadable(error: CsvError) {
  const row = Number(error.records) + Number(error.empty_lines) + 1
  const where = `Row ${row}, cell ${Number(error.index) + 1}`
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return refusedFile(
      'too_large',
      `Row ${row} has more than ${lineBytesMax} bytes. Is there a quote that is not closed?`,
    )
  }
  return refusedFile(
    'invalid_quotes',
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? `${where}: the quote is not closed.`
      : `${where}: a quote inside a cell must be doubled, and the whole cell be in quotes.`,
  )
}
