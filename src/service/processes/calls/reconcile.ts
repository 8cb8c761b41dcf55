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
import type { ItemsOfCommand } from '../../security/vault/vault.ts'
import type { JobResult } from '../due/claims.ts'
import type { ProcessServices } from '../process-services.ts'
import { canBeAsked, courierOf, sealGuides } from './courier-calls.ts'
import { type CourierRequestLog, courierRequestLog } from './courier-request-log.ts'

/** The workspace's clock, which stands still during a step of an advance. */
export type Clock = () => Instant

type LookUpDeps = Pick<ProcessServices, 'accounts' | 'couriers' | 'vault'>
type ReconcileDeps = LookUpDeps & Pick<ProcessServices, 'store' | 'inFlightCalls'>

const reconciler: Actor = { type: 'reconciliation', keyId: null }

/**
 * The side effects of reconciliation: reads from the stream what is due now and does it once.
 * Running it twice on one shipment is safe, because the expected revision lets only one append
 * through.
 */
export async function reconcile(
  deps: ReconcileDeps,
  shipmentId: string,
  clock: Clock,
): Promise<JobResult> {
  const snapshot = await loadShipment(deps.store, shipmentId)
  if (snapshot.state === null) return 'idle'
  const now = clock()
  const action = next(operationsWithWork(snapshot.state), now)
  if (action === null) return 'idle'
  const due = await commandFor(deps, action, { shipmentId, snapshot, now })
  if (due === null) return 'deferred'
  const { command, stored } = due
  const done = await transact(deps.store, shipmentId, command, {
    actor: reconciler,
    requestId: null,
    now: clock(),
    from: snapshot,
    append: { reserved: true },
    ...stored,
  })
  return done.kind === 'done' && done.appended ? 'done' : 'idle'
}

/** Null: the courier was not called. */
async function commandFor(
  deps: ReconcileDeps,
  action: DueAction,
  at: { readonly shipmentId: string; readonly snapshot: Snapshot; readonly now: Instant },
): Promise<{ readonly command: Command; readonly stored: ItemsOfCommand } | null> {
  const { operationId } = action
  switch (action.do) {
    case 'look': {
      const { now: startedAt, ...found } = at
      const made = { by: 'reconciliation', startedAt, requestId: null } as const
      const looked = await lookUp(deps, { ...found, operationId, ...made })
      if (looked === null) return null
      const { report, stored } = looked
      return { command: { do: 'record_look', operationId, ...report }, stored }
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
  return { command, stored: { beside: { items: [] }, commitments: new Map<string, string>() } }
}

/** A call without an outcome at its deadline may have been executed. */
async function outcomeAtDeadline(
  { couriers, inFlightCalls }: Pick<ProcessServices, 'couriers' | 'inFlightCalls'>,
  snapshot: Snapshot,
  operationId: string,
): Promise<CallOutcome> {
  const cause = inFlightCalls.has(operationId) ? 'deadline_passed' : 'process_died'
  const { livemode, provider_code: providerCode } = existing(snapshot).request
  const courier = couriers.courierFor({ livemode, providerCode })
  return { kind: 'unknown', cause, courierCanBeAsked: await canBeAsked(courier) }
}

type RequestedLook = Pick<LookReport, 'by' | 'startedAt'> & {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly operationId: string
  readonly requestId: string | null
  /** Also query this guide; a cancellation always queries its own. */
  readonly guideNumber?: string
}

/** A completed look, with what is to be stored about it in the vault. */
export type FinishedLook = { readonly report: LookReport; readonly stored: ItemsOfCommand }

/**
 * Queries the courier for guides under our reference. Null: the connection is parked, so the look
 * is deferred and not counted.
 */
export async function lookUp(
  deps: LookUpDeps,
  requested: RequestedLook,
): Promise<FinishedLook | null> {
  const { by, startedAt } = requested
  const state = existing(requested.snapshot)
  const operation = operationOf(state, requested.operationId)
  if (operation?.type === 'shipment_cancellation') {
    const { guideNumber } = operation
    const found = await findGuides(deps, requested, { guideNumber, includeCancelled: true })
    if (found === null) return null
    const { answer, call, requestLog } = found
    const writer = await deps.vault.writer(state.request.vault_ref)
    const record = requestLog.record(writer)
    const report = { by, startedAt, result: guideStatus(answer, guideNumber), call, record }
    return { report, stored: writer }
  }
  const { guideNumber } = requested
  const found = await findGuides(deps, requested, guideNumber === undefined ? {} : { guideNumber })
  if (found === null) return null
  const { answer, call, requestLog } = found
  const writer = await deps.vault.writer(state.request.vault_ref)
  const result =
    answer.kind === 'found'
      ? ({ kind: 'guides', guides: sealGuides(writer, answer.guides) } as const)
      : ({ kind: 'inconclusive' } as const)
  const record = requestLog.record(writer)
  return { report: { by, startedAt, result, call, record }, stored: writer }
}

/**
 * Whether the guide is still valid. A guide that the courier's list omits may be valid or
 * cancelled: only an explicit answer about it counts.
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
  readonly requestLog: CourierRequestLog
}

async function findGuides(
  deps: Pick<ProcessServices, 'accounts' | 'couriers'>,
  { shipmentId: clientReference, snapshot, startedAt, requestId }: RequestedLook,
  which: Pick<FindGuides, 'guideNumber' | 'includeCancelled'>,
): Promise<FoundGuides | null> {
  const at = await courierOf(deps, existing(snapshot), startedAt, requestId)
  if (at.kind === 'deferred') return null
  const requestLog = courierRequestLog(() => startedAt)
  const { onExchange } = requestLog
  const askedAt = performance.now()
  const asked = { ...at.context, clientReference, onExchange, ...which }
  const answer = await at.courier.findGuides(asked)
  const latencyMs = Math.max(0, Math.round(performance.now() - askedAt))
  if (answer.kind !== 'unauthorized') {
    return { answer, call: { failure: lookFailureOf(answer), latencyMs }, requestLog }
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
