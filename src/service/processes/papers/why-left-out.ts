import { type Shipment, type ShipmentStatus, statusOf } from '../../domain/shipment/shipment.ts'

/** Why a shipment of each status has no label to print and is not handed over; null = it has a guide. */
const byStatus: Readonly<Record<ShipmentStatus, string | null>> = {
  creating: 'Its guide is still being created.',
  created: null,
  rejected: 'There is no guide: the courier refused the request.',
  not_executed: 'There is no guide: the request did not reach the courier.',
  unknown_outcome:
    "Unknown outcome: the courier's answer was lost, and it is not known yet whether there is a guide.",
  not_created: 'There is no guide: the attempt ended without one.',
  cancelling: 'It is being cancelled, and it is not certain yet whether its guide still holds.',
  cancelled: 'It was cancelled.',
}

/** Why its guide must not be used; null = it may. */
export function whyNoGuide(state: Shipment): string | null {
  return byStatus[statusOf(state)]
}

export const withoutLabel = {
  erased: 'Its personal data was erased, and its label with it.',
  notFetched: 'The courier has not made the label yet, or it was not fetched yet.',
  unreadable: 'The label that the courier sent cannot be read as a PDF.',
  unprintable:
    "The label that the courier sent cannot be printed. Print it in the courier's own system.",
} as const
