import type { Creation } from '../../domain/operation/creation.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import { currentAttempt, type Shipment } from '../../domain/shipment/shipment.ts'
import type { ShownVersion } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import type { CreationAnswer } from './create-shipment.ts'

const unreachableRetrySeconds = 5
/** When to ask again while the first request is in progress. Most take far less. */
export const inFlightRetrySeconds = 2

/**
 * What a creation is refused with; null if there is a guide. The courier's words for a refusal are
 * not in it: they are in the vault.
 */
export async function refusalOf(
  deps: Pick<ProcessDeps, 'db' | 'guard'>,
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
      return answer.by === 'made'
        ? unknownOutcome(shipment, attempt)
        : await underway(deps, shipment, state, attempt)
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
 * Without its personal data, erased or lost by the database, a key never tries again. While it may have a
 * guide that the ledger has forgotten, it is not told to use another key.
 */
function isTriedAgain(
  { guard }: Pick<ProcessDeps, 'guard'>,
  { known }: CreationAnswer,
  { erasedAt }: Shipment,
): boolean {
  return erasedAt === null && (known !== null || guard.findFirst !== null)
}

function nothingCreated(shipment: ShownVersion, { operationId }: Operation): Problem {
  return new Problem('nothing_created', { shipment, operationId })
}

export function unknownOutcome(shipment: ShownVersion, attempt: Operation): Problem {
  return new Problem('unknown_outcome', {
    shipment,
    operationId: attempt.operationId,
    headers: { location: `/v1/operations/${attempt.operationId}` },
  })
}

/** A waiting duplicate: in flight until the call deadline, unknown after it. */
export async function underway(
  { db }: Pick<ProcessDeps, 'db'>,
  shipment: ShownVersion,
  { request }: Shipment,
  attempt: Operation,
): Promise<Problem> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  // Without the database the workspace's clock is unknown, and the caller asks once more.
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
  shipment: ShownVersion,
  { to }: NonNullable<Creation['priceChanged']>,
): Problem {
  return new Problem('quote_price_changed', { shipment, ...(to === null ? {} : { price: to }) })
}

export function notSent(shipment: ShownVersion, { notSent: end }: Operation): Problem {
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
