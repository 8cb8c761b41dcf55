import { type Instant, isRefusal } from '../../domain/decider.ts'
import type { Guide } from '../../domain/operation/machine.ts'
import { type Operation, operationKinds, wasUnknown } from '../../domain/operation/operation.ts'
import { looksMax, reconciliationTimes } from '../../domain/operation/reconciliation.ts'
import { operationOf } from '../../domain/shipment/shipment.ts'
import { decide, type RefusalReason } from '../../domain/shipment/shipment-decisions.ts'
import type { OperationDecision } from '../../domain/shipment/shipment-events.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, type Snapshot, type Transacted, transact } from '../../event-store/transact.ts'
import type { Vault, VaultDraft } from '../../security/vault/vault.ts'
import { takeRateLimit } from '../due/take-rate-limit.ts'
import type { ProcessServices } from '../process-services.ts'
import { type FinishedLook, lookUp } from './reconcile.ts'

export type OperatorAct = {
  readonly shipmentId: string
  readonly operationId: string
  readonly snapshot: Snapshot
  readonly actor: Actor
  readonly requestId: string | null
  /** The workspace's clock. */
  readonly now: () => Instant
}

/** An operator's decision about an operation. */
type RequestedDecision = {
  readonly decision: OperationDecision
  readonly guideNumber: string | null
  /** Decide even if the courier cannot confirm the guide. */
  readonly acceptUnconfirmed?: boolean
  readonly note: string
  /** Null: the operator who makes the request decides, and the name is stored outside the vault. */
  readonly decidedBy: string | null
}

function operationIn(act: OperatorAct): Operation {
  const operation = operationOf(existing(act.snapshot), act.operationId)
  if (operation === null) throw new Problem('not_found')
  return operation
}

type LookUpDeps = Pick<ProcessServices, 'accounts' | 'couriers' | 'guard' | 'store' | 'vault'>

/** Queries the courier now, by the rules of reconciliation; at most once in ten seconds. */
export async function lookUpNow(
  deps: LookUpDeps & Pick<ProcessServices, 'db'>,
  act: OperatorAct,
): Promise<Snapshot> {
  deps.guard.refuseWhileDamaged()
  const operation = operationIn(act)
  if (operation.state === 'calling') throw callRuns()
  if (!wasUnknown(operation)) throw new Problem('operation_already_resolved')
  if (operation.looks.length >= looksMax) throw new Problem('operation_full')
  const seconds = reconciliationTimes.lookApartMs / 1_000
  await takeRateLimit(deps.db, {
    work: `look-turn:${act.operationId}`,
    apartMs: reconciliationTimes.lookApartMs,
    detail: `An operation can be looked at once every ${seconds} s.`,
  })
  const looked = await lookUp(deps, { ...act, by: 'operator', startedAt: act.now() })
  if (looked === null) throw new Problem('connection_needs_reauth')
  return doneOf(await recordLook(deps.store, act, looked), act)
}

function recordLook(
  store: ProcessServices['store'],
  act: OperatorAct,
  { report, stored }: FinishedLook,
): Promise<Transacted> {
  const command = { do: 'record_look', operationId: act.operationId, ...report } as const
  return transact(store, act.shipmentId, command, { ...options(act), ...stored })
}

function options(act: OperatorAct) {
  const { actor, requestId, snapshot: from } = act
  return { actor, requestId, now: act.now(), from, append: { reserved: true } }
}

function doneOf(done: Transacted, act: OperatorAct): Snapshot {
  switch (done.kind) {
    case 'done':
      return done.snapshot
    case 'expired':
      throw new Error('bug: an append without an end expired')
    case 'refused':
      throw refusal(done.reason, act)
  }
}

/** A call to the courier ends within 20 s, and most end at once. */
const callRunsSeconds = 5

/** The refusal of what waits only for the end of the call. */
export function callRuns(): Problem {
  return new Problem('operation_not_settled', {
    retryAfterSeconds: callRunsSeconds,
    detail: 'The call to the courier has not ended.',
  })
}

/** A decision waits until the operation has settled, on the workspace's clock. */
function notSettled(act: OperatorAct): Problem {
  const leftMs = operationIn(act).settleUntil - act.now()
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1_000))
  return new Problem('operation_not_settled', { retryAfterSeconds })
}

function refusal(reason: RefusalReason, act: OperatorAct): Problem {
  switch (reason) {
    case 'operation_not_settled':
      return notSettled(act)
    case 'operation_already_resolved':
    case 'operation_full':
      return new Problem(reason)
    case 'not_found':
      return new Problem('not_found')
    case 'operation_open':
    case 'legal_hold':
    case 'personal_data_erased':
    case 'shipment_has_no_guide':
    case 'limit_reached':
      throw new Error(`bug: a decision or look was refused: ${reason}`)
  }
}

/**
 * Records an operator's decision. Repeating the same decision succeeds; a different one later is
 * refused. Once the notes of the shipment are erased, the note is not stored.
 */
export async function resolveOperation(
  deps: LookUpDeps,
  act: OperatorAct,
  requested: RequestedDecision,
): Promise<Snapshot> {
  const { decision, guideNumber } = requested
  deps.guard.refuseWhileDamaged()
  refuseForOtherType(operationIn(act), decision)
  const named = guideNumber === null ? null : { guideNumber, price: null, pickupCodeRef: null }
  const state = existing(act.snapshot)
  const command = {
    do: 'resolve',
    operationId: act.operationId,
    now: act.now(),
    decision,
    guide: named,
    resolutionRef: null,
  } as const
  const tried = decide(state, command)
  if (isRefusal(tried)) throw refusal(tried.refused, act)
  if (tried.length === 0) return act.snapshot
  const { guide, looked }: Checked =
    named === null ? { guide: null } : await checkedGuide(deps, act, named, requested)
  const note = state.areNotesErased ? null : noteOf(deps.vault, act, requested)
  const look = looked === undefined ? {} : { look: looked.report }
  const resolutionRef = note?.ref ?? null
  const decided = { ...command, now: act.now(), guide, ...look, resolutionRef }
  const committed = note === null ? [] : [[note.ref, note.commitment] as const]
  const commitments = new Map([...committed, ...(looked?.stored.commitments ?? [])])
  const done = await transact(deps.store, act.shipmentId, decided, {
    ...options(act),
    commitments,
    beside: { ...looked?.stored.beside, ...(note && { row: note.row }) },
  })
  // Another decision was recorded first; the courier's answer is still evidence.
  if (done.kind === 'refused' && looked !== undefined) await recordLook(deps.store, act, looked)
  return doneOf(done, act)
}

/**
 * The note has a vault row of its own, so that erasing the person does not erase the reason for the
 * decision.
 */
function noteOf(
  vault: Vault,
  act: OperatorAct,
  { decidedBy, note }: RequestedDecision,
): VaultDraft {
  const { organization_id: organizationId, workspace_id: workspaceId } = existing(
    act.snapshot,
  ).request
  const owner = { organizationId, workspaceId, shipmentId: act.operationId }
  return vault.prepare(owner, { ...(decidedBy === null ? {} : { decided_by: decidedBy }), note })
}

/** The decisions about a creation and about a cancellation are different. */
function refuseForOtherType({ type }: Operation, decision: OperationDecision): void {
  if (Object.values(operationKinds[type].results).includes(decision)) return
  const detail = `This operation is a ${type}.`
  throw new Problem('validation_failed', {
    errors: [{ pointer: '/decision', reason: 'not_applicable', detail }],
  })
}

type Checked = { readonly guide: Guide | null; readonly looked?: FinishedLook }

/**
 * The guide as the courier reports it, with the look that returned it. If the courier cannot be
 * queried, the guide as the operator entered it, if the operator accepts that. An answer that
 * contradicts it is recorded as evidence, like that of any look.
 */
async function checkedGuide(
  deps: LookUpDeps,
  act: OperatorAct,
  named: Guide,
  { acceptUnconfirmed = false }: RequestedDecision,
): Promise<Checked> {
  const { guideNumber } = named
  const looked = await lookUp(deps, { ...act, by: 'operator', startedAt: act.now(), guideNumber })
  if (looked === null || looked.report.result.kind !== 'guides') {
    if (acceptUnconfirmed) return looked === null ? { guide: named } : { guide: named, looked }
    if (looked !== null) await recordLook(deps.store, act, looked)
    throw new Problem('guide_unconfirmed')
  }
  const guide = looked.report.result.guides.find((each) => each.guideNumber === guideNumber)
  if (guide !== undefined) return { guide, looked }
  await recordLook(deps.store, act, looked)
  throw new Problem('guide_not_found', {
    errors: [
      {
        pointer: '/guide_number',
        reason: 'guide_not_found',
        detail: 'The courier has no such guide under our reference.',
      },
    ],
  })
}
