import type { FieldError } from '../error-kinds.ts'
import { Problem } from '../errors.ts'
import {
  type CellFault,
  type CellValue,
  cellValue,
  currencyMismatch,
  isFault,
  type Money,
  minorUnitsOf,
} from './cell-values.ts'
import { type ColumnChoices, type CsvHeader, type HeaderColumn, readHeader } from './csv-header.ts'
import { type CsvFile, type CsvRow, openCsv } from './csv-rows.ts'
import type { Charset } from './encodings.ts'
import type { Sheet } from './sheet-columns.ts'
import { type LineName, type RawLine, refusedFile, refuseTooMany } from './sheet-line.ts'
import { totalRowText } from './total-rows.ts'

/** How a file is written. */
type Written = Pick<CsvFile, 'separator' | 'charset'>
type Format = Pick<CsvFile, 'separator' | 'hasBrokenText'>

/** A file's header and format, and the objects of its lines. */
type Reading = {
  readonly header: CsvHeader
  readonly format: Format
  /** Every line has all of these objects, which are required, so that errors point at the field that is missing. */
  readonly groups: ReadonlySet<string>
}

export type CsvRequest = ColumnChoices & {
  readonly charset: Charset | null
}

export type ReadHeader = Pick<CsvHeader, 'shown' | 'errors'> & {
  /** Its row in the file. */
  readonly row: number
  readonly written: Written
}

/**
 * Reads a CSV file as spreadsheets write it: calls the first function for its header, and the second
 * for each line until one returns false. Blank cells and rows are skipped. Throws a Problem if the
 * file is unreadable, possibly after some lines, so callers must store nothing until it ends.
 */
export function readCsv(
  body: Buffer,
  sheet: Sheet,
  request: CsvRequest,
  take: {
    readonly header: (header: ReadHeader) => boolean
    readonly line: (line: RawLine) => boolean
  },
): void {
  const format = openCsv(body, { linesMax: sheet.linesMax, charset: request.charset })
  const groups = new Set(
    sheet.columns.flatMap(({ pointer, isRequired }) =>
      isRequired ? pointer.split('/').slice(1, -1) : [],
    ),
  )
  let header: CsvHeader | null = null
  let count = 0
  let currency: string | null = null
  format.forEachRow((row) => {
    if (row.cells.every(isBlank)) return true
    if (header === null) {
      if (row.cells.some((cell) => isBroken(cell, format))) {
        throw refusedFile('not_utf8', `The file is not UTF-8. ${inUtf8}`)
      }
      header = readHeader(row.cells, sheet, request)
      const { separator, charset } = format
      const { shown, errors } = header
      return take.header({ row: row.row, written: { separator, charset }, shown, errors })
    }
    refuseTooMany(++count, sheet.words.file, sheet.linesMax)
    const totalText = sheet.setsTotalsAside ? totalRowText(row.cells, header) : null
    const reading = { header, format, groups }
    if (totalText !== null) return take.line({ ...lineOf(row, reading, currency), totalText })
    const line = lineOf(row, reading)
    const named = line.fields?.currency
    if (typeof named === 'string') currency = named
    return take.line(line)
  })
  if (header === null) {
    throw refusedFile('required', 'The file is empty. Its first line must name the columns.')
  }
}

/** As many as a person corrects in one go. */
const headerErrorsMax = 20

/** Throws a Problem that names each wrong column. */
export function refuseHeader({ errors: all }: Pick<ReadHeader, 'errors'>): void {
  if (all.length === 0) return
  const errors = all
    .slice(0, headerErrorsMax)
    .map(({ pointer, reason, detail }) => ({ pointer, reason, detail }))
  const detail = errors.map((error) => error.detail).join(' ')
  throw new Problem('validation_failed', { detail, errors })
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

/** `currencyBefore` is for a row that names no currency, and may be a line of totals. */
function lineOf(
  { row, cells }: CsvRow,
  reading: Reading,
  currencyBefore: string | null = null,
): RawLine {
  const { header, format, groups } = reading
  const miscounted = wrongCount(cells, header)
  if (miscounted !== null) return { line: row, fields: null, errors: [miscounted], cells }
  const fields: Record<string, unknown> = {}
  for (const group of groups) fields[group] = {}
  const line = new LineCells(fields)
  for (const [index, cell] of cells.entries()) {
    const column = header.columns[index]
    if (column == null || isBlank(cell)) continue
    line.fill(column, readable(cell, column, format))
  }
  for (const { of, text } of header.values) {
    if (!line.has(of)) line.fill(of, readable(text, of, format))
  }
  line.setAmounts(header.currency ?? currencyBefore)
  const known = new Set(line.errors.map(({ pointer }) => pointer))
  const mixed = mixedDecimals(cells, header).filter(({ pointer }) => !known.has(pointer))
  const errors = [...line.errors, ...mixed]
  return {
    line: row,
    fields,
    errors,
    missing: header.missing,
    ...(line.names.length > 0 && { names: line.names }),
    cells,
  }
}

/** The cells of a line that are read one after the other. */
class LineCells {
  readonly errors: FieldError[] = []
  readonly names: LineName[] = []
  readonly #filled = new Set<string>()
  readonly #amounts: { readonly of: HeaderColumn; readonly money: Money }[] = []
  readonly #fields: Record<string, unknown>

  constructor(fields: Record<string, unknown>) {
    this.#fields = fields
  }

  has({ column: { pointer } }: HeaderColumn): boolean {
    return this.#filled.has(pointer)
  }

  fill(of: HeaderColumn, value: CellValue | CellFault): void {
    const { column } = of
    if (isFault(value)) this.errors.push(errorAt(of, value))
    else if (this.has(of)) this.errors.push(errorAt(of, idAndName))
    else if (typeof value === 'object') this.#amounts.push({ of, money: value })
    else if (column.type === 'name' && !idForm.test(`${value}`)) {
      const { name, pointer } = column
      this.names.push({ name, pointer, text: `${value}` })
    } else this.#put(of.path, value)
    this.#filled.add(column.pointer)
  }

  /** The minor units of the amounts, once the currency of the line is known. */
  setAmounts(ofHeader: string | null): void {
    if (ofHeader !== null && this.#fields.currency === undefined) {
      this.#put(['currency'], ofHeader)
    }
    for (const { of, money } of this.#amounts) {
      const beside = [...of.path.slice(0, -1), 'currency']
      if (this.#at(beside) === undefined && money.currency !== null) {
        this.#put(beside, money.currency)
      }
      const currency = String(this.#at(beside) ?? '')
      const isOther = money.currency !== null && money.currency !== currency
      const value = isOther ? currencyMismatch : minorUnitsOf(money, currency)
      if (typeof value === 'object') this.errors.push(errorAt(of, value))
      else this.#put(of.path, value)
    }
  }

  #at([first = '', second]: readonly string[]): unknown {
    const value = this.#fields[first]
    return second === undefined ? value : (value as Record<string, unknown> | undefined)?.[second]
  }

  #put([first = '', second]: readonly string[], value: string | number): void {
    if (second === undefined) this.#fields[first] = value
    else {
      this.#fields[first] ??= {}
      const group = this.#fields[first] as Record<string, string | number>
      group[second] = value
    }
  }
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

function readable(cell: string, column: HeaderColumn, format: Format): CellValue | CellFault {
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

function errorAt({ column }: HeaderColumn, { reason, detail }: CellFault): FieldError {
  const { pointer, name } = column
  return { pointer, reason, detail: `Column \`${name}\`: ${detail}` }
}

/** With a decimal comma elsewhere in the line, the point in 1.200 separates thousands. */
function mixedDecimals(cells: readonly string[], { columns, numbers }: CsvHeader): FieldError[] {
  const measures = numbers.filter((index) => columns[index]?.column.type !== 'money')
  const withMark = (mark: string) => measures.filter((index) => cells[index]?.includes(mark))
  if (withMark(',').length === 0) return []
  const detail = 'The line has both decimal points and decimal commas.'
  return withMark('.').map((index) =>
    errorAt(columns[index] as HeaderColumn, { reason: 'mixed_decimals', detail }),
  )
}
