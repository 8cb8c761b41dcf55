type Separator = ',' | ';' | '\t'

export type CsvRow = {
  /** As a spreadsheet shows it: the first is 1, and empty ones count. */
  readonly row: number
  readonly cells: readonly string[]
}

export type CsvFile = {
  readonly separator: Separator
  readonly header: CsvRow
  /** Those with any text, after the header. */
  readonly lines: readonly CsvRow[]
}

/** Why a whole file cannot be read, as a sentence. */
export class UnreadableFile extends Error {}

/** The API's own limits of a batch in CSV. */
const bytesMax = 8 * 1024 * 1024
const linesMax = 10_000

const separators: readonly Separator[] = [',', ';', '\t']
/** How .xlsx and .xls files begin. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
const byteOrderMarks = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
]

type DecodedText = {
  readonly text: string
  /** It is not Unicode, so it was taken for what Excel writes in Western Europe and the Americas. */
  readonly isGuessed: boolean
}

/** The text of a file that a spreadsheet saved. */
export function decodedText(bytes: Uint8Array): DecodedText {
  if (bytes.length > bytesMax) {
    throw new UnreadableFile('The file is larger than 8 MB. Split it and send several.')
  }
  if (workbooks.some((start) => begins(bytes, start))) {
    throw new UnreadableFile('The file is a workbook. Save the sheet as “CSV UTF-8”.')
  }
  const found = byteOrderMarks.find(({ mark }) => begins(bytes, mark))
  const text = decodedAs(bytes, found?.encoding ?? 'utf-8')
  if (text !== null) return { text, isGuessed: false }
  if (found !== undefined) {
    throw new UnreadableFile('The text cannot be read. Save the sheet as “CSV UTF-8”.')
  }
  return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true }
}

function begins(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

/** Without its byte-order mark. */
function decodedAs(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Reads a text as the service reads it. Throws an UnreadableFile. */
export function readCsv(text: string): CsvFile {
  const declared = /^"?sep=([^"\r\n]?)"?(?:\r\n|\n|\r|$)/i.exec(text)
  const separator = declared === null ? separatorOf(text) : declaredSeparator(declared[1])
  const rows = rowsOf(text.slice(declared?.[0].length ?? 0), separator)
  const [header, ...lines] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (header === undefined) {
    throw new UnreadableFile('There is nothing in it. Its first line must name the columns.')
  }
  if (lines.length === 0) throw new UnreadableFile('It has a header, but no line below it.')
  if (lines.length > linesMax) {
    throw new UnreadableFile(`It has ${lines.length} lines, and a batch has at most ${linesMax}.`)
  }
  return { separator, header, lines }
}

/** The one that occurs most often in the first line, quoted cells aside. */
function separatorOf(text: string): Separator {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.replace(/^[\r\n]+/, ''))?.[0] ?? ''
  const bare = line.replace(/"(?:[^"]|"")*"/g, '')
  const count = (separator: Separator) => bare.split(separator).length
  return separators.toSorted((a, b) => count(b) - count(a))[0] as Separator
}

function declaredSeparator(declared: string | undefined): Separator {
  const separator = separators.find((each) => each === declared)
  if (separator !== undefined) return separator
  throw new UnreadableFile(
    'The separator that the first line declares must be a comma, a semicolon or a tab.',
  )
}

/** RFC 4180, with any line ends. Empty lines are left out, but counted. */
function rowsOf(text: string, separator: Separator): readonly CsvRow[] {
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  )
  const rows: CsvRow[] = []
  let cells: string[] = []
  let row = 1
  let at = 0
  do {
    cell.lastIndex = at
    const found = cell.exec(text)
    if (found === null) throw badQuote(row, cells.length)
    const [whole, quoted, plain = '', end] = found
    at += whole.length
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === separator) continue
    if (cells.length > 1 || whole !== end) rows.push({ row, cells })
    cells = []
    row++
  } while (at < text.length || cells.length > 0)
  return rows
}

function badQuote(row: number, index: number): UnreadableFile {
  return new UnreadableFile(
    `Row ${row}, cell ${index + 1}: a quote is not closed, or one inside a cell is not doubled.`,
  )
}
