import type { Instant } from '../decider.ts'
import { type Cancellation, cancellation } from './cancellation.ts'
import { type Creation, creation } from './creation.ts'
import { resultOf } from './machine.ts'
import type { OperationState } from './transitions.ts'

/**
 * A request that goes to a courier once and whose outcome must become certain: creation or
 * cancellation.
 */
export type Operation = Creation | Cancellation

export const operationTypes = ['shipment_creation', 'shipment_cancellation'] as const
export type OperationType = (typeof operationTypes)[number]
export const operationStatuses = ['reconciling', 'needs_review', 'resolved'] as const
type OperationStatus = (typeof operationStatuses)[number]
export const operationResults = [
  'guide_exists',
  'nothing_created',
  'cancelled',
  'not_cancelled',
  'human_review',
] as const
type OperationResult = (typeof operationResults)[number]

export const operationKinds = {
  shipment_creation: creation,
  shipment_cancellation: cancellation,
} as const satisfies Record<OperationType, object>

/** What the API calls the state of an operation. */
export const operationStatusOfState: Readonly<Record<OperationState, OperationStatus>> = {
  calling: 'reconciling',
  succeeded: 'resolved',
  refused: 'resolved',
  not_sent: 'resolved',
  reconciling: 'reconciling',
  needs_review: 'needs_review',
  affirmed: 'resolved',
  denied: 'resolved',
}

export function operationStatusOf({ state }: Pick<Operation, 'state'>): OperationStatus {
  return operationStatusOfState[state]
}

export function operationResultOf(
  operation: Pick<Operation, 'state' | 'type'>,
): OperationResult | null {
  if (operation.state === 'needs_review') return 'human_review'
  return resultOf<OperationResult>(operationKinds[operation.type].results, operation)
}

/**
 * Guides that the courier's last clear answer listed and that the decision in force does not use:
 * the shop may pay for them until the courier cancels them. None while nothing is decided.
 */
export function surplusGuidesOf({ type, looks, resolution }: Operation): readonly string[] {
  if (resolution === null || type === 'shipment_cancellation') return []
  const last = looks.findLast(({ answer }) => answer !== 'inconclusive')
  return (last?.guideNumbers ?? []).filter((number) => number !== resolution.guideNumber)
}

type ListedGuide = {
  readonly guideNumber: string
  /** The courier's last clear answer listed it. */
  readonly isListed: boolean
  readonly firstAt: Instant
  readonly lastAt: Instant
}

/** Every guide that looks have found, in the order in which they were found. */
export function listedGuides({ looks }: Operation): readonly ListedGuide[] {
  const last = looks.findLast(({ answer }) => answer !== 'inconclusive')
  const numbers = new Set(looks.flatMap(({ guideNumbers }) => guideNumbers))
  return [...numbers].map((guideNumber) => {
    const found = looks.filter(({ guideNumbers }) => guideNumbers.includes(guideNumber))
    return {
      guideNumber,
      isListed: last?.guideNumbers.includes(guideNumber) === true,
      firstAt: found.at(0)!.at,
      lastAt: found.at(-1)!.at,
    }
  })
}

/** Whether the outcome was ever in doubt. Only such operations appear in lists and send webhooks. */
export function wasUnknown(operation: Operation): boolean {
  return operation.unknownAt !== null || operation.contradicted
}
