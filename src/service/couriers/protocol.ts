import { z } from 'zod'
import {
  billedAmountMax,
  billedReferenceLengthMax,
  billedWeightKgMax,
} from '../domain/invoices/invoice-limits.ts'
import { lineKinds } from '../domain/invoices/line-kind.ts'
import type { ShipmentPayload } from '../domain/shipment/shipment-payload.ts'
import { credentials, description, words } from './connector-description.ts'
import { connectorLimits } from './protocol-codes.ts'

/**
 * The courier connector protocol, version 1: the HTTP API that a connector serves so that the
 * ledger can ship with a courier. JSON in snake_case, POST for every request with credentials. This
 * file is the protocol's only definition, with the description of a connector beside it: the
 * adapter, the simulated courier, the conformance command and the published pages all use it.
 */
const refusalCode = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)
/** Never cleaned: removing invalid characters would make it another code. */
const code = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
const text = (max: number) => z.string().min(1).max(max)
const pickupCode = words().min(1).max(64).nullable()
const time = z.iso.datetime({ offset: true })

const currency = z.string().regex(/^[A-Z]{3}$/)
const money = z
  .object({
    amount: z.int().min(0).max(1_000_000_000_000).describe('Minor units (céntimos).'),
    currency,
  })
  .meta({ id: 'Money' })

const sandbox = z
  .object({
    scenario: code,
    attempt: z.int().min(1).max(1000),
    attempt_at: time,
    now: time,
    account: z.string().max(64).optional(),
  })
  .meta({
    id: 'Sandbox',
    description: 'Sent only to the simulated courier; every other connector ignores it.',
  })

const call = { credentials, sandbox: sandbox.optional() }
const clientReference = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/)
  .describe("The ledger's reference of the shipment. `POST /guides/find` finds guides by it.")
const guideNumber = z.string().regex(/^[\x21-\x7e]{1,64}$/)
const notAfter = time.describe(
  'In real time. A call that arrives later gets 412 `too_late` and is never executed.',
)
const agencyRef = z.object({ agency_code: code })
const service = z.object({ mode: code, payer: code }).meta({ id: 'Service' })
const packageBody = z
  .object({
    product_code: code,
    quantity: z.int().min(1).max(99),
    weight_kg: z
      .number()
      .positive()
      .max(100_000)
      .describe('The weight of one piece. The sizes are those of one piece too.'),
    height_m: z.number().positive().max(1_000),
    length_m: z.number().positive().max(1_000),
    width_m: z.number().positive().max(1_000),
  })
  .meta({ id: 'Package' })

const sums = {
  declared_value: money
    .optional()
    .describe('Sent only to a connector with the capability `declared_value`.'),
  cash_on_delivery: money
    .optional()
    .describe(
      'What the courier collects from the recipient. Sent only to a connector with the capability `cash_on_delivery`.',
    ),
}

const guide = z
  .object({
    guide_number: guideNumber,
    pickup_code: pickupCode.describe('The recipient shows it at pickup. Personal data.'),
    price: money.nullable(),
  })
  .meta({ id: 'Guide' })

const guideStatus = z.enum(['active', 'cancelled']).optional().describe('Default: active.')
const foundGuide = guide.extend({ status: guideStatus }).meta({ id: 'FoundGuide' })

const guideCall = { ...call, client_reference: clientReference, guide_number: guideNumber }

/** Fields of the shop's request that are not sent to couriers. All others are in `createGuide`. */
type NotSent =
  | 'workspace_id'
  | 'courier_connection_id'
  | 'external_reference'
  | 'metadata'
  | 'quote_id'

export const requests = {
  verifyCredentials: z.object(call).meta({ id: 'VerifyCredentials' }),
  quote: z
    .object({
      ...call,
      workspace_reference: code,
      origin: agencyRef,
      destination: agencyRef,
      package: packageBody,
      service: service.nullable().describe('null requests every service.'),
      ...sums,
    })
    .meta({ id: 'QuoteRequest' }),
  createGuide: z
    .object({
      ...call,
      client_reference: clientReference,
      not_after: notAfter,
      origin: agencyRef,
      destination: agencyRef,
      package: packageBody,
      service,
      declared_content: z.string().max(2_000),
      recipient: z.object({
        document_type: code,
        document: text(64),
        first_name: text(200),
        last_name: text(200),
        phone: text(16)
          .optional()
          .describe('E.164. Sent only to a connector with the capability `recipient_phone`.'),
        email: text(254)
          .optional()
          .describe('Sent only to a connector with the capability `recipient_phone`.'),
      }),
      quoted_amount: money.nullable(),
      ...sums,
    } satisfies Record<Exclude<keyof ShipmentPayload, NotSent>, z.ZodType> & z.ZodRawShape)
    .meta({ id: 'CreateGuide' }),
  findGuides: z
    .object({
      ...call,
      client_reference: clientReference,
      guide_number: guideNumber.optional(),
      include_cancelled: z
        .boolean()
        .optional()
        .describe('Also list cancelled guides, with their `status`. Default: false.'),
    })
    .meta({ id: 'FindGuides' }),
  cancelGuide: z.object({ ...guideCall, not_after: notAfter }).meta({ id: 'CancelGuide' }),
  track: z.object(guideCall).meta({ id: 'TrackGuide' }),
  label: z.object({ ...guideCall, size: z.enum(['a6', 'a4']) }).meta({ id: 'LabelRequest' }),
  invoice: z
    .object({
      ...call,
      month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
        .describe('A calendar month in UTC, such as 2026-02.'),
    })
    .meta({ id: 'InvoiceRequest' }),
} as const

const success = z.literal(true)

const trackingEvent = z
  .object({
    id: words().min(1).max(128).nullable(),
    code: words().min(1).max(100),
    occurred_at: time,
    agency_code: code.nullable(),
    text: words().max(10_000).nullable(),
    action_required: z.boolean(),
  })
  .meta({ id: 'TrackingEvent' })

const agency = z
  .object({
    code,
    name: words().min(1).max(200),
    address: words().max(300),
    department: words().min(1).max(100),
    province: words().min(1).max(100),
    district: words().min(1).max(100),
    capabilities: z.array(z.enum(['drop_off', 'pickup'])).max(2),
  })
  .meta({ id: 'Agency' })

const limit = z.number().positive().max(100_000)
const packageProduct = z
  .object({
    code,
    name: words().min(1).max(200),
    max_weight_kg: limit,
    max_length_m: limit,
    max_width_m: limit,
    max_height_m: limit,
  })
  .meta({ id: 'PackageProduct' })

const rate = z.object({
  service,
  price: money,
  breakdown: z.array(z.object({ code: words().min(1).max(64), amount: z.int() })).max(20),
  transit_days: z.object({ min: z.int().min(0).max(365), max: z.int().min(0).max(365) }),
})
const quoteError = z.object({
  service,
  reason: refusalCode.describe(
    'A code from the protocol page. Any other code is shown as unavailable.',
  ),
  text: words().max(10_000).nullable(),
})

const billedGuide = z
  .object({
    kind: z
      .enum(lineKinds)
      .optional()
      .describe(
        '`charge`, or `cash_on_delivery` for cash that was collected and is paid out to the shop. A line without it is a charge.',
      ),
    guide_number: guideNumber,
    amount: z.int().min(0).max(billedAmountMax).describe('Minor units (céntimos).'),
    currency,
    weight_kg: z
      .number()
      .min(0)
      .max(billedWeightKgMax)
      .nullable()
      .describe('The billed weight of all pieces together. It is compared to the gram.'),
    date: z.iso.date().nullable().describe('The date of the line, as given by the courier.'),
    client_reference: words()
      .min(1)
      .max(billedReferenceLengthMax)
      .nullable()
      .describe(
        "The reference on the courier's invoice: that of the shipment, if the courier stores it.",
      ),
  })
  .meta({ id: 'BilledGuide' })
const invoiceReference = code.describe(
  "The invoice's number, the same on every request. Stored unencrypted, so it must contain no personal data.",
)

/** The answers of a connector, in the strict form that the conformance command requires. */
export const answers = {
  describe: description,
  agencies: z
    .object({ success, agencies: z.array(agency).max(connectorLimits.agenciesMax) })
    .meta({ id: 'Agencies' }),
  packageProducts: z
    .object({
      success,
      package_products: z.array(packageProduct).max(connectorLimits.packageProductsMax),
    })
    .meta({ id: 'PackageProducts' }),
  verifyCredentials: z.object({ success }).meta({ id: 'Accepted' }),
  quote: z
    .object({ success, rates: z.array(rate).max(50), errors: z.array(quoteError).max(50) })
    .meta({ id: 'Quote' }),
  createGuide: z.object({ success, guide }).meta({ id: 'GuideCreated' }),
  findGuides: z
    .object({ success, guides: z.array(foundGuide).max(connectorLimits.guidesMax) })
    .meta({ id: 'GuidesFound' }),
  cancelGuide: z.object({ success }).meta({ id: 'GuideCancelled' }),
  track: z
    .object({
      success,
      eta: time.nullable(),
      events: z.array(trackingEvent).max(connectorLimits.trackingEventsMax),
    })
    .meta({ id: 'Tracked' }),
  invoice: z
    .object({
      success,
      reference: invoiceReference,
      lines: z.array(billedGuide).min(1).max(connectorLimits.invoiceLinesMax),
    })
    .meta({ id: 'Invoice' }),
  refusal: z
    .object({
      success: z.literal(false),
      code: refusalCode.describe('A normalized code. Must not contain personal data.'),
      message: words().max(10_000).nullable().optional().describe("The courier's own message."),
      executed: z.literal(false).optional(),
      price: money
        .optional()
        .describe("With `quote_price_changed`: today's price for the request."),
    })
    .meta({ id: 'Refusal' }),
} as const

/** Answers that consist of one long list, which is read item by item. */
export const lists = {
  agencies: {
    member: 'agencies',
    item: agency,
    itemsMax: connectorLimits.agenciesMax,
    envelope: z.object({ success, agencies: z.tuple([]) }),
  },
  packageProducts: {
    member: 'package_products',
    item: packageProduct,
    itemsMax: connectorLimits.packageProductsMax,
    envelope: z.object({ success, package_products: z.tuple([]) }),
  },
  /**
   * A line that cannot be read makes the invoice unreadable: a partial invoice would look complete.
   */
  invoice: {
    member: 'lines',
    item: billedGuide.transform(({ kind, guide_number, weight_kg, client_reference, ...line }) => ({
      ...line,
      kind: kind ?? 'charge',
      guideNumber: guide_number,
      weightKg: weight_kg,
      clientReference: client_reference,
    })),
    itemsMax: connectorLimits.invoiceLinesMax,
    envelope: z.object({ success, reference: invoiceReference, lines: z.tuple([]) }),
  },
} as const

/**
 * The answers in the tolerant form that the adapter reads. It accepts a guide with an unreadable
 * price or pickup code, because the guide exists in any case, and reads tracking events one by one.
 */
const tolerantGuide = z.object({
  guide_number: guideNumber,
  pickup_code: pickupCode.catch(null),
  price: money.nullable().catch(null),
})
/** An unreadable status is treated as absent. */
const tolerantFoundGuide = tolerantGuide.extend({ status: z.unknown().optional() })
export const tolerantAnswers = {
  ...answers,
  createGuide: z.object({ success, guide: tolerantGuide }),
  findGuides: z.object({
    success,
    guides: z.array(tolerantFoundGuide).max(connectorLimits.guidesMax),
  }),
  track: z.object({
    success,
    eta: time.nullable().catch(null),
    events: z.array(z.unknown()).max(connectorLimits.trackingEventsMax),
  }),
  refusal: z.object({
    success: z.literal(false),
    code: refusalCode.nullable().catch(null),
    message: words().nullable().catch(null),
    executed: z.literal(false).optional().catch(undefined),
    price: money.nullable().catch(null),
  }),
} as const
export const tolerantTrackingEvent = trackingEvent.extend({
  id: words().min(1).max(128).nullable().catch(null),
  agency_code: code.nullable().catch(null),
  text: words().nullable().catch(null),
  action_required: z.boolean().catch(false),
})

export type WireCreateGuide = z.infer<typeof requests.createGuide>
export type WireQuote = z.infer<typeof requests.quote>
type WireSandbox = z.infer<typeof sandbox>
export type WireCall = {
  credentials: z.infer<typeof credentials>
  sandbox?: WireSandbox | undefined
}

/** The operations of the protocol. `credentials` marks those whose requests contain credentials. */
export const operations = {
  describe: { method: 'GET', path: '/', request: null },
  agencies: { method: 'GET', path: '/agencies', request: null },
  packageProducts: { method: 'GET', path: '/package-products', request: null },
  verifyCredentials: {
    method: 'POST',
    path: '/credentials/verify',
    request: requests.verifyCredentials,
  },
  quote: { method: 'POST', path: '/quotes', request: requests.quote },
  createGuide: { method: 'POST', path: '/guides', request: requests.createGuide },
  findGuides: { method: 'POST', path: '/guides/find', request: requests.findGuides },
  cancelGuide: { method: 'POST', path: '/guides/cancel', request: requests.cancelGuide },
  track: { method: 'POST', path: '/guides/tracking', request: requests.track },
  label: { method: 'POST', path: '/guides/label', request: requests.label },
  invoice: { method: 'POST', path: '/invoices', request: requests.invoice },
} as const
export type OperationName = keyof typeof operations
