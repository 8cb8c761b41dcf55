import type { Reason, Schemas } from './methods.ts'

type Problem = Schemas['Problem']
export type Outcome = NonNullable<Problem['outcome']>

/** Failures without an answer of the service. */
export type ClientReason =
  /** No answer came. The request may have been executed. */
  | 'connection_lost'
  /** An answer came that is not the service's, or is incomplete. */
  | 'unreadable_answer'
  /** The caller's signal aborted the call. */
  | 'aborted'

type ErrorFacts = {
  readonly message: string
  readonly reason: Reason | ClientReason
  readonly status?: number | undefined
  readonly outcome: Outcome | null
  readonly retryable: boolean
  readonly requestId?: string | undefined
  readonly problem?: Problem | undefined
  readonly idempotencyKey?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/**
 * Every failure of a call. Decide by `reason` and `outcome`: `unknown` means that the request may
 * have been executed, so never repeat it with another key.
 */
export class ShippingLedgerError extends Error {
  override readonly name = 'ShippingLedgerError'
  readonly reason: Reason | ClientReason
  /** The HTTP status; null when no answer came. */
  readonly status: number | null
  /** What this request did; null on a call that changes nothing. */
  readonly outcome: Outcome | null
  /** Whether repeating the same request, with the same key, can help. */
  readonly retryable: boolean
  readonly requestId: string | null
  /** With `unknown_outcome`: the operation to follow. */
  readonly operationId: string | null
  readonly shipmentId: string | null
  /** Its version when the answer was made. The higher version is newer, whatever way it came. */
  readonly shipmentVersion: number | null
  /** With `validation_failed` and similar reasons: what is wrong, and where. */
  readonly errors: NonNullable<Problem['errors']>
  readonly idempotencyKey: string | null
  /** Milliseconds after which to ask again. */
  readonly retryAfterMs: number | null

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.reason = facts.reason
    this.status = facts.status ?? null
    this.outcome = facts.outcome
    this.retryable = facts.retryable
    this.requestId = facts.requestId ?? null
    this.operationId = facts.problem?.operation_id ?? null
    this.shipmentId = facts.problem?.shipment_id ?? null
    this.shipmentVersion = facts.problem?.shipment_version ?? null
    this.errors = facts.problem?.errors ?? []
    this.idempotencyKey = facts.idempotencyKey ?? null
    this.retryAfterMs = facts.retryAfterMs ?? null
  }
}
