import { type Shipment, type ShipmentStatus, statusOf } from '../../domain/shipment/shipment.ts'

/**
 * Why a shipment with this status is excluded from labels and manifests; null if it has a guide.
 */
const byStatus: Readonly<Record<ShipmentStatus, string | null>> = {
  creating: 'Its guide is still being created.',
  created: null,
  rejected: 'There is no guide: the courier refused the request.',
  not_executed: 'There is no guide: the request did not reach the courier.',
  unknown_outcome:
    "Unknown outcome: the courier's answer was lost, and whether a guide exists is not known yet.",
  not_created: 'There is no guide: the attempt ended without one.',
  cancelling: 'It is being cancelled, and its guide may no longer be valid.',
  cancelled: 'It was cancelled.',
}

/** Why the guide must not be used; null if it may be. */
export function exclusionReason(state: Shipment): string | null {
  return byStatus[statusOf(state)]
}

export const labelExclusions = {
  erased: 'Its personal data was erased, and its label with it.',
  notFetched: 'The courier has not made the label yet, or it has not been fetched yet.',
  unreadable: 'The label that the courier sent cannot be read as a PDF.',
  unprintable:
    "The label that the courier sent cannot be printed. Print it in the courier's own system.",
} as const
