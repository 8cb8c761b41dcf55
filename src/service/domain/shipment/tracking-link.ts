import { findCurrentAttempt, type Shipment } from './shipment.ts'

/** One byte of the token. A shop rolls a link once or twice, after it reached the wrong person. */
export const linkNumberMax = 255

/** Whether the shipment has a link for its recipient: it has a guide, and the person is not erased. */
export function hasTrackingLink(state: Pick<Shipment, 'attempts' | 'erasedAt'>): boolean {
  return state.erasedAt === null && (findCurrentAttempt(state)?.guide ?? null) !== null
}

/** The address of the recipient's page; null if there is none. */
export type TrackingUrlOf = (shipmentId: string, state: Shipment) => string | null

/** For readers of the ledger alone, which does not have the key of the links. */
export const noTrackingUrl: TrackingUrlOf = () => null
