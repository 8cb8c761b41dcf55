/** Why lines have no guide, by the reason of their error. */
export const causes: Readonly<Record<string, string>> = {
  validation_failed: 'The line has values that are not valid.',
  not_found: 'The line names something that does not exist in this workspace.',
  idempotency_key_reused: 'The order was sent before with other contents.',
  courier_rejected: 'The courier refused the parcel.',
  courier_unreachable: 'The courier could not be reached. The line can be sent again.',
  courier_throttled: 'The courier asked to slow down. The line can be sent again.',
  courier_not_available: 'This key may not use the courier.',
  connection_needs_reauth: 'The courier refuses the credentials of the account.',
  connection_disabled: 'The courier account is disabled.',
  quota_exceeded: 'The shipments of this month are used up.',
  organization_suspended: 'The organization is suspended.',
  unknown_outcome: 'The courier’s answer was lost: a guide may exist.',
  nothing_created: 'The courier made no guide.',
  quote_expired: 'The quote has expired.',
  quote_mismatch: 'The quote is for another parcel or route.',
  quote_price_changed: 'The courier’s price is no longer the quoted one.',
}

export function causeOf(reason: string): string {
  return causes[reason] ?? reason.replaceAll('_', ' ')
}
