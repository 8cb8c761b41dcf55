import type { SheetFile } from './sheet-file.ts'
import type { SheetCheck, SheetError } from './use-sheet-check.ts'

type Written = NonNullable<SheetCheck['file']>
/** The same file with another text in the cell of an error. Null if the cell is not found. */
export async function mendedFile(
  file: SheetFile,
  check: Pick<SheetCheck, 'file' | 'columns'>,
  { error, text }: { readonly error: SheetError; readonly text: string },
): Promise<SheetFile | null> {
  if (check.file === null) return null
  const { first, rows } = await rowsOf(file, check.file)
  const row = rows[error.line - 1]
  const place = row === undefined ? -1 : placeOf(check, error, row)
  if (row === undefined || place === -1) return null
  const mended = rows.with(error.line - 1, row.with(place, text))
  return { ...file, version: file.version + 1, content: first + written(mended, check.file) }
}

/** The header and the rows with a text, with a last column for it. Null if the file cannot be read here. */
export async function rowsWith(
  file: SheetFile,
  check: Pick<SheetCheck, 'file'>,
  { name, texts }: { readonly name: string; readonly texts: ReadonlyMap<number, string> },
): Promise<string | null> {
  if (check.file === null) return null
  const { rows } = await rowsOf(file, check.file)
  const [header = []] = rows
  const chosen = rows.flatMap((row, index) => {
    const text = texts.get(index + 1)
    return text === undefined ? [] : [[...row, text]]
  })
  return written([[...header, name], ...chosen], check.file)
}

/** The rows of a file, empty ones included, and the line before them that declares the separator. */
async function rowsOf({ content }: SheetFile, { charset, separator }: Written) {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const text = typeof content === 'string' ? content : new TextDecoder(charset).decode(content)
  const first = /^\ufeff?(?:"?sep=[^"\r\n]?"?(?:\r\n|\n|\r))?/i.exec(text)?.[0] ?? ''
  const rows = parse(text.slice(first.length), {
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
  })
  return { first: first.replace('\ufeff', ''), rows }
}

/** The place of the cell: of several columns with the same name, the one with the value. -1 if none is. */
function placeOf(
  { columns }: Pick<SheetCheck, 'columns'>,
  { column, value }: SheetError,
  row: readonly string[],
): number {
  const places = columns.flatMap(({ header }, place) => (header === column ? [place] : []))
  const place = places.find((each) => row[each] === value) ?? places[0] ?? -1
  return place < row.length ? place : -1
}

function written(rows: readonly (readonly string[])[], { separator }: Written): string {
  const quoted = (cell: string) =>
    /["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  return rows.map((row) => `${row.map(quoted).join(separator)}\r\n`).join('')
}
