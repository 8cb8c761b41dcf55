import { i18n } from '@lingui/core'

/** Why lines have no guide, by the reason of their error. */
export function causes(): Readonly<Record<string, string>> {
  return {
    validation_failed: i18n.t('The line has values that are not valid.'),
    not_found: i18n.t('The line names something that does not exist in this workspace.'),
    idempotency_key_reused: i18n.t('The order was sent before with other contents.'),
    courier_rejected: i18n.t('The courier refused the parcel.'),
    courier_unreachable: i18n.t('The courier could not be reached. The line can be sent again.'),
    courier_throttled: i18n.t('The courier asked to slow down. The line can be sent again.'),
    courier_not_available: i18n.t('This key may not use the courier.'),
    connection_needs_reauth: i18n.t('The courier refuses the credentials of the account.'),
    connection_disabled: i18n.t('The courier account is disabled.'),
    quota_exceeded: i18n.t('The shipments of this month are used up.'),
    organization_suspended: i18n.t('The organization is suspended.'),
    unknown_outcome: i18n.t('The courier’s answer was lost: a guide may exist.'),
    nothing_created: i18n.t('The courier made no guide.'),
    quote_expired: i18n.t('The quote has expired.'),
    quote_mismatch: i18n.t('The quote is for another parcel or route.'),
    quote_price_changed: i18n.t('The courier’s price is no longer the quoted one.'),
  }
}
