import { Problem } from '../../errors.ts'
import { findQuote, type Quote, quoteLimits } from '../../processes/quotes/quote-rows.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { resource } from '../rules/resources/resource.ts'
import { quoteObject, quoteSchema } from './quote-schema.ts'

const keptDays = quoteLimits.keptMs / (24 * 60 * 60_000)

export function getQuoteRoute(app: App, deps: ApiServices): void {
  const quote = resource('shipments:read', ({ principal }, id) => requireQuote(deps, principal, id))
  app.route({
    method: 'GET',
    url: '/v1/quotes/:id',
    config: { resource: quote, isVersioned: true },
    schema: {
      operationId: 'getQuote',
      summary: `Read a quote; quotes are kept for ${keptDays} days`,
      description: 'Use it to look up the price that a creation was held to.',
      tags: ['Quotes'],
      params: pathId('quo'),
      response: { 200: quoteSchema.meta({ description: 'The quote.' }) },
    },
    handler: async (request) => quoteObject(quote.of(request)),
  })
}

export async function requireQuote(
  deps: ApiServices,
  principal: Principal,
  id: string,
): Promise<Quote> {
  const quote = await findQuote(deps.db, principal, id)
  if (quote === null) throw new Problem('not_found')
  return quote
}
