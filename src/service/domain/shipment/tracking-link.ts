import { findCurrentAttempt, type Shipment } from './shipment.ts'

/** One byte of the token. A shop rolls a link once or twice, after it reached the wrong person. */
export const linkNumberMax = 255

/** A link to a recipient's page, without its key. */
export type TrackingLink = { readonly workspaceId: string; readonly number: number }

type Linked = Pick<Shipment, 'attempts' | 'erasedAt' | 'linkNumber' | 'request'>

/** The shipment's link: it has one from its guide until the person is erased. */
export function trackingLinkOf({ request, ...state }: Linked): TrackingLink | null {
  if (state.erasedAt !== null) return null
  const hasGuide = (findCurrentAttempt(state)?.guide ?? null) !== null
  return hasGuide ? { workspaceId: request.workspace_id, number: state.linkNumber } : null
}

/** The address of the recipient's page; null without a link, or if the page is turned off. */
export type TrackingUrlOf = (shipmentId: string, link: TrackingLink | null) => string | null

/** For readers of the ledger alone, which does not have the key of the links. */
export const noTrackingUrl: TrackingUrlOf = () => null
