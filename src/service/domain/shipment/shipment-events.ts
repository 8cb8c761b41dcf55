import { z } from 'zod'
import type { Instant } from '../decider.ts'
import {
  causes,
  committed,
  exchanged,
  guideNumber,
  id,
  idempotencyKey,
  lookCall,
  lookers,
  notSentReasons,
  recovered,
  requestDigest,
  time,
  vaultRef,
} from '../event-fields.ts'
import { cancellationEventSchemas } from '../operation/cancellation-events.ts'
import { workEventSchemas } from '../operation/work-events.ts'
import type { ClearField } from './shipment-payload.ts'

export {
  type Cause,
  causes,
  type LookFailure,
  lookFailures,
  type NotSentReason,
  notSentReasons,
} from '../event-fields.ts'

// The names and shapes below are stored forever. Change them only by adding a version and an
// upcaster.

/**
 * Guides named in one event. Two already need a person, who can read the rest elsewhere.
 */
export const guidesNamedMax = 20
const guideNumbers = z.array(guideNumber).max(guidesNamedMax)
const money = z.strictObject({ amount: z.int(), currency: z.string().length(3) })
const attempt = {
  attempt: z.int().min(1).describe('Number of the attempt, from 1'),
  operation_id: id.describe('The operation of this attempt'),
}
const operation = { operation_id: id }
const clientReference = {
  client_reference: id
    .exactOptional()
    .describe('Our reference at the courier, under which the guide is registered'),
}
const priceChanged = {
  price_changed: z
    .strictObject({ to: money.nullable().describe('The new price, if the courier gives it') })
    .exactOptional()
    .describe('Present if the courier refused because the quoted price is no longer valid'),
}
const confirms = {
  confirms: z
    .strictObject({ price: money.nullable(), pickup_code_ref: vaultRef.nullable() })
    .exactOptional()
    .describe('Present if the courier reported the guide that an unconfirmed decision named'),
}

export const lookAnswers = ['found', 'ambiguous', 'absent', 'inconclusive'] as const
const lateAnswers = ['issued', 'rejected', 'not_sent', 'cancelled'] as const
export const decisions = ['guide_exists', 'nothing_created', 'cancelled', 'not_cancelled'] as const
const reviewReasons = ['ambiguous', 'courier_cannot_be_asked', 'deadline_passed'] as const
export const monitoringStates = ['active', 'unreachable', 'completed', 'expired'] as const

const trackingEvent = z.strictObject({
  id: z.string().min(1).max(64).describe('Our id, always the same for the same courier event'),
  code: z
    .string()
    .max(40)
    .describe("From our closed list; `unmapped` if the courier's code is not on it"),
  mapped: z.boolean(),
  occurred_at: time,
  received_at: time,
  agency_id: id.nullable(),
  action_required: z.boolean(),
  earlier_parcel: z
    .literal(true)
    .exactOptional()
    .describe('Older than the shipment: about an earlier parcel with the same number, and ignored'),
})

/**
 * The payload's clear fields as events store them: looser than the API, since events outlive the API's
 * rules. Fields added later are `exactOptional`, because earlier events do not have them.
 */
const clearFields = {
  workspace_id: id,
  courier_connection_id: id,
  external_reference: z.string().max(255),
  origin: z.strictObject({ agency_id: id }),
  destination: z.strictObject({ agency_id: id }),
  package: z.strictObject({
    product_id: id,
    quantity: z.int(),
    weight_kg: z.number(),
    height_m: z.number(),
    length_m: z.number(),
    width_m: z.number(),
  }),
  service: z.strictObject({ mode: z.string().max(40), payer: z.string().max(40) }),
  quote_id: id.nullable(),
  declared_value: money.exactOptional(),
  cash_on_delivery: money.exactOptional(),
} satisfies Record<ClearField, z.ZodType>

/**
 * Each event's schema, newest version; older ones are upcast when read. The key is the stored type.
 */
export const shipmentEventSchemas = {
  ShipmentRequested: z
    .strictObject({
      ...clearFields,
      organization_id: id,
      provider_code: z.string().min(1).max(64),
      livemode: z.boolean(),
      idempotency_key: idempotencyKey,
      quoted_amount: money
        .exactOptional()
        .describe('The quoted price, which binds the courier on every attempt of the key'),
      sandbox_scenario: z.string().max(64).nullable(),
      vault_ref: vaultRef.describe('Reference to the personal part, until it is erased'),
      ...committed,
      fingerprint: z
        .strictObject({
          version: z.int(),
          open: z.string().max(64).describe('SHA-256 of the part that is not personal'),
          personal: z
            .string()
            .max(64)
            .describe('HMAC of the personal part, under a key of the vault row'),
        })
        .describe('Tells whether a later request with the key has the same body'),
      ...recovered,
    })
    .describe('A shop requested a shipment with a new idempotency key.'),
  GuideRequested: z
    .strictObject({
      ...attempt,
      call_deadline: time.describe('Nothing is sent to the courier after this'),
      settle_until: time.describe('Before this, an absence does not count'),
      deadline_at: time.describe('An outcome still unknown at this time goes to human review'),
      credentials_version: z.int().min(1),
      request_digest: requestDigest
        .exactOptional()
        .describe('HMAC-SHA-256 of the body that will be sent, without credentials'),
      ...recovered,
    })
    .describe('An attempt begins: recorded before any byte is sent to the courier.'),
  GuideIssued: z
    .strictObject({
      ...attempt,
      guide_number: guideNumber,
      ...clientReference,
      price: money.nullable(),
      pickup_code_ref: vaultRef.nullable(),
      ...exchanged,
      ...recovered,
    })
    .describe('The courier confirmed the guide in its answer.'),
  GuideRejected: z
    .strictObject({
      ...attempt,
      detail_ref: vaultRef.nullable(),
      ...priceChanged,
      ...exchanged,
      ...recovered,
    })
    .describe('The courier refused; its message is in the vault.'),
  GuideNotSent: z
    .strictObject({
      ...attempt,
      reason: z.enum(notSentReasons),
      retry_after_s: z.int().min(0).nullable(),
      ...exchanged,
      ...recovered,
    })
    .describe('Certainly not executed: no byte was sent, or it was rejected before execution.'),
  GuideOutcomeUnknown: z
    .strictObject({
      ...attempt,
      cause: z.enum(causes),
      courier_can_be_asked: z.boolean(),
      ...exchanged,
      ...recovered,
    })
    .describe('A byte may have been sent and no answer is reliable: the guide may exist.'),
  GuideLookedUp: z
    .strictObject({
      ...operation,
      method: z.enum(['by_client_reference']),
      answer: z.enum(lookAnswers),
      guide_numbers: guideNumbers,
      counted: z.boolean().describe('An absence late enough to count'),
      by: z.enum(lookers),
      ...lookCall,
      ...confirms,
      ...exchanged,
    })
    .describe(
      'The courier was asked which guides exist under our reference; `occurred_at` is when the look began.',
    ),
  GuideFound: z
    .strictObject({
      ...operation,
      guide_number: guideNumber,
      ...clientReference,
      evidence: z.enum(['look', 'late_answer', 'recovery']),
      price: money.nullable(),
      pickup_code_ref: vaultRef.nullable(),
      ...exchanged,
    })
    .describe(
      'The guide exists: reconciliation ends, or the courier was asked first because the ledger had lost events.',
    ),
  GuideNotCreated: z
    .strictObject({
      ...operation,
      evidence: z.enum(['looks', 'late_refusal', 'late_not_sent']),
      detail_ref: vaultRef.nullable(),
      ...priceChanged,
      ...exchanged,
    })
    .describe('Reconciliation ends: nothing was created.'),
  OperationReviewRequired: z
    .strictObject({
      ...operation,
      because: z.enum(reviewReasons),
      guide_numbers: guideNumbers,
      ...exchanged,
    })
    .describe('Reconciliation cannot conclude: a person must decide.'),
  OperationEscalated: z
    .strictObject(operation)
    .describe('The operation needs review or has been open for an hour: the platform sees it too.'),
  OperationResolved: z
    .strictObject({
      ...operation,
      decision: z.enum(decisions),
      guide_number: guideNumber.nullable(),
      price: money.nullable(),
      pickup_code_ref: vaultRef.nullable(),
      resolution_ref: vaultRef
        .nullable()
        .describe(
          'Reference to the note in the vault, which also names the person who decided unless the actor is an operator',
        ),
      confirmed: z
        .boolean()
        .exactOptional()
        .describe('Whether the courier reported the guide; if absent, derived from earlier looks'),
      ...committed,
    })
    .describe('An operator decided.'),
  OperationContradicted: z
    .strictObject({
      ...operation,
      guide_numbers: guideNumbers,
      evidence: z.enum(['look', 'late_answer']),
      ...exchanged,
    })
    .describe('Evidence contradicted the conclusion: back to review.'),
  LateAnswerRecorded: z
    .strictObject({
      ...attempt,
      answer: z.enum(lateAnswers),
      guide_number: guideNumber.nullable(),
      detail_ref: vaultRef.nullable(),
      ...confirms,
      ...exchanged,
    })
    .describe('An answer arrived after the conclusion and concludes nothing; kept as evidence.'),
  TrackingObserved: z
    .strictObject({
      events: z.array(trackingEvent).max(200),
      eta: time.nullable(),
      evidence_ref: vaultRef
        .nullable()
        .describe("Reference to the courier's own codes and texts in the vault"),
      ...committed,
    })
    .describe('A tracking read returned something new.'),
  TrackingMonitoringChanged: z
    .strictObject({ state: z.enum(monitoringStates) })
    .describe('Automatic reads started, kept failing, recovered, completed or expired.'),
  GuideShared: z
    .strictObject({ guide_number: guideNumber, shipment_id: id })
    .describe('Another shipment of the connection has the same guide number.'),
  LabelReady: z
    .strictObject({
      label_ref: vaultRef,
      a4_ref: vaultRef
        .nullable()
        .describe('Reference to the A4 version, if the courier provided one'),
      content_type: z.string().max(100),
      size_bytes: z.int().min(1),
      ...committed,
    })
    .describe('The label was fetched; it is in the vault.'),
  PersonalDataErased: z
    .strictObject({
      vault_ref: vaultRef,
      includes_notes: z
        .literal(true)
        .exactOptional()
        .describe(
          'Present if comments and notes of decisions were erased too; otherwise they are kept',
        ),
    })
    .describe('The data key was destroyed: the personal data can never be read again.'),
  LegalHoldPlaced: z
    .strictObject({
      note_ref: vaultRef.nullable().describe('Reference to the reason in the vault'),
      ...committed,
    })
    .describe('A person placed a legal hold: the personal data is not erased until it is lifted.'),
  LegalHoldLifted: z
    .strictObject({
      note_ref: vaultRef.nullable().describe('Reference to the reason in the vault'),
      ...committed,
    })
    .describe('A person lifted the legal hold.'),
  TrackingLinkRolled: z
    .strictObject({
      number: z.int().min(1).describe('How often the link was rolled; earlier links end'),
    })
    .describe("The link to the recipient's page was replaced: the former one leads nowhere."),
  ...cancellationEventSchemas,
  ...workEventSchemas,
} as const

export type ShipmentEventType = keyof typeof shipmentEventSchemas
export type ShipmentEvent = {
  [T in ShipmentEventType]: {
    readonly type: T
    readonly data: z.infer<(typeof shipmentEventSchemas)[T]>
  }
}[ShipmentEventType]
export type EventData<T extends ShipmentEventType> = z.infer<(typeof shipmentEventSchemas)[T]>

export type OperationDecision = (typeof decisions)[number]
export type LateAnswer = (typeof lateAnswers)[number]
export type LookAnswer = (typeof lookAnswers)[number]
export type ReviewReason = (typeof reviewReasons)[number]
export type MonitoringState = (typeof monitoringStates)[number]
export type TrackingEventData = z.infer<typeof trackingEvent>

/** A decided event. `occurredAt` is set if it happened earlier, such as the start of a look. */
export type Decided = ShipmentEvent & { readonly occurredAt?: Instant }

export function event<T extends ShipmentEventType>(
  type: T,
  data: EventData<T>,
  occurredAt?: Instant,
): Decided {
  return (occurredAt === undefined ? { type, data } : { type, data, occurredAt }) as Decided
}
