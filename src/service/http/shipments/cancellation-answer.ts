import type { FastifyReply } from 'fastify'
import type { Cancellation } from '../../domain/operation/cancellation.ts'
import type { DeclineReason } from '../../domain/operation/cancellation-events.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import type { ShownVersion } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import type { CancellationAnswer } from '../../processes/calls/cancel-shipment.ts'
import {
  inFlightRetrySeconds,
  notSent,
  underway,
  unknownOutcome,
} from '../../processes/calls/creation-refusal.ts'
import type { RouteDeps } from '../server-deps.ts'
import { decryptFor, type ShipmentObject, shipmentObject } from './shipment-schema.ts'

type Deps = Pick<RouteDeps, 'processes'>

const declinedDetails: Readonly<Record<DeclineReason, string>> = {
  no_guide: 'There is no guide to cancel.',
  handed_over: 'The courier already has the parcel.',
  courier_refused: 'The courier refused to cancel it.',
  courier_cannot_cancel: 'This courier does not support cancellation.',
  too_many_tries: 'This shipment has reached its limit of cancellation attempts.',
}

/** The answer for each situation that a cancellation finds. */
export async function answerCancellation(
  deps: Deps,
  reply: FastifyReply,
  answer: CancellationAnswer,
): Promise<ShipmentObject> {
  const { situation, by } = answer
  const shipment = shownVersion(answer)
  if (answer.isReplay) reply.header('idempotent-replayed', 'true')
  switch (situation.kind) {
    case 'cancelled':
      return await cancelled(deps, answer)
    case 'creation':
      throw whileCreating(shipment, situation.attempt)
    case 'underway':
      // The calling request gets "unknown". A waiting one gets "in flight" until the deadline.
      throw by === 'made'
        ? unknownOutcome(shipment, situation.cancellation)
        : await underway(
            deps.processes,
            shipment,
            existing(answer.snapshot),
            situation.cancellation,
          )
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

function shownVersion({ shipmentId, snapshot }: CancellationAnswer): ShownVersion {
  return { id: shipmentId, version: existing(snapshot).version }
}

async function cancelled(
  deps: Deps,
  { shipmentId, snapshot }: CancellationAnswer,
): Promise<ShipmentObject> {
  const state = existing(snapshot)
  const decrypted = await decryptFor(deps.processes.vault, [state]).catch((cause: unknown) => {
    throw new Problem('dependency_unavailable', {
      shipment: { id: shipmentId, version: state.version },
      outcome: 'executed',
      retryAfterSeconds: 1,
      detail: 'The shipment is cancelled but cannot be shown now. Repeat with the same key.',
      cause,
    })
  })
  return shipmentObject(shipmentId, state, decrypted)
}

/** Nothing of this request was executed: it is not known yet whether there is a guide to cancel. */
function whileCreating(shipment: ShownVersion, attempt: Operation): Problem {
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

function notCancellable(shipment: ShownVersion, detail: string): Problem {
  return new Problem('shipment_not_cancellable', { shipment, detail })
}

async function ended(
  deps: Deps,
  answer: CancellationAnswer,
  cancellation: Cancellation,
): Promise<Problem> {
  const shipment = shownVersion(answer)
  if (cancellation.state === 'not_sent') return notSent(shipment, cancellation)
  if (cancellation.state === 'refused') {
    // Erased data is not shown, even while its key is still remembered.
    const refusalRef = existing(answer.snapshot).erasedAt === null ? cancellation.refusalRef : null
    const item = refusalRef === null ? null : await deps.processes.vault.openItem(refusalRef)
    const text = item === null || Buffer.isBuffer(item) ? null : item.text
    const detail = typeof text === 'string' ? text : declinedDetails.courier_refused
    return notCancellable(shipment, detail)
  }
  return new Problem('not_cancelled', { shipment, operationId: cancellation.operationId })
}
