import type { FindGuides, FindGuidesAnswer } from '../../couriers/courier.ts'
import type { Instant } from '../../domain/decider.ts'
import type { CallOutcome, LookReport, LookResult } from '../../domain/operation/kind.ts'
import type { LookCall } from '../../domain/operation/machine.ts'
import { type DueAction, next } from '../../domain/operation/reconciliation.ts'
import { operationOf, operationsWithWork } from '../../domain/shipment/shipment.ts'
import type { Command } from '../../domain/shipment/shipment-decisions.ts'
import type { LookFailure } from '../../domain/shipment/shipment-events.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, loadShipment, type Snapshot, transact } from '../../event-store/transact.ts'
import type { Commitments } from '../../security/vault/commitment.ts'
import type { Performed } from '../due/claims.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { canBeAsked, courierOf } from './courier-calls.ts'
import { type ExchangeLog, exchangeLog } from './exchange-record.ts'
import { keepGuides } from './keep-guides.ts'

/** The workspace's clock: it stands still during a step of an advance. */
export type Clock = () => Instant

type LookDeps = Pick<ProcessDeps, 'accounts' | 'couriers' | 'vault'>
type ReconcileDeps = LookDeps & Pick<ProcessDeps, 'store' | 'underway'>

const reconciler: Actor = { type: 'reconciliation', keyId: null }

/**
 * The process manager's effectful half: reads from the stream what is due now and does it, once.
 * Running it twice on one shipment is safe: the expected revision lets only one through.
 */
export async function reconcile(
  deps: ReconcileDeps,
  shipmentId: string,
  clock: Clock,
): Promise<Performed> {
  const snapshot = await loadShipment(deps.store, shipmentId)
  if (snapshot.state === null) return 'idle'
  const now = clock()
  const action = next(operationsWithWork(snapshot.state), now)
  if (action === null) return 'idle'
  const due = await commandFor(deps, action, { shipmentId, snapshot, now })
  if (due === null) return 'deferred'
  const { command, commitments } = due
  const done = await transact(deps.store, shipmentId, command, {
    actor: reconciler,
    requestId: null,
    now: clock(),
    from: snapshot,
    append: { reserved: true },
    commitments,
  })
  return done.kind === 'done' && done.appended ? 'done' : 'idle'
}

/** Null: the courier was not asked. */
async function commandFor(
  deps: ReconcileDeps,
  action: DueAction,
  at: { readonly shipmentId: string; readonly snapshot: Snapshot; readonly now: Instant },
): Promise<{ readonly command: Command; readonly commitments: Commitments } | null> {
  const { operationId } = action
  switch (action.do) {
    case 'look': {
      const { now: startedAt, ...found } = at
      const made = { by: 'reconciliation', startedAt, requestId: null } as const
      const looked = await look(deps, { ...found, operationId, ...made })
      if (looked === null) return null
      const { report, commitments } = looked
      return { command: { do: 'record_look', operationId, ...report }, commitments }
    }
    case 'expire': {
      const outcome = await outcomeAtDeadline(deps, at.snapshot, operationId)
      return bare({ do: 'record_outcome', operationId, outcome })
    }
    case 'require_review':
      return bare({ do: 'require_review', operationId, now: at.now })
    case 'escalate':
      return bare({ do: 'escalate', operationId })
  }
}

function bare(command: Command) {
  return { command, commitments: new Map<string, string>() }
}

/** A call without an outcome at its deadline: it may have been executed. */
async function outcomeAtDeadline(
  { couriers, underway }: Pick<ProcessDeps, 'couriers' | 'underway'>,
  snapshot: Snapshot,
  operationId: string,
): Promise<CallOutcome> {
  const cause = underway.has(operationId) ? 'deadline_passed' : 'process_died'
  const { livemode, provider_code: providerCode } = existing(snapshot).request
  const courier = couriers.courierFor({ livemode, providerCode })
  return { kind: 'unknown', cause, courierCanBeAsked: await canBeAsked(courier) }
}

/** A look to make. */
type RequestedLook = Pick<LookReport, 'by' | 'startedAt'> & {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly operationId: string
  readonly requestId: string | null
  /** Asks the courier about this guide too; a cancellation always asks about its own. */
  readonly guideNumber?: string
}

/** A look that was made, and the commitments to what it left in the vault. */
export type FinishedLook = { readonly report: LookReport; readonly commitments: Commitments }

/**
 * Asks the courier what exists under our reference. Null: it was not asked, because the connection
 * is parked; the look is deferred and does not count.
 */
export async function look(deps: LookDeps, requested: RequestedLook): Promise<FinishedLook | null> {
  const { by, startedAt } = requested
  const state = existing(requested.snapshot)
  const operation = operationOf(state, requested.operationId)
  const keeper = deps.vault.keeper(state.request.vault_ref)
  if (operation?.type === 'shipment_cancellation') {
    const { guideNumber } = operation
    const found = await findGuides(deps, requested, { guideNumber, includeCancelled: true })
    if (found === null) return null
    const { answer, call, said } = found
    const record = await said.record(keeper)
    const report = { by, startedAt, result: guideStatus(answer, guideNumber), call, record }
    return { report, commitments: keeper.commitments }
  }
  const { guideNumber } = requested
  const found = await findGuides(deps, requested, guideNumber === undefined ? {} : { guideNumber })
  if (found === null) return null
  const { answer, call, said } = found
  const [result, record] = await Promise.all([
    answer.kind === 'found'
      ? keepGuides(keeper, answer.guides).then((guides) => ({ kind: 'guides', guides }) as const)
      : ({ kind: 'inconclusive' } as const),
    said.record(keeper),
  ])
  return { report: { by, startedAt, result, call, record }, commitments: keeper.commitments }
}

/**
 * Whether the guide stands. If the courier's list omits it, it may be either: only what the courier
 * says about it counts.
 */
function guideStatus(answer: FindGuidesAnswer, guideNumber: string): LookResult {
  if (answer.kind !== 'found') return { kind: 'inconclusive' }
  const guide = answer.guides.find((each) => each.guideNumber === guideNumber)
  if (guide === undefined || guide.status === 'unclear') return { kind: 'inconclusive' }
  return { kind: guide.status === 'cancelled' ? 'cancelled' : 'standing' }
}

type Answered = Exclude<FindGuidesAnswer, { readonly kind: 'unauthorized' }>
type FoundGuides = {
  readonly answer: Answered
  readonly call: LookCall
  readonly said: ExchangeLog
}

async function findGuides(
  deps: Pick<ProcessDeps, 'accounts' | 'couriers'>,
  { shipmentId: clientReference, snapshot, startedAt, requestId }: RequestedLook,
  which: Pick<FindGuides, 'guideNumber' | 'includeCancelled'>,
): Promise<FoundGuides | null> {
  const at = await courierOf(deps, existing(snapshot), startedAt, requestId)
  if (at.kind === 'deferred') return null
  const said = exchangeLog(() => startedAt)
  const { onExchange } = said
  const askedAt = performance.now()
  const asked = { ...at.context, clientReference, onExchange, ...which }
  const answer = await at.courier.findGuides(asked)
  const latencyMs = Math.max(0, Math.round(performance.now() - askedAt))
  if (answer.kind !== 'unauthorized') {
    return { answer, call: { failure: lookFailureOf(answer), latencyMs }, said }
  }
  await deps.accounts.park(at.account)
  return null
}

function lookFailureOf(answer: Answered): LookCall['failure'] {
  if (answer.kind === 'found') return null
  return { kind: failureKindOf(answer), statusCode: answer.statusCode ?? null }
}

function failureKindOf(answer: Exclude<Answered, { readonly kind: 'found' }>): LookFailure {
  switch (answer.kind) {
    case 'rejected':
      return 'courier_rejected'
    case 'throttled':
      return 'courier_throttled'
    case 'not_sent':
      return 'courier_unreachable'
    case 'unknown':
      return answer.cause
  }
}
