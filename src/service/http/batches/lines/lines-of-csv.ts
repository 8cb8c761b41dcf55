import { nextTurn, type Pause } from '../../../couriers/slices.ts'
import type { FieldError } from '../../../error-kinds.ts'
import type { Charset } from './charset.ts'
import { cellValue } from './csv-cells.ts'
import { batchFiles, type CsvFiles } from './csv-columns.ts'
import { type CsvHeader, type HeaderColumn, readHeader } from './csv-header.ts'
import { type CsvFile, type CsvRow, openCsv } from './csv-rows.ts'
import { type LineName, type RawLine, refusedFile, refuseTooMany } from './raw-line.ts'

type Format = Pick<CsvFile, 'separator' | 'hasBrokenText'>

/** A file's header and format, and the objects of its lines. */
type Reading = {
  readonly header: CsvHeader
  readonly format: Format
  /** A line has all of them, so that errors point at what they lack. */
  readonly groups: ReadonlySet<string>
}

/**
 * The lines of a file in CSV, as spreadsheets write it. Cells of blanks and rows without any other
 * are skipped. Throws a Problem for what makes all lines unreadable, possibly after some of them, so
 * callers keep nothing until it ends.
 */
export async function* linesOfCsv(
  body: Buffer,
  pause: Pause = nextTurn,
  files: CsvFiles = batchFiles,
  charset: Charset = 'utf-8',
): AsyncGenerator<RawLine> {
  const format = await openCsv(body, { linesMax: files.linesMax, charset }, pause)
  const groups = new Set(files.columns.flatMap(({ pointer }) => pointer.split('/').slice(1, -1)))
  let header: CsvHeader | null = null
  let count = 0
  for await (const row of format.rows()) {
    if (row.cells.every(isBlank)) continue
    if (header === null) {
      if (row.cells.some((cell) => isBroken(cell, format))) {
        throw refusedFile('not_utf8', `The file is not UTF-8. ${inUtf8}`)
      }
      header = readHeader(row.cells, files)
      continue
    }
    refuseTooMany(++count, files.file, files.linesMax)
    yield lineOf(row, { header, format, groups })
  }
  if (header === null) {
    throw refusedFile('required', 'The file is empty. Its first line must name the columns.')
  }
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

function lineOf({ row, cells }: CsvRow, { header, format, groups }: Reading): RawLine {
  const miscounted = wrongCount(cells, header)
  if (miscounted !== null) return { line: row, fields: null, errors: [miscounted] }
  const fields: Record<string, unknown> = {}
  for (const group of groups) fields[group] = {}
  const errors: FieldError[] = []
  const names: LineName[] = []
  const filled = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    const column = header.columns[index]
    if (column === undefined || isBlank(cell)) continue
    const value = readable(cell, column, format)
    if (typeof value === 'object') errors.push(errorAt(column, value))
    else if (filled.has(column.pointer)) errors.push(errorAt(column, idAndName))
    else if (column.type === 'name' && !idForm.test(`${value}`)) {
      names.push({ name: column.name, pointer: column.pointer, text: `${value}` })
    } else put(fields, column.path, value)
    filled.add(column.pointer)
  }
  if (errors.length === 0) errors.push(...mixedDecimals(cells, header))
  if (errors.length > 0) return { line: row, fields: null, errors }
  return names.length === 0 ? { line: row, fields, errors } : { line: row, fields, errors, names }
}

/** No name has this form, so a column of names may have ids too. */
const idForm = /^[a-z]+_[0-9A-Za-z]{22}$/

const idAndName = {
  reason: 'id_and_name',
  detail: 'The line has both the id and the name. Leave one of the two cells empty.',
}

/** Spreadsheets leave out empty cells at the end of a row, and add some. */
function wrongCount(cells: readonly string[], header: CsvHeader): FieldError | null {
  const used = cells.findLastIndex((cell) => !isBlank(cell)) + 1
  const { columns, cellsMin } = header
  if (used <= columns.length && cells.length >= cellsMin) return null
  const hint = used > columns.length ? ' A cell with a separator in it must be in quotes.' : ''
  return {
    pointer: '',
    reason: 'wrong_cell_count',
    detail: `The line has ${cells.length} cells, and the header has ${columns.length}.${hint}`,
  }
}

function readable(cell: string, column: HeaderColumn, format: Format) {
  if (isBroken(cell, format)) {
    return { reason: 'not_utf8', detail: `The text is not UTF-8. ${inUtf8}` }
  }
  return cellValue(cell, column, format.separator)
}

const inUtf8 =
  'Save the file as “CSV UTF-8”, or declare how it is written: `text/csv; charset=windows-1252`.'

function isBroken(cell: string, { hasBrokenText }: Format): boolean {
  return hasBrokenText && cell.includes('\ufffd')
}

function errorAt(column: HeaderColumn, { reason, detail }: Omit<FieldError, 'pointer'>) {
  return { pointer: column.pointer, reason, detail: `Column \`${column.name}\`: ${detail}` }
}

function put(fields: Record<string, unknown>, path: readonly string[], value: string | number) {
  const [first = '', second] = path
  if (second === undefined) fields[first] = value
  else {
    fields[first] ??= {}
    const group = fields[first] as Record<string, string | number>
    group[second] = value
  }
}

/** With a decimal comma elsewhere in the line, the point in 1.200 separates thousands. */
function mixedDecimals(cells: readonly string[], { columns, numbers }: CsvHeader): FieldError[] {
  const withMark = (mark: string) => numbers.filter((index) => cells[index]?.includes(mark))
  if (withMark(',').length === 0) return []
  const detail = 'The line has both decimal points and decimal commas.'
  return withMark('.').map((index) =>
    errorAt(columns[index] as HeaderColumn, { reason: 'mixed_decimals', detail }),
  )
}
