import { z } from 'zod'
import {
  causes,
  exchanged,
  guideNumber,
  id,
  idempotencyKey,
  lookCall,
  lookers,
  notSentReasons,
  recovered,
  time,
  vaultRef,
} from '../event-fields.ts'

// The names and shapes below are stored forever. Change them only by adding a version and an
// upcaster.

const operation = { operation_id: id }
const attempt = {
  attempt: z.int().min(1).describe('Number of the attempt to cancel this shipment, from 1'),
  operation_id: id.describe('The operation of this attempt'),
}

export const cancellationLookAnswers = ['cancelled', 'standing', 'inconclusive'] as const
/** Why a cancellation was answered without asking the courier. */
const declineReasons = [
  'no_guide',
  'handed_over',
  'courier_refused',
  'courier_cannot_cancel',
  'too_many_tries',
] as const

/** The events of a cancellation, as part of the shipment's events. */
export const cancellationEventSchemas = {
  CancellationRequested: z
    .strictObject({
      ...attempt,
      idempotency_key: idempotencyKey.describe('The key of the cancellation'),
      guide_number: guideNumber,
      call_deadline: time.describe('Nothing is sent to the courier after this'),
      settle_until: time.describe(
        'The earliest time at which a look can count as proof that the guide stands',
      ),
      deadline_at: time.describe('An outcome still unknown at this time goes to human review'),
      credentials_version: z.int().min(1),
      ...recovered,
    })
    .describe('A cancellation attempt begins: recorded before any byte is sent to the courier.'),
  GuideCancelled: z
    .strictObject({ ...attempt, ...exchanged, ...recovered })
    .describe('The courier confirmed that it voided the guide.'),
  CancellationRefused: z
    .strictObject({ ...attempt, detail_ref: vaultRef.nullable(), ...exchanged, ...recovered })
    .describe('The courier refused to cancel; its message is in the vault.'),
  CancellationNotSent: z
    .strictObject({
      ...attempt,
      reason: z.enum(notSentReasons),
      retry_after_s: z.int().min(0).nullable(),
      ...exchanged,
      ...recovered,
    })
    .describe('Certainly not cancelled: no byte was sent, or it was rejected before execution.'),
  CancellationOutcomeUnknown: z
    .strictObject({
      ...attempt,
      cause: z.enum(causes),
      courier_can_be_asked: z.boolean(),
      ...exchanged,
      ...recovered,
    })
    .describe('A byte may have been sent and no answer is reliable: the guide may be cancelled.'),
  CancellationLookedUp: z
    .strictObject({
      ...operation,
      method: z.enum(['by_client_reference']),
      answer: z.enum(cancellationLookAnswers),
      counted: z.boolean().describe('The guide was seen standing late enough to count'),
      by: z.enum(lookers),
      ...lookCall,
      ...exchanged,
    })
    .describe(
      'The courier was asked whether the guide stands; `occurred_at` is when the look began.',
    ),
  CancellationFound: z
    .strictObject({
      ...operation,
      evidence: z.enum(['look', 'late_answer', 'recovery']),
      ...exchanged,
    })
    .describe(
      'The guide is cancelled: reconciliation ends, or the courier was asked first because the ledger had lost events.',
    ),
  GuideNotCancelled: z
    .strictObject({
      ...operation,
      evidence: z.enum(['looks', 'late_refusal', 'late_not_sent']),
      detail_ref: vaultRef.nullable(),
      ...exchanged,
    })
    .describe('Reconciliation ends: the guide stands.'),
  CancellationDeclined: z
    .strictObject({ idempotency_key: idempotencyKey, because: z.enum(declineReasons) })
    .describe(
      'A cancellation was answered without asking the courier; a repeat gets the same answer.',
    ),
} as const

export type CancellationLookAnswer = (typeof cancellationLookAnswers)[number]
export type DeclineReason = (typeof declineReasons)[number]
