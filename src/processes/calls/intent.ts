import type { Attempt } from '../../domain/operation/attempt.ts'
import { attemptOf } from '../../domain/shipment/shipment.ts'
import type { Command } from '../../domain/shipment/shipment-decisions.ts'
import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import type { ItemSealer } from '../../security/vault.ts'
import type { ProcessDeps } from '../deps.ts'
import { type CommittedAttempt, giveUpAttempt, makeAttempt } from './attempt.ts'
import { type Begun, beginCall, type Timing } from './begin-call.ts'
import type { CheckedRequest } from './creation-checks.ts'
import type { CreationRequest } from './creation-request.ts'

/** An attempt that is about to be recorded. */
export type Intent = {
  readonly shipmentId: string
  readonly command: Extract<Command, { do: 'request_shipment' | 'request_guide' }>
  /** The stream as it was read. */
  readonly from: Snapshot
  readonly request: CreationRequest
  readonly checked: CheckedRequest
  readonly timing: Timing
  readonly vaultRow: ItemSealer
  readonly body: ShipmentPayload
}

/**
 * Appends the intent; if that wins, makes the one call. Throws a Problem if it was not recorded.
 */
export async function begin(deps: ProcessDeps, intent: Intent): Promise<Begun> {
  const { shipmentId, command, from, timing, request } = intent
  return await beginCall(deps, {
    shipmentId,
    command,
    from,
    timing,
    actor: { type: 'api_key', keyId: request.keyId },
    requestId: request.requestId,
    make: (committed) => makeAttempt(deps, committedAttempt(intent, committed)),
    giveUp: (committed) => giveUpAttempt(deps, committedAttempt(intent, committed)),
  })
}

function committedAttempt(intent: Intent, snapshot: Snapshot): CommittedAttempt {
  return {
    shipmentId: intent.shipmentId,
    snapshot,
    attempt: attemptOf(existing(snapshot), intent.command.operationId) as Attempt,
    courier: intent.checked.courier,
    account: intent.checked.account,
    body: intent.body,
    codes: intent.checked.codes,
    vaultRow: intent.vaultRow,
    actor: { type: 'api_key', keyId: intent.request.keyId },
    requestId: intent.request.requestId,
    deadline: intent.timing.deadline,
    clockOffsetMs: intent.timing.clockOffsetMs,
  }
}
