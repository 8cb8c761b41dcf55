import type { FastifyReply } from 'fastify'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import { refusalOf } from '../../processes/calls/creation-refusal.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { type CreationAnswer, createShipment } from '../../processes/calls/shipment-creation.ts'
import { actorOf } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { authenticated } from '../rules/authenticate.ts'
import { parseIdempotencyKey } from '../rules/idempotency-key.ts'
import { scenarioOf } from '../rules/sandbox-scenario.ts'
import {
  decryptKnown,
  executedButNotShown,
  type ShipmentObject,
  shipmentObject,
  shipmentRequest,
  shipmentSchema,
} from './shipment-schema.ts'

export function createShipmentRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/shipments',
    config: {
      collectionScope: 'shipments:write',
      // A used key still gets its result; the quota check refuses a new one.
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
        'not_supported_by_courier',
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
        'The `Idempotency-Key` identifies the logical attempt to ship an order: use one key per order, and keep it. Repeating the request with the same key and body never creates a second guide, however much later; it returns the outcome of the first request. After a lost connection, a 503 or a 424, repeat with the same key. On 409 `unknown_outcome` the guide may exist: create nothing and read the operation. After 422 `courier_rejected` or 409 `nothing_created` it is certain that nothing was created; another attempt needs a new key.',
      tags: ['Shipments'],
      body: shipmentRequest,
      response: {
        201: shipmentSchema.meta({
          description:
            'The shipment with its guide. A repeated request returns the shipment as it is now.',
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
      const answer = await createShipment(deps, {
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

/** Responds to each way that a creation can end. */
async function answerCreation(
  deps: ApiServices,
  reply: FastifyReply,
  answer: CreationAnswer,
): Promise<ShipmentObject> {
  const state = existing(answer.snapshot)
  if (answer.origin !== 'created') reply.header('idempotent-replayed', 'true')
  const refusal = await refusalOf(deps, answer)
  if (refusal === null) return await created(deps, reply, answer, state)
  if (refusal.reason !== 'courier_rejected') throw refusal
  const decrypted = await decryptKnown(deps, state, answer.decrypted)
  const { failure } = shipmentObject(answer.shipmentId, state, decrypted)
  throw new Problem('courier_rejected', {
    ...refusal.options,
    ...(failure?.detail == null ? {} : { detail: failure.detail }),
  })
}

async function created(
  deps: ApiServices,
  reply: FastifyReply,
  answer: CreationAnswer,
  state: Shipment,
): Promise<ShipmentObject> {
  const { shipmentId } = answer
  const shipment = { id: shipmentId, version: state.version }
  const decrypted = await decryptKnown(deps, state, answer.decrypted).catch(
    executedButNotShown(
      shipment,
      'The shipment was created but cannot be shown now. Repeat with the same key only.',
    ),
  )
  reply.code(201).header('location', `/v1/shipments/${shipmentId}`)
  return shipmentObject(shipmentId, state, decrypted)
}
