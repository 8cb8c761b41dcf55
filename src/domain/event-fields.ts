import { z } from 'zod'

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
