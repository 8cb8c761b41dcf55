import type { Courier, CourierFailure } from '../../couriers/courier.ts'
import type { Deadline } from '../../couriers/deadline.ts'
import type { JsonObject } from '../../domain/decider.ts'
import type { CallFailure } from '../../domain/operation/operation-decisions.ts'
import type { Command } from '../../domain/shipment/shipment-decisions.ts'
import type { Actor } from '../../event-store/codec.ts'
import { type Snapshot, transact } from '../../event-store/transact.ts'
import type { ItemSealer } from '../../security/vault.ts'
import type { CourierAccount } from '../connections/courier-accounts.ts'
import type { ProcessDeps } from '../deps.ts'
import { clockAt } from '../sandbox/workspace-clock.ts'
import { persist } from './persist.ts'

/** A courier call with its committed intent, whatever its purpose. */
export type CommittedCall = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly courier: Courier
  readonly account: CourierAccount
  readonly actor: Actor
  readonly requestId: string | null
  /** When the intent was about to be appended, plus the call deadline. */
  readonly deadline: Deadline
  /** The workspace's clock minus the wall clock; it does not move while a call is under way. */
  readonly clockOffsetMs: number
}

/** How an attempt ended, and the personal items its outcome refers to, as this process knows them. */
export type EndedAttempt = {
  readonly snapshot: Snapshot
  readonly items: ReadonlyMap<string, JsonObject>
}

/** For an intent whose append was answered too late: it is never sent. */
export const tooLate = { kind: 'not_sent', reason: 'too_late', retryAfterSeconds: null } as const

/** If the courier refused the credentials, the connection waits for new ones. */
export async function parkIfRefused(
  deps: ProcessDeps,
  account: CourierAccount,
  answer: { readonly kind: string },
): Promise<void> {
  if (answer.kind !== 'unauthorised') return
  await persist('park a connection', deps.log, () => deps.accounts.park(account))
}

/** Stores personal data or the courier's own words; null once the person is erased. */
export type Keep = (content: JsonObject) => Promise<string | null>

/** Stores the items of an outcome in a vault row, and keeps a record of what was stored. */
export function keeping(
  deps: ProcessDeps,
  row: ItemSealer | string,
): { readonly items: ReadonlyMap<string, JsonObject>; readonly keep: Keep } {
  const items = new Map<string, JsonObject>()
  const keep = async (content: JsonObject) => {
    const what = 'what came with an outcome'
    const ref = await persist(what, deps.log, () => deps.vault.putItem(row, content))
    if (ref !== null) items.set(ref, content)
    return ref
  }
  return { items, keep }
}

/** The outcome of a call that did not do its work. */
export async function failureOutcome(
  courier: Courier,
  answer: CourierFailure,
  keep: Keep,
): Promise<CallFailure> {
  switch (answer.kind) {
    case 'rejected': {
      const told = answer.text !== null || answer.code !== null
      const detailRef = told ? await keep({ code: answer.code, text: answer.text }) : null
      return { kind: 'rejected', detailRef }
    }
    case 'unauthorised':
      return { kind: 'not_sent', reason: 'connection_needs_reauth', retryAfterSeconds: null }
    case 'throttled': {
      const retryAfterSeconds = Math.ceil((answer.retryAfterMs ?? 1_000) / 1_000)
      return { kind: 'not_sent', reason: 'courier_throttled', retryAfterSeconds }
    }
    case 'not_sent':
      return answer.cause === 'too_late'
        ? { kind: 'not_sent', reason: 'too_late', retryAfterSeconds: null }
        : { kind: 'not_sent', reason: 'courier_unreachable', retryAfterSeconds: null }
    case 'unknown': {
      const courierCanBeAsked = await canBeAsked(courier)
      return { kind: 'unknown', cause: answer.cause, courierCanBeAsked }
    }
  }
}

/**
 * True for a courier that does not answer now, since it is asked later; false only for one without
 * look-ups.
 */
export async function canBeAsked(courier: Courier): Promise<boolean> {
  const capabilities = await courier.capabilities().catch(() => null)
  return capabilities?.find ?? true
}

/** Records how a call ended, retrying until it is stored. */
export async function recordEnd(
  deps: ProcessDeps,
  made: Pick<CommittedCall, 'shipmentId' | 'snapshot' | 'actor' | 'requestId' | 'clockOffsetMs'>,
  what: string,
  command: Command,
): Promise<Snapshot> {
  let from: Snapshot | undefined = made.snapshot
  return await persist(what, deps.log, async () => {
    const done = await transact(deps.store, made.shipmentId, command, {
      actor: made.actor,
      requestId: made.requestId,
      now: clockAt(made.clockOffsetMs),
      append: { reserved: true },
      ...(from === undefined ? {} : { from }),
    }).finally(() => {
      from = undefined
    })
    if (done.kind !== 'done') throw new Error(`bug: an outcome was ${done.kind}`)
    return done.snapshot
  })
}
