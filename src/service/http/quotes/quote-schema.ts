import { z } from 'zod'
import { rfc3339 } from '../../domain/decider.ts'
import {
  type BreakdownCode,
  breakdownCodes,
  connectionErrorReasons,
  type Parcel,
  quoteErrorReasons,
  type Rate,
} from '../../domain/quote.ts'
import {
  agencyIdsOf,
  connectionIdsOf,
  productIdsOf,
  type QuoteRequest,
} from '../../processes/quotes/quote-request.ts'
import type { Quote } from '../../processes/quotes/quote-rows.ts'
import { exampleQuote } from '../openapi/examples.ts'
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

const { amount, currency } = money.shape
const codes = Object.keys(breakdownCodes) as [BreakdownCode, ...BreakdownCode[]]
const whyNoPrice = { ...quoteErrorReasons, ...connectionErrorReasons }
type WhyNoPrice = keyof typeof whyNoPrice
const errorReasons = Object.keys(whyNoPrice) as [WhyNoPrice, ...WhyNoPrice[]]

const rateConnection = idOf('ccn').meta({
  description: 'The connection whose courier answered this.',
})

/** An agency of the request, or several. */
function agencies(where: string) {
  return z
    .object({
      agency_id: idOf('agy').nullable().meta({
        description: 'The agency of the request. `null` if it named `agency_ids`.',
      }),
      agency_ids: z.array(idOf('agy')).meta({
        description: 'All agencies of the request, at most one for each courier.',
      }),
    })
    .meta({ description: where })
}

export const quoteSchema = z
  .object({
    id: ownId('quo'),
    object: typeOf('quote'),
    livemode,
    workspace_id: workspaceRef,
    courier_connection_id: idOf('ccn').nullable().meta({
      description:
        'The connection whose courier was asked. `null` if the request named `courier_connection_ids`.',
    }),
    courier_connection_ids: z.array(idOf('ccn')).meta({
      description: 'All connections whose couriers were asked, in the order of the request.',
    }),
    origin: agencies('Where the parcel is dropped off.'),
    destination: agencies('Where the recipient collects the parcel.'),
    package: parcelFields.package
      .extend({
        product_id: idOf('pkg').nullable().meta({
          description: 'The kind of parcel of the request. `null` if it named `product_ids`.',
        }),
        product_ids: z.array(idOf('pkg')).meta({
          description: 'All kinds of parcel of the request, at most one for each courier.',
        }),
      })
      .meta({ description: 'The parcel.' }),
    service: serviceField.nullable().meta({
      description: 'The service that was asked for. `null` if every service was.',
    }),
    declared_value: money.nullable().meta({
      description: 'The value of the content that was priced. `null` if none was declared.',
    }),
    cash_on_delivery: money.nullable().meta({
      description: 'What the courier would collect. `null` if it would collect nothing.',
    }),
    status: openEnum(['complete', 'partial']).meta({
      description:
        '`complete`: every service of every connection has a price. `partial`: at least one, possibly every one, has none.',
    }),
    rates: z
      .array(
        z.object({
          courier_connection_id: rateConnection,
          ...parcelFields,
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
      .meta({
        description:
          "The services that have a price. Those of several connections are listed cheapest first, each currency on its own, in the order of the currencies' codes. A creation at a rate repeats its `courier_connection_id`, `origin`, `destination`, `package` and `service`, and the `declared_value` and `cash_on_delivery` of the quote.",
      }),
    errors: z
      .array(
        z.object({
          courier_connection_id: rateConnection,
          service: serviceField.nullable().meta({
            description:
              'The service without a price. `null` if the connection has no price for any service, which happens only beside others.',
          }),
          reason: openEnum(errorReasons).meta({
            description: valuesText('Why there is no price.', whyNoPrice),
          }),
          detail: z.string().meta({ description: 'The reason in words, for people.' }),
        }),
      )
      .meta({ description: 'The services and connections that have no price.' }),
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
    description: 'The prices of one or more couriers for a parcel. It never changes.',
  })

/** The quote of the API. */
export function quoteObject(quote: Quote): z.infer<typeof quoteSchema> {
  const { request, rates, errors } = quote
  return {
    id: quote.id,
    object: 'quote',
    livemode: quote.livemode,
    workspace_id: quote.workspaceId,
    ...shownRequest(request),
    service: request.service ?? null,
    declared_value: request.declared_value ?? null,
    cash_on_delivery: request.cash_on_delivery ?? null,
    status: rates.length === 0 || errors.length > 0 ? 'partial' : 'complete',
    rates: rates.map((rate) => ({
      ...rate,
      ...parcelOf(quote, rate),
      breakdown: [...rate.breakdown],
    })),
    errors: [...errors],
    sandbox_scenario: quote.scenario,
    expires_at: rfc3339(quote.expiresAt),
    created_at: rfc3339(quote.createdAt),
  }
}

/** What was asked, as lists, and by itself where the request named only one. */
function shownRequest(request: QuoteRequest) {
  const { origin, destination, package: parcel } = request
  const shownAgencies = (choice: typeof origin) => ({
    agency_id: 'agency_id' in choice ? choice.agency_id : null,
    agency_ids: [...agencyIdsOf(choice)],
  })
  return {
    courier_connection_id:
      'courier_connection_id' in request ? request.courier_connection_id : null,
    courier_connection_ids: [...connectionIdsOf(request)],
    origin: shownAgencies(origin),
    destination: shownAgencies(destination),
    package: {
      product_id: 'product_id' in parcel ? parcel.product_id : null,
      product_ids: [...productIdsOf(parcel)],
      quantity: parcel.quantity,
      weight_kg: parcel.weight_kg,
      height_m: parcel.height_m,
      length_m: parcel.length_m,
      width_m: parcel.width_m,
    },
  }
}

function parcelOf({ id, parcels }: Quote, { courier_connection_id: of }: Rate): Parcel {
  const parcel = parcels.find((each) => each.courier_connection_id === of)
  if (parcel === undefined) throw new Error(`quote ${id} has a rate without its parcel`)
  return parcel
}
