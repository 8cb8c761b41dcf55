import { z } from 'zod'
import { instant } from '../../domain/decider.ts'
import { shipmentStream } from '../../domain/ids.ts'
import { Problem } from '../../errors.ts'
import { ledgerEventObject } from '../../event-store/codec.ts'
import { createShipment } from '../../processes/calls/create-shipment.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { actorOf } from '../../security/api-keys.ts'
import { ledgerEventSchema } from '../ledger/ledger-events.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { parseIdempotencyKey } from '../rules/idempotency-key.ts'
import { listPage } from '../rules/lists.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { answerCreation } from './creation-answer.ts'
import { shipmentAsOf, shipmentResource } from './find-shipment.ts'
import { shipmentListRoute } from './shipment-list.ts'
import { decryptFor, shipmentObject, shipmentRequest, shipmentSchema } from './shipment-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'owners' | 'processes' | 'secrets' | 'store' | 'workspaces'>

const tags = ['Shipments']

export function shipmentRoutes(app: App, deps: Deps): void {
  createRoute(app, deps)
  shipmentListRoute(app, deps)
  readRoute(app, deps)
  eventsRoute(app, deps)
}

function createRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/shipments',
    config: {
      collectionScope: 'shipments:write',
      // A used key answers its own result; a new key is refused together with the quota check.
      whileSuspended: true,
      isVersioned: true,
      requiresKey: true,
      headers: ['sandbox-scenario'],
      problems: [
        'quota_exceeded',
        'not_found',
        'idempotency_key_reused',
        'unknown_outcome',
        'nothing_created',
        'quote_expired',
        'quote_mismatch',
        'quote_price_changed',
        'courier_rejected',
        'courier_not_available',
        'connection_needs_reauth',
        'connection_disabled',
        'courier_unreachable',
        'courier_throttled',
        'scenario_conflict',
        'sandbox_only',
        'unknown_scenario',
        'clock_advancing',
      ],
    },
    schema: {
      operationId: 'createShipment',
      summary: 'Create a shipment: one key, one guide',
      description:
        'The `Idempotency-Key` is the logical attempt to ship an order: use one key for each order, and keep it. Repeating the request with the same key and body never creates a second guide, at any time later; it answers what came of the first request. After a lost connection, a 503 or a 424, repeat with the same key. On 409 `unknown_outcome` the guide may exist: create nothing, read the operation. 422 `courier_rejected` and 409 `nothing_created` are certain: nothing was created, and another try needs a new key.',
      tags,
      body: shipmentRequest,
      response: {
        201: shipmentSchema.meta({
          description: 'The shipment, which has a guide. Repeated: the shipment as it is now.',
        }),
      },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const idempotencyKey = parseIdempotencyKey(request)
      const scenario = scenarioOf(request, principal.livemode, request.body.metadata)
      await deps.workspaces
        .require(principal, request.body.workspace_id)
        .catch((error: unknown) => {
          throw beforeExecution(error)
        })
      const answer = await createShipment(deps.processes, {
        organizationId: principal.organizationId,
        livemode: principal.livemode,
        actor: actorOf(principal),
        requestId,
        idempotencyKey,
        body: request.body,
        scenario,
      })
      return await answerCreation(deps, reply, answer)
    },
  })
}

function readRoute(app: App, deps: Deps): void {
  const shipment = shipmentResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id',
    config: { resource: shipment, isVersioned: true },
    schema: {
      operationId: 'getShipment',
      summary: 'Read a shipment, as it is or as it was',
      description:
        'Never older than what the same client was just told. Erased data is `null` at every version.',
      tags,
      params: pathId('shp'),
      querystring: z.strictObject({
        as_of: z
          .union([
            z
              .string()
              .regex(/^[1-9][0-9]{0,6}$/)
              .transform((text) => ({ version: Number(text) })),
            z.iso.datetime({ offset: true }).transform((text) => ({ at: instant(text) })),
          ])
          .optional()
          .meta({
            description:
              'Shows it as it was: at a version (a number of events, from 1) or at a time (RFC 3339). Absent: as it is.',
            example: '2',
          }),
      }),
      response: { 200: shipmentSchema.meta({ description: 'The shipment.' }) },
    },
    handler: async (request) => {
      const { id } = request.params
      const found = shipment.of(request)
      const { as_of: asOf } = request.query
      const state = asOf === undefined ? found.state : await shipmentAsOf(deps.store, id, asOf)
      if (state === null) {
        throw new Problem('not_found', { detail: 'The shipment has no such version.' })
      }
      // Erased data is erased at every version.
      const shown = { ...state, erasedAt: found.state.erasedAt }
      return shipmentObject(id, shown, await decryptFor(deps.processes.vault, [shown]))
    },
  })
}

function eventsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/events',
    config: { resource: shipmentResource(deps, 'ledger:read') },
    schema: {
      operationId: 'listShipmentEvents',
      summary: 'Read the whole history of a shipment, oldest first',
      description:
        'Every event of its stream, for auditors: what was asked, sent, answered, looked up and decided, by whom and when. No personal data.',
      tags: ['Ledger'],
      params: pathId('shp'),
      querystring: listQuery({}),
      response: { 200: listOf(ledgerEventSchema, 'A page of events, oldest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { id } = request.params
      return await listPage({
        deps,
        principal,
        route: `/v1/shipments/${id}/events`,
        query: request.query,
        read: ({ after, limit }) => {
          const from = after === null ? 0 : Number(after[0]) + 1
          return deps.store.readStream(shipmentStream(id), { from, limit })
        },
        sortKey: (event) => [String(event.revision)],
        item: ledgerEventObject,
      })
    },
  })
}
