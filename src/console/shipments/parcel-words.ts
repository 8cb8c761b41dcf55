import { i18n } from '@lingui/core'
import type { Shipment, Tracking } from '../../client/methods.ts'

type State = {
  readonly status: Shipment['status']
  readonly tracking: Pick<Shipment['tracking'], 'status'>
}

/** Where the parcel is, in the words that support tells a customer; null for an unknown status. */
export function whereIs({ status, tracking }: State): string | null {
  if (tracking.status === null) return (withoutGuide[status] ?? noGuide)()
  return whereOf[tracking.status]?.() ?? null
}

const noGuide = () => i18n.t('There is no guide, so there is no parcel to track.')

const withoutGuide: Readonly<Record<string, () => string>> = {
  creating: () => i18n.t('The courier is being asked for a guide.'),
  unknown_outcome: () => i18n.t('It is not known yet whether the courier created a guide.'),
  rejected: () => i18n.t('The courier refused the order, so there is no parcel to track.'),
  not_executed: () =>
    i18n.t('The courier was not asked for a guide, so there is no parcel to track.'),
  not_created: () => i18n.t('The courier created no guide, so there is no parcel to track.'),
}

const whereOf: Readonly<Record<string, () => string>> = {
  registered: () => i18n.t('The courier does not have the parcel yet.'),
  received_at_origin: () => i18n.t('The courier has taken the parcel at the origin agency.'),
  in_transit: () => i18n.t('The parcel is on its way.'),
  arrived_at_destination: () =>
    i18n.t('The parcel is at the destination agency, but not ready for collection.'),
  ready_for_pickup: () => i18n.t('The parcel is ready for collection at the destination agency.'),
  out_for_delivery: () => i18n.t('The parcel is out for delivery.'),
  delivery_attempted: () => i18n.t('The courier tried to deliver the parcel, without success.'),
  delivered: () => i18n.t('The recipient has the parcel.'),
  returning: () => i18n.t('The parcel is on its way back to the sender.'),
  returned: () => i18n.t('The parcel is back at the sender.'),
  lost: () => i18n.t('The courier has declared the parcel lost.'),
  cancelled: () => i18n.t('The guide is cancelled, so no parcel is on its way.'),
}

/** What holds the parcel up, in words; null for an unknown problem. */
export function heldUpBy(code: string): string | null {
  return problems[code]?.() ?? null
}

export const needsAction = () =>
  i18n.t('The sender or the recipient must do something before it moves on.')

const problems: Readonly<Record<string, () => string>> = {
  held: () => i18n.t('The courier is holding the parcel.'),
  damaged: () => i18n.t('The courier reports that the parcel is damaged.'),
  missing: () => i18n.t('The courier did not find the parcel where it should be.'),
  misrouted: () => i18n.t('The courier has sent the parcel the wrong way.'),
  documents_required: () => i18n.t('The courier needs documents for the parcel.'),
  delayed: () => i18n.t('The courier reports a delay.'),
}

/** How current the tracking is; null if the times say enough. */
export function monitoringWords({ state }: Tracking['monitoring']): string | null {
  return monitoring[state]?.() ?? null
}

const monitoring: Readonly<Record<string, () => string>> = {
  unreachable: () =>
    i18n.t('The courier has not answered for a while, so the parcel may be further on.'),
  completed: () => i18n.t('The courier is no longer asked, because the journey has ended.'),
  expired: () =>
    i18n.t('The courier is no longer asked, because nothing has changed for a long time.'),
}

/** What the courier's scan means; null if the code is not known. */
export function scanWords(code: string): string | null {
  return scans[code]?.() ?? null
}

const scans: Readonly<Record<string, () => string>> = {
  registered: () => i18n.t('The guide was registered'),
  received_at_origin: () => i18n.t('Received at the origin agency'),
  in_transit: () => i18n.t('On its way'),
  departed_origin: () => i18n.t('Left the origin agency'),
  arrived_at_hub: () => i18n.t('Arrived at a hub'),
  departed_hub: () => i18n.t('Left a hub'),
  arrived_at_destination: () => i18n.t('Arrived at the destination agency'),
  ready_for_pickup: () => i18n.t('Ready to be collected'),
  reminder_sent: () => i18n.t('The recipient was reminded'),
  last_notice: () => i18n.t('The recipient got the last notice'),
  out_for_delivery: () => i18n.t('Out for delivery'),
  delivery_attempted: () => i18n.t('A delivery was attempted'),
  delivered: () => i18n.t('Delivered'),
  collected: () => i18n.t('Collected at the agency'),
  not_collected: () => i18n.t('Not collected in time; going back'),
  returning: () => i18n.t('Going back to the sender'),
  returned: () => i18n.t('Returned to the sender'),
  lost: () => i18n.t('Declared lost by the courier'),
  found: () => i18n.t('Found again'),
  cancelled: () => i18n.t('The guide was cancelled'),
  delivery_reversed: () => i18n.t('A delivery was corrected'),
  held: () => i18n.t('Held'),
  damaged: () => i18n.t('Damaged'),
  missing: () => i18n.t('Not found at the expected place'),
  misrouted: () => i18n.t('Sent the wrong way'),
  documents_required: () => i18n.t('Documents are required'),
  delayed: () => i18n.t('Delayed'),
  released: () => i18n.t('Released'),
  unmapped: () => i18n.t('An event that has no normalized code yet'),
}

const ended = new Set(['delivered', 'returned', 'lost', 'cancelled'])

const noLongerExpected = new Set([...ended, 'ready_for_pickup', 'delivery_attempted', 'returning'])

/** Whether the time that the courier expects still matters: nobody waits for a parcel that is there. */
export function isExpected(status: string | null): boolean {
  return status !== null && !noLongerExpected.has(status)
}

/** Whether the parcel may still arrive. */
export function isOnItsWay(status: string | null): boolean {
  return status !== null && !ended.has(status)
}
