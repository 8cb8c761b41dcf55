import type { Attempt } from './attempt.ts'
import type { AttemptStatus } from './attempt-transitions.ts'

export const operationStatuses = ['reconciling', 'needs_review', 'resolved'] as const
export type OperationStatus = (typeof operationStatuses)[number]
export const operationResults = ['guide_exists', 'nothing_created', 'human_review'] as const
export type OperationResult = (typeof operationResults)[number]

/** What an operation says of itself, by what its attempt is. */
export const operationFacts: Readonly<
  Record<
    AttemptStatus,
    { readonly status: OperationStatus; readonly result: OperationResult | null }
  >
> = {
  calling: { status: 'reconciling', result: null },
  issued: { status: 'resolved', result: 'guide_exists' },
  rejected: { status: 'resolved', result: 'nothing_created' },
  not_sent: { status: 'resolved', result: 'nothing_created' },
  reconciling: { status: 'reconciling', result: null },
  needs_review: { status: 'needs_review', result: 'human_review' },
  guide_exists: { status: 'resolved', result: 'guide_exists' },
  nothing_created: { status: 'resolved', result: 'nothing_created' },
}

export function operationStatusOf(attempt: Attempt): OperationStatus {
  return operationFacts[attempt.status].status
}

export function operationResultOf(attempt: Attempt): OperationResult | null {
  return operationFacts[attempt.status].result
}

/** Listed, with looks and webhooks; an attempt that simply ended answers by its id alone. */
export function wasUnknown(attempt: Attempt): boolean {
  return attempt.unknownAt !== null || attempt.contradicted
}
