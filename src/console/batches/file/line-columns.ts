import { batchColumns, metadataPrefix } from '../../../client/generated/batch-columns.ts'
import type { CsvRow } from './csv-file.ts'
import { withoutMarks } from './plain-text.ts'

/** A column of a batch in CSV, with the limits of its cells. */
export type LineColumn = {
  readonly name: string
  readonly otherNames?: readonly string[]
  /** A column of type `name` has that of the id that it stands for: a line fills one of the two. */
  readonly pointer: string
  readonly type: 'text' | 'id' | 'name' | 'choice' | 'integer' | 'decimal'
  readonly choices: readonly string[]
  /** By choice: other words for it. */
  readonly otherWords?: Readonly<Record<string, readonly string[]>>
  readonly isRequired: boolean
  readonly prefix?: string
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly description: string
  readonly example: string | number | null
}

export const lineColumns: readonly LineColumn[] = batchColumns

/** Where a column's cells come from: a column of the file by its place, or one value for all. */
export type Source = { readonly from: number | null; readonly fixed: string }
export type Mapping = Readonly<Record<string, Source>>

export function cellOf({ cells }: CsvRow, mapping: Mapping, name: string): string {
  const { from, fixed } = mapping[name] ?? { from: null, fixed: '' }
  return from === null ? fixed : (cells[from] ?? '')
}

/** Names that leave the unit open. Here a person sees the cells below it; the service refuses them. */
const withoutUnit: Readonly<Record<string, readonly string[]>> = {
  weight_kg: ['weight', 'peso', 'kg'],
  height_m: ['height', 'alto', 'altura'],
  length_m: ['length', 'largo'],
  width_m: ['width', 'ancho'],
}

/** `N° de pedido` is `pedido`, and `Agencia de origen` is `agencia_origen`. */
function plainName(name: string): string {
  return withoutMarks(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/_(?:de|del|la|el)(?=_)/g, '')
    .replace(/^(?:n|no|nro|num|numero|number|codigo)_(?=.)/, '')
    .replace(/_(?:number|numero|nro)$/, '')
}

/** Finds each column in the file by its name, or by another name that people use. */
export function guessedMapping({ cells }: CsvRow): Mapping {
  const names = cells.map(plainName)
  const taken = new Set<number>()
  const take = (wanted: readonly string[]) => {
    const found = names.findIndex((name, at) => !taken.has(at) && wanted.includes(name))
    if (found === -1) return null
    taken.add(found)
    return found
  }
  // Exact names first, so that no other name takes their column.
  const exact = new Map(lineColumns.map(({ name }) => [name, take([name])]))
  return Object.fromEntries(
    lineColumns.map(({ name, otherNames = [] }) => {
      const from = exact.get(name) ?? take(otherNames) ?? take(withoutUnit[name] ?? [])
      return [name, { from, fixed: '' }]
    }),
  )
}

/** The columns of the file that no other column takes and that are not kept as metadata. */
export function leftOut(header: CsvRow, mapping: Mapping): readonly string[] {
  const taken = new Set(Object.values(mapping).map(({ from }) => from))
  return header.cells.filter(
    (name, at) => name.trim() !== '' && !taken.has(at) && !isMetadata(name),
  )
}

export function isMetadata(name: string): boolean {
  const trimmed = name.trim()
  return trimmed.toLowerCase().startsWith(metadataPrefix) && trimmed.length > metadataPrefix.length
}

/** The required columns that come from nowhere yet. Of a name and an id, the name is missing. */
export function missingColumns(mapping: Mapping): readonly LineColumn[] {
  return lineColumns.filter(
    (column) => isNeeded(column, mapping) && !isMapped(mapping[column.name]),
  )
}

/** Whether each line must have it. An id is not if the line may have the name, and the reverse. */
export function isNeeded({ name, pointer, type, isRequired }: LineColumn, mapping: Mapping) {
  const other = lineColumns.find((column) => column.pointer === pointer && column.name !== name)
  if (!isRequired || other === undefined) return isRequired
  return type === 'name' && !isMapped(mapping[other.name])
}

export function isMapped(source: Source | undefined): source is Source {
  return source !== undefined && (source.from !== null || source.fixed.trim() !== '')
}

/** The column of an error's pointer, as people know it from their file. */
export function columnOf(pointer: string): string {
  const found = lineColumns.find((column) => column.pointer === pointer)
  return found?.name ?? pointer.replace(/^\//, '').replaceAll('/', '.')
}
