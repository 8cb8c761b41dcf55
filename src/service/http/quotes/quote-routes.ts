import type { CourierFailure } from '../../couriers/courier.ts'
import { Problem } from '../../errors.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { makeQuote } from '../../processes/quotes/make-quote.ts'
import { findQuote, type Quote, quoteLimits } from '../../processes/quotes/quote-rows.ts'
import type { Principal } from '../../security/api-keys.ts'
import { newQuoteId } from '../new-ids.ts'
import { pathId } from '../openapi/schemas.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import { authenticated } from '../rules/authenticate.ts'
import { once } from '../rules/once.ts'
import { resource } from '../rules/resources/resource.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { quoteObject, quotePayload, quoteSchema } from './quote-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'processes' | 'secrets' | 'workspaces'>

const tags = ['Quotes']

export function quoteRoutes(app: App, deps: Deps): void {
  createRoute(app, deps)
  readRoute(app, deps)
}

function createRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/quotes',
    config: {
      collectionScope: 'shipments:write',
      isOnce: true,
      headers: ['sandbox-scenario'],
      problems: [
        'not_found',
        'courier_rejected',
        'courier_not_available',
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
      summary: 'Ask what a parcel costs',
      description:
        'A service without a price is listed in `errors`; the others are still priced. A creation that names the quote within 30 minutes gets its price, or no guide. Nothing is reserved, so a failed quote can be requested again.',
      tags,
      body: quotePayload,
      response: {
        201: quoteSchema.meta({
          description: 'The quote, possibly without a price for some services.',
        }),
      },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const { body } = request
      const scenario = scenarioOf(request, principal.livemode, undefined)
      await deps.workspaces.require(principal, body.workspace_id).catch((error: unknown) => {
        throw beforeExecution(error)
      })
      const { organizationId, livemode } = principal
      const make = async (quoteId: string) => {
        const order = { quoteId, organizationId, livemode, requestId, body, scenario }
        if ((await findQuote(deps.processes.db, principal, quoteId)) !== null) return quoteId
        const made = await makeQuote(deps.processes, order)
        if (made.kind === 'failed') throw quoteFailed(made.failure)
        return quoteId
      }
      const read = (id: string) => readQuote(deps, principal, id)
      const quote = await once(deps, { request, reply, newId: newQuoteId, make, read })
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

async function readQuote(deps: Deps, principal: Principal, id: string): Promise<Quote> {
  const quote = await findQuote(deps.processes.db, principal, id)
  if (quote === null) throw new Problem('not_found')
  return quote
}

const keptDays = quoteLimits.keptMs / (24 * 60 * 60_000)

function readRoute(app: App, deps: Deps): void {
  const quote = resource('shipments:read', ({ principal }, id) => readQuote(deps, principal, id))
  app.route({
    method: 'GET',
    url: '/v1/quotes/:id',
    config: { resource: quote, isVersioned: true },
    schema: {
      operationId: 'getQuote',
      summary: `Read a quote; quotes are kept for ${keptDays} days`,
      description: 'Use it to see again which price a creation was held to.',
      tags,
      params: pathId('quo'),
      response: { 200: quoteSchema.meta({ description: 'The quote.' }) },
    },
    handler: async (request) => quoteObject(quote.of(request)),
  })
}
