import type { CancelGuideAnswer } from '../../couriers/courier.ts'
import { withSafeRetries } from '../../couriers/safe-retries.ts'
import type { Cancellation } from '../../domain/operation/cancellation.ts'
import type { CancellationOutcome } from '../../domain/operation/cancellation-decisions.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import type { ProcessDeps } from '../deps.ts'
import { clockAt } from '../sandbox/workspace-clock.ts'
import {
  type CommittedCall,
  type EndedAttempt,
  failureOutcome,
  keeping,
  parkIfRefused,
  recordEnd,
  tooLate,
} from './call-end.ts'
import { callContext } from './courier-calls.ts'

/** A cancellation with its committed intent: everything that its one courier call needs. */
export type CommittedCancellation = CommittedCall & { readonly cancellation: Cancellation }

/** Makes the one call of a committed cancellation and records how it ended. Never throws. */
export async function makeCancellation(
  deps: ProcessDeps,
  made: CommittedCancellation,
): Promise<EndedAttempt> {
  const answer = await call(made)
  const { requestId, shipmentId } = made
  const { operationId } = made.cancellation
  const about = { requestId, shipmentId, operationId, answer: answer.kind }
  deps.log.info(about, 'courier answered a cancellation')
  await parkIfRefused(deps, made.account, answer)
  const { items, keep } = keeping(deps, existing(made.snapshot).request.vault_ref)
  const outcome: CancellationOutcome =
    answer.kind === 'cancelled'
      ? { kind: 'cancelled' }
      : await failureOutcome(made.courier, answer, keep)
  return { snapshot: await record(deps, made, outcome), items }
}

/** Records that a committed intent was never sent, because its append was answered too late. */
export async function giveUpCancellation(
  deps: ProcessDeps,
  given: CommittedCancellation,
): Promise<EndedAttempt> {
  return { snapshot: await record(deps, given, tooLate), items: new Map() }
}

async function call(made: CommittedCancellation): Promise<CancelGuideAnswer> {
  const { shipmentId, cancellation, deadline } = made
  const now = clockAt(made.clockOffsetMs)
  const cancel = {
    ...callContext(existing(made.snapshot), made.account, now, made.requestId),
    clientReference: shipmentId,
    guideNumber: cancellation.guideNumber,
    notAfter: deadline,
  }
  try {
    return await withSafeRetries(
      (answerByMs) => made.courier.cancelGuide({ ...cancel, answerByMs }),
      {
        endsAtMs: deadline.endsAtMs,
      },
    )
  } catch {
    // The port promises not to throw; if it does, a byte may have left.
    return { kind: 'unknown', cause: 'response_lost' }
  }
}

function record(
  deps: ProcessDeps,
  made: CommittedCancellation,
  outcome: CancellationOutcome,
): Promise<Snapshot> {
  const { operationId } = made.cancellation
  const command = { do: 'record_cancellation', operationId, outcome } as const
  return recordEnd(deps, made, 'the outcome of a cancellation', command)
}
