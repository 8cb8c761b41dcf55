import { type Instant, isRefusal } from '../../domain/decider.ts'
import { snoozeDaysMax, type WorkCommand } from '../../domain/operation/work.ts'
import { decide, type RefusalReason } from '../../domain/shipment/shipment-decisions.ts'
import { Problem } from '../../errors.ts'
import { existing, type Snapshot, transact } from '../../event-store/transact.ts'
import { activeOperatorOf } from '../../security/operators.ts'
import type { VaultDraft } from '../../security/vault/vault.ts'
import { callRuns, type OperatorAct } from '../calls/operator-acts.ts'
import type { ProcessServices } from '../process-services.ts'

const dayMs = 24 * 60 * 60_000

/**
 * Assigns an operation, or removes the assignment. Throws a Problem unless the operator is active
 * in one of these organizations, and the errors of the store. Repeating it changes nothing.
 */
export async function assignOperation(
  { db, store }: Pick<ProcessServices, 'db' | 'store'>,
  act: OperatorAct,
  {
    operatorId,
    organizationIds,
  }: { readonly operatorId: string | null; readonly organizationIds: readonly string[] },
): Promise<Snapshot> {
  if (operatorId !== null && !(await activeOperatorOf(db, operatorId, organizationIds))) {
    const detail = 'It must be an active operator of your organization.'
    throw invalid('/operator_id', 'unknown_operator', detail)
  }
  return await recorded(store, act, { do: 'assign', operationId: act.operationId, operatorId })
}

/**
 * Snoozes an operation until a time on the workspace's clock, or ends the snooze (null). Throws a
 * Problem unless the time is within the next 30 days and the outcome is open, and the errors of the
 * store. Repeating it changes nothing.
 */
export async function snoozeOperation(
  { store }: Pick<ProcessServices, 'store'>,
  act: OperatorAct,
  until: Instant | null,
): Promise<Snapshot> {
  const now = act.now()
  if (until !== null && (until <= now || until > now + snoozeDaysMax * dayMs)) {
    const detail = `It must be in the future and at most ${snoozeDaysMax} days from now.`
    throw invalid('/until', 'out_of_range', detail)
  }
  return await recorded(store, act, { do: 'snooze', operationId: act.operationId, until })
}

/**
 * Adds a comment, whose text is first stored in the vault: in a row of its own, like the note of a
 * decision, which erasing the person does not destroy. Repeating it with the same id changes
 * nothing. Throws a Problem if the operation accepts no more comments, and the errors of store and
 * vault.
 */
export async function commentOnOperation(
  { store, vault }: Pick<ProcessServices, 'store' | 'vault'>,
  act: OperatorAct,
  { commentId, text }: { readonly commentId: string; readonly text: string },
): Promise<Snapshot> {
  const { operationId, snapshot } = act
  const { organization_id: organizationId, workspace_id: workspaceId } = existing(snapshot).request
  const draft = vault.prepare({ organizationId, workspaceId, shipmentId: operationId }, { text })
  const command = { do: 'comment', operationId, commentId, commentRef: draft.ref } as const
  const tried = decide(snapshot.state, command)
  if (isRefusal(tried)) throw refusal(tried.refused)
  if (tried.length === 0) return snapshot
  return await recorded(store, act, command, draft)
}

async function recorded(
  store: ProcessServices['store'],
  { shipmentId, snapshot: from, actor, requestId, now }: OperatorAct,
  command: WorkCommand,
  text: VaultDraft | null = null,
): Promise<Snapshot> {
  const done = await transact(store, shipmentId, command, {
    actor,
    requestId,
    now: now(),
    from,
    ...(text && { beside: { row: text.row }, commitments: new Map([[text.ref, text.commitment]]) }),
  })
  if (done.kind === 'refused') throw refusal(done.reason)
  if (done.kind === 'expired') throw new Error('bug: an append without an end expired')
  return done.snapshot
}

function refusal(reason: RefusalReason): Problem {
  if (reason === 'operation_already_resolved') {
    return new Problem(reason, {
      detail: 'The operation is resolved: it cannot be snoozed.',
    })
  }
  if (reason === 'operation_not_settled') {
    return callRuns()
  }
  return new Problem(reason)
}

function invalid(pointer: string, reason: string, detail: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer, reason, detail }] })
}
