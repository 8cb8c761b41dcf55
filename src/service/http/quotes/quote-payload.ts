import { z } from 'zod'
import { quoteConnectionsMax } from '../../domain/quote.ts'
import {
  destinationSchema,
  originSchema,
  packageSchema,
  serviceSchema,
  shipmentPayload,
} from '../../domain/shipment/shipment-payload.ts'
import type { QuoteRequest } from '../../processes/quotes/quote-request.ts'
import { exampleQuoteRequest, exampleRatesRequest } from '../openapi/examples.ts'
import { idOf } from '../openapi/schemas.ts'

type IdPrefix = Parameters<typeof idOf>[0]

/** One to ten different ids. */
function idsOf(prefix: IdPrefix) {
  return z
    .array(idOf(prefix))
    .min(1)
    .max(quoteConnectionsMax)
    .superRefine((ids, context) => {
      for (const [index, id] of ids.entries()) {
        if (ids.indexOf(id) === index) continue
        const params = { reason: 'duplicate' }
        const message = 'The id is named twice.'
        context.addIssue({ code: 'custom', path: [index], message, params })
      }
    })
}

function agencyIds(capability: string) {
  return idsOf('agy').meta({
    uniqueItems: true,
    description: `Instead of \`agency_id\`, for connections of different couriers: at most one agency for each courier, with the capability \`${capability}\`.`,
  })
}

const payload = z.strictObject({
  workspace_id: idOf('ws').meta({ description: 'The shop that asks for the price.' }),
  courier_connection_id: idOf('ccn').nullish().meta({
    description:
      'The account at the courier, a connection of the same workspace. Exactly one of it and `courier_connection_ids` is required.',
  }),
  courier_connection_ids: idsOf('ccn')
    .nullish()
    .meta({
      uniqueItems: true,
      description: `For the rates of several couriers side by side: 1 to ${quoteConnectionsMax} different connections of the same workspace, of one courier or of several.`,
    }),
  origin: originSchema
    .extend({
      agency_id: originSchema.shape.agency_id.optional(),
      agency_ids: agencyIds('drop_off').optional(),
    })
    .meta(originSchema.meta() ?? {}),
  destination: destinationSchema
    .extend({
      agency_id: destinationSchema.shape.agency_id.optional(),
      agency_ids: agencyIds('pickup').optional(),
    })
    .meta(destinationSchema.meta() ?? {}),
  package: packageSchema
    .extend({
      product_id: packageSchema.shape.product_id.optional(),
      product_ids: idsOf('pkg').optional().meta({
        uniqueItems: true,
        description: 'Instead of `product_id`: at most one for each courier.',
      }),
    })
    .meta(packageSchema.meta() ?? {}),
  service: serviceSchema.nullish().meta({
    description:
      'The service to price. If it is absent or `null`, every service of each courier is priced.',
  }),
  declared_value: shipmentPayload.shape.declared_value,
  cash_on_delivery: shipmentPayload.shape.cash_on_delivery,
})

type Payload = z.infer<typeof payload>

/** The fields of which exactly one is required. */
const either = [
  ['', 'courier_connection_id', 'courier_connection_ids'],
  ['origin', 'agency_id', 'agency_ids'],
  ['destination', 'agency_id', 'agency_ids'],
  ['package', 'product_id', 'product_ids'],
] as const

export const quotePayload = payload
  .superRefine((body, context) => {
    for (const [within, one, several] of either) {
      const fields: Readonly<Record<string, unknown>> = within === '' ? body : body[within]
      const refuse = (field: string, reason: string, message: string) => {
        const path = within === '' ? [field] : [within, field]
        context.addIssue({ code: 'custom', path, message, params: { reason } })
      }
      const hasOne = isGiven(fields[one])
      const hasSeveral = isGiven(fields[several])
      if (!hasOne && !hasSeveral) refuse(one, 'required', `It is required, or ${several}.`)
      if (hasOne && hasSeveral) refuse(several, 'not_allowed', `It is not allowed beside ${one}.`)
      const isForOne = isGiven(body.courier_connection_id)
      if (hasSeveral && !hasOne && isForOne && within !== '') {
        refuse(several, 'not_allowed', 'It is allowed only with courier_connection_ids.')
      }
    }
  })
  .meta({
    id: 'QuoteRequest',
    description: 'A parcel and its route, to be priced.',
    examples: [exampleQuoteRequest(), exampleRatesRequest()],
  })

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The request with exactly one of each pair of fields. */
export function quoteRequestOf(body: Payload): QuoteRequest {
  const { courier_connection_id: one, courier_connection_ids: several, ...rest } = body
  const given = isGiven(one) ? { courier_connection_id: one } : { courier_connection_ids: several }
  // The schema has checked which fields are there.
  return { ...rest, ...given } as QuoteRequest
}
