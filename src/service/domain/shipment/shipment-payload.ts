import { z } from 'zod'
import type { JsonObject } from '../decider.ts'
import { currencyCode, idOf, nameText, proseText, text } from '../fields.ts'

/** No name, reference or description of a parcel is longer than this. */
export const referenceLengthMax = 255
const contentLengthMax = 500
const nameLengthMax = 100
const metadataKeysMax = 20
const metadataKeyLengthMax = 40
const metadataValueLengthMax = 500
const metadataBytesMax = 4_096
/** Above any product's limit; each product checks its own. */
const weightKgMax = 100_000
const sizeMetersMax = 1_000
/** 100 million units of a currency with two decimals, as on an invoice. */
const moneyMax = 10_000_000_000
const emailLengthMax = 254

function amount(max: number) {
  return z
    .number()
    .gt(0)
    .max(max)
    .refine((value) => value > max || Number(value.toFixed(3)) === value, {
      error: 'At most three decimals.',
      params: { reason: 'too_many_decimals' },
    })
}

/** The check digit of a Peruvian RUC: weights 5432765432, modulus 11. */
function isRuc(document: string): boolean {
  const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
  const sum = weights.reduce((total, weight, i) => total + weight * Number(document[i]), 0)
  return (11 - (sum % 11)) % 10 === Number(document[10])
}

/** Number format of each document. Only a RUC also has a check digit. */
const documentForms = {
  DNI: { pattern: /^[0-9]{8}$/, form: '8 digits' },
  CE: { pattern: /^[0-9A-Z]{9,12}$/, form: '9 to 12 letters or digits' },
  RUC: {
    pattern: /^(?:10|15|16|17|20)[0-9]{9}$/,
    form: '11 digits, the last one a check digit',
  },
  PASSPORT: { pattern: /^[0-9A-Z]{6,12}$/, form: '6 to 12 letters or digits' },
} as const
const documentTypes = ['DNI', 'CE', 'RUC', 'PASSPORT'] as const

const recipient = z
  .strictObject({
    document_type: z.enum(documentTypes).meta({
      description: 'The kind of identity document. `RUC` is a tax number.',
    }),
    document: text(20).meta({
      description: `Its number. ${documentTypes.map((type) => `${type}: ${documentForms[type].form}`).join('; ')}.`,
      example: '45678912',
    }),
    first_name: text(nameLengthMax).meta({ description: 'The given names.', example: 'Ana' }),
    last_name: text(nameLengthMax).meta({ description: 'The family names.', example: 'Torres' }),
    phone: z
      .string()
      .regex(/^\+[1-9][0-9]{6,14}$/, {
        error: 'Expected a number with its country code and no spaces, such as +51987654321.',
      })
      .optional()
      .meta({
        description:
          'In the form E.164. Only couriers with the capability `recipient_phone` get it.',
        example: '+51987654321',
      }),
    email: z.email().max(emailLengthMax).optional().meta({
      description: 'Only couriers with the capability `recipient_phone` get it.',
      example: 'ana@example.com',
    }),
  })
  .superRefine((value, context) => {
    const { pattern, form } = documentForms[value.document_type]
    const isForm = pattern.test(value.document)
    if (isForm && (value.document_type !== 'RUC' || isRuc(value.document))) return
    context.addIssue({
      code: 'custom',
      path: ['document'],
      message: `A ${value.document_type} has ${form}.`,
      params: { reason: 'invalid_document' },
    })
  })

function inNfc(text: string): string {
  return text.normalize('NFC')
}

const metadata = z
  .record(nameText(metadataKeyLengthMax), proseText(metadataValueLengthMax))
  .refine((value) => new Set(Object.keys(value).map(inNfc)).size === Object.keys(value).length, {
    error: 'Two keys are the same text.',
    params: { reason: 'duplicate_field' },
  })
  .overwrite((value) =>
    Object.fromEntries(Object.entries(value).map(([key, text]) => [inNfc(key), text])),
  )
  .refine((value) => Object.keys(value).length <= metadataKeysMax, {
    error: `At most ${metadataKeysMax} keys.`,
    params: { reason: 'too_many_keys' },
  })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= metadataBytesMax, {
    error: `At most ${metadataBytesMax} bytes.`,
    params: { reason: 'too_large' },
  })

const agencyChoice = z.strictObject({
  agency_id: idOf('agy').meta({
    description: "An agency of the connection's courier, from `GET /v1/agencies`.",
  }),
})
export const originSchema = agencyChoice.meta({
  description:
    'The agency where the parcel is dropped off. It must have the capability `drop_off`.',
})
export const destinationSchema = agencyChoice.meta({
  description:
    'The agency where the recipient collects the parcel. It must have the capability `pickup`.',
})

export const packageSchema = z
  .strictObject({
    product_id: idOf('pkg').meta({
      description: 'The kind of parcel, from `GET /v1/package-products`.',
    }),
    quantity: z.int().min(1).max(99).meta({
      description: 'How many pieces of this weight and size there are, from 1 to 99.',
      example: 1,
    }),
    weight_kg: amount(weightKgMax).meta({
      description: 'The weight of a piece in kilograms, with at most three decimals.',
      example: 0.8,
    }),
    height_m: amount(sizeMetersMax).meta({
      description: 'The height of a piece in meters, with at most three decimals.',
      example: 0.05,
    }),
    length_m: amount(sizeMetersMax).meta({
      description: 'The length of a piece in meters, with at most three decimals.',
      example: 0.2,
    }),
    width_m: amount(sizeMetersMax).meta({
      description: 'The width of a piece in meters, with at most three decimals.',
      example: 0.15,
    }),
  })
  .meta({ description: 'The parcel. It must be within the limits of its product.' })

export const serviceSchema = z
  .strictObject({
    mode: z.enum(['terrestrial', 'air']).meta({ description: 'How the parcel travels.' }),
    payer: z.enum(['sender', 'recipient']).meta({ description: 'Who pays the courier.' }),
  })
  .meta({ description: 'How the parcel travels, and who pays.' })

/** An amount that a courier handles for the shop. */
function sum(example: number) {
  return z.strictObject({
    amount: z.int().min(1).max(moneyMax).meta({
      description: 'The amount in minor units of the currency: 1450 is PEN 14.50.',
      example,
    }),
    currency: currencyCode,
  })
}

/** The body of `POST /v1/shipments`. Its type follows from it. */
export const shipmentPayload = z.strictObject({
  workspace_id: idOf('ws').meta({ description: 'The shop that ships.' }),
  courier_connection_id: idOf('ccn').meta({
    description: 'The account at the courier, a connection of the same workspace.',
  }),
  external_reference: text(referenceLengthMax).meta({
    description:
      'Your own order reference. It need not be unique. It is stored unencrypted: do not put personal data in it.',
    example: 'order-5001',
  }),
  origin: originSchema,
  destination: destinationSchema,
  package: packageSchema,
  service: serviceSchema,
  declared_content: text(contentLengthMax).meta({
    description: 'What is in the parcel, as declared to the courier.',
    example: 'Books',
  }),
  recipient: recipient.meta({
    description: 'The person who collects the parcel. Kept encrypted until it is erased.',
  }),
  metadata: metadata.nullish().meta({
    description: `Your own keys and texts, returned as they are and not sent to the courier. At most ${metadataKeysMax} keys of ${metadataKeyLengthMax} characters, ${metadataValueLengthMax} characters for each value, and ${metadataBytesMax} bytes in all. Kept encrypted until it is erased.`,
    example: { channel: 'web' },
  }),
  quote_id: idOf('quo').nullish().meta({
    description:
      'A quote for the same connection, agencies, package, declared value and cash on delivery: the guide is created at its price or not at all. If absent or `null`, the price is what the courier charges.',
  }),
  declared_value: sum(15_000).nullish().meta({
    description: 'What the content is worth. The courier needs the capability `declared_value`.',
  }),
  cash_on_delivery: sum(15_000).nullish().meta({
    description:
      'What the courier collects from the recipient for the shop. It needs the capability `cash_on_delivery`.',
  }),
})
export type ShipmentPayload = Readonly<z.infer<typeof shipmentPayload>>

/**
 * Where each field of the payload is stored: `clear` fields in the shipment's events, readable forever;
 * `personal` fields (the person and every free text) in the vault, until they are erased. The events'
 * part, the vault's part and both fingerprints follow from this table.
 */
export const placement = {
  workspace_id: 'clear',
  courier_connection_id: 'clear',
  external_reference: 'clear',
  origin: 'clear',
  destination: 'clear',
  package: 'clear',
  service: 'clear',
  declared_content: 'personal',
  recipient: 'personal',
  metadata: 'personal',
  quote_id: 'clear',
  declared_value: 'clear',
  cash_on_delivery: 'clear',
} as const satisfies Record<keyof ShipmentPayload, 'clear' | 'personal'>

type FieldIn<Place> = {
  [Field in keyof typeof placement]: (typeof placement)[Field] extends Place ? Field : never
}[keyof typeof placement]
export type ClearField = FieldIn<'clear'>

/**
 * Whether a clear field holds free text of the client. Such text should not contain personal data but
 * may, so reports for third parties show only its length.
 */
export const isFreeText = {
  workspace_id: false,
  courier_connection_id: false,
  external_reference: true,
  origin: false,
  destination: false,
  package: false,
  service: false,
  quote_id: false,
  declared_value: false,
  cash_on_delivery: false,
} as const satisfies Record<ClearField, boolean>

type Optional = {
  [Field in keyof ShipmentPayload]: undefined extends ShipmentPayload[Field] ? Field : never
}[keyof ShipmentPayload]
/** Fields of the payload, without those that are null. */
type Given<Field extends keyof ShipmentPayload> = Pick<
  ShipmentPayload,
  Exclude<Field, Optional>
> & { readonly [Each in Extract<Field, Optional>]?: NonNullable<ShipmentPayload[Each]> }

/** The fields stored in one place. A null field is omitted, as if it had not been sent. */
export function partIn<Field extends string>(
  place: 'clear' | 'personal',
  body: { readonly [field in Field]?: unknown },
  places: { readonly [field in Field]: 'clear' | 'personal' },
): JsonObject {
  const given = Object.entries(body).filter(
    ([field, value]) => places[field as Field] === place && value !== null && value !== undefined,
  )
  return Object.fromEntries(given) as JsonObject
}

/** The part that the events store in clear text. */
export function clearPart(body: ShipmentPayload): Given<ClearField> {
  return partIn('clear', body, placement) as Given<ClearField>
}

/** The part that goes to the vault. */
export function personalPart(body: ShipmentPayload): JsonObject {
  return partIn('personal', body, placement)
}
