import type { CancelGuideAnswer, Courier } from '../couriers/courier.ts'
import { withSafeRetries } from '../couriers/safe-retries.ts'
import type { Cancellation } from '../domain/cancellation.ts'
import type { CancellationOutcome } from '../domain/cancellation-decisions.ts'
import type { JsonObject } from '../domain/decider.ts'
import type { Actor } from '../event-store/codec.ts'
import { existing, type Snapshot, transact } from '../event-store/transact.ts'
import { type EndedAttempt, type FailureOutcome, failureOutcome } from './attempt.ts'
import type { CourierAccount } from './courier-accounts.ts'
import { callContext } from './courier-calls.ts'
import type { ProcessDeps } from './deps.ts'
import { persist } from './persist.ts'

/** A cancellation whose intent is committed: everything that its one courier call needs. */
export type CommittedCancellation = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly cancellation: Cancellation
  readonly courier: Courier
  readonly account: CourierAccount
  readonly actor: Actor
  readonly requestId: string
  /** Wall clock: when the intent was about to be appended, plus the call deadline. */
  readonly realDeadline: Date
  readonly clockOffsetMs: number
}

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
  if (answer.kind === 'unauthorised') {
    await persist('park a connection', deps.log, () => deps.accounts.park(made.account))
  }
  const items = new Map<string, JsonObject>()
  const { vault_ref: vaultRef } = existing(made.snapshot).request
  const keep = async (content: JsonObject) => {
    const what = 'what came with an outcome'
    const ref = await persist(what, deps.log, () => deps.vault.putItem(vaultRef, content))
    if (ref !== null) items.set(ref, content)
    return ref
  }
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
  const outcome: FailureOutcome = { kind: 'not_sent', reason: 'too_late', retryAfterSeconds: null }
  return { snapshot: await record(deps, given, outcome), items: new Map() }
}

async function call(made: CommittedCancellation): Promise<CancelGuideAnswer> {
  const { shipmentId, cancellation, realDeadline } = made
  const now = Date.now() + made.clockOffsetMs
  const cancel = {
    ...callContext(existing(made.snapshot), made.account, now, made.requestId),
    clientReference: shipmentId,
    guideNumber: cancellation.guideNumber,
    notAfter: realDeadline,
  }
  try {
    return await withSafeRetries((answerBy) => made.courier.cancelGuide({ ...cancel, answerBy }), {
      notAfter: realDeadline,
    })
  } catch {
    // The port promises not to throw; if it does, a byte may have left.
    return { kind: 'unknown', cause: 'response_lost' }
  }
}

async function record(
  deps: ProcessDeps,
  made: CommittedCancellation,
  outcome: CancellationOutcome,
): Promise<Snapshot> {
  const { operationId } = made.cancellation
  let from: Snapshot | undefined = made.snapshot
  return await persist('the outcome of a cancellation', deps.log, async () => {
    const command = { do: 'record_cancellation', operationId, outcome } as const
    const done = await transact(deps.store, made.shipmentId, command, {
      actor: made.actor,
      requestId: made.requestId,
      now: Date.now() + made.clockOffsetMs,
      append: { reserved: true },
      ...(from === undefined ? {} : { from }),
    }).finally(() => {
      from = undefined
    })
    if (done.kind !== 'done') throw new Error(`bug: an outcome was ${done.kind}`)
    return done.snapshot
  })
}
