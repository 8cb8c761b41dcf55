import type {
  CallContext,
  CancelGuideAnswer,
  Courier,
  CourierFailure,
  CreateGuideAnswer,
} from '../../couriers/courier.ts'
import type { Deadline } from '../../couriers/deadline.ts'
import { priceChangedCode } from '../../couriers/protocol-codes.ts'
import { withSafeRetries } from '../../couriers/safe-retries.ts'
import type { JsonObject } from '../../domain/decider.ts'
import type { CallFailure, CallOutcome, ExchangeRecord } from '../../domain/operation/kind.ts'
import { attemptOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { type Actor, UnwritableEvent } from '../../event-store/codec.ts'
import { retryUntilStored } from '../../event-store/retry-until-stored.ts'
import { existing, type Snapshot, transact } from '../../event-store/transact.ts'
import type { ItemSealer, ItemsOfCommand } from '../../security/vault/vault.ts'
import type { CourierAccount } from '../connections/courier-accounts.ts'
import type { ProcessServices } from '../process-services.ts'
import { clockAt } from '../sandbox/workspace-clock.ts'
import { callContext, canBeAsked } from './courier-calls.ts'
import { type CourierRequestLog, courierRequestLog } from './courier-request-log.ts'

/** A courier call that is made once, after its intent is recorded. */
export type Call = {
  readonly shipmentId: string
  readonly operationId: string
  readonly courier: Courier
  readonly account: CourierAccount
  readonly actor: Actor
  readonly requestId: string
  /** The time just before the intent was appended, plus the call deadline. */
  readonly deadline: Deadline
  /** The workspace's clock minus the wall clock; it is constant during a call. */
  readonly clockOffsetMs: number
  /** The vault row for personal data in the outcome. */
  readonly vaultRow: ItemSealer | string
  /**
   * Records the intent again after the ledger has lost it, and returns where the outcome belongs.
   * `lost` is the state before the loss.
   */
  readonly recordAgain: (lost: Shipment) => Promise<RecordedAgain>
  /** Calls the courier once. */
  readonly ask: (
    state: Shipment,
    context: AskContext,
  ) => Promise<CreateGuideAnswer | CancelGuideAnswer>
}

export type RecordedAgain = Pick<Call, 'operationId' | 'vaultRow'> & {
  readonly snapshot: Snapshot
}

type AskContext = CallContext & {
  readonly clientReference: string
  readonly notAfter: Deadline
  readonly answerByMs: number
}

/** How a call ended, with the decrypted personal items of its outcome. */
export type EndedCall = {
  readonly snapshot: Snapshot
  readonly items: ReadonlyMap<string, JsonObject>
}

type RecordDeps = Pick<ProcessServices, 'log' | 'store'>
type OutcomeDeps = RecordDeps & Pick<ProcessServices, 'vault'>

/**
 * Makes the one call of a committed intent and records its outcome. Throws only if the outcome
 * cannot be recorded: the attempt then becomes unknown at its deadline, and reconciliation queries
 * the courier.
 */
export async function makeCall(
  deps: OutcomeDeps & Pick<ProcessServices, 'accounts'>,
  call: Call,
  committed: Snapshot,
): Promise<EndedCall> {
  const { requestId, shipmentId, operationId } = call
  const requestLog = courierRequestLog((latencyMs) => clockAt(call.clockOffsetMs) - latencyMs)
  const answer = await answerOf(call, existing(committed), requestLog)
  deps.log.info({ requestId, shipmentId, operationId, answer: answer.kind }, 'courier answered')
  if (answer.kind === 'unauthorized') {
    // The connection is unusable until it gets new credentials.
    await retryUntilStored('park a connection', deps.log, () => deps.accounts.park(call.account))
  }
  const recorded = await recordAnswer(deps, call, committed, { answer, requestLog })
  if (recorded !== null) return recorded
  // The intent was committed, so the ledger has lost events since. The guide still exists.
  deps.log.error({ requestId, shipmentId, operationId }, 'the ledger has lost the intent of a call')
  const { snapshot, ...again } = await call.recordAgain(existing(committed))
  const repeated = { ...call, ...again, recovered: true } as const
  const ended = await recordAnswer(deps, repeated, snapshot, { answer, requestLog })
  if (ended === null) throw new Error('bug: an outcome was refused')
  return ended
}

/**
 * Records the outcome, with the answer in the vault; null if the ledger has no such intent.
 */
async function recordAnswer(
  deps: OutcomeDeps,
  call: Call & { readonly recovered?: true },
  committed: Snapshot,
  { answer, requestLog }: { readonly answer: CallAnswer; readonly requestLog: CourierRequestLog },
): Promise<EndedCall | null> {
  const known = new Map<string, JsonObject>()
  const writer = await retryUntilStored('the vault row of an outcome', deps.log, () =>
    deps.vault.writer(call.vaultRow),
  )
  const keep = (content: JsonObject) => {
    const ref = writer.write(content)
    if (ref !== null) known.set(ref, content)
    return ref
  }
  const outcome = await outcomeOf(call, existing(committed), answer, keep)
  const record = requestLog.record(writer)
  const { commitments, beside } = writer
  const end = { outcome, record, commitments, beside }
  const snapshot = await recordEnd(deps, call, committed, end).catch(async (error: unknown) => {
    // An answer that no event can represent counts as unreadable.
    if (!(error instanceof UnwritableEvent)) throw error
    const courierCanBeAsked = await canBeAsked(call.courier)
    const unreadable = { kind: 'unknown', cause: 'response_unreadable', courierCanBeAsked } as const
    return await recordEnd(deps, call, committed, { outcome: unreadable, commitments, beside })
  })
  return snapshot && { snapshot, items: known }
}

/** Records that a committed intent was never sent because its append was confirmed too late. */
export async function giveUpCall(
  deps: RecordDeps,
  call: Call,
  committed: Snapshot,
): Promise<EndedCall> {
  const tooLate = { kind: 'not_sent', reason: 'too_late', retryAfterSeconds: null } as const
  const end = { outcome: tooLate, commitments: new Map(), beside: { items: [] } }
  // The ledger lost the intent, and nothing was sent: there is nothing to record.
  const snapshot = (await recordEnd(deps, call, committed, end)) ?? committed
  return { snapshot, items: new Map() }
}

type CallAnswer = CreateGuideAnswer | CancelGuideAnswer

async function answerOf(
  call: Call,
  state: Shipment,
  { onExchange }: CourierRequestLog,
): Promise<CallAnswer> {
  const { shipmentId: clientReference, deadline: notAfter } = call
  const context = callContext(state, call.account, clockAt(call.clockOffsetMs), call.requestId)
  try {
    return await withSafeRetries<CallAnswer>(
      (answerByMs, attempt) =>
        call.ask(state, { ...context, clientReference, notAfter, answerByMs, attempt, onExchange }),
      { endsAtMs: notAfter.endsAtMs },
    )
  } catch {
    // The port promises not to throw; if it does, the request may have been sent.
    return { kind: 'unknown', cause: 'response_lost' }
  }
}

/** Seals personal data or the courier's own text; null once the person is erased. */
type WriteDetail = (content: JsonObject) => string | null

async function outcomeOf(
  { courier, operationId }: Call,
  state: Shipment,
  answer: CallAnswer,
  write: WriteDetail,
): Promise<CallOutcome> {
  switch (answer.kind) {
    case 'created': {
      const { guideNumber, price, pickupCode } = answer.guide
      const pickupCodeRef = pickupCode === null ? null : write({ pickup_code: pickupCode })
      return { kind: 'issued', guide: { guideNumber, price, pickupCodeRef } }
    }
    case 'cancelled':
      return { kind: 'cancelled' }
    default: {
      const isQuoted = state.request.quoted_amount !== undefined
      const isBound = isQuoted && attemptOf(state, operationId) !== null
      return await outcomeOfFailure(courier, isBound, answer, write)
    }
  }
}

async function outcomeOfFailure(
  courier: Courier,
  /** The creation must not exceed the quoted price. */
  isBound: boolean,
  answer: CourierFailure,
  write: WriteDetail,
): Promise<CallFailure> {
  switch (answer.kind) {
    case 'rejected': {
      const hasDetail = answer.text !== null || answer.code !== null
      const detailRef = hasDetail ? write({ code: answer.code, text: answer.text }) : null
      const isPrice = isBound && answer.code === priceChangedCode
      const priceChanged = isPrice ? { priceChanged: { to: answer.newPrice } } : {}
      return { kind: 'rejected', detailRef, ...priceChanged }
    }
    case 'unauthorized':
      return { kind: 'not_sent', reason: 'connection_needs_reauth', retryAfterSeconds: null }
    case 'throttled': {
      const retryAfterSeconds = Math.ceil((answer.retryAfterMs ?? 1_000) / 1_000)
      return { kind: 'not_sent', reason: 'courier_throttled', retryAfterSeconds }
    }
    case 'not_sent': {
      const reason = answer.cause === 'too_late' ? 'too_late' : 'courier_unreachable'
      return { kind: 'not_sent', reason, retryAfterSeconds: null }
    }
    case 'unknown': {
      const courierCanBeAsked = await canBeAsked(courier)
      return { kind: 'unknown', cause: answer.cause, courierCanBeAsked }
    }
  }
}

type CallEnd = ItemsOfCommand & {
  readonly outcome: CallOutcome
  readonly record?: ExchangeRecord
}

/** Records how the call ended, retrying until it is stored; null if its intent is gone. */
async function recordEnd(
  { store, log }: RecordDeps,
  call: Call & { readonly recovered?: true },
  committed: Snapshot,
  { commitments, beside, ...end }: CallEnd,
): Promise<Snapshot | null> {
  const { shipmentId, operationId, actor, requestId, clockOffsetMs } = call
  const recovered = call.recovered === undefined ? {} : { recovered: call.recovered }
  const command = { do: 'record_outcome', operationId, ...end, ...recovered } as const
  let from: Snapshot | undefined = committed
  const done = await retryUntilStored('the outcome of a courier call', log, () =>
    transact(store, shipmentId, command, {
      actor,
      requestId,
      now: clockAt(clockOffsetMs),
      append: { reserved: true },
      commitments,
      beside,
      ...(from === undefined ? {} : { from }),
    }).finally(() => {
      from = undefined
    }),
  )
  if (done.kind === 'refused' && done.reason === 'not_found') return null
  if (done.kind !== 'done') throw new Error(`bug: an outcome was ${done.kind}`)
  return done.snapshot
}
