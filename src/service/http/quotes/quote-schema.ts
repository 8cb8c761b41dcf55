import { z } from 'zod'
import { rfc3339 } from '../../domain/decider.ts'
import { type BreakdownCode, breakdownCodes, quoteErrorReasons } from '../../domain/quote.ts'
import {
  destinationSchema,
  originSchema,
  packageSchema,
  serviceSchema,
} from '../../domain/shipment/shipment-payload.ts'
import type { Quote } from '../../processes/quotes/quote-rows.ts'
import { exampleQuote, exampleQuoteRequest } from '../openapi/examples.ts'
import {
  createdAt,
  idOf,
  livemode,
  money,
  openEnum,
  ownId,
  parcelFields,
  serviceField,
  timestamp,
  typeOf,
  valuesText,
  workspaceRef,
} from '../openapi/schemas.ts'

export const quotePayload = z
  .strictObject({
    workspace_id: idOf('ws').meta({ description: 'The shop that asks for the price.' }),
    courier_connection_id: idOf('ccn').meta({
      description: 'The account at the courier, a connection of the same workspace.',
    }),
    origin: originSchema,
    destination: destinationSchema,
    package: packageSchema,
    service: serviceSchema.nullish().meta({
      description:
        'The service to price. If it is absent or `null`, every service of the courier is priced.',
    }),
  })
  .meta({
    id: 'QuoteRequest',
    description: 'A parcel and its route, to be priced.',
    examples: [exampleQuoteRequest()],
  })

const { amount, currency } = money.shape
const codes = Object.keys(breakdownCodes) as [BreakdownCode, ...BreakdownCode[]]
const errorReasons = Object.keys(quoteErrorReasons) as [
  keyof typeof quoteErrorReasons,
  ...(keyof typeof quoteErrorReasons)[],
]

export const quoteSchema = z
  .object({
    id: ownId('quo'),
    object: typeOf('quote'),
    livemode,
    workspace_id: workspaceRef,
    courier_connection_id: idOf('ccn').meta({
      description: 'The connection whose courier was asked.',
    }),
    ...parcelFields,
    service: serviceField.nullable().meta({
      description: 'The service that was asked for. `null` if every service was.',
    }),
    status: openEnum(['complete', 'partial']).meta({
      description:
        '`complete`: every service has a price. `partial`: at least one service, possibly every one, has none.',
    }),
    rates: z
      .array(
        z.object({
          service: serviceField,
          amount: amount.meta({
            description: 'The price in minor units of the currency: 1450 is PEN 14.50.',
          }),
          currency,
          breakdown: z
            .array(
              z.object({
                code: openEnum(codes).meta({
                  description: valuesText('What this part is for.', breakdownCodes),
                }),
                amount: amount.meta({ description: 'In minor units; negative for a discount.' }),
              }),
            )
            .meta({ description: 'The parts of the price, if the courier gives them.' }),
          transit_days: z
            .object({
              min: z.int().meta({ description: 'The fewest days.', example: 1 }),
              max: z.int().meta({ description: 'The most days.', example: 3 }),
            })
            .meta({ description: 'How long the courier says it takes, in days.' }),
        }),
      )
      .meta({ description: 'The services that have a price.' }),
    errors: z
      .array(
        z.object({
          service: serviceField,
          reason: openEnum(errorReasons).meta({
            description: valuesText('Why the service has no price.', quoteErrorReasons),
          }),
          detail: z.string().meta({ description: 'The reason in words, for people.' }),
        }),
      )
      .meta({ description: 'The services that have no price.' }),
    sandbox_scenario: z.string().nullable().meta({
      description: 'The scenario that the simulated courier played. `null` in live mode.',
      example: 'happy_path',
    }),
    expires_at: timestamp.meta({
      description: "When it expires on the workspace's clock. A creation can name it until then.",
    }),
    created_at: createdAt,
  })
  .meta({
    id: 'Quote',
    examples: [exampleQuote],
    description: 'The price of a courier for a parcel. It never changes.',
  })

/** The quote of the API. */
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
