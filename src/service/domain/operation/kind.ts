import type { Instant } from '../decider.ts'
import type { Exchange } from '../event-fields.ts'
import type {
  Cause,
  Decided,
  NotSentReason,
  OperationDecision,
} from '../shipment/shipment-events.ts'
import type { Guide, Look, LookCall, Money } from './machine.ts'
import type { Declared } from './transitions.ts'

/** A courier call about to be made. It is recorded first. */
export type CallIntent = {
  readonly operationId: string
  readonly now: Instant
  readonly callDeadline: Instant
  readonly credentialsVersion: number
  /** Digest of the body that will be sent. */
  readonly requestDigest?: string
  /** Set if recorded again because the ledger lost the original: the call was already made. */
  readonly recovered?: true
}

/** The courier's answer when it is asked before the call, which is then not made. */
export type FoundFirst = {
  /** Guides under our reference; empty for a cancellation, whose guide is already cancelled. */
  readonly guides: readonly Guide[]
  readonly record?: ExchangeRecord
}

/** The end of a call that did not certainly succeed. */
export type CallFailure =
  | {
      readonly kind: 'rejected'
      readonly detailRef: string | null
      /** The courier wants a price other than the one the creation is bound to. */
      readonly priceChanged?: { readonly to: Money | null }
    }
  | {
      readonly kind: 'not_sent'
      readonly reason: NotSentReason
      readonly retryAfterSeconds: number | null
    }
  | { readonly kind: 'unknown'; readonly cause: Cause; readonly courierCanBeAsked: boolean }

/** The requests to the courier, for the event that records how the call ended. */
export type ExchangeRecord = {
  readonly exchanges: readonly Exchange[]
  /** Vault reference of their bodies; null once erased. */
  readonly exchangesRef: string | null
}

/** How a call ended, as far as the caller knows. */
export type CallOutcome =
  | { readonly kind: 'issued'; readonly guide: Guide }
  | { readonly kind: 'cancelled' }
  | CallFailure

/** How a call ended, to be recorded. */
export type RecordedOutcome = {
  readonly outcome: CallOutcome
  readonly record?: ExchangeRecord
  /** Set if its intent had to be recorded again. */
  readonly recovered?: true
}

/** What the courier answered to a look. */
export type LookResult =
  /** The guides that stand under our reference. */
  | { readonly kind: 'guides'; readonly guides: readonly Guide[] }
  /** Whether the guide to cancel still stands. */
  | { readonly kind: 'cancelled' | 'standing' }
  | { readonly kind: 'inconclusive' }

/** A completed look, to be recorded. */
export type LookReport = {
  readonly by: 'reconciliation' | 'operator'
  readonly startedAt: Instant
  readonly result: LookResult
  readonly call?: LookCall
  readonly record?: ExchangeRecord
}

export type OperatorDecision = {
  readonly now: Instant
  readonly decision: OperationDecision
  /** Set only if the decision is that a guide exists. */
  readonly guide: Guide | null
  readonly resolutionRef: string | null
  /** The look made for this decision; absent if the courier was not asked. */
  readonly look?: LookReport
}

/** Evidence that the request was carried out. */
export type Evidence = {
  readonly guides: readonly Guide[]
  readonly source: 'look' | 'late_answer'
}

/** What a look shows about one operation. */
export type LookFinding = Pick<Look, 'answer' | 'guideNumbers'> & {
  readonly guides: readonly Guide[]
}

/** The operation to decide on, and the other attempts for the same guide. */
export type Subject<Operation> = {
  readonly operation: Operation
  readonly others: readonly Operation[]
}

/** What each kind of operation decides itself; operation-decisions.ts decides everything else. */
export type Kind<Operation> = Declared & {
  /** Whether this late success is already recorded. */
  readonly isSuccessRecorded: (operation: Operation, evidence: Evidence) => boolean
  readonly findingOf: (operation: Operation, result: LookResult) => LookFinding
  /** Fields of the look event that only this kind has. */
  readonly lookEventFields: (operation: Operation, finding: LookFinding) => object
  /** Handles evidence while the outcome is open. */
  readonly onEvidenceWhileOpen: (
    subject: Subject<Operation>,
    evidence: Evidence,
  ) => readonly Decided[]
  /** Handles evidence after the conclusion that the request was not carried out. */
  readonly onEvidenceAfterFailure: (
    subject: Subject<Operation>,
    evidence: Evidence,
  ) => readonly Decided[]
  /** Handles evidence after the conclusion that the request was carried out. */
  readonly onEvidenceAfterSuccess: (
    subject: Subject<Operation>,
    evidence: Evidence,
  ) => readonly Decided[]
  /** Handles a counted denial that concludes nothing. */
  readonly onCountedDenial: (operation: Operation) => readonly Decided[]
  /** The event of a late success that concludes nothing. */
  readonly lateSuccessEvent: (operation: Operation, evidence: Evidence) => Decided
  /** Whether the decision in force names this guide. */
  readonly namesGuide: (operation: Operation, claimed: Guide | null) => boolean
}
