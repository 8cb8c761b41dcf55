import type { Guide as CourierGuide, FindGuidesAnswer } from '../couriers/courier.ts'
import type { Guide } from '../domain/attempt.ts'
import type { Instant } from '../domain/decider.ts'
import { next, type Step } from '../domain/reconciliation.ts'
import type { LookResult } from '../domain/shipment-decisions.ts'
import type { Actor } from '../event-store/codec.ts'
import {
  existing,
  loadShipment,
  type Snapshot,
  type Transacted,
  transact,
} from '../event-store/transact.ts'
import { courierOf } from './courier-calls.ts'
import type { Performed, ProcessDeps } from './deps.ts'

/** The workspace's clock: it stands still while a step of an advance is made. */
export type Clock = () => Instant

const reconciler: Actor = { type: 'reconciliation', keyId: null }

/**
 * The process manager's effectful half: asks the stream what is owed now and does it, once. Two of
 * these on one shipment are safe: the expected revision lets one of them through.
 * Answers what came of it.
 */
export async function reconcile(
  deps: ProcessDeps,
  shipmentId: string,
  clock: Clock,
): Promise<Performed> {
  const snapshot = await loadShipment(deps.store, shipmentId)
  if (snapshot.state === null) return 'idle'
  const step = next(snapshot.state.attempts, clock())
  return step === null ? 'idle' : await take(deps, shipmentId, snapshot, step, clock)
}

async function take(
  deps: ProcessDeps,
  shipmentId: string,
  snapshot: Snapshot,
  step: Step,
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
    case 'expire_attempt': {
      const cause = deps.underway.has(shipmentId) ? 'deadline_passed' : 'process_died'
      const courierCanBeAsked = await canBeAsked(deps, snapshot)
      const outcome = { kind: 'unknown', cause, courierCanBeAsked } as const
      const command = { do: 'record_outcome', attempt: step.attempt, outcome } as const
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

async function canBeAsked(deps: ProcessDeps, snapshot: Snapshot): Promise<boolean> {
  const { request } = existing(snapshot)
  const mode = { livemode: request.livemode, providerCode: request.provider_code }
  const capabilities = await deps.couriers.courierFor(mode)?.capabilities()
  return capabilities?.find ?? true
}

async function lookAndRecord(
  deps: ProcessDeps,
  shipmentId: string,
  snapshot: Snapshot,
  operationId: string,
  clock: Clock,
): Promise<Performed> {
  const startedAt = clock()
  const looked = await look(deps, shipmentId, snapshot, startedAt)
  if (looked === null) return 'deferred'
  const command = {
    do: 'record_look',
    operationId,
    by: 'reconciliation',
    startedAt,
    result: looked,
  } as const
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

/**
 * Asks the courier which guides stand under our reference. Null: it was not asked, because the
 * connection is parked; such a look is deferred and counts as nothing.
 */
export async function look(
  deps: ProcessDeps,
  shipmentId: string,
  snapshot: Snapshot,
  now: Instant,
  more: { readonly requestId?: string | null; readonly guideNumber?: string } = {},
): Promise<LookResult | null> {
  const at = await courierOf(deps, existing(snapshot), now, more.requestId ?? null)
  if (at.kind === 'deferred') return null
  const asked = { ...at.context, clientReference: shipmentId }
  const answer: FindGuidesAnswer = await at.courier.findGuides(
    more.guideNumber === undefined ? asked : { ...asked, guideNumber: more.guideNumber },
  )
  if (answer.kind === 'unauthorised') {
    await deps.accounts.park(at.account)
    return null
  }
  if (answer.kind !== 'found') return { kind: 'inconclusive' }
  const ref = existing(snapshot).request.vault_ref
  const guides = await Promise.all(answer.guides.map((guide) => keepGuide(deps, ref, guide)))
  return { kind: 'guides', guides }
}

async function keepGuide(deps: ProcessDeps, vaultRef: string, guide: CourierGuide): Promise<Guide> {
  const { guideNumber, price, pickupCode } = guide
  const pickupCodeRef =
    pickupCode === null ? null : await deps.vault.putItem(vaultRef, { pickup_code: pickupCode })
  return { guideNumber, price, pickupCodeRef }
}
