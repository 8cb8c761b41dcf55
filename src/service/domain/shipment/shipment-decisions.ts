import { type Decision, type Instant, rfc3339, unreachable } from '../decider.ts'
import { operationsPerShipmentMax } from '../ids.ts'
import { cancellation } from '../operation/cancellation.ts'
import type { DeclineReason } from '../operation/cancellation-events.ts'
import { creation } from '../operation/creation.ts'
import { guidesFoundFirst } from '../operation/found-first.ts'
import type {
  CallIntent,
  FoundFirst,
  Kind,
  LookReport,
  OperatorDecision,
  RecordedOutcome,
  Subject,
} from '../operation/kind.ts'
import type { OperationCore } from '../operation/machine.ts'
import {
  escalate,
  intentData,
  recordLook,
  recordOutcome,
  requireReview,
  resolve,
} from '../operation/operation-decisions.ts'
import { decideWork, type WorkCommand, type WorkRefusal } from '../operation/work.ts'
import { sharedWithMax, unseenEvents } from '../tracking/tracking.ts'
import { declineCancellation, requestCancellation } from './cancellation-request.ts'
import {
  isTracked,
  nextOrdinal,
  openOperationOf,
  operationOf,
  operationsOf,
  othersOf,
  type Shipment,
  type State,
  statusOf,
} from './shipment.ts'
import {
  type Decided,
  type EventData,
  event,
  type MonitoringState,
  type TrackingEventData,
} from './shipment-events.ts'
import { linkNumberMax, trackingLinkOf } from './tracking-link.ts'

export type Command =
  | ({
      readonly do: 'request_shipment'
      readonly request: EventData<'ShipmentRequested'>
      readonly foundFirst?: FoundFirst
    } & CallIntent)
  /** The next attempt of a key, after its last one was certainly not executed. */
  | ({ readonly do: 'request_guide'; readonly foundFirst?: FoundFirst } & CallIntent)
  | ({
      readonly do: 'request_cancellation'
      readonly key: string
      readonly foundFirst?: FoundFirst
    } & CallIntent)
  | {
      readonly do: 'decline_cancellation'
      readonly key: string
      readonly because: DeclineReason
    }
  | ({ readonly do: 'record_outcome'; readonly operationId: string } & RecordedOutcome)
  | ({ readonly do: 'record_look'; readonly operationId: string } & LookReport)
  | ({ readonly do: 'resolve'; readonly operationId: string } & OperatorDecision)
  | { readonly do: 'require_review'; readonly operationId: string; readonly now: Instant }
  | { readonly do: 'escalate'; readonly operationId: string }
  | WorkCommand
  | {
      readonly do: 'observe_tracking'
      readonly events: readonly TrackingEventData[]
      readonly eta: Instant | null
      readonly evidenceRef: string | null
      readonly monitoring: MonitoringState
    }
  /** Another shipment of the connection has this one's guide number. */
  | {
      readonly do: 'note_shared_guide'
      readonly guideNumber: string
      readonly sharedWith: string
    }
  | {
      readonly do: 'record_label'
      /** Without a reference once the person is erased, so that the label cannot be stored. */
      readonly label: Omit<EventData<'LabelReady'>, 'label_ref'> & {
        readonly label_ref: string | null
      }
    }
  /**
   * `unlessOpen`: also refused while an operation is open, because a person may have to decide it.
   * `includeNotes`: also erases comments and the notes of decisions, even after the person was erased.
   */
  | {
      readonly do: 'erase_personal_data'
      readonly unlessOpen?: boolean
      readonly includeNotes?: boolean
    }
  /** Refuses erasures until it is lifted. */
  | { readonly do: 'place_hold'; readonly noteRef: string | null }
  | { readonly do: 'lift_hold'; readonly noteRef: string | null }
  /** Replaces the link of the number before this one. */
  | { readonly do: 'roll_tracking_link'; readonly number: number }

export type RefusalReason =
  | 'not_found'
  | 'operation_not_settled'
  | 'operation_already_resolved'
  | 'operation_open'
  | 'legal_hold'
  | 'personal_data_erased'
  | 'shipment_has_no_guide'
  | 'limit_reached'
  | WorkRefusal

export function decide(state: State, command: Command): Decision<Decided, RefusalReason> {
  if (command.do === 'request_shipment') return state === null ? request(command) : []
  if (state === null) return { refused: 'not_found' }
  switch (command.do) {
    case 'request_guide':
      return requestAgain(state, command)
    case 'request_cancellation':
      return requestCancellation(state, command)
    case 'decline_cancellation':
      return declineCancellation(state, command)
    case 'record_outcome':
    case 'record_look':
    case 'resolve':
    case 'require_review':
    case 'escalate':
      return decideOperation(state, command)
    case 'assign':
    case 'comment':
    case 'snooze': {
      const operation = operationOf(state, command.operationId)
      return operation === null ? { refused: 'not_found' } : decideWork(operation, command, state)
    }
    case 'observe_tracking':
      return observeTracking(state, command)
    case 'note_shared_guide':
      return noteSharedGuide(state, command)
    case 'record_label':
      return recordLabel(state, command.label)
    case 'erase_personal_data':
      return erase(state, command)
    case 'place_hold':
      return placeHold(state, command.noteRef)
    case 'lift_hold':
      return state.legalHold === null
        ? []
        : [event('LegalHoldLifted', { note_ref: command.noteRef })]
    case 'roll_tracking_link':
      return rollTrackingLink(state, command.number)
    default:
      return unreachable(command)
  }
}

function guideRequested(intent: CallIntent, attempt: number): Decided {
  const { operationId: operation_id, requestDigest } = intent
  const digest = requestDigest === undefined ? {} : { request_digest: requestDigest }
  return event('GuideRequested', { attempt, operation_id, ...intentData(intent), ...digest })
}

function request(command: Extract<Command, { do: 'request_shipment' }>): readonly Decided[] {
  return [event('ShipmentRequested', command.request), ...attemptBegun(command, 1)]
}

/** The events of a new attempt, including its end if the courier was asked first. */
function attemptBegun(
  command: CallIntent & { readonly foundFirst?: FoundFirst },
  number: number,
): readonly Decided[] {
  const { operationId, foundFirst = { guides: [] } } = command
  return [guideRequested(command, number), ...guidesFoundFirst({ operationId, number }, foundFirst)]
}

function requestAgain(
  state: Shipment,
  command: Extract<Command, { do: 'request_guide' }>,
): readonly Decided[] {
  const isFull = nextOrdinal(state) > operationsPerShipmentMax
  if (statusOf(state) !== 'not_executed' || isFull || state.erasedAt !== null) return []
  // Another request made this attempt and it has ended: only a later request may retry.
  if (operationOf(state, command.operationId) !== null) return []
  return attemptBegun(command, state.attempts.length + 1)
}

type OperationCommand = Extract<
  Command,
  { do: 'record_outcome' | 'record_look' | 'resolve' | 'require_review' | 'escalate' }
>

function decideOperation(
  state: Shipment,
  command: OperationCommand,
): Decision<Decided, RefusalReason> {
  const operation = operationOf(state, command.operationId)
  if (operation === null) return { refused: 'not_found' }
  const onState = command.do === 'resolve' ? withKeptNote(state, command) : command
  return operation.type === 'shipment_creation'
    ? decideByKind(creation, { operation, others: [] }, onState)
    : decideByKind(cancellation, { operation, others: othersOf(state, operation) }, onState)
}

/** Once the notes are erased, no later erasure would remove a new one, so it is not stored. */
function withKeptNote<Resolve extends OperatorDecision>(
  state: Shipment,
  command: Resolve,
): Resolve {
  return state.areNotesErased ? { ...command, resolutionRef: null } : command
}

function decideByKind<Operation extends OperationCore>(
  kind: Kind<Operation>,
  subject: Subject<Operation>,
  command: OperationCommand,
): Decision<Decided, RefusalReason> {
  switch (command.do) {
    case 'record_outcome':
      return recordOutcome(kind, subject, command.outcome, command)
    case 'record_look':
      return recordLook(kind, subject, command)
    case 'resolve':
      return resolve(kind, subject.operation, command)
    case 'require_review':
      return requireReview(subject.operation, command.now)
    case 'escalate':
      return escalate(subject.operation)
  }
}

function observeTracking(
  state: Shipment,
  command: Extract<Command, { do: 'observe_tracking' }>,
): readonly Decided[] {
  if (!isTracked(state)) return []
  const fresh = unseenEvents(state.tracking, command.events)
  const etaChanged = command.eta !== null && command.eta !== state.tracking.eta
  const decisions: Decided[] = []
  if (fresh.length > 0 || etaChanged) {
    decisions.push(
      event('TrackingObserved', {
        events: fresh,
        eta: command.eta === null ? null : rfc3339(command.eta),
        evidence_ref: fresh.length > 0 ? command.evidenceRef : null,
      }),
    )
  }
  if (command.monitoring !== state.tracking.monitoring) {
    decisions.push(event('TrackingMonitoringChanged', { state: command.monitoring }))
  }
  return decisions
}

function noteSharedGuide(
  { followedGuide, tracking: { sharedWith } }: Shipment,
  { guideNumber, sharedWith: shipmentId }: Extract<Command, { do: 'note_shared_guide' }>,
): readonly Decided[] {
  const isNoted = sharedWith.includes(shipmentId) || sharedWith.length >= sharedWithMax
  if (followedGuide !== guideNumber || isNoted) return []
  return [event('GuideShared', { guide_number: guideNumber, shipment_id: shipmentId })]
}

function erase(
  state: Shipment,
  { unlessOpen = false, includeNotes = false }: Extract<Command, { do: 'erase_personal_data' }>,
): Decision<Decided, RefusalReason> {
  if (state.erasedAt !== null && (!includeNotes || state.areNotesErased)) return []
  if (state.legalHold !== null) return { refused: 'legal_hold' }
  const status = statusOf(state)
  const isBusy = status === 'creating' || status === 'cancelling'
  const isOpen = unlessOpen && openOperationOf(state) !== null
  if (isBusy || isOpen) return { refused: 'operation_open' }
  const notes = includeNotes ? ({ includes_notes: true } as const) : {}
  return [event('PersonalDataErased', { vault_ref: state.request.vault_ref, ...notes })]
}

function recordLabel(
  state: Shipment,
  { label_ref, ...label }: Extract<Command, { do: 'record_label' }>['label'],
): Decision<Decided, RefusalReason> {
  if (state.label !== null || state.erasedAt !== null) return []
  if (label_ref === null) return { refused: 'personal_data_erased' }
  return [event('LabelReady', { label_ref, ...label })]
}

/** Erasing the person leaves notes and comments. Without any, there is nothing left to hold. */
function placeHold(state: Shipment, noteRef: string | null): Decision<Decided, RefusalReason> {
  if (state.erasedAt !== null && !areNotesLeft(state)) return { refused: 'personal_data_erased' }
  return state.legalHold === null ? [event('LegalHoldPlaced', { note_ref: noteRef })] : []
}

function areNotesLeft(state: Shipment): boolean {
  if (state.areNotesErased) return false
  return operationsOf(state).some(
    ({ comments, resolutions }) =>
      comments.length > 0 || resolutions.some(({ hasOwnNote }) => hasOwnNote),
  )
}

/** Of two requests that roll the same link, one does and both return the new one. */
function rollTrackingLink(state: Shipment, number: number): Decision<Decided, RefusalReason> {
  if (state.erasedAt !== null) return { refused: 'personal_data_erased' }
  if (trackingLinkOf(state) === null) return { refused: 'shipment_has_no_guide' }
  if (state.linkNumber >= number) return []
  if (number > linkNumberMax) return { refused: 'limit_reached' }
  return [event('TrackingLinkRolled', { number })]
}
