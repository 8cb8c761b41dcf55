import type {
  Courier,
  CourierFailure,
  CreateGuide,
  CreateGuideAnswer,
} from '../couriers/courier.ts'
import { priceChangedCode } from '../couriers/protocol-codes.ts'
import { withSafeRetries } from '../couriers/safe-retries.ts'
import type { Attempt } from '../domain/attempt.ts'
import type { Instant, JsonObject } from '../domain/decider.ts'
import type { CallOutcome } from '../domain/shipment-decisions.ts'
import { type Actor, UnwritableEvent } from '../event-store/codec.ts'
import { existing, type Snapshot, transact } from '../event-store/transact.ts'
import type { ItemSealer } from '../security/vault.ts'
import type { CourierAccount } from './courier-accounts.ts'
import type { ShipmentRequestBody } from './creation-request.ts'
import type { ProcessDeps } from './deps.ts'
import { persist } from './persist.ts'

/** An attempt whose intent is committed: everything that its one courier call needs. */
export type CommittedAttempt = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly attempt: Attempt
  readonly courier: Courier
  readonly account: CourierAccount
  readonly body: ShipmentRequestBody
  readonly codes: {
    readonly origin: string
    readonly destination: string
    readonly product: string
  }
  readonly vaultRow: ItemSealer
  readonly actor: Actor
  readonly requestId: string | null
  /** Wall clock: when the intent was about to be appended, plus the call deadline. */
  readonly realDeadline: Date
  /** The workspace's clock minus the wall clock; it does not move while an attempt is under way. */
  readonly clockOffsetMs: number
}

/** How an attempt ended, and the personal items its outcome refers to, as this process knows them. */
export type EndedAttempt = {
  readonly snapshot: Snapshot
  readonly items: ReadonlyMap<string, JsonObject>
}

/** Makes the one call of a committed attempt and records how it ended. Never throws. */
export async function makeAttempt(
  deps: ProcessDeps,
  made: CommittedAttempt,
): Promise<EndedAttempt> {
  const answer = await call(made)
  deps.log.info(
    {
      requestId: made.requestId,
      shipmentId: made.shipmentId,
      operationId: made.attempt.operationId,
      answer: answer.kind,
    },
    'courier answered a creation',
  )
  if (answer.kind === 'unauthorised') {
    await persist('park a connection', deps.log, () => deps.accounts.park(made.account))
  }
  const items = new Map<string, JsonObject>()
  const keep = async (content: JsonObject) => {
    const what = 'what came with an outcome'
    const ref = await persist(what, deps.log, () => deps.vault.putItem(made.vaultRow, content))
    if (ref !== null) items.set(ref, content)
    return ref
  }
  const outcome = await outcomeOf(made, answer, keep)
  const snapshot = await recordOutcome(deps, made, outcome).catch(async (error: unknown) => {
    // An answer that no event can hold is one that cannot be read.
    if (!(error instanceof UnwritableEvent)) throw error
    const courierCanBeAsked = await canBeAsked(made.courier)
    const unreadable = { kind: 'unknown', cause: 'response_unreadable', courierCanBeAsked } as const
    return await recordOutcome(deps, made, unreadable)
  })
  return { snapshot, items }
}

async function recordOutcome(
  deps: ProcessDeps,
  made: CommittedAttempt,
  outcome: CallOutcome,
): Promise<Snapshot> {
  let from: Snapshot | undefined = made.snapshot
  return await persist('the outcome of a creation', deps.log, async () => {
    const done = await transact(
      deps.store,
      made.shipmentId,
      { do: 'record_outcome', attempt: made.attempt.number, outcome },
      {
        actor: made.actor,
        requestId: made.requestId,
        now: Date.now() + made.clockOffsetMs,
        append: { reserved: true },
        ...(from === undefined ? {} : { from }),
      },
    ).finally(() => {
      from = undefined
    })
    if (done.kind !== 'done') throw new Error(`bug: an outcome was ${done.kind}`)
    return done.snapshot
  })
}

/** Records that a committed intent was never sent, because its append was answered too late. */
export async function giveUpAttempt(
  deps: ProcessDeps,
  given: Pick<
    CommittedAttempt,
    'shipmentId' | 'snapshot' | 'attempt' | 'actor' | 'requestId' | 'clockOffsetMs'
  >,
): Promise<EndedAttempt> {
  const outcome: CallOutcome = { kind: 'not_sent', reason: 'too_late', retryAfterSeconds: null }
  return {
    snapshot: await recordOutcome(deps, given as CommittedAttempt, outcome),
    items: new Map(),
  }
}

export type AttemptSandbox = {
  readonly scenario: string
  readonly attempt: number
  readonly attemptAt: Instant
  readonly now: Instant
  readonly account: string
}

export function sandboxOf(context: AttemptSandbox | null): CreateGuide['sandbox'] {
  if (context === null) return null
  return {
    ...context,
    attemptAt: new Date(context.attemptAt),
    now: new Date(context.now),
  }
}

async function call(made: CommittedAttempt): Promise<CreateGuideAnswer> {
  const { request } = existing(made.snapshot)
  const { body, codes, attempt } = made
  const guide: CreateGuide = {
    requestId: made.requestId,
    credentials: made.account.credentials,
    sandbox: sandboxOf(
      request.livemode
        ? null
        : {
            scenario: request.sandbox_scenario ?? 'happy_path',
            attempt: attempt.number,
            attemptAt: attempt.requestedAt,
            now: Date.now() + made.clockOffsetMs,
            account: request.courier_connection_id,
          },
    ),
    clientReference: made.shipmentId,
    notAfter: made.realDeadline,
    origin: { code: codes.origin },
    destination: { code: codes.destination },
    package: {
      productCode: codes.product,
      quantity: body.package.quantity,
      weightKg: body.package.weight_kg,
      heightM: body.package.height_m,
      lengthM: body.package.length_m,
      widthM: body.package.width_m,
    },
    service: body.service,
    declaredContent: body.declared_content,
    recipient: {
      documentType: body.recipient.document_type,
      document: body.recipient.document,
      firstName: body.recipient.first_name,
      lastName: body.recipient.last_name,
    },
    quotedAmount: request.quoted_amount ?? null,
  }
  try {
    return await withSafeRetries((answerBy) => made.courier.createGuide({ ...guide, answerBy }), {
      notAfter: made.realDeadline,
    })
  } catch {
    // The port promises not to throw; if it does, a byte may have left.
    return { kind: 'unknown', cause: 'response_lost' }
  }
}

async function outcomeOf(
  made: CommittedAttempt,
  answer: CreateGuideAnswer,
  keep: Keep,
): Promise<CallOutcome> {
  if (answer.kind !== 'created') {
    const outcome = await failureOutcome(made.courier, answer, keep)
    const wasQuoted = existing(made.snapshot).request.quoted_amount !== undefined
    const isPrice = answer.kind === 'rejected' && answer.code === priceChangedCode
    return outcome.kind === 'rejected' && wasQuoted && isPrice
      ? { ...outcome, priceChanged: { to: answer.newPrice } }
      : outcome
  }
  const { guideNumber, price, pickupCode } = answer.guide
  const pickupCodeRef = pickupCode === null ? null : await keep({ pickup_code: pickupCode })
  return { kind: 'issued', guide: { guideNumber, price, pickupCodeRef } }
}

/** Stores what is personal or the courier's own words; null once the person is erased. */
type Keep = (content: JsonObject) => Promise<string | null>
export type FailureOutcome = Exclude<CallOutcome, { kind: 'issued' }>

/** What a call came to that did not do what it was made for. */
export async function failureOutcome(
  courier: Courier,
  answer: CourierFailure,
  keep: Keep,
): Promise<FailureOutcome> {
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

/** A courier that does not answer now is asked later all the same; only one that cannot look is not. */
async function canBeAsked(courier: Courier): Promise<boolean> {
  const capabilities = await courier.capabilities().catch(() => null)
  return capabilities?.find ?? true
}
