import { batchColumns, metadataPrefix } from '../../../client/generated/batch-columns.ts'
import type { CsvRow } from './csv-file.ts'

/** A column of a batch in CSV, with the limits of its cells. */
export type LineColumn = {
  readonly name: string
  readonly pointer: string
  readonly type: 'text' | 'id' | 'choice' | 'integer' | 'decimal'
  readonly choices: readonly string[]
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

/** What people call the columns in their own files, in English and Spanish. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  external_reference: ['reference', 'order', 'order_id', 'pedido', 'orden', 'referencia'],
  origin_agency_id: ['origin', 'origin_agency', 'origen', 'agencia_origen'],
  destination_agency_id: ['destination', 'destination_agency', 'destino', 'agencia_destino'],
  product_id: ['product', 'package_product_id', 'producto', 'tipo_paquete'],
  quantity: ['pieces', 'cantidad', 'bultos'],
  weight_kg: ['weight', 'peso', 'kg'],
  height_m: ['height', 'alto', 'altura'],
  length_m: ['length', 'largo'],
  width_m: ['width', 'ancho'],
  service_mode: ['mode', 'service', 'servicio', 'modo'],
  payer: ['service_payer', 'paid_by', 'pagador', 'pago', 'quien_paga'],
  declared_content: ['content', 'contents', 'contenido'],
  document_type: ['tipo_documento', 'tipo_doc', 'doc_type'],
  document: ['dni', 'documento', 'doc'],
  first_name: ['first_names', 'given_name', 'nombre', 'nombres'],
  last_name: ['last_names', 'surname', 'family_name', 'apellido', 'apellidos'],
}

/** `N° de pedido` is `pedido`, and `Agencia de origen` is `agencia_origen`. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
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
  /** `Peso (kg)` is a weight. In another unit it would be a wrong one. */
  const takeOther = (wanted: readonly string[]) =>
    take(wanted) ?? take(wanted.flatMap((one) => [`${one}_kg`, `${one}_m`]))
  // Exact names first, so that no other name takes their column.
  const exact = new Map(lineColumns.map(({ name }) => [name, take([name])]))
  return Object.fromEntries(
    lineColumns.map(({ name }) => {
      const from = exact.get(name) ?? takeOther(otherNames[name] ?? [])
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

/** The required columns that come from nowhere yet. */
export function missingColumns(mapping: Mapping): readonly LineColumn[] {
  return lineColumns.filter(({ name, isRequired }) => isRequired && !isMapped(mapping[name]))
}

export function isMapped(source: Source | undefined): source is Source {
  return source !== undefined && (source.from !== null || source.fixed.trim() !== '')
}

/** The column of an error's pointer, as people know it from their file. */
export function columnOf(pointer: string): string {
  const found = lineColumns.find((column) => column.pointer === pointer)
  return found?.name ?? pointer.replace(/^\//, '').replaceAll('/', '.')
}
