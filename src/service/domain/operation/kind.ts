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

/** A call that is about to be made, and is recorded before it. */
export type CallIntent = {
  readonly operationId: string
  readonly now: Instant
  readonly callDeadline: Instant
  readonly credentialsVersion: number
  /** Of the body that will be sent. */
  readonly requestDigest?: string
  /** Recorded again, because the ledger lost the first record: the call was made. */
  readonly recovered?: true
}

/** What the courier answered when it was asked first: no call is made. */
export type FoundFirst = {
  /** The guides under our reference; for a cancellation none: its guide is cancelled already. */
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

/** What was said to the courier, for the event that records its end. */
export type ExchangeRecord = {
  readonly exchanges: readonly Exchange[]
  /** Their bodies; null once erased. */
  readonly exchangesRef: string | null
}

/** How a call ended, as far as the caller knows. */
export type CallOutcome =
  | { readonly kind: 'issued'; readonly guide: Guide }
  | { readonly kind: 'cancelled' }
  | CallFailure

/** The end of a call, to be recorded. */
export type RecordedOutcome = {
  readonly outcome: CallOutcome
  readonly record?: ExchangeRecord
  /** Its intent had to be recorded again. */
  readonly recovered?: true
}

/** What the courier answered to a look. */
export type LookResult =
  /** The guides that stand under our reference. */
  | { readonly kind: 'guides'; readonly guides: readonly Guide[] }
  /** The guide of a cancellation. */
  | { readonly kind: 'cancelled' | 'standing' }
  | { readonly kind: 'inconclusive' }

/** A look that was made, to be recorded. */
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
  /** Only for the decision that a guide exists. */
  readonly guide: Guide | null
  readonly resolutionRef: string | null
  /** The courier's answer when it was asked about this decision; absent = it was not asked. */
  readonly look?: LookReport
}

/** A sign that the request was carried out. */
export type Evidence = {
  readonly guides: readonly Guide[]
  readonly source: 'look' | 'late_answer'
}

/** What a look shows about one operation. */
export type LookFinding = Pick<Look, 'answer' | 'guideNumbers'> & {
  readonly guides: readonly Guide[]
}

/** The operation that is decided on, and the other tries for the same guide. */
export type Subject<Operation> = {
  readonly operation: Operation
  readonly others: readonly Operation[]
}

/** What a kind of operation decides by itself; operation-decisions.ts decides everything else. */
export type Kind<Operation> = Declared & {
  /** This late success is already recorded. */
  readonly isSuccessRecorded: (operation: Operation, evidence: Evidence) => boolean
  readonly findingOf: (operation: Operation, result: LookResult) => LookFinding
  /** Its own fields in the event of a look. */
  readonly lookEventFields: (operation: Operation, finding: LookFinding) => object
  /** Evidence while the outcome is open. */
  readonly onEvidenceWhileOpen: (
    subject: Subject<Operation>,
    evidence: Evidence,
  ) => readonly Decided[]
  /** Evidence once the request is taken not to have been carried out. */
  readonly onEvidenceAfterFailure: (
    subject: Subject<Operation>,
    evidence: Evidence,
  ) => readonly Decided[]
  /** Evidence once the request is taken to have been carried out. */
  readonly onEvidenceAfterSuccess: (
    subject: Subject<Operation>,
    evidence: Evidence,
  ) => readonly Decided[]
  /** A counted sign that the request was not carried out, which concludes nothing. */
  readonly onCountedDenial: (operation: Operation) => readonly Decided[]
  /** A late success as evidence that concludes nothing. */
  readonly lateSuccessEvent: (operation: Operation, evidence: Evidence) => Decided
  /** The decision in force names this guide. */
  readonly namesGuide: (operation: Operation, claimed: Guide | null) => boolean
}
