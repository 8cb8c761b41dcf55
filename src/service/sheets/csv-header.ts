import { closest } from '../couriers/spelling.ts'
import { Problem } from '../errors.ts'
import { pointer } from '../field-errors.ts'
import { isNumeric, type Meanings, meaningsOf } from './cell-values.ts'
import { plainName } from './plain-name.ts'
import {
  metadataPrefix,
  moneyNamed,
  type NamedColumn,
  namesOf,
  type Sheet,
  type SheetColumn,
} from './sheet-columns.ts'
import { refusedFile, type SheetError } from './sheet-line.ts'

/** How the client says that columns are to be read. */
export type ColumnChoices = {
  /** By header: the column that it stands for; null for one to leave out, `*` for all others. */
  readonly columns: Readonly<Record<string, string | null>>
  /** By column: the text of every line whose cell is blank. */
  readonly values: Readonly<Record<string, string>>
}

export type HeaderColumn = NamedColumn & {
  /** As in the file. */
  readonly header: string
  readonly path: readonly string[]
  readonly meanings: Meanings
}

/** A header of the file, and the column that it was read as. */
type ReadColumn = {
  readonly header: string
  readonly field: string | null
  readonly unit: string | null
  /** The field in JSON. */
  readonly pointer: string | null
}

export type CsvHeader = {
  /** By position. Null for a column that is left out or unknown. */
  readonly columns: readonly (HeaderColumn | null)[]
  /** The values of lines whose cells are blank. */
  readonly values: readonly { readonly of: HeaderColumn; readonly text: string }[]
  /** The currency that the header of an amount names. */
  readonly currency: string | null
  /** The positions of the columns of numbers. */
  readonly numbers: readonly number[]
  /** A line with fewer cells lacks a required one. */
  readonly cellsMin: number
  readonly shown: readonly ReadColumn[]
  readonly errors: readonly SheetError[]
  /** The pointers that no line can have. */
  readonly missing: ReadonlySet<string>
}

/** Room for every field and 180 keys of metadata, of which a shipment has at most 20. */
const columnsMax = 200
/** Longer names are truncated in errors. */
const shownNameMax = 64
const suggestedMax = 3

const others = '*'

type Found =
  | { readonly kind: 'column'; readonly column: HeaderColumn }
  | { readonly kind: 'left_out' | 'unknown' }
  | { readonly kind: 'without_unit'; readonly column: SheetColumn }

/** What the first line says about the columns. Throws a Problem if there are too many. */
export function readHeader(
  cells: readonly string[],
  sheet: Sheet,
  { columns: chosen, values }: ColumnChoices,
): CsvHeader {
  const headers = cells.map((cell) => cell.trim())
  const width = headers.findLastIndex((header) => header !== '') + 1
  if (width > columnsMax) {
    throw refusedFile('too_many_columns', `A file has at most ${columnsMax} columns.`)
  }
  const choices = new Map(Object.entries(chosen).map(([header, name]) => [header.trim(), name]))
  const plain = new Map([...choices].map(([header, name]) => [plainName(header), name]))
  const found = headers.slice(0, width).map((header): Found => {
    const choice = choices.get(header) ?? plain.get(plainName(header))
    if (choice === null) return { kind: 'left_out' }
    const named = columnNamed(choice ?? header, header, sheet)
    if (choice !== undefined && named.kind !== 'column') throw unknownChoice('columns', choice)
    return named.kind === 'unknown' && choices.get(others) === null ? { kind: 'left_out' } : named
  })
  const columns = found.map((each) => (each.kind === 'column' ? each.column : null))
  const fixed = Object.entries(values).map(([name, text]) => {
    const named = columnNamed(name, name, sheet)
    if (named.kind !== 'column') throw unknownChoice('values', name)
    return { of: named.column, text }
  })
  const absent = missing([...columns, ...fixed.map(({ of }) => of)], sheet)
  return {
    columns,
    values: fixed.filter(({ text }) => text.trim() !== ''),
    currency: currencyIn(columns),
    numbers: [...columns.keys()].filter((index) => isNumeric(columns[index]?.column.type)),
    cellsMin: columns.findLastIndex((column) => isAlwaysFilled(column, columns, fixed)) + 1,
    shown: headers.slice(0, width).map((header, index) => shownColumn(header, columns[index])),
    errors: found.every(({ kind }) => kind === 'unknown')
      ? [noColumn(sheet)]
      : [...unknown(headers, found, sheet), ...repeated(columns), ...absent.values()],
    missing: new Set(absent.keys()),
  }
}

function unknownChoice(parameter: string, name: string): Problem {
  const detail = `There is no column ${quoted(name)}.`
  return new Problem('invalid_filter', {
    errors: [{ pointer: `#/query/${parameter}`, reason: 'unknown_column', detail }],
  })
}

function shownColumn(header: string, column: HeaderColumn | null | undefined): ReadColumn {
  const { name = null, pointer: at = null } = column?.column ?? {}
  return { header, field: name, unit: column?.unit ?? null, pointer: at }
}

/** A line fills only one of two columns for the same field. */
function isAlwaysFilled(
  of: HeaderColumn | null,
  columns: readonly (HeaderColumn | null)[],
  fixed: CsvHeader['values'],
): boolean {
  if (of === null || !of.column.isRequired) return false
  const { pointer: at } = of.column
  if (fixed.some(({ of: other }) => other.column.pointer === at)) return false
  return columns.filter((other) => other?.column.pointer === at).length === 1
}

function columnNamed(name: string, header: string, { columns, hasMetadata }: Sheet): Found {
  if (hasMetadata && name.toLowerCase().startsWith(metadataPrefix)) {
    return metadataColumn(name.slice(metadataPrefix.length).trim(), header)
  }
  const plain = plainName(name)
  const found = namesOf(columns).get(plain) ?? moneyNamed(plain, columns)
  if (found == null) return { kind: 'unknown' }
  if ('isUnitMissing' in found) return { kind: 'without_unit', column: found.column }
  const path = found.column.pointer.slice(1).split('/')
  const column = { ...found, header, path, meanings: meaningsOf(found.column) }
  return { kind: 'column', column }
}

function metadataColumn(key: string, header: string): Found {
  if (key === '' || key === '__proto__' || key.includes('\ufffd')) return { kind: 'unknown' }
  const column: SheetColumn = {
    name: metadataPrefix + key,
    pointer: pointer(['metadata', key]),
    type: 'text',
    isRequired: false,
    description: '',
    example: null,
  }
  const named = { column, unit: null, header, path: ['metadata', key], meanings: new Map() }
  return { kind: 'column', column: named }
}

/** Such a first line is probably data about a person: the error does not repeat it. */
function noColumn({ words }: Sheet): SheetError {
  const detail = `The first line names no column of ${words.line}.`
  return { pointer: '', reason: 'unknown_column', detail }
}

function unknown(
  headers: readonly string[],
  found: readonly Found[],
  { columns }: Sheet,
): SheetError[] {
  return found.flatMap((each, index): SheetError[] => {
    const header = headers[index] ?? ''
    if (each.kind === 'without_unit') return [unitMissing(header, each.column)]
    if (each.kind !== 'unknown') return []
    if (header === '') {
      const detail = `Column ${index + 1} has no name.`
      return [{ pointer: '', reason: 'unknown_column', detail, column: header }]
    }
    const near = closest(plainName(header), [...namesOf(columns).keys()], suggestedMax)
    const names = new Set(near.map((name) => namesOf(columns).get(name)?.column.name ?? name))
    const detail = `There is no column ${quoted(header)}.`
    const suggestions = [...names].map((name) => ({ value: name, label: name }))
    return [{ pointer: '', reason: 'unknown_column', detail, column: header, suggestions }]
  })
}

function unitMissing(header: string, { name, pointer: at, measure }: SheetColumn): SheetError {
  const units = Object.keys(measure?.units ?? {})
  const bare = name.replace(/_[a-z]+$/, '')
  return {
    pointer: at,
    reason: 'unit_missing',
    detail: `The column ${quoted(header)} does not say its unit. Write ${units.map((unit) => quoted(`${header} (${unit})`)).join(' or ')}.`,
    column: header,
    suggestions: units.map((unit) => ({ value: `${bare}_${unit}`, label: `${header} (${unit})` })),
  }
}

function repeated(found: readonly (HeaderColumn | null)[]): SheetError[] {
  const counts = Map.groupBy(
    found.filter((each) => each !== null),
    ({ column }) => column.name,
  )
  return [...counts]
    .filter(([, columns]) => columns.length > 1)
    .map(([name, columns]) => ({
      pointer: '',
      reason: 'repeated_column',
      detail: `The column ${quoted(name)} occurs ${columns.length} times.`,
      column: columns[1]?.header ?? name,
    }))
}

/** The errors for required fields without a column, by pointer. */
function missing(
  found: readonly (HeaderColumn | null)[],
  { columns }: Sheet,
): ReadonlyMap<string, SheetError> {
  const pointers = new Set(found.map((each) => each?.column.pointer))
  if (currencyIn(found) !== null) pointers.add('/currency')
  const lacking = columns.filter(({ pointer: at, isRequired }) => isRequired && !pointers.has(at))
  return new Map(
    [...Map.groupBy(lacking, (column) => column.pointer)].map(([at, either]) => [
      at,
      {
        pointer: at,
        reason: 'missing_column',
        detail: `The column ${either.map(({ name }) => quoted(name)).join(' or ')} is missing.`,
        suggestions: either.map(({ name }) => ({ value: name, label: name })),
      },
    ]),
  )
}

function currencyIn(columns: readonly (HeaderColumn | null)[]): string | null {
  const units = columns.flatMap((of) =>
    of?.path.length === 1 && of.column.type === 'money' ? (of.unit ?? []) : [],
  )
  return units.find((unit) => unit !== 'minor') ?? null
}

function quoted(name: string): string {
  return `\`${name.slice(0, shownNameMax).toWellFormed()}\``
}
