import { i18n } from '@lingui/core'
import type { Shipment } from '../../client/methods.ts'

/** Why an action on a shipment is impossible, and what the user can do instead. */
export type ActRefusal = { readonly why: string; readonly next: string }

const isBeingCreated = (): ActRefusal => ({
  why: i18n.t('The courier is still being asked for the guide.'),
  next: i18n.t('Wait until the creation has ended, then try again.'),
})

const isBeingCancelled = (): ActRefusal => ({
  why: i18n.t('A cancellation is already running, and its outcome is not known yet.'),
  next: i18n.t('Wait for its outcome. This page shows it as soon as it is known.'),
})

const noGuide = (): ActRefusal => ({
  why: i18n.t('This order has no guide, so there is nothing to cancel.'),
  next: i18n.t('Nothing needs to be done: the courier carries and bills nothing.'),
})

const handedOver = (): ActRefusal => ({
  why: i18n.t('The courier already has the parcel, and a guide can only be cancelled before that.'),
  next: i18n.t(
    'Ask the courier to stop the parcel, or ask the recipient to refuse it. It then comes back to the sender.',
  ),
})

/** A parcel that nobody can stop any more. */
const journeyEnded: Readonly<Record<string, () => ActRefusal>> = {
  delivered: () => ({
    why: i18n.t('The recipient has the parcel, so the guide can no longer be cancelled.'),
    next: i18n.t(
      'If it must come back, ask the recipient to send it back with a guide of its own.',
    ),
  }),
  returning: () => ({
    why: i18n.t('The parcel is on its way back, and the courier bills the guide.'),
    next: i18n.t('Nothing needs to be done: the sender gets it back.'),
  }),
  returned: () => ({
    why: i18n.t('The parcel is back at the sender, and the courier bills the guide.'),
    next: i18n.t('Nothing needs to be done. To send it again, create a new shipment.'),
  }),
  lost: () => ({
    why: i18n.t('The courier has declared the parcel lost.'),
    next: i18n.t('Claim it from the courier. The evidence of the shipment is on this page.'),
  }),
}

/** Why this shipment's guide cannot be cancelled now; null if the courier can be asked. */
export function whyNotCancellable(shipment: Shipment): ActRefusal | null {
  switch (shipment.status) {
    case 'creating':
      return isBeingCreated()
    case 'unknown_outcome':
      return {
        why: i18n.t('It is not known yet whether there is a guide.'),
        next: i18n.t('Wait until the open operation has ended, then try again.'),
      }
    case 'cancelling':
      return isBeingCancelled()
    case 'cancelled':
      return {
        why: i18n.t('The guide is already cancelled.'),
        next: i18n.t('Nothing needs to be done.'),
      }
    case 'rejected':
    case 'not_executed':
    case 'not_created':
      return noGuide()
    default:
      return isHandedOver(shipment)
        ? (journeyEnded[shipment.tracking.status ?? ''] ?? handedOver)()
        : null
  }
}

function isHandedOver({ tracking: { phase, status } }: Shipment): boolean {
  return phase !== null && phase !== 'pre_transit' && status !== 'cancelled'
}

/** Whether the personal data of the shipment was erased. */
export function isErased({ label }: Shipment): boolean {
  return label.status === 'erased'
}

/** Why this shipment's personal data cannot be erased now; null if it can. */
export function whyNotErasable(shipment: Shipment): ActRefusal | null {
  if (isErased(shipment)) {
    return {
      why: i18n.t('The personal data of this shipment is already erased.'),
      next: i18n.t('Nothing needs to be done.'),
    }
  }
  if (shipment.legal_hold !== null) return heldRefusal()
  if (shipment.status === 'creating') return isBeingCreated()
  if (shipment.status === 'cancelling') return isBeingCancelled()
  return null
}

const heldRefusal = (): ActRefusal => ({
  why: i18n.t('A legal hold keeps the personal data of this shipment.'),
  next: i18n.t(
    'A person with the operations:review scope can lift the hold on the shipment and on its workspace. Until then nothing is erased.',
  ),
})

/** The service's refusals in words for support. Others are shown in the service's own words. */
const refusals: Readonly<Record<string, () => ActRefusal>> = {
  legal_hold: heldRefusal,
  operation_open: () => ({
    why: i18n.t(
      'The shipment is being created or cancelled, so its personal data is still needed.',
    ),
    next: i18n.t('Wait until that has ended, then try again.'),
  }),
  not_cancelled: () => ({
    why: i18n.t('The courier did not cancel the guide. It is still valid.'),
    next: i18n.t('Try again, or ask the courier.'),
  }),
  connection_needs_reauth: () => ({
    why: i18n.t(
      'The courier refuses the credentials of this connection, so it was not asked to cancel.',
    ),
    next: i18n.t(
      'Ask the person who manages the courier connections to replace the credentials, then try again.',
    ),
  }),
  connection_disabled: () => ({
    why: i18n.t('The courier connection is disabled, so the courier was not asked to cancel.'),
    next: i18n.t(
      'Ask the person who manages the courier connections to enable it, then try again.',
    ),
  }),
  courier_unreachable: () => ({
    why: i18n.t(
      'The courier could not be reached, so it was not asked to cancel. The guide is still valid.',
    ),
    next: i18n.t('Try again in a moment.'),
  }),
  courier_throttled: () => ({
    why: i18n.t('The courier takes no more requests at the moment. The guide is still valid.'),
    next: i18n.t('Try again in a moment.'),
  }),
  connection_lost: () => ({
    why: i18n.t('No answer arrived, so it is not known whether it was done.'),
    next: i18n.t('Try again: the same request is repeated, and nothing is done twice.'),
  }),
}

/** The refusal with this reason in words; null if there are none. */
export function refusalOf(reason: string): ActRefusal | null {
  return refusals[reason]?.() ?? null
}

export const needsWriteScope = (): ActRefusal => ({
  why: i18n.t('Your key does not have the shipments:write scope, so it can only read shipments.'),
  next: i18n.t('Ask a colleague whose key has this scope, or an administrator for such a key.'),
})
