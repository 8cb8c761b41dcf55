import { i18n } from '@lingui/core'
import { ServiceText } from './service-text.tsx'

/** What went wrong with a request to the courier, in a few words; of an unknown reason, its code. */
export function FailureWords({ reason }: { readonly reason: string }) {
  return failures[reason]?.() ?? <ServiceText>{reason.replaceAll('_', ' ')}</ServiceText>
}

const failures: Readonly<Record<string, () => string>> = {
  courier_unreachable: () => i18n.t('courier unreachable'),
  courier_throttled: () => i18n.t('courier throttled'),
  connection_needs_reauth: () => i18n.t('connection needs reauth'),
  courier_rejected: () => i18n.t('courier rejected'),
  quote_price_changed: () => i18n.t('quote price changed'),
  dependency_unavailable: () => i18n.t('dependency unavailable'),
  too_late: () => i18n.t('too late'),
  response_lost: () => i18n.t('response lost'),
  response_unreadable: () => i18n.t('response unreadable'),
  courier_error: () => i18n.t('courier error'),
  deadline_passed: () => i18n.t('deadline passed'),
}
