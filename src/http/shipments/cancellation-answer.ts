import type { FastifyReply } from 'fastify'
import type { Cancellation } from '../../domain/operation/cancellation.ts'
import type { DeclineReason } from '../../domain/operation/cancellation-events.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import type { CancellationAnswer } from '../../processes/calls/cancellation.ts'
import type { LedgerDeps } from '../ledger/ledger-deps.ts'
import { answerRead } from '../rules/etag.ts'
import { inFlightRetrySeconds, notSent, underway, unknownOutcome } from './creation-answer.ts'
import { openFor, type ShipmentObject, shipmentObject } from './shipments.ts'

const declinedDetails: Readonly<Record<DeclineReason, string>> = {
  no_guide: 'There is no guide to cancel.',
  handed_over: 'The courier has the parcel already.',
  courier_refused: 'The courier refused to cancel it.',
  courier_cannot_cancel: 'This courier cannot be asked to cancel.',
  too_many_tries: 'It was tried to cancel this too often.',
}

/** The table of product, section 4, "Cancellation": what each situation answers. */
export async function answerCancellation(
  deps: LedgerDeps,
  reply: FastifyReply,
  answer: CancellationAnswer,
): Promise<ShipmentObject> {
  const { shipmentId, standing, by } = answer
  if (answer.isReplay) reply.header('idempotent-replayed', 'true')
  switch (standing.kind) {
    case 'cancelled':
      return await cancelled(deps, reply, answer)
    case 'creation':
      throw whileCreating(shipmentId, standing.attempt)
    case 'underway':
      throw await unknown(deps, answer, standing.cancellation, by === 'made')
    case 'open':
      throw unknownOutcome(shipmentId, standing.cancellation)
    case 'ended':
      throw await ended(deps, answer, standing.cancellation)
    case 'declined':
    case 'declines':
      throw notCancellable(shipmentId, declinedDetails[standing.because])
    case 'begins':
      throw new Error('bug: a cancellation that may begin was not begun')
  }
}

async function cancelled(
  deps: LedgerDeps,
  reply: FastifyReply,
  { shipmentId, snapshot }: CancellationAnswer,
): Promise<ShipmentObject> {
  const state = existing(snapshot)
  const opened = await openFor(deps.processes.vault, [state]).catch((cause: unknown) => {
    throw new Problem('dependency_unavailable', {
      shipmentId,
      outcome: 'executed',
      retryAfterSeconds: 1,
      detail: 'The shipment is cancelled but cannot be shown now. Repeat with the same key.',
      cause,
    })
  })
  return answerRead(reply, shipmentObject(shipmentId, state, opened))
}

/** Of this request nothing was executed: whether there is a guide to cancel is not known yet. */
function whileCreating(shipmentId: string, attempt: Operation): Problem {
  const { operationId } = attempt
  const isCalling = attempt.status === 'calling'
  return new Problem(isCalling ? 'idempotency_in_flight' : 'unknown_outcome', {
    shipmentId,
    operationId,
    outcome: 'not_executed',
    headers: { location: `/v1/operations/${operationId}` },
    detail: isCalling
      ? 'The shipment is being created: ask again when that has ended.'
      : 'It is not known yet whether there is a guide: follow the operation of the creation.',
    ...(isCalling ? { retryAfterSeconds: inFlightRetrySeconds } : {}),
  })
}

/** Of a call that is made: in flight to who waits, unknown to who made it and after its deadline. */
async function unknown(
  deps: LedgerDeps,
  { shipmentId, snapshot }: CancellationAnswer,
  operation: Operation,
  isOwn: boolean,
): Promise<Problem> {
  return isOwn || operation.status !== 'calling'
    ? unknownOutcome(shipmentId, operation)
    : await underway({ shipmentId, snapshot }, operation, deps)
}

function notCancellable(shipmentId: string, detail: string): Problem {
  return new Problem('shipment_not_cancellable', { shipmentId, detail })
}

async function ended(
  deps: LedgerDeps,
  { shipmentId, snapshot }: CancellationAnswer,
  cancellation: Cancellation,
): Promise<Problem> {
  if (cancellation.status === 'not_sent') return notSent(shipmentId, cancellation)
  if (cancellation.status === 'refused') {
    // What is erased is not shown, however long its key still stands.
    const refusalRef = existing(snapshot).erasedAt === null ? cancellation.refusalRef : null
    const item = refusalRef === null ? null : await deps.processes.vault.openItem(refusalRef)
    const text = item === null || Buffer.isBuffer(item) ? null : item.text
    const detail = typeof text === 'string' ? text : declinedDetails.courier_refused
    return notCancellable(shipmentId, detail)
  }
  return new Problem('not_cancelled', { shipmentId, operationId: cancellation.operationId })
}
