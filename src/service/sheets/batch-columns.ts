import { z } from 'zod'
import { type ShipmentPayload, shipmentPayload } from '../domain/shipment/shipment-payload.ts'
import { batchLine } from './batch-line.ts'
import {
  metadataPrefix,
  type Sheet,
  type SheetColumn,
  sizeUnits,
  weightUnits,
} from './sheet-columns.ts'

/** What the schema of a shipment does not say about a column. */
type Words = Pick<SheetColumn, 'name' | 'otherNames' | 'otherWords' | 'measure' | 'example'> & {
  /** If it differs from that of the field. */
  readonly description?: string
}

function sumWords(what: string, header: string): string {
  return `${what} With a decimal point or comma: 14.50. The header may name the currency, as in \`${header} (S/)\`; with \`_minor\` at its end it has minor units: 1450 is PEN 14.50.`
}

const id = '0aB1cD2eF3gH4iJ5kL6mN7'

/** Pointers to all fields that are not objects. The keys of `metadata` are not known. */
type LeafOf<Value, Path extends string = ''> = {
  [Field in keyof Value & string]-?: NonNullable<Value[Field]> extends string | number | boolean
    ? `${Path}/${Field}`
    : string extends keyof NonNullable<Value[Field]>
      ? never
      : LeafOf<NonNullable<Value[Field]>, `${Path}/${Field}`>
}[keyof Value & string]

/**
 * In the order of the template, with the names that people in Peru and shops' own exports use. The
 * names of weights and sizes need a unit: `peso` may be in grams.
 */
const columnsOfFields = {
  '/external_reference': {
    name: 'external_reference',
    otherNames: ['reference', 'order', 'order_id', 'pedido', 'orden', 'referencia'],
    example: 'order-5001',
  },
  '/workspace_id': {
    name: 'workspace_id',
    otherNames: ['id_tienda'],
    example: `ws_${id}`,
  },
  '/courier_connection_id': {
    name: 'courier_connection_id',
    otherNames: ['id_conexion'],
    example: `ccn_${id}`,
  },
  '/origin/agency_id': {
    name: 'origin_agency_id',
    otherNames: ['id_agencia_origen', 'id_origen'],
    example: `agy_${id}`,
  },
  '/destination/agency_id': {
    name: 'destination_agency_id',
    otherNames: ['id_agencia_destino', 'id_destino'],
    example: 'agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0',
  },
  '/package/product_id': {
    name: 'product_id',
    otherNames: ['package_product_id', 'id_producto'],
    example: `pkg_${id}`,
  },
  '/package/quantity': {
    name: 'quantity',
    otherNames: ['pieces', 'cantidad', 'bultos'],
    example: 1,
  },
  '/package/weight_kg': {
    name: 'weight_kg',
    measure: { names: ['weight', 'peso'], units: weightUnits },
    example: 0.8,
  },
  '/package/height_m': {
    name: 'height_m',
    measure: { names: ['height', 'alto', 'altura'], units: sizeUnits },
    example: 0.05,
  },
  '/package/length_m': {
    name: 'length_m',
    measure: { names: ['length', 'largo'], units: sizeUnits },
    example: 0.2,
  },
  '/package/width_m': {
    name: 'width_m',
    measure: { names: ['width', 'ancho'], units: sizeUnits },
    example: 0.15,
  },
  '/service/mode': {
    name: 'service_mode',
    otherNames: ['mode', 'service', 'servicio', 'modo'],
    otherWords: { terrestrial: ['terrestre'], air: ['aéreo'] },
    example: 'terrestrial',
  },
  '/service/payer': {
    name: 'payer',
    otherNames: ['service_payer', 'paid_by', 'pagador', 'pago', 'quien_paga'],
    otherWords: { sender: ['remitente'], recipient: ['destinatario'] },
    example: 'sender',
  },
  '/declared_content': {
    name: 'declared_content',
    otherNames: ['content', 'contents', 'contenido', 'contenido_declarado'],
    example: 'Books',
  },
  '/recipient/document_type': {
    name: 'document_type',
    otherNames: ['tipo_documento', 'tipo_doc', 'doc_type'],
    otherWords: {
      CE: ['carné de extranjería', 'carnet de extranjería'],
      PASSPORT: ['pasaporte'],
    },
    example: 'DNI',
  },
  '/recipient/document': {
    name: 'document',
    otherNames: ['dni', 'documento', 'doc'],
    example: '45678912',
  },
  '/recipient/first_name': {
    name: 'first_name',
    otherNames: ['first_names', 'given_name', 'nombre', 'nombres'],
    example: 'Ana',
  },
  '/recipient/last_name': {
    name: 'last_name',
    otherNames: ['last_names', 'surname', 'family_name', 'apellido', 'apellidos'],
    example: 'Torres',
  },
  // Sheets of other systems have phones and e-mails in many forms, so only these names mean them.
  '/recipient/phone': {
    name: 'recipient_phone',
    otherNames: ['telefono_destinatario', 'celular_destinatario'],
    example: null,
  },
  '/recipient/email': {
    name: 'recipient_email',
    otherNames: ['email_destinatario', 'correo_destinatario'],
    example: null,
  },
  '/quote_id': { name: 'quote_id', otherNames: ['id_cotizacion'], example: null },
  '/declared_value/amount': {
    name: 'declared_value',
    otherNames: ['valor_declarado'],
    description: sumWords(
      'What the content is worth, as declared to the courier.',
      'Valor declarado',
    ),
    example: null,
  },
  '/declared_value/currency': {
    name: 'declared_value_currency',
    otherNames: ['moneda_valor_declarado'],
    example: null,
  },
  '/cash_on_delivery/amount': {
    name: 'cash_on_delivery',
    otherNames: ['contra_entrega', 'pago_contra_entrega', 'monto_a_cobrar'],
    description: sumWords('What the courier collects from the recipient.', 'Contra entrega'),
    example: null,
  },
  '/cash_on_delivery/currency': {
    name: 'cash_on_delivery_currency',
    otherNames: ['moneda_contra_entrega', 'moneda_a_cobrar'],
    example: null,
  },
} as const satisfies Record<LeafOf<ShipmentPayload>, Words>

/** What a line may name instead of an id, by the column of the id. */
const byName: Readonly<Record<string, Words & Pick<SheetColumn, 'description'>>> = {
  origin_agency_id: {
    name: 'origin_agency',
    otherNames: ['origin', 'origen', 'agencia_origen'],
    description:
      'The name of the agency where the parcel is dropped off, instead of its id. If several agencies have the name, add the district.',
    example: 'Agencia Lima Norte',
  },
  destination_agency_id: {
    name: 'destination_agency',
    otherNames: ['destination', 'destino', 'agencia_destino'],
    description:
      'The name of the agency where the recipient collects the parcel, instead of its id.',
    example: 'Agencia Miraflores, Arequipa',
  },
  product_id: {
    name: 'product',
    otherNames: ['package_product', 'producto', 'tipo_paquete'],
    description: 'The name of the package product, instead of its id.',
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
  /** For a field that may be null: its schema and that of null. */
  readonly anyOf?: readonly Shape[]
}

const payloadShape = z.toJSONSchema(shipmentPayload, {
  io: 'input',
  unrepresentable: 'any',
}) as Shape

function columnAt(pointer: string, words: Words): SheetColumn {
  let shape = payloadShape
  let isRequired = !givenByBatch.has(pointer)
  const descriptions: string[] = []
  for (const field of pointer.slice(1).split('/')) {
    const { properties = {}, required = [] } = shape
    // An object of one field says what this field is for.
    if (Object.keys(properties).length === 1) descriptions.push(shape.description ?? '')
    isRequired &&= required.includes(field)
    const found = properties[field] ?? {}
    // A group of fields that may be left out.
    shape = found.anyOf?.find((each) => each.properties !== undefined) ?? found
  }
  return {
    ...words,
    pointer,
    type: typeOf(pointer, shape),
    choices: shape.enum ?? [],
    isRequired,
    description: words.description ?? [...descriptions, shape.description].join(' '),
  }
}

/** A column and, for some ids, the column for a name instead. */
function columnsAt([pointer, words]: readonly [string, Words]): readonly SheetColumn[] {
  const column = columnAt(pointer, words)
  const named = byName[column.name]
  return named === undefined ? [column] : [column, { ...column, ...named, type: 'name' }]
}

function typeOf(pointer: string, shape: Shape): SheetColumn['type'] {
  if (pointer.endsWith('/amount')) return 'money'
  if (pointer.endsWith('/currency')) return 'id'
  const type = shape.type ?? shape.anyOf?.[0]?.type
  if (type === 'integer') return 'integer'
  if (type === 'number') return 'decimal'
  if (type === 'boolean') throw new Error(`A cell cannot hold ${pointer} yet.`)
  if (shape.enum !== undefined) return 'choice'
  return pointer.endsWith('_id') ? 'id' : 'text'
}

/** Every column except those for metadata, in the order of the template. */
export const batchColumns: readonly SheetColumn[] = [
  {
    name: 'idempotency_key',
    otherNames: ['clave_idempotencia'],
    pointer: '/idempotency_key',
    type: 'text',
    isRequired: false,
    description:
      "The line's idempotency key, 1 to 255 visible ASCII characters. If it is empty, the batch derives one.",
    example: null,
  },
  ...Object.entries(columnsOfFields).flatMap(columnsAt),
]

/** Any number of columns, one for each key. */
export const batchMetadataColumn: SheetColumn = {
  ...columnAt('/metadata', {
    name: `${metadataPrefix}<key>`,
    example: null,
  }),
  pointer: '/metadata/<key>',
  type: 'text',
}

/** A large shop's orders of a day, read and checked in about a second. Empty lines do not count. */
export const batchLinesMax = 10_000

/** The files of batches. */
export const batchSheet: Sheet = {
  columns: batchColumns,
  hasMetadata: true,
  line: batchLine,
  words: { file: 'A batch', line: 'a shipment' },
  linesMax: batchLinesMax,
}
