import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import type { Separator } from './cell-values.ts'
import { type Charset, decoded } from './encodings.ts'
import { lineBytesMax, refusedFile } from './sheet-line.ts'

export type CsvRow = {
  /** The number that a spreadsheet shows: from 1, empty rows included. */
  readonly row: number
  readonly cells: readonly string[]
}

export type CsvFile = {
  readonly separator: Separator
  readonly charset: Charset
  /** Whether a replacement character in a cell may stand for bytes that are not UTF-8. */
  readonly hasBrokenText: boolean
  /** Calls the function for each row that is not empty, until it returns false. */
  forEachRow(take: (row: CsvRow) => boolean): void
}

/** As many as a spreadsheet has. The limit on the size of a row does not count empty cells. */
const cellsMax = 16_384
/** Rows besides the lines: spreadsheets may end with many empty rows, and each is parsed. */
const emptyRowsMax = 90_000
export const separators = [',', ';', '\t'] as const satisfies readonly Separator[]

type Expected = { readonly linesMax: number; readonly charset: Charset | null }

/** Detects how the file is written. Throws a Problem if it is not CSV that the service can read. */
export function openCsv(body: Buffer, { linesMax, charset: declaredCharset }: Expected): CsvFile {
  const { bytes, charset, hasBrokenText } = decoded(body, declaredCharset)
  const head = bytes.toString('utf8', 0, lineBytesMax)
  const declared = /^"?sep=([^"\r\n]?)"?(?:\r\n|\n|\r|$)/i.exec(head)
  const separator = declared === null ? separatorOf(head) : declaredSeparator(declared[1])
  const rest = bytes.subarray(Buffer.byteLength(declared?.[0] ?? ''))
  return {
    separator,
    charset,
    hasBrokenText,
    forEachRow: (take) => {
      refuseManyCells(rest, separator)
      eachRow(rest, { separator, rowsMax: linesMax + emptyRowsMax }, take)
    },
  }
}

/** Refuses rows with too many cells: the parser would collect all of them before it counts any. */
function refuseManyCells(bytes: Buffer, separator: Separator): void {
  const between = separator.charCodeAt(0)
  let cells = 1
  let isQuoted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x22) isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (byte === 0x0a || byte === 0x0d) cells = 1
    else if (byte === between && ++cells > cellsMax) {
      throw refusedFile('too_many_columns', `A row has at most ${cellsMax} cells.`)
    }
  }
}

/** The separator that occurs most often in the first line, outside quoted cells. */
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

/** Ends the parsing of a file whose caller has read enough. */
class Enough extends Error {}

function eachRow(
  bytes: Buffer,
  { separator, rowsMax }: { readonly separator: Separator; readonly rowsMax: number },
  take: (row: CsvRow) => boolean,
): void {
  let count = 0
  try {
    parse(bytes, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: lineBytesMax,
      on_record: (cells: string[], { records, empty_lines }) => {
        if (++count > rowsMax)
          throw refusedFile('too_many_rows', `A file has at most ${rowsMax} rows.`)
        if (!take({ row: records + empty_lines, cells })) throw new Enough()
        return null
      },
    })
  } catch (error) {
    if (error instanceof Enough) return
    throw error instanceof CsvError ? unreadable(error) : error
  }
}

/** Leaves out the cause, whose message repeats what is in a cell. */
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
