import type { FastifyReply } from 'fastify'
import type { Creation } from '../../domain/operation/creation.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import { currentAttempt, type Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import type { CreationAnswer } from '../../processes/calls/create-shipment.ts'
import { inFlightRetrySeconds } from '../rules/idempotency-key.ts'
import type { RouteDeps } from '../server-deps.ts'
import { clockOf } from './shipment-clock.ts'
import { decryptKnown, type ShipmentObject, shipmentObject } from './shipment-schema.ts'

type Deps = Pick<RouteDeps, 'processes'>

const unreachableRetrySeconds = 5

/** The answer for each end of a creation. */
export async function answerCreation(
  deps: Deps,
  reply: FastifyReply,
  answer: CreationAnswer,
): Promise<ShipmentObject> {
  const state = existing(answer.snapshot)
  const attempt = currentAttempt(state)
  if (answer.by !== 'made') reply.header('idempotent-replayed', 'true')
  switch (attempt.state) {
    case 'succeeded':
    case 'affirmed':
      return await created(deps, reply, answer, state)
    case 'calling':
      throw answer.by === 'made'
        ? unknownOutcome(answer.shipmentId, attempt)
        : await underway(answer, attempt, deps)
    case 'reconciling':
    case 'needs_review':
      throw unknownOutcome(answer.shipmentId, attempt)
    case 'refused': {
      if (attempt.priceChanged !== null) throw priceChanged(answer.shipmentId, attempt.priceChanged)
      const decrypted = await decryptKnown(deps.processes.vault, state, answer.known)
      const { failure } = shipmentObject(answer.shipmentId, state, decrypted)
      throw new Problem('courier_rejected', {
        shipmentId: answer.shipmentId,
        ...(failure?.detail == null ? {} : { detail: failure.detail }),
      })
    }
    case 'not_sent':
      // The recipient was erased, so this key never tries again.
      throw state.erasedAt === null
        ? notSent(answer.shipmentId, attempt)
        : nothingCreated(answer.shipmentId, attempt)
    case 'denied':
      throw nothingCreated(answer.shipmentId, attempt)
  }
}

async function created(
  deps: Deps,
  reply: FastifyReply,
  { shipmentId, known }: CreationAnswer,
  state: Shipment,
): Promise<ShipmentObject> {
  const decrypted = await decryptKnown(deps.processes.vault, state, known).catch(
    (cause: unknown) => {
      throw new Problem('dependency_unavailable', {
        shipmentId,
        outcome: 'executed',
        retryAfterSeconds: 1,
        detail: 'The shipment was created but cannot be shown now. Repeat with the same key only.',
        cause,
      })
    },
  )
  reply.code(201).header('location', `/v1/shipments/${shipmentId}`)
  return shipmentObject(shipmentId, state, decrypted)
}

function nothingCreated(shipmentId: string, { operationId }: Operation): Problem {
  return new Problem('nothing_created', { shipmentId, operationId })
}

export function unknownOutcome(shipmentId: string, attempt: Operation): Problem {
  return new Problem('unknown_outcome', {
    shipmentId,
    operationId: attempt.operationId,
    headers: { location: `/v1/operations/${attempt.operationId}` },
  })
}

/** A waiting duplicate: in flight until the call deadline, unknown after it. */
export async function underway(
  answer: Pick<CreationAnswer, 'shipmentId' | 'snapshot'>,
  attempt: Operation,
  deps: Deps,
): Promise<Problem> {
  // Without the database the workspace's clock is unknown, and the caller asks once more.
  const now = await clockOf(deps, existing(answer.snapshot)).catch(() => null)
  if (now !== null && now >= attempt.callDeadline) return unknownOutcome(answer.shipmentId, attempt)
  return new Problem('idempotency_in_flight', {
    shipmentId: answer.shipmentId,
    retryAfterSeconds: inFlightRetrySeconds,
  })
}

function priceChanged(shipmentId: string, { to }: NonNullable<Creation['priceChanged']>): Problem {
  return new Problem('quote_price_changed', { shipmentId, ...(to === null ? {} : { price: to }) })
}

export function notSent(shipmentId: string, { notSent: end }: Operation): Problem {
  switch (end?.reason) {
    case 'connection_needs_reauth':
      return new Problem('connection_needs_reauth', { shipmentId })
    case 'courier_throttled':
      return new Problem('courier_throttled', {
        shipmentId,
        retryAfterSeconds: end.retryAfterSeconds ?? unreachableRetrySeconds,
      })
    case 'courier_unreachable':
      return new Problem('courier_unreachable', {
        shipmentId,
        retryAfterSeconds: unreachableRetrySeconds,
      })
    case 'too_late':
    case undefined:
      return new Problem('dependency_unavailable', { shipmentId, retryAfterSeconds: 1 })
  }
}
