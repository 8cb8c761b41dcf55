import type { Guide as CourierGuide, FindGuidesAnswer } from '../../couriers/courier.ts'
import type { Instant } from '../../domain/decider.ts'
import type { LookResult } from '../../domain/operation/kind.ts'
import type { Guide, LookCall } from '../../domain/operation/machine.ts'
import { type DueAction, next } from '../../domain/operation/reconciliation.ts'
import type { Command } from '../../domain/shipment/shipment-decisions.ts'
import type { LookFailure } from '../../domain/shipment/shipment-events.ts'
import { operationOf, owingOperations } from '../../domain/shipment/shipment-operations.ts'
import type { Actor } from '../../event-store/codec.ts'
import {
  existing,
  loadShipment,
  type Snapshot,
  type Transacted,
  transact,
} from '../../event-store/transact.ts'
import type { ProcessDeps } from '../deps.ts'
import type { Performed } from '../due/claims.ts'
import { canBeAsked, courierOf } from './courier-calls.ts'

/** The workspace's clock: it stands still during a step of an advance. */
export type Clock = () => Instant

const reconciler: Actor = { type: 'reconciliation', keyId: null }

/**
 * The process manager's effectful half: reads from the stream what is due now and does it, once.
 * Running it twice on one shipment is safe: the expected revision lets only one through. Answers
 * the result.
 */
export async function reconcile(
  deps: ProcessDeps,
  shipmentId: string,
  clock: Clock,
): Promise<Performed> {
  const snapshot = await loadShipment(deps.store, shipmentId)
  if (snapshot.state === null) return 'idle'
  const step = next(owingOperations(snapshot.state), clock())
  return step === null ? 'idle' : await take(deps, shipmentId, snapshot, step, clock)
}

async function take(
  deps: ProcessDeps,
  shipmentId: string,
  snapshot: Snapshot,
  step: DueAction,
  clock: Clock,
): Promise<Performed> {
  const now = clock()
  const options = {
    actor: reconciler,
    requestId: null,
    now,
    from: snapshot,
    append: { reserved: true },
  }
  switch (step.do) {
    case 'look':
      return await lookAndRecord(deps, shipmentId, snapshot, step.operationId, clock)
    case 'expire': {
      const { operationId } = step
      const outcome = await expired(deps, snapshot, operationId)
      const command = { do: 'record_outcome', operationId, outcome } as const
      return wasDone(await transact(deps.store, shipmentId, command, options))
    }
    case 'require_review': {
      const command = { do: 'require_review', operationId: step.operationId, now } as const
      return wasDone(await transact(deps.store, shipmentId, command, options))
    }
    case 'escalate': {
      const command = { do: 'escalate', operationId: step.operationId } as const
      return wasDone(await transact(deps.store, shipmentId, command, options))
    }
  }
}

function wasDone(done: Transacted): Performed {
  return done.kind === 'done' && done.appended ? 'done' : 'idle'
}

/** No outcome at the call deadline. */
async function expired(deps: ProcessDeps, snapshot: Snapshot, operationId: string) {
  const isUnderway = deps.underway.has(operationId)
  const cause = isUnderway ? 'deadline_passed' : 'process_died'
  const { livemode, provider_code: providerCode } = existing(snapshot).request
  const courier = deps.couriers.courierFor({ livemode, providerCode })
  const courierCanBeAsked = await canBeAsked(courier)
  return { kind: 'unknown', cause, courierCanBeAsked } as const
}

async function lookAndRecord(
  deps: ProcessDeps,
  shipmentId: string,
  snapshot: Snapshot,
  operationId: string,
  clock: Clock,
): Promise<Performed> {
  const startedAt = clock()
  const command = await lookCommand(deps, shipmentId, snapshot, operationId, {
    by: 'reconciliation',
    startedAt,
  })
  if (command === null) return 'deferred'
  return wasDone(
    await transact(deps.store, shipmentId, command, {
      actor: reconciler,
      requestId: null,
      now: clock(),
      from: snapshot,
      append: { reserved: true },
    }),
  )
}

/** Looks for the operation's guide; null: the courier was not asked. */
export async function lookCommand(
  deps: ProcessDeps,
  shipmentId: string,
  snapshot: Snapshot,
  operationId: string,
  made: { readonly by: 'reconciliation' | 'operator'; readonly startedAt: Instant },
  requestId: string | null = null,
): Promise<Extract<Command, { do: 'record_look' }> | null> {
  const operation = operationOf(existing(snapshot), operationId)
  if (operation?.type === 'shipment_cancellation') {
    const { guideNumber } = operation
    const asked = { requestId, guideNumber, includeCancelled: true }
    const found = await find(deps, shipmentId, snapshot, made.startedAt, asked)
    if (found === null) return null
    const result = cancellationLookResult(found.answer, guideNumber)
    return { do: 'record_look', operationId, ...made, result, call: found.call }
  }
  const looked = await look(deps, shipmentId, snapshot, made.startedAt, { requestId })
  return looked === null ? null : { do: 'record_look', operationId, ...made, ...looked }
}

/**
 * If the courier's list omits the guide it may be either: only what the courier says about it
 * counts.
 */
function cancellationLookResult(answer: FindGuidesAnswer, guideNumber: string): LookResult {
  if (answer.kind !== 'found') return { kind: 'inconclusive' }
  const guide = answer.guides.find((each) => each.guideNumber === guideNumber)
  if (guide === undefined || guide.status === 'unclear') return { kind: 'inconclusive' }
  return { kind: guide.status === 'cancelled' ? 'cancelled' : 'standing' }
}

/**
 * Asks the courier which guides stand under our reference. Null: it was not asked, because the
 * connection is parked; the look is deferred and does not count.
 */
export async function look(
  deps: ProcessDeps,
  shipmentId: string,
  snapshot: Snapshot,
  now: Instant,
  more: Asked = {},
): Promise<Looked | null> {
  const found = await find(deps, shipmentId, snapshot, now, more)
  if (found === null) return null
  const { answer, call } = found
  if (answer.kind !== 'found') return { result: { kind: 'inconclusive' }, call }
  const ref = existing(snapshot).request.vault_ref
  const guides = await Promise.all(answer.guides.map((guide) => keepGuide(deps, ref, guide)))
  return { result: { kind: 'guides', guides }, call }
}

type Looked = { readonly result: LookResult; readonly call: LookCall }

type Asked = {
  readonly requestId?: string | null
  readonly guideNumber?: string
  readonly includeCancelled?: boolean
}

async function find(
  deps: ProcessDeps,
  shipmentId: string,
  snapshot: Snapshot,
  now: Instant,
  { requestId = null, ...which }: Asked,
): Promise<{ readonly answer: FindGuidesAnswer; readonly call: LookCall } | null> {
  const at = await courierOf(deps, existing(snapshot), now, requestId)
  if (at.kind === 'deferred') return null
  const asked = { ...at.context, clientReference: shipmentId, ...which }
  const askedAt = performance.now()
  const answer = await at.courier.findGuides(asked)
  const latencyMs = Math.max(0, Math.round(performance.now() - askedAt))
  if (answer.kind !== 'unauthorised') {
    return { answer, call: { failure: failureOf(answer), latencyMs } }
  }
  await deps.accounts.park(at.account)
  return null
}

type Answered = Exclude<FindGuidesAnswer, { readonly kind: 'unauthorised' }>

function failureOf(answer: Answered): LookCall['failure'] {
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

async function keepGuide(deps: ProcessDeps, vaultRef: string, guide: CourierGuide): Promise<Guide> {
  const { guideNumber, price, pickupCode } = guide
  const pickupCodeRef =
    pickupCode === null ? null : await deps.vault.putItem(vaultRef, { pickup_code: pickupCode })
  return { guideNumber, price, pickupCodeRef }
}
