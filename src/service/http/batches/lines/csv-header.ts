import type { FieldError } from '../../../error-kinds.ts'
import { Problem } from '../../../errors.ts'
import { pointer } from '../../rules/validation.ts'
import { isNumeric, type Meanings, meaningsOf } from './csv-cells.ts'
import { type CsvColumn, type CsvFiles, metadataPrefix } from './csv-columns.ts'
import { refusedFile } from './raw-line.ts'
import { plainName } from './spanish-words.ts'

export type HeaderColumn = Pick<CsvColumn, 'name' | 'pointer' | 'type' | 'isRequired'> & {
  readonly path: readonly string[]
  readonly meanings: Meanings
}

export type CsvHeader = {
  readonly columns: readonly HeaderColumn[]
  /** The positions of the columns of numbers. */
  readonly numbers: readonly number[]
  /** A line with fewer cells lacks a required one. */
  readonly cellsMin: number
}

/** Room for every field and 180 keys of metadata, of which a shipment has at most 20. */
const columnsMax = 200
/** As many as a person corrects in one go. */
const errorsMax = 20
/** Longer names are cut in errors. */
const shownNameMax = 64

const noMeanings: Meanings = new Map()

function headerColumn(column: CsvColumn): HeaderColumn {
  const { name, pointer: at, type, isRequired } = column
  const path = at.slice(1).split('/')
  return { name, pointer: at, type, isRequired, path, meanings: meaningsOf(column) }
}

/** The columns that the first line names. Throws a Problem that names each wrong one. */
export function readHeader(cells: readonly string[], files: CsvFiles): CsvHeader {
  const names = cells.map((cell) => cell.trim())
  const width = names.findLastIndex((name) => name !== '') + 1
  if (width > columnsMax) {
    throw refusedFile('too_many_columns', `A file has at most ${columnsMax} columns.`)
  }
  const found = names.slice(0, width).map((name) => columnNamed(name, files))
  // The first line of a file without a header is about a person: do not repeat it.
  if (found.every((column) => column === null)) {
    throw refusedFile('unknown_column', `The first line names no column of ${files.line}.`)
  }
  const wrong = [...unknown(names, found), ...repeated(found), ...missing(found, files)]
  if (wrong.length > 0) {
    const errors = wrong.slice(0, errorsMax)
    const detail = errors.map((error) => error.detail).join(' ')
    throw new Problem('validation_failed', { detail, errors })
  }
  const columns = found.filter((column) => column !== null)
  return {
    columns,
    numbers: [...columns.keys()].filter((index) => isNumeric(columns[index]?.type)),
    cellsMin: columns.findLastIndex((column) => isAlwaysFilled(column, columns)) + 1,
  }
}

/** Of two columns for one field a line fills either. */
function isAlwaysFilled(
  { isRequired, pointer: at }: HeaderColumn,
  columns: readonly HeaderColumn[],
): boolean {
  return isRequired && columns.filter((column) => column.pointer === at).length === 1
}

function columnNamed(name: string, { columns, hasMetadata }: CsvFiles): HeaderColumn | null {
  const lower = name.toLowerCase()
  if (!hasMetadata || !lower.startsWith(metadataPrefix)) {
    const plain = plainName(name)
    const found =
      columns.find((column) => column.name === lower || column.name === plain) ??
      columns.find(({ otherNames = [] }) => otherNames.includes(plain))
    return found === undefined ? null : headerColumn(found)
  }
  const key = name.slice(metadataPrefix.length).trim()
  if (key === '' || key === '__proto__' || key.includes('\ufffd')) return null
  return {
    name: metadataPrefix + key,
    pointer: pointer(['metadata', key]),
    type: 'text',
    isRequired: false,
    path: ['metadata', key],
    meanings: noMeanings,
  }
}

function unknown(names: readonly string[], found: readonly (HeaderColumn | null)[]): FieldError[] {
  return found.flatMap((column, index) => {
    if (column !== null) return []
    const name = String(names[index]).slice(0, shownNameMax).toWellFormed()
    const detail =
      name === '' ? `Column ${index + 1} has no name.` : `There is no column ${shown(name)}.`
    return [{ pointer: '', reason: 'unknown_column', detail }]
  })
}

function repeated(found: readonly (HeaderColumn | null)[]): FieldError[] {
  const counts = Map.groupBy(
    found.filter((column) => column !== null),
    ({ name }) => name,
  )
  return [...counts]
    .filter(([, columns]) => columns.length > 1)
    .map(([name]) => ({
      pointer: '',
      reason: 'repeated_column',
      detail: `The column ${shown(name)} occurs ${counts.get(name)?.length} times.`,
    }))
}

function missing(found: readonly (HeaderColumn | null)[], { columns }: CsvFiles): FieldError[] {
  const pointers = new Set(found.map((column) => column?.pointer))
  const lacking = columns.filter(({ pointer: at, isRequired }) => isRequired && !pointers.has(at))
  return [...Map.groupBy(lacking, (column) => column.pointer)].map(([at, either]) => ({
    pointer: at,
    reason: 'missing_column',
    detail: `The column ${either.map(({ name }) => shown(name)).join(' or ')} is missing.`,
  }))
}

function shown(name: string): string {
  return `\`${name.slice(0, shownNameMax).toWellFormed()}\``
}
