import { z } from 'zod'
import type { JsonObject } from './decider.ts'

// Fields shared by several event types. They are stored forever, like the events.

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
/** What started the look. */
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

/** Commitments to what the event stores in the vault. Events recorded before this field existed lack it. */
export const committed = {
  commitments: z
    .record(vaultRef, digest)
    .exactOptional()
    .describe(
      'For each vault reference, the HMAC-SHA-256 of its content, under a key that is destroyed with the content',
    ),
}

/** Values of an exchange's `call`. */
export const courierCalls = ['create', 'cancel', 'look'] as const
/** Whether any byte of the request was sent; `unknown` means that it may have been. */
const sentAnswers = ['yes', 'no', 'unknown'] as const
/** Why an exchange failed. */
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
/** A call makes at most four requests, safe retries included. */
const exchangesMax = 8
export const courierRequestIdForm = /^[\w.:-]{1,128}$/

const exchange = z.strictObject({
  at: time.describe('When the request began'),
  call: z.enum(courierCalls),
  attempt: z
    .int()
    .min(1)
    .describe('1 for the first request of the call, 2 for its first safe retry, and so on'),
  sent: z.enum(sentAnswers),
  status_code: z.int().min(100).max(999).nullable(),
  failure: z.enum(exchangeFailures).nullable(),
  latency_ms: z.int().min(0),
  courier_request_id: z.string().regex(courierRequestIdForm).nullable(),
  request_digest: digest
    .nullable()
    .describe('HMAC-SHA-256 of the body as sent, without credentials; `null` if already erased'),
  response_digest: digest
    .nullable()
    .describe('The same for the response body; also `null` if there was no body'),
})

/** The requests to the courier. Events recorded before these fields existed lack them. */
export const exchanged = {
  exchanges: z
    .array(exchange)
    .max(exchangesMax)
    .exactOptional()
    .describe('Every request to the courier that led to this event, safe retries included'),
  exchanges_ref: vaultRef
    .nullable()
    .exactOptional()
    .describe('Reference to their bodies in the vault'),
  ...committed,
}

export const requestDigest = digest
export type Exchange = z.infer<typeof exchange>

/** How the look's request went. Looks recorded before these fields existed lack them. */
export const lookCall = {
  failure: z
    .strictObject({ kind: z.enum(lookFailures), status_code: z.int().nullable() })
    .exactOptional()
    .describe('Why the look got no usable answer; absent if it got one'),
  latency_ms: z
    .int()
    .min(0)
    .exactOptional()
    .describe('Time the courier took to answer, in real time'),
}

export type Cause = (typeof causes)[number]
export type NotSentReason = (typeof notSentReasons)[number]
export type LookFailure = (typeof lookFailures)[number]

/** Marks an event recorded again by the process that made the call, because the ledger lost the original. */
export const recovered = {
  recovered: z
    .literal(true)
    .exactOptional()
    .describe('Recorded again, because the ledger had lost the original'),
}

type VaultField = { readonly name: string; readonly ref: string }

/** The fields of an event's data that refer to the vault, including nested ones. */
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
