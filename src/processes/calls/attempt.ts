import type { CreateGuide, CreateGuideAnswer } from '../../couriers/courier.ts'
import { priceChangedCode } from '../../couriers/protocol-codes.ts'
import { withSafeRetries } from '../../couriers/safe-retries.ts'
import type { Attempt } from '../../domain/operation/attempt.ts'
import type { CallOutcome } from '../../domain/shipment/shipment-decisions.ts'
import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { UnwritableEvent } from '../../event-store/codec.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import type { ItemSealer } from '../../security/vault.ts'
import type { ProcessDeps } from '../deps.ts'
import { clockAt } from '../sandbox/workspace-clock.ts'
import {
  type CommittedCall,
  canBeAsked,
  type EndedAttempt,
  failureOutcome,
  type Keep,
  keeping,
  parkIfRefused,
  recordEnd,
  tooLate,
} from './call-end.ts'
import { callContext } from './courier-calls.ts'

/** An attempt with its committed intent: everything that its one courier call needs. */
export type CommittedAttempt = CommittedCall & {
  readonly attempt: Attempt
  readonly body: ShipmentPayload
  readonly codes: {
    readonly origin: string
    readonly destination: string
    readonly product: string
  }
  readonly vaultRow: ItemSealer
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
  await parkIfRefused(deps, made.account, answer)
  const { items, keep } = keeping(deps, made.vaultRow)
  const outcome = await outcomeOf(made, answer, keep)
  const snapshot = await recordOutcome(deps, made, outcome).catch(async (error: unknown) => {
    // An answer that no event can hold counts as unreadable.
    if (!(error instanceof UnwritableEvent)) throw error
    const courierCanBeAsked = await canBeAsked(made.courier)
    const unreadable = { kind: 'unknown', cause: 'response_unreadable', courierCanBeAsked } as const
    return await recordOutcome(deps, made, unreadable)
  })
  return { snapshot, items }
}

function recordOutcome(
  deps: ProcessDeps,
  made: CommittedAttempt,
  outcome: CallOutcome,
): Promise<Snapshot> {
  const command = { do: 'record_outcome', attempt: made.attempt.number, outcome } as const
  return recordEnd(deps, made, 'the outcome of a creation', command)
}

/** Records that a committed intent was never sent, because its append was answered too late. */
export async function giveUpAttempt(
  deps: ProcessDeps,
  given: CommittedAttempt,
): Promise<EndedAttempt> {
  return { snapshot: await recordOutcome(deps, given, tooLate), items: new Map() }
}

async function call(made: CommittedAttempt): Promise<CreateGuideAnswer> {
  const { request } = existing(made.snapshot)
  const { body, codes } = made
  const now = clockAt(made.clockOffsetMs)
  const guide: CreateGuide = {
    ...callContext(existing(made.snapshot), made.account, now, made.requestId),
    clientReference: made.shipmentId,
    notAfter: made.deadline,
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
    return await withSafeRetries(
      (answerByMs) => made.courier.createGuide({ ...guide, answerByMs }),
      {
        endsAtMs: made.deadline.endsAtMs,
      },
    )
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
