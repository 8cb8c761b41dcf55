import type { Attempt } from './attempt.ts'
import type { AttemptStatus } from './attempt-transitions.ts'
import type { Cancellation } from './cancellation.ts'
import type { CancellationStatus } from './cancellation-transitions.ts'

/**
 * A request that goes to a courier once and must be known to have ended: creation or cancellation.
 */
export type Operation = Attempt | Cancellation

export const operationTypes = ['shipment_creation', 'shipment_cancellation'] as const
export const operationStatuses = ['reconciling', 'needs_review', 'resolved'] as const
export type OperationStatus = (typeof operationStatuses)[number]
export const operationResults = [
  'guide_exists',
  'nothing_created',
  'cancelled',
  'not_cancelled',
  'human_review',
] as const
export type OperationResult = (typeof operationResults)[number]

/**
 * Where an operation stands, whatever its kind. `ended`: the call reported how it ended. `affirmed`
 * and `denied`: concluded afterwards that the request was carried out or was not.
 */
export type Phase = 'calling' | 'ended' | 'reconciling' | 'needs_review' | 'affirmed' | 'denied'

type Facts = {
  readonly status: OperationStatus
  readonly result: OperationResult | null
  readonly phase: Phase
}

const reconciling = { status: 'reconciling', result: null } as const
const exists = { status: 'resolved', result: 'guide_exists' } as const
const nothing = { status: 'resolved', result: 'nothing_created' } as const
const cancelled = { status: 'resolved', result: 'cancelled' } as const
const stands = { status: 'resolved', result: 'not_cancelled' } as const
const review = { status: 'needs_review', result: 'human_review', phase: 'needs_review' } as const

/** The facts of an operation, by its attempt's status. */
export const operationFacts: Readonly<Record<AttemptStatus, Facts>> = {
  calling: { ...reconciling, phase: 'calling' },
  issued: { ...exists, phase: 'ended' },
  rejected: { ...nothing, phase: 'ended' },
  not_sent: { ...nothing, phase: 'ended' },
  reconciling: { ...reconciling, phase: 'reconciling' },
  needs_review: review,
  guide_exists: { ...exists, phase: 'affirmed' },
  nothing_created: { ...nothing, phase: 'denied' },
}

/** The same for a cancellation. */
export const cancellationFacts: Readonly<Record<CancellationStatus, Facts>> = {
  calling: { ...reconciling, phase: 'calling' },
  confirmed: { ...cancelled, phase: 'ended' },
  refused: { ...stands, phase: 'ended' },
  not_sent: { ...stands, phase: 'ended' },
  reconciling: { ...reconciling, phase: 'reconciling' },
  needs_review: review,
  cancelled: { ...cancelled, phase: 'affirmed' },
  not_cancelled: { ...stands, phase: 'denied' },
}

function factsOf(operation: Operation): Facts {
  return operation.type === 'shipment_creation'
    ? operationFacts[operation.status]
    : cancellationFacts[operation.status]
}

export function phaseOf(operation: Operation): Phase {
  return factsOf(operation).phase
}

export function operationStatusOf(operation: Operation): OperationStatus {
  return factsOf(operation).status
}

export function operationResultOf(operation: Operation): OperationResult | null {
  return factsOf(operation).result
}

/** Whether a person decided for a guide that the courier has not reported so far. */
export function isUnconfirmed({ resolution }: Operation): boolean {
  return resolution?.confirmed === false
}

/** Listed, with looks and webhooks; an operation that simply ended is found by its id only. */
export function wasUnknown(operation: Operation): boolean {
  return operation.unknownAt !== null || operation.contradicted
}
