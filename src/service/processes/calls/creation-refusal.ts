import type { Creation } from '../../domain/operation/creation.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import { currentAttempt, type Shipment } from '../../domain/shipment/shipment.ts'
import type { ShipmentVersion } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import type { ProcessServices } from '../process-services.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import type { CreationAnswer } from './shipment-creation.ts'

const unreachableRetrySeconds = 5
/**
 * When a client should retry while the first request is in progress. Most requests take far less.
 */
export const inFlightRetrySeconds = 2

/**
 * The problem with which a creation is answered; null if there is a guide. It does not contain the
 * courier's own text of a refusal, which is in the vault.
 */
export async function refusalOf(
  deps: Pick<ProcessServices, 'db' | 'guard'>,
  answer: CreationAnswer,
): Promise<Problem | null> {
  const state = existing(answer.snapshot)
  const shipment = { id: answer.shipmentId, version: state.version }
  const attempt = currentAttempt(state)
  switch (attempt.state) {
    case 'succeeded':
    case 'affirmed':
      return null
    case 'calling':
      return answer.origin === 'created'
        ? unknownOutcome(shipment, attempt)
        : await inFlightProblem(deps, shipment, state, attempt)
    case 'reconciling':
    case 'needs_review':
      return unknownOutcome(shipment, attempt)
    case 'refused':
      return attempt.priceChanged === null
        ? new Problem('courier_rejected', { shipment })
        : priceChanged(shipment, attempt.priceChanged)
    case 'not_sent':
      return isTriedAgain(deps, answer, state)
        ? notSent(shipment, attempt)
        : nothingCreated(shipment, attempt)
    case 'denied':
      return nothingCreated(shipment, attempt)
  }
}

/**
 * A key whose personal data was erased or lost is never tried again. While it may have a guide that
 * the ledger has lost, the client is not advised to use another key.
 */
function isTriedAgain(
  { guard }: Pick<ProcessServices, 'guard'>,
  { decrypted }: CreationAnswer,
  { erasedAt }: Shipment,
): boolean {
  return erasedAt === null && (decrypted !== null || guard.findFirst !== null)
}

function nothingCreated(shipment: ShipmentVersion, { operationId }: Operation): Problem {
  return new Problem('nothing_created', { shipment, operationId })
}

export function unknownOutcome(shipment: ShipmentVersion, attempt: Operation): Problem {
  return new Problem('unknown_outcome', {
    shipment,
    operationId: attempt.operationId,
    headers: { location: `/v1/operations/${attempt.operationId}` },
  })
}

/** A duplicate that waited too long: in flight until the call deadline, unknown after it. */
export async function inFlightProblem(
  { db }: Pick<ProcessServices, 'db'>,
  shipment: ShipmentVersion,
  { request }: Shipment,
  attempt: Operation,
): Promise<Problem> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  // Without the database the workspace's clock is unknown, so the client is told to retry.
  const clock = await readClock(db, workspace).catch(() => null)
  if (clock !== null && clock.now >= attempt.callDeadline) {
    return unknownOutcome(shipment, attempt)
  }
  return new Problem('idempotency_in_flight', {
    shipment,
    retryAfterSeconds: inFlightRetrySeconds,
  })
}

function priceChanged(
  shipment: ShipmentVersion,
  { to }: NonNullable<Creation['priceChanged']>,
): Problem {
  return new Problem('quote_price_changed', { shipment, ...(to === null ? {} : { price: to }) })
}

export function notSent(shipment: ShipmentVersion, { notSent: end }: Operation): Problem {
  switch (end?.reason) {
    case 'connection_needs_reauth':
      return new Problem('connection_needs_reauth', { shipment })
    case 'courier_throttled':
      return new Problem('courier_throttled', {
        shipment,
        retryAfterSeconds: end.retryAfterSeconds ?? unreachableRetrySeconds,
      })
    case 'courier_unreachable':
      return new Problem('courier_unreachable', {
        shipment,
        retryAfterSeconds: unreachableRetrySeconds,
      })
    case 'too_late':
    case undefined:
      return new Problem('dependency_unavailable', { shipment, retryAfterSeconds: 1 })
  }
}
