import type { Shipment, Tracking } from '../../client/methods.ts'

type State = {
  readonly status: Shipment['status']
  readonly tracking: Pick<Shipment['tracking'], 'status'>
}

/** Where the parcel is, in the words that support tells a customer. */
export function whereIs({ status, tracking }: State): string {
  if (tracking.status === null) return withoutGuide[status] ?? noGuide
  return whereOf[tracking.status] ?? tracking.status.replaceAll('_', ' ')
}

const noGuide = 'There is no guide, so there is no parcel to track.'

const withoutGuide: Readonly<Record<string, string>> = {
  creating: 'The courier is being asked for a guide.',
  unknown_outcome: 'It is not known yet whether the courier created a guide.',
  rejected: 'The courier refused the order, so there is no parcel to track.',
  not_executed: 'The courier was not asked for a guide, so there is no parcel to track.',
  not_created: 'The courier created no guide, so there is no parcel to track.',
}

const whereOf: Readonly<Record<string, string>> = {
  registered: 'The courier does not have the parcel yet.',
  received_at_origin: 'The courier has taken the parcel at the origin agency.',
  in_transit: 'The parcel is on its way.',
  arrived_at_destination: 'The parcel is at the destination agency, but not ready for collection.',
  ready_for_pickup: 'The parcel is ready for collection at the destination agency.',
  out_for_delivery: 'The parcel is out for delivery.',
  delivery_attempted: 'The courier tried to deliver the parcel, without success.',
  delivered: 'The recipient has the parcel.',
  returning: 'The parcel is on its way back to the sender.',
  returned: 'The parcel is back at the sender.',
  lost: 'The courier has declared the parcel lost.',
  cancelled: 'The guide is cancelled, so no parcel is on its way.',
}

/** What holds the parcel up, in words. */
export function heldUpBy(code: string): string {
  return problems[code] ?? `The courier reports a problem: ${code.replaceAll('_', ' ')}.`
}

export const needsAction = 'The sender or the recipient must do something before it moves on.'

const problems: Readonly<Record<string, string>> = {
  held: 'The courier is holding the parcel.',
  damaged: 'The courier reports that the parcel is damaged.',
  missing: 'The courier did not find the parcel where it should be.',
  misrouted: 'The courier has sent the parcel the wrong way.',
  documents_required: 'The courier needs documents for the parcel.',
  delayed: 'The courier reports a delay.',
}

/** How current the tracking is; null if the times say enough. */
export function monitoringWords({ state }: Tracking['monitoring']): string | null {
  return monitoring[state] ?? null
}

const monitoring: Readonly<Record<string, string>> = {
  unreachable: 'The courier has not answered for a while, so the parcel may be further on.',
  completed: 'The courier is no longer asked, because the journey has ended.',
  expired: 'The courier is no longer asked, because nothing has changed for a long time.',
}

const ended = new Set(['delivered', 'returned', 'lost', 'cancelled'])

/** Whether the parcel may still arrive. */
export function isOnItsWay(status: string | null): boolean {
  return status !== null && !ended.has(status)
}
