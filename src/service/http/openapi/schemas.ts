import { z } from 'zod'
import { idOf } from '../../domain/fields.ts'
import { guideNumberForm, type IdPrefix } from '../../domain/ids.ts'
import {
  destinationSchema,
  originSchema,
  packageSchema,
  serviceSchema,
} from '../../domain/shipment/shipment-payload.ts'

export {
  filterText,
  idOf,
  noteLengthMax,
  printable,
  proseText,
  secretText,
  text,
} from '../../domain/fields.ts'

/** A guide number that a person typed. */
export function guideNumber() {
  return z.string().trim().regex(guideNumberForm, {
    error: 'Expected 1 to 64 letters, digits and hyphens.',
  })
}

/** What each prefix stands for, as the documentation names it. */
const nouns: Readonly<Record<IdPrefix, string>> = {
  org: 'organization',
  key: 'API key',
  ws: 'workspace',
  ccn: 'courier connection',
  agy: 'agency',
  pkg: 'package product',
  quo: 'quote',
  shp: 'shipment',
  op: 'operation',
  evt: 'webhook event',
  whe: 'webhook endpoint',
  dlv: 'webhook delivery',
  req: 'request',
  opr: 'operator',
  cmt: 'comment',
  alr: 'alert',
  bat: 'batch',
  inv: "courier's invoice",
}

/** The member `id` of an object. */
export function ownId(prefix: IdPrefix) {
  return idOf(prefix).meta({
    description: `Identifies the ${nouns[prefix]} and never changes. The part after \`${prefix}_\` is opaque.`,
  })
}

export function pathId(prefix: IdPrefix) {
  const id = idOf(prefix).meta({
    description: `The \`id\` of the ${nouns[prefix]}. An id that does not exist, or that the key does not reach, is 404 \`not_found\`.`,
  })
  return z.strictObject({ id })
}

/** The member `object` of an object. */
export function typeOf<const Name extends string>(name: Name) {
  return z.literal(name).meta({ description: `The type of the object: always \`${name}\`.` })
}

/** The description of an enumeration: what it is, then what each value means. */
export function valuesText<Value extends string>(
  about: string,
  meanings: Readonly<Record<Value, string>>,
): string {
  const lines = Object.entries<string>(meanings).map(
    ([value, meaning]) => `- \`${value}\`: ${meaning.replace(/\.?$/, '.')}`,
  )
  return [about, '', ...lines].join('\n')
}

/** RFC 3339 in UTC with milliseconds. */
export const timestamp = z
  .string()
  .meta({ format: 'date-time', example: '2026-03-01T12:00:00.000Z' })

/** Members that most objects have. */
export const livemode = z.boolean().meta({
  description:
    'The mode that it belongs to: `true` is live, `false` is test. A key sees only its own mode.',
})
export const createdAt = timestamp.meta({ description: 'When it was created.' })
export const updatedAt = timestamp.meta({ description: 'When it last changed.' })
export const version = z.int().meta({
  description: 'Grows with every change. The `ETag` of a read changes with it.',
  example: 1,
})
export const workspaceRef = idOf('ws').meta({ description: 'The workspace that it belongs to.' })
export const providerCode = z.string().meta({
  description: 'The courier, by its code in `GET /v1/couriers`.',
  example: 'mock',
})

const agencyRef = z.object({
  agency_id: idOf('agy').meta({ description: "An agency of the connection's courier." }),
})

export const money = z
  .object({
    amount: z.int().meta({
      description: 'The amount in minor units of the currency: 1450 is PEN 14.50.',
      example: 1450,
    }),
    currency: z.string().meta({ description: 'The ISO 4217 code.', example: 'PEN' }),
  })
  .meta({ id: 'Money', description: 'An amount of money.' })

/** Describes a field like another one, such as the field of a request, which has bounds as well. */
export function describedLike<Shown extends z.ZodType>(field: z.ZodType, shown: Shown): Shown {
  return shown.meta(field.meta() ?? {})
}

const { shape: parcel } = packageSchema
/** The parts of a request that answers show. */
export const parcelFields = {
  origin: describedLike(originSchema, agencyRef),
  destination: describedLike(destinationSchema, agencyRef),
  package: z
    .object({
      product_id: parcel.product_id,
      quantity: describedLike(parcel.quantity, z.int()),
      weight_kg: describedLike(parcel.weight_kg, z.number()),
      height_m: describedLike(parcel.height_m, z.number()),
      length_m: describedLike(parcel.length_m, z.number()),
      width_m: describedLike(parcel.width_m, z.number()),
    })
    .meta({ description: 'The parcel.' }),
}
/** A courier may offer services that a shipment cannot request. */
export const serviceField = describedLike(
  serviceSchema,
  z.object({
    mode: describedLike(serviceSchema.shape.mode, z.string()).meta({ example: 'terrestrial' }),
    payer: describedLike(serviceSchema.shape.payer, z.string()).meta({ example: 'sender' }),
  }),
)

/** A legal hold. Null if there is none. */
export const legalHold = z
  .object({ since: timestamp.meta({ description: 'When the hold was placed.' }) })
  .nullable()

/** An enumeration that may grow: clients must accept unknown values. */
export function openEnum<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values).meta({ 'x-extensible': true })
}

/** Text with known values. A value that another version stored is shown unchanged. */
export function knownValues(values: readonly string[]) {
  return z.string().meta({ enum: [...values], 'x-extensible': true })
}

export function time(date: Date): string {
  return date.toISOString()
}

export function timeOrNull(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}

/** The default and the maximum size of a page. */
export const pageDefault = 25
const pageMax = 100

/** An answer that is a file. */
export function fileOf(mediaTypes: string | readonly string[], description: string) {
  const schema = z.unknown().meta({ type: 'string', format: 'binary' })
  const types = [mediaTypes].flat()
  return { description, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

/** The query parameters of every list. Add the list's own filters. */
export function listQuery<T extends z.ZodRawShape>(filters: T) {
  return z.strictObject({
    limit: z
      .string()
      .regex(/^[0-9]{1,3}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(pageMax))
      .optional()
      .meta({
        type: 'integer',
        minimum: 1,
        maximum: pageMax,
        description: `The maximum number of items of the page, from 1 to ${pageMax}. The default is ${pageDefault}.`,
      }),
    cursor: z.string().optional().meta({
      description:
        'The `next_cursor` of the previous page, with the same filters and key. Leave it out for the first page.',
    }),
    ...filters,
  })
}

/** A page of a list. The description says what the list has and in which order. */
export function listOf<T extends z.ZodType>(item: T, description: string) {
  return z
    .object({
      data: z
        .array(item)
        .meta({ description: 'The items of this page, in the order of the list.' }),
      has_more: z.boolean().meta({ description: 'Whether there are items after this page.' }),
      next_cursor: z.string().nullable().meta({
        description: 'Send it as `cursor` to get the next page. `null` on the last page.',
      }),
    })
    .meta({ description })
}
