import type { Reason, Schemas } from './methods.ts'

type Problem = Schemas['Problem']
export type Outcome = NonNullable<Problem['outcome']>

/**
 * What to do next, from the service's table of errors. `same_key`: sending the same request again,
 * with the same key, is safe and may succeed. `follow`: read the operation until it ends. `new_key`:
 * nothing was created or cancelled; try again with a new key. `fix`: correct the request. `person`:
 * someone must act first.
 */
export type Action = Problem['action']

/** Failures without a response from the service. */
export type ClientReason =
  /** No response arrived. The request may have been executed. */
  | 'connection_lost'
  /** The response is not from the service, or is incomplete. */
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
 * Every failure of a call. Do what `action` says. `outcome` `unknown` means that the request may have
 * been executed, so never repeat it with another key.
 */
export class ShippingLedgerError extends Error {
  override readonly name = 'ShippingLedgerError'
  readonly reason: Reason | ClientReason
  /** The HTTP status; null if there was no response. */
  readonly status: number | null
  /** What this request did; null for calls that change nothing. */
  readonly outcome: Outcome | null
  /** Whether retrying the same request with the same key can help. */
  readonly retryable: boolean
  /** What to do next. */
  readonly action: Action
  /** The service's response, a union by `reason`; null if it is not from the service. */
  readonly problem: Problem | null
  readonly requestId: string | null
  /** The operation to follow after `unknown_outcome`. */
  readonly operationId: string | null
  readonly shipmentId: string | null
  /**
   * The shipment's version in the response. A higher version is newer, no matter where it comes
   * from.
   */
  readonly shipmentVersion: number | null
  /** What is wrong and where, with `validation_failed` and similar reasons. */
  readonly errors: NonNullable<Problem['errors']>
  readonly idempotencyKey: string | null
  /** Milliseconds to wait before asking again. */
  readonly retryAfterMs: number | null

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.reason = facts.reason
    this.status = facts.status ?? null
    this.outcome = facts.outcome
    this.retryable = facts.retryable
    this.action = actionOf(facts)
    this.problem = facts.problem ?? null
    this.requestId = facts.requestId ?? null
    this.operationId = facts.problem?.operation_id ?? null
    this.shipmentId = facts.problem?.shipment_id ?? null
    this.shipmentVersion = facts.problem?.shipment_version ?? null
    this.errors = facts.problem?.errors ?? []
    this.idempotencyKey = facts.idempotencyKey ?? null
    this.retryAfterMs = facts.retryAfterMs ?? null
  }
}

/** A response that is not from the service has no action. Repeating with the same key is safe. */
function actionOf({ problem, retryable }: ErrorFacts): Action {
  return problem?.action ?? (retryable ? 'same_key' : 'person')
}
