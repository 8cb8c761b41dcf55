import type { Instant } from '../../domain/decider.ts'
import type { LookReport } from '../../domain/operation/kind.ts'
import type { Guide } from '../../domain/operation/machine.ts'
import { type Operation, operationKinds, wasUnknown } from '../../domain/operation/operation.ts'
import { looksMax, reconciliationTimes } from '../../domain/operation/reconciliation.ts'
import { type Command, decide } from '../../domain/shipment/shipment-decisions.ts'
import type { OperationDecision } from '../../domain/shipment/shipment-events.ts'
import { operationOf } from '../../domain/shipment/shipment-operations.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, type Snapshot, type Transacted, transact } from '../../event-store/transact.ts'
import type { ProcessDeps } from '../deps.ts'
import { takeTurn } from '../due/turn.ts'
import { look, lookCommand } from './reconciliation.ts'

export type OperatorAct = {
  readonly shipmentId: string
  readonly operationId: string
  readonly snapshot: Snapshot
  readonly actor: Actor
  readonly requestId: string | null
  /** The workspace's clock. */
  readonly now: () => Instant
}

type Verdict = {
  readonly decision: OperationDecision
  readonly guideNumber: string | null
  /** Decide even if the courier cannot be asked about the guide. */
  readonly acceptUnconfirmed?: boolean
  readonly note: string
  readonly decidedBy: string
}

function operationIn(act: OperatorAct): Operation {
  const operation = operationOf(existing(act.snapshot), act.operationId)
  if (operation === null) throw new Problem('not_found')
  return operation
}

/** Asks the courier now, by the process manager's rules; at most once in ten seconds. */
export async function lookNow(deps: ProcessDeps, act: OperatorAct): Promise<Snapshot> {
  const operation = operationIn(act)
  if (operation.state === 'calling') throw new Problem('operation_not_settled')
  if (!wasUnknown(operation)) throw new Problem('operation_already_resolved')
  if (operation.looks.length >= looksMax) throw new Problem('rate_limited')
  const seconds = reconciliationTimes.lookApartMs / 1_000
  await takeTurn(deps.db, {
    work: `look-turn:${act.operationId}`,
    apartMs: reconciliationTimes.lookApartMs,
    detail: `An operation can be looked at once every ${seconds} s.`,
  })
  const { shipmentId, snapshot, operationId, requestId } = act
  const made = { by: 'operator', startedAt: act.now() } as const
  const command = await lookCommand(deps, shipmentId, snapshot, operationId, made, requestId)
  if (command === null) throw new Problem('connection_needs_reauth')
  return doneOf(await transact(deps.store, act.shipmentId, command, options(act)))
}

function options(act: OperatorAct) {
  const { actor, requestId, snapshot: from } = act
  return { actor, requestId, now: act.now(), from, append: { reserved: true } }
}

function doneOf(done: Transacted): Snapshot {
  if (done.kind === 'done') return done.snapshot
  if (done.kind === 'expired') throw new Error('bug: an append without an end expired')
  if (done.reason === 'operation_not_settled') throw new Problem('operation_not_settled')
  if (done.reason === 'operation_already_resolved') throw new Problem('operation_already_resolved')
  if (done.reason === 'rate_limited') throw new Problem('rate_limited')
  throw new Problem('not_found')
}

/**
 * An operator's decision. Repeating the same decision succeeds; a different one later is refused.
 */
export async function resolveOperation(
  deps: ProcessDeps,
  act: OperatorAct,
  verdict: Verdict,
): Promise<Snapshot> {
  const operation = operationIn(act)
  const claimed =
    verdict.guideNumber === null
      ? null
      : { guideNumber: verdict.guideNumber, price: null, pickupCodeRef: null }
  const state = existing(act.snapshot)
  const tried = decide(state, resolution(operation, act, verdict, claimed, null))
  if ('refused' in tried)
    return doneOf({ kind: 'refused', reason: tried.refused as never, snapshot: act.snapshot })
  if (tried.length === 0) return act.snapshot
  const checked = claimed === null ? null : await checkedGuide(deps, act, claimed, verdict)
  const ref = await deps.vault.putItem(state.request.vault_ref, {
    decided_by: verdict.decidedBy,
    note: verdict.note,
  })
  const guide = checked?.guide ?? null
  const command = resolution(operation, act, verdict, guide, ref, checked?.look)
  const done = await transact(deps.store, act.shipmentId, command, options(act))
  // Another decision was faster; the courier's answer is evidence all the same.
  if (done.kind === 'refused' && checked?.look !== undefined) {
    await recordLook(deps, act, checked.look)
  }
  return doneOf(done)
}

/** The decision as a command; refuses a decision for the other kind of operation. */
function resolution(
  { type }: Operation,
  act: OperatorAct,
  { decision }: Verdict,
  guide: Guide | null,
  resolutionRef: string | null,
  looked?: LookReport,
): Command {
  if (!Object.values(operationKinds[type].results).includes(decision)) {
    const detail = `This operation is a ${type}.`
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/decision', reason: 'not_applicable', detail }],
    })
  }
  const { operationId } = act
  const command = {
    do: 'resolve',
    operationId,
    now: act.now(),
    decision,
    guide,
    resolutionRef,
  } as const
  return looked === undefined ? command : { ...command, look: looked }
}

function recordLook(deps: ProcessDeps, act: OperatorAct, made: LookReport): Promise<Transacted> {
  const command = { do: 'record_look', operationId: act.operationId, ...made } as const
  return transact(deps.store, act.shipmentId, command, options(act))
}

type Checked = { readonly guide: Guide; readonly look?: LookReport }

/**
 * The guide as the courier reports it, with the look that showed it. If the courier cannot be
 * asked, it is the guide as the operator named it, if the operator accepts that. An answer against
 * it is evidence like that of any look.
 */
async function checkedGuide(
  deps: ProcessDeps,
  act: OperatorAct,
  claimed: Guide,
  { acceptUnconfirmed = false }: Verdict,
): Promise<Checked> {
  const { guideNumber } = claimed
  const { requestId } = act
  const startedAt = act.now()
  const asked = { requestId, guideNumber }
  const looked = await look(deps, act.shipmentId, act.snapshot, startedAt, asked)
  const made: LookReport | null = looked && { by: 'operator', startedAt, ...looked }
  if (made === null || made.result.kind !== 'guides') {
    if (acceptUnconfirmed)
      return made === null ? { guide: claimed } : { guide: claimed, look: made }
    if (made !== null) await recordLook(deps, act, made)
    throw new Problem('guide_unconfirmed')
  }
  const { guides } = made.result
  const guide = guides.find((each) => each.guideNumber === guideNumber)
  if (guide !== undefined) return { guide, look: made }
  await recordLook(deps, act, made)
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
