import { type Decision, type Instant, instant, type Recorded, rfc3339 } from '../decider.ts'
import { type Decided, event } from '../shipment/shipment-events.ts'
import { certaintyOf, type OperationState } from './transitions.ts'
import type { WorkEvent } from './work-events.ts'

/** A comment; its text is in the vault. */
export type Comment = {
  readonly id: string
  readonly at: Instant
  /** The operator who wrote it; null if a key without an operator did. */
  readonly operatorId: string | null
  /** The API key it was written with; null if written from the command line. */
  readonly keyId: string | null
  readonly ref: string
}

/** How people share the work on an operation. It says nothing about the request to the courier. */
export type Work = {
  readonly assigneeId: string | null
  /** A time in the past means that the snooze is over. */
  readonly snoozedUntil: Instant | null
  /** Oldest first. */
  readonly comments: readonly Comment[]
}

export const noWork: Work = { assigneeId: null, snoozedUntil: null, comments: [] }

/** More than any case needs; each is an event that every read of the shipment folds. */
export const commentsMax = 200
/** A snooze postpones a decision; after a month a person must look at the operation again. */
export const snoozeDaysMax = 30
/**
 * Once a shipment has this many events, no more work is recorded on its operations. It is half of what
 * an evidence bundle can hold, so people's work cannot make a bundle impossible.
 */
export const workEventsMax = 500

export function evolveWork<Operation extends Work>(
  operation: Operation,
  { recordedAt, ...event }: Recorded<WorkEvent>,
): Operation {
  switch (event.type) {
    case 'OperationAssigned':
      return { ...operation, assigneeId: event.data.operator_id }
    case 'OperationSnoozed': {
      const { until } = event.data
      return { ...operation, snoozedUntil: until === null ? null : instant(until) }
    }
    case 'OperationCommented': {
      const { comment_id: id, comment_ref: ref } = event.data
      const { operatorId = null, keyId = null } = event
      const comment = { id, at: recordedAt, operatorId, keyId, ref }
      return { ...operation, comments: [...operation.comments, comment] }
    }
  }
}

export type WorkCommand =
  | { readonly do: 'assign'; readonly operationId: string; readonly operatorId: string | null }
  | {
      readonly do: 'comment'
      readonly operationId: string
      readonly commentId: string
      readonly commentRef: string
    }
  | { readonly do: 'snooze'; readonly operationId: string; readonly until: Instant | null }

export type WorkRefusal =
  | 'operation_full'
  | 'operation_not_settled'
  | 'operation_already_resolved'
  | 'personal_data_erased'

type Worked = Work & { readonly state: OperationState; readonly operationId: string }
type ShipmentFacts = { readonly version: number; readonly areNotesErased: boolean }

/** Decides people's work on an operation. A command that changes nothing records nothing. */
export function decideWork(
  operation: Worked,
  command: WorkCommand,
  { version, areNotesErased }: ShipmentFacts,
): Decision<Decided, WorkRefusal> {
  const decided = workOf(operation, command, areNotesErased)
  if (!Array.isArray(decided) || decided.length === 0) return decided
  return version >= workEventsMax ? { refused: 'operation_full' } : decided
}

function workOf(
  { state, assigneeId, snoozedUntil, comments, operationId: operation_id }: Worked,
  command: WorkCommand,
  areNotesErased: boolean,
): Decision<Decided, WorkRefusal> {
  switch (command.do) {
    case 'assign': {
      const { operatorId: operator_id } = command
      if (operator_id === assigneeId) return []
      return [event('OperationAssigned', { operation_id, operator_id })]
    }
    case 'comment': {
      const { commentId: comment_id, commentRef: comment_ref } = command
      if (comments.some((each) => each.id === comment_id)) return []
      // The comment would be erased at once.
      if (areNotesErased) return { refused: 'personal_data_erased' }
      if (comments.length >= commentsMax) return { refused: 'operation_full' }
      return [event('OperationCommented', { operation_id, comment_id, comment_ref })]
    }
    case 'snooze': {
      const { until } = command
      if (until === snoozedUntil) return []
      if (until === null) return [event('OperationSnoozed', { operation_id, until })]
      const certainty = certaintyOf[state]
      if (certainty === 'in_progress') return { refused: 'operation_not_settled' }
      if (certainty !== 'unknown') return { refused: 'operation_already_resolved' }
      return [event('OperationSnoozed', { operation_id, until: rfc3339(until) })]
    }
  }
}
