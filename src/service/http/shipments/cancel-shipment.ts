import type { FastifyReply } from 'fastify'
import type { Cancellation } from '../../domain/operation/cancellation.ts'
import type { DeclineReason } from '../../domain/operation/cancellation-events.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import type { ShipmentVersion } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import {
  inFlightProblem,
  inFlightRetrySeconds,
  notSent,
  unknownOutcome,
} from '../../processes/calls/creation-refusal.ts'
import {
  type CancellationAnswer,
  cancelShipment,
} from '../../processes/calls/shipment-cancellation.ts'
import { actorOf } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { parseIdempotencyKey } from '../rules/idempotency-key.ts'
import { resource } from '../rules/resources/resource.ts'
import { findShipment } from './find-shipment.ts'
import {
  decryptFor,
  executedButNotShown,
  type ShipmentObject,
  shipmentObject,
  shipmentSchema,
} from './shipment-schema.ts'

export function cancelShipmentRoute(app: App, deps: ApiServices): void {
  // While the ledger is damaged, a shipment that it does not have may have been lost.
  const shipment = resource('shipments:write', async ({ principal }, id) => {
    try {
      return await findShipment(deps, principal, id)
    } catch (error) {
      deps.guard.refuseWhileDamaged()
      throw error
    }
  })
  app.route({
    method: 'POST',
    url: '/v1/shipments/:id/cancel',
    config: {
      resource: shipment,
      whileSuspended: true,
      isVersioned: true,
      requiresKey: true,
      problems: [
        'unknown_outcome',
        'shipment_not_cancellable',
        'not_cancelled',
        'courier_not_available',
        'connection_needs_reauth',
        'connection_disabled',
        'courier_unreachable',
        'courier_throttled',
        'clock_advancing',
      ],
    },
    schema: {
      operationId: 'cancelShipment',
      summary: 'Cancel a shipment',
      description:
        'The `Idempotency-Key` identifies the logical attempt to cancel this shipment; other shipments may use the same key. On 409 `unknown_outcome` the guide may have been cancelled: read the operation. For a shipment that is already cancelled, any key gets 200.',
      tags: ['Shipments'],
      params: pathId('shp'),
      response: { 200: shipmentSchema.meta({ description: 'The cancelled shipment.' }) },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const { id: shipmentId } = request.params
      const answer = await cancelShipment(deps, {
        shipmentId,
        found: shipment.of(request).snapshot,
        idempotencyKey: parseIdempotencyKey(request),
        actor: actorOf(principal),
        requestId,
      })
      return await answerCancellation(deps, reply, answer)
    },
  })
}

const declinedDetails: Readonly<Record<DeclineReason, string>> = {
  no_guide: 'There is no guide to cancel.',
  handed_over: 'The courier already has the parcel.',
  courier_refused: 'The courier refused to cancel it.',
  courier_cannot_cancel: 'This courier does not support cancellation.',
  too_many_tries: 'This shipment has reached its limit of cancellation attempts.',
}

/** Responds to each situation that a cancellation can find. */
async function answerCancellation(
  deps: ApiServices,
  reply: FastifyReply,
  answer: CancellationAnswer,
): Promise<ShipmentObject> {
  const { situation, origin } = answer
  const shipment = shipmentVersion(answer)
  if (answer.isReplay) reply.header('idempotent-replayed', 'true')
  switch (situation.kind) {
    case 'cancelled':
      return await cancelled(deps, answer)
    case 'creation':
      throw whileCreating(shipment, situation.attempt)
    case 'underway':
      // The calling request gets "unknown". A waiting one gets "in flight" until the deadline.
      throw origin === 'created'
        ? unknownOutcome(shipment, situation.cancellation)
        : await inFlightProblem(deps, shipment, existing(answer.snapshot), situation.cancellation)
    case 'open':
      throw unknownOutcome(shipment, situation.cancellation)
    case 'ended':
      throw await ended(deps, answer, situation.cancellation)
    case 'already_declined':
    case 'must_decline':
      throw notCancellable(shipment, declinedDetails[situation.because])
    case 'may_begin':
      throw new Error('bug: a cancellation that may begin was not begun')
  }
}

function shipmentVersion({ shipmentId, snapshot }: CancellationAnswer): ShipmentVersion {
  return { id: shipmentId, version: existing(snapshot).version }
}

async function cancelled(deps: ApiServices, answer: CancellationAnswer): Promise<ShipmentObject> {
  const state = existing(answer.snapshot)
  const decrypted = await decryptFor(deps, [state]).catch(
    executedButNotShown(
      shipmentVersion(answer),
      'The shipment is cancelled but cannot be shown now. Repeat with the same key.',
    ),
  )
  return shipmentObject(answer.shipmentId, state, decrypted)
}

/**
 * Nothing of this request was executed, because it is not known yet whether there is a guide to
 * cancel.
 */
function whileCreating(shipment: ShipmentVersion, attempt: Operation): Problem {
  const { operationId } = attempt
  const isCalling = attempt.state === 'calling'
  return new Problem(isCalling ? 'idempotency_in_flight' : 'unknown_outcome', {
    shipment,
    operationId,
    outcome: 'not_executed',
    headers: { location: `/v1/operations/${operationId}` },
    detail: isCalling
      ? 'The shipment is still being created. Ask again when the creation has ended.'
      : 'It is not known yet whether there is a guide. Follow the operation of the creation.',
    ...(isCalling ? { retryAfterSeconds: inFlightRetrySeconds } : {}),
  })
}

function notCancellable(shipment: ShipmentVersion, detail: string): Problem {
  return new Problem('shipment_not_cancellable', { shipment, detail })
}

async function ended(
  deps: ApiServices,
  answer: CancellationAnswer,
  cancellation: Cancellation,
): Promise<Problem> {
  const shipment = shipmentVersion(answer)
  if (cancellation.state === 'not_sent') return notSent(shipment, cancellation)
  if (cancellation.state === 'refused') {
    // Erased data is not shown, even while its key is still remembered.
    const refusalRef = existing(answer.snapshot).erasedAt === null ? cancellation.refusalRef : null
    const item = refusalRef === null ? null : await deps.vault.openItem(refusalRef)
    const text = item === null || Buffer.isBuffer(item) ? null : item.text
    const detail = typeof text === 'string' ? text : declinedDetails.courier_refused
    return notCancellable(shipment, detail)
  }
  return new Problem('not_cancelled', { shipment, operationId: cancellation.operationId })
}
