import type { CourierFailure } from '../../couriers/courier.ts'
import { quoteConnectionsMax, quoteTimes } from '../../domain/quote.ts'
import { Problem } from '../../errors.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { makeQuote } from '../../processes/quotes/make-quote.ts'
import { findQuote } from '../../processes/quotes/quote-rows.ts'
import type { ApiServices, App } from '../api-services.ts'
import { newQuoteId } from '../new-ids.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentCreate } from '../rules/idempotent-create.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import { requireQuote } from './get-quote.ts'
import { quotePayload, quoteRequestOf } from './quote-payload.ts'
import { quoteObject, quoteSchema } from './quote-schema.ts'

export function createQuoteRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/quotes',
    config: {
      collectionScope: 'shipments:write',
      isIdempotent: true,
      headers: ['sandbox-scenario'],
      problems: [
        'not_found',
        'courier_rejected',
        'courier_not_available',
        'not_supported_by_courier',
        'connection_needs_reauth',
        'connection_disabled',
        'courier_unreachable',
        'courier_throttled',
        'scenario_conflict',
        'sandbox_only',
        'unknown_scenario',
      ],
    },
    schema: {
      operationId: 'createQuote',
      summary: 'Get the price of a parcel',
      description: `A service without a price is listed in \`errors\`; the others are still priced. A creation that names the quote within 30 minutes gets its price, or no guide. Nothing is reserved, so a failed quote can be requested again.

With \`courier_connection_ids\` the couriers of up to ${quoteConnectionsMax} connections are asked at once, and the answer comes after at most ${quoteTimes.answeredWithinMs / 1_000} s: the rates of all of them, cheapest first, and an error for each connection that has none. The status is then 201 even if no connection has a price.`,
      tags: ['Quotes'],
      body: quotePayload,
      response: {
        201: quoteSchema.meta({
          description: 'The quote, possibly without a price for some services or connections.',
        }),
      },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const body = quoteRequestOf(request.body)
      const scenario = scenarioOf(request, principal.livemode, undefined)
      await deps.workspaces.require(principal, body.workspace_id).catch((error: unknown) => {
        throw beforeExecution(error)
      })
      const { organizationId, livemode } = principal
      const create = async (quoteId: string) => {
        const order = { quoteId, organizationId, livemode, requestId, body, scenario }
        if ((await findQuote(deps.db, principal, quoteId)) !== null) return quoteId
        const made = await makeQuote(deps, order)
        if (made.kind === 'failed') throw quoteFailed(made.failure)
        return quoteId
      }
      const read = (id: string) => requireQuote(deps, principal, id)
      const quote = await idempotentCreate(deps, {
        request,
        reply,
        newId: newQuoteId,
        create,
        read,
      })
      reply.code(201).header('location', `/v1/quotes/${quote.id}`)
      return quoteObject(quote)
    },
  })
}

function quoteFailed(failure: CourierFailure): Problem {
  return failure.kind === 'rejected'
    ? new Problem('courier_rejected', {
        detail: 'The courier has no price for such a parcel on this route.',
      })
    : courierFailed(failure)
}
