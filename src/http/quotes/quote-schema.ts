import { z } from 'zod'
import { rfc3339 } from '../../domain/decider.ts'
import { type BreakdownCode, breakdownCodes, quoteErrorReasons } from '../../domain/quote.ts'
import {
  agencyChoice,
  packageSchema,
  serviceSchema,
} from '../../domain/shipment/shipment-payload.ts'
import type { Quote } from '../../processes/quotes/quote-rows.ts'
import { exampleQuoteRequest } from '../openapi/examples.ts'
import { agencyRef, idOf, openEnum, timestamp } from '../openapi/schemas.ts'

export const quotePayload = z
  .strictObject({
    workspace_id: idOf('ws'),
    courier_connection_id: idOf('ccn'),
    origin: agencyChoice,
    destination: agencyChoice,
    package: packageSchema,
    service: serviceSchema
      .nullish()
      .meta({ description: 'If absent or null: every service of the courier.' }),
  })
  .meta({ id: 'QuoteRequest', examples: [exampleQuoteRequest()] })

/** A courier may offer services that a shipment cannot request. */
const service = z.object({ mode: z.string(), payer: z.string() })
const codes = Object.keys(breakdownCodes) as [BreakdownCode, ...BreakdownCode[]]
const errorReasons = Object.keys(quoteErrorReasons) as [
  keyof typeof quoteErrorReasons,
  ...(keyof typeof quoteErrorReasons)[],
]

export const quoteSchema = z
  .object({
    id: idOf('quo'),
    object: z.literal('quote'),
    livemode: z.boolean(),
    workspace_id: idOf('ws'),
    courier_connection_id: idOf('ccn'),
    origin: agencyRef,
    destination: agencyRef,
    package: z.object({
      product_id: idOf('pkg'),
      quantity: z.int(),
      weight_kg: z.number(),
      height_m: z.number(),
      length_m: z.number(),
      width_m: z.number(),
    }),
    service: service.nullable().meta({ description: 'The requested service; null: all' }),
    status: openEnum(['complete', 'partial']).meta({
      description: '`partial`: at least one service, possibly every one, has no price',
    }),
    rates: z.array(
      z.object({
        service,
        amount: z.int().meta({ description: 'Minor units (céntimos)' }),
        currency: z.string(),
        breakdown: z.array(z.object({ code: openEnum(codes), amount: z.int() })),
        transit_days: z.object({ min: z.int(), max: z.int() }),
      }),
    ),
    errors: z.array(z.object({ service, reason: openEnum(errorReasons), detail: z.string() })),
    sandbox_scenario: z.string().nullable(),
    expires_at: timestamp.meta({ description: "On the workspace's clock" }),
    created_at: timestamp,
  })
  .meta({ id: 'Quote' })

/** The API's quote. A quote never changes. */
export function quoteObject(quote: Quote): z.infer<typeof quoteSchema> {
  const { parcel, rates, errors } = quote
  return {
    id: quote.id,
    object: 'quote',
    livemode: quote.livemode,
    workspace_id: quote.workspaceId,
    courier_connection_id: parcel.courier_connection_id,
    origin: parcel.origin,
    destination: parcel.destination,
    package: parcel.package,
    service: quote.service,
    status: rates.length === 0 || errors.length > 0 ? 'partial' : 'complete',
    rates: rates.map((rate) => ({ ...rate, breakdown: [...rate.breakdown] })),
    errors: [...errors],
    sandbox_scenario: quote.scenario,
    expires_at: rfc3339(quote.expiresAt),
    created_at: rfc3339(quote.createdAt),
  }
}
