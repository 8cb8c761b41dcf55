import { z } from 'zod'
import type { JsonObject } from './decider.ts'

// Fields that events of several kinds have. They are stored forever, like the events.

export const id = z.string().min(1).max(64)
export const time = z.iso.datetime({ precision: 3 })
export const guideNumber = z.string().min(1).max(64)
export const idempotencyKey = z.string().min(1).max(255)
export const vaultRef = z.uuid()

export const causes = [
  'response_lost',
  'response_unreadable',
  'courier_error',
  'deadline_passed',
  'process_died',
] as const
export const notSentReasons = [
  'courier_unreachable',
  'courier_throttled',
  'connection_needs_reauth',
  'too_late',
] as const
/** What made the look. */
export const lookers = ['reconciliation', 'operator'] as const
/** Why a look got no usable answer. */
export const lookFailures = [
  'courier_unreachable',
  'courier_throttled',
  'courier_rejected',
  'response_lost',
  'response_unreadable',
  'courier_error',
  'deadline_passed',
] as const
const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** What the event leaves in the vault. Events recorded before this field existed have none. */
export const committed = {
  commitments: z
    .record(vaultRef, digest)
    .exactOptional()
    .describe(
      'By reference: HMAC-SHA-256 of what the vault holds there, under a key that is destroyed with it',
    ),
}

/** An exchange's `call`. */
export const courierCalls = ['create', 'cancel', 'look'] as const
/** Whether a byte of the request left; `unknown`: it may have. */
const sentAnswers = ['yes', 'no', 'unknown'] as const
/** Why an exchange did not do what it was for. */
export const exchangeFailures = [
  'courier_unreachable',
  'courier_throttled',
  'connection_needs_reauth',
  'courier_rejected',
  'too_late',
  'response_lost',
  'response_unreadable',
  'courier_error',
  'deadline_passed',
] as const
/** A call and its safe retries: at most four. */
const exchangesMax = 8
export const courierRequestIdForm = /^[\w.:-]{1,128}$/

const exchange = z.strictObject({
  at: time.describe('When it began'),
  call: z.enum(courierCalls),
  attempt: z.int().min(1).describe('The first request of the call, or which safe retry of it'),
  sent: z.enum(sentAnswers),
  status_code: z.int().min(100).max(999).nullable(),
  failure: z.enum(exchangeFailures).nullable(),
  latency_ms: z.int().min(0),
  courier_request_id: z.string().regex(courierRequestIdForm).nullable(),
  request_digest: digest
    .nullable()
    .describe('HMAC-SHA-256 of the body as sent, without credentials; null = already erased'),
  response_digest: digest.nullable().describe('The same of the answer; null also = no body came'),
})

/** What was said to the courier. Events recorded before these fields existed have none. */
export const exchanged = {
  exchanges: z
    .array(exchange)
    .max(exchangesMax)
    .exactOptional()
    .describe('Each request to the courier that led to this event, safe retries included'),
  exchanges_ref: vaultRef.nullable().exactOptional().describe('Their bodies, in the vault'),
  ...committed,
}

export const requestDigest = digest
export type Exchange = z.infer<typeof exchange>

/** How the call of a look went. Looks recorded before these fields existed have none. */
export const lookCall = {
  failure: z
    .strictObject({ kind: z.enum(lookFailures), status_code: z.int().nullable() })
    .exactOptional()
    .describe('Why the look got no answer; absent when it got one'),
  latency_ms: z.int().min(0).exactOptional().describe('How long the courier took, in real time'),
}

export type Cause = (typeof causes)[number]
export type NotSentReason = (typeof notSentReasons)[number]
export type LookFailure = (typeof lookFailures)[number]

/** Written again by the process that made the call, because the ledger had lost its intent. */
export const recovered = {
  recovered: z
    .literal(true)
    .exactOptional()
    .describe('Recorded again: the ledger had lost the first record of it'),
}

type VaultField = { readonly name: string; readonly ref: string }

/** The fields of an event's data that refer to the vault, also those inside its objects. */
export function vaultFieldsIn(data: JsonObject): readonly VaultField[] {
  return Object.entries(data).flatMap(([name, value]) => {
    if (typeof value === 'string') return name.endsWith('_ref') ? [{ name, ref: value }] : []
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
    return isObject ? vaultFieldsIn(value as JsonObject) : []
  })
}

export function vaultRefsIn(data: JsonObject): readonly string[] {
  return vaultFieldsIn(data).map(({ ref }) => ref)
}
