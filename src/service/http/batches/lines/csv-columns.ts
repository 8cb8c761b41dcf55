import { z } from 'zod'
import { type ShipmentPayload, shipmentPayload } from '../../../domain/shipment/shipment-payload.ts'
import { exampleReference, exampleShipmentRequest } from '../../openapi/examples.ts'
import { otherNames, otherWords } from './spanish-words.ts'

export type CsvColumn = {
  readonly name: string
  /** As a header may write it too, each in the form of `plainName`. */
  readonly otherNames?: readonly string[]
  /**
   * Where the cell's value is in the body of `POST /v1/shipments`. A column of type `name` has that of
   * the id that it stands for; a line fills one of the two.
   */
  readonly pointer: string
  readonly type: 'text' | 'id' | 'name' | 'choice' | 'integer' | 'minor_units' | 'decimal'
  /** What a cell of type `choice` may be. */
  readonly choices: readonly string[]
  /** By choice: other words for it. */
  readonly otherWords?: Readonly<Record<string, readonly string[]>>
  /** Whether the header must name it, or another column of the same pointer. */
  readonly isRequired: boolean
  readonly description: string
  readonly example: string | number | null
}

/** Pointers to all fields that are not objects. The keys of `metadata` are not known. */
type LeafOf<Value, Path extends string = ''> = {
  [Field in keyof Value & string]-?: NonNullable<Value[Field]> extends string | number | boolean
    ? `${Path}/${Field}`
    : string extends keyof NonNullable<Value[Field]>
      ? never
      : LeafOf<NonNullable<Value[Field]>, `${Path}/${Field}`>
}[keyof Value & string]

/** In the order of the template. */
const names = {
  '/external_reference': 'external_reference',
  '/workspace_id': 'workspace_id',
  '/courier_connection_id': 'courier_connection_id',
  '/origin/agency_id': 'origin_agency_id',
  '/destination/agency_id': 'destination_agency_id',
  '/package/product_id': 'product_id',
  '/package/quantity': 'quantity',
  '/package/weight_kg': 'weight_kg',
  '/package/height_m': 'height_m',
  '/package/length_m': 'length_m',
  '/package/width_m': 'width_m',
  '/service/mode': 'service_mode',
  '/service/payer': 'payer',
  '/declared_content': 'declared_content',
  '/recipient/document_type': 'document_type',
  '/recipient/document': 'document',
  '/recipient/first_name': 'first_name',
  '/recipient/last_name': 'last_name',
  '/quote_id': 'quote_id',
} as const satisfies Record<LeafOf<ShipmentPayload>, string>

/** What a line may name in place of its id, by the column of the id. */
const byName: Readonly<Record<string, Pick<CsvColumn, 'name' | 'description' | 'example'>>> = {
  origin_agency_id: {
    name: 'origin_agency',
    description:
      'The name of the agency that takes the parcel in, in place of its id. If several have the name: the name and the district.',
    example: 'Agencia Lima Norte',
  },
  destination_agency_id: {
    name: 'destination_agency',
    description: 'The name of the agency where the recipient collects it, in place of its id.',
    example: 'Agencia Miraflores, Arequipa',
  },
  product_id: {
    name: 'product',
    description: 'The name of the kind of parcel, in place of its id.',
    example: 'Box XXS',
  },
}

/** The batch may give them for all of its lines. */
const givenByBatch: ReadonlySet<string> = new Set(['/workspace_id', '/courier_connection_id'])

type Shape = {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  /** Of a field that may be null: its schema, and null's. */
  readonly anyOf?: readonly Shape[]
}

const payloadShape = z.toJSONSchema(shipmentPayload, {
  io: 'input',
  unrepresentable: 'any',
}) as Shape

const exampleRequest: unknown = exampleShipmentRequest(exampleReference)

function columnAt([pointer, name]: readonly [string, string]): CsvColumn {
  let shape = payloadShape
  let value = exampleRequest
  let isRequired = !givenByBatch.has(pointer)
  const descriptions: string[] = []
  for (const field of pointer.slice(1).split('/')) {
    const { properties = {}, required = [] } = shape
    // An object of one field says what this field is for.
    if (Object.keys(properties).length === 1) descriptions.push(shape.description ?? '')
    isRequired &&= required.includes(field)
    shape = properties[field] ?? {}
    value = (value as Record<string, unknown> | undefined)?.[field]
  }
  const type = typeOf(pointer, shape)
  return {
    name,
    otherNames: otherNames[name] ?? [],
    pointer,
    type,
    choices: shape.enum ?? [],
    ...(type === 'choice' && { otherWords: otherWords[name] ?? {} }),
    isRequired,
    description: [...descriptions, shape.description].join(' '),
    example: (value as string | number | undefined) ?? null,
  }
}

/** A column, and the one that has a name in place of its id. */
function columnsAt(at: readonly [string, string]): readonly CsvColumn[] {
  const column = columnAt(at)
  const named = byName[column.name]
  if (named === undefined) return [column]
  const names = { otherNames: otherNames[named.name] ?? [] }
  return [column, { ...column, ...named, ...names, type: 'name' }]
}

function typeOf(pointer: string, shape: Shape): CsvColumn['type'] {
  const type = shape.type ?? shape.anyOf?.[0]?.type
  if (type === 'integer') return 'integer'
  if (type === 'number') return 'decimal'
  if (type === 'boolean') throw new Error(`A cell cannot hold ${pointer} yet.`)
  if (shape.enum !== undefined) return 'choice'
  return pointer.endsWith('_id') ? 'id' : 'text'
}

/** Every column except those for metadata, in the order of the template. */
export const csvColumns: readonly CsvColumn[] = [
  {
    name: 'idempotency_key',
    otherNames: otherNames.idempotency_key ?? [],
    pointer: '/idempotency_key',
    type: 'text',
    choices: [],
    isRequired: false,
    description:
      "The line's idempotency key, 1 to 255 visible ASCII characters. If it is empty, the batch derives one.",
    example: null,
  },
  ...Object.entries(names).flatMap(columnsAt),
]

/** The files of one kind: what a line of them may say, and how many they may have. */
export type CsvFiles = {
  readonly columns: readonly CsvColumn[]
  /** Whether they may also have columns for keys of `metadata`. */
  readonly hasMetadata: boolean
  /** For errors: what a file is, and what a line of it is. */
  readonly file: string
  readonly line: string
  readonly linesMax: number
}

export const metadataPrefix = 'metadata.'

/** Any number of columns, one for each key. */
export const csvMetadataColumn: CsvColumn = {
  ...columnAt(['/metadata', `${metadataPrefix}<key>`]),
  pointer: '/metadata/<key>',
  type: 'text',
  example: null,
}

/** A large shop's orders of a day, read and checked in about a second. Empty lines do not count. */
const batchLinesMax = 10_000

/** The files of batches. */
export const batchFiles: CsvFiles = {
  columns: csvColumns,
  hasMetadata: true,
  file: 'A batch',
  line: 'a shipment',
  linesMax: batchLinesMax,
}

const namesByPointer = new Map(
  csvColumns.filter(({ type }) => type !== 'name').map(({ pointer, name }) => [pointer, name]),
)

/** The column of an error's pointer; null if the error is not about one column. */
export function csvColumnOf(pointer: string): string | null {
  const key = /^\/metadata\/([^/]+)$/.exec(pointer)?.[1]
  if (key === undefined) return namesByPointer.get(pointer) ?? null
  return metadataPrefix + key.replaceAll('~1', '/').replaceAll('~0', '~')
}
