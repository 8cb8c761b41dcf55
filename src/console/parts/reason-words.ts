import { i18n } from '@lingui/core'
import type { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { sentenceWords } from '../forms/service-sentences.ts'
import { currentLanguage } from '../languages/language.ts'

/**
 * An error in the person's language, by its reason. Null if there are only the service's own words,
 * which are English and say more, so that English readers get them always.
 */
export function errorWords({ reason, errors }: ShippingLedgerError): string | null {
  const sentence = currentLanguage() === 'en' ? undefined : reasons[reason]?.()
  if (sentence === undefined) return null
  const fields = errors.map(
    ({ pointer, detail }) => `${fieldOf(pointer)}: ${sentenceWords(detail) ?? detail}`,
  )
  return [sentence, ...fields].join(' ')
}

/** `guide number` for `/guide_number`. */
export function fieldOf(pointer: string): string {
  return pointer.replace(/^.*\//, '').replaceAll('_', ' ')
}

const reasons: Readonly<Partial<Record<string, () => string>>> = {
  unauthenticated: () => i18n.t('The API key is missing or not valid.'),
  forbidden_scope: () => i18n.t('The key does not have the scope for this.'),
  not_found: () => i18n.t('Not found. Check the id, and the mode and workspace of the key.'),
  body_too_large: () => i18n.t('This is too large to be sent at once.'),
  request_timeout: () => i18n.t('The request did not arrive in time. Try again.'),
  validation_failed: () => i18n.t('Something in the form is not valid.'),
  invalid_filter: () => i18n.t('A filter is not valid.'),
  rate_limited: () => i18n.t('There were too many requests. Wait a moment and try again.'),
  quota_exceeded: () => i18n.t('The plan’s shipments for this month are used up.'),
  plan_limit_reached: () => i18n.t('The plan does not allow more of these.'),
  limit_reached: () => i18n.t('The limit for these is reached.'),
  organization_suspended: () =>
    i18n.t('The organization is suspended. Contact the service provider.'),
  precondition_failed: () => i18n.t('It has changed in the meantime. Look at it again first.'),
  internal_error: () => i18n.t('Something went wrong in the service. Report the request’s id.'),
  idempotency_in_flight: () => i18n.t('The same request is still running. Wait a moment.'),
  idempotency_key_reused: () => i18n.t('This was already sent with other content.'),
  resource_deleted: () => i18n.t('It was created, and has been deleted since.'),
  unknown_outcome: () =>
    i18n.t(
      'The courier’s answer was lost. It may have been done: do not repeat it, and follow the operation.',
    ),
  nothing_created: () => i18n.t('The attempt ended without a guide. Create it again.'),
  shipment_not_cancellable: () =>
    i18n.t('The guide can no longer be cancelled: it was handed over, or there is none.'),
  not_cancelled: () => i18n.t('The attempt ended without cancelling the guide. Cancel it again.'),
  courier_rejected: () => i18n.t('The courier refused it.'),
  courier_not_available: () => i18n.t('This courier is not available to the key.'),
  connection_needs_reauth: () =>
    i18n.t('The courier refuses the account’s credentials. Replace them.'),
  connection_disabled: () => i18n.t('The courier’s account is disabled here.'),
  connection_in_use: () => i18n.t('The courier’s account still has unresolved operations.'),
  courier_unreachable: () => i18n.t('The courier could not be reached. Try again in a moment.'),
  courier_throttled: () => i18n.t('The courier asks to slow down. Try again in a moment.'),
  dependency_unavailable: () =>
    i18n.t('A part of the service is not available. Try again in a moment.'),
  ledger_damaged: () =>
    i18n.t('The ledger is damaged, so nothing can be created or cancelled now.'),
  overloaded: () => i18n.t('The service is overloaded. Try again in a moment.'),
  quote_expired: () => i18n.t('The quote has expired. Get a new one.'),
  quote_price_changed: () => i18n.t('The courier’s price has changed since the quote.'),
  label_not_ready: () =>
    i18n.t('The courier has not created the label yet. Try again in a moment.'),
  label_unreadable: () =>
    i18n.t('The courier’s label cannot be read. Print it in the courier’s system.'),
  shipment_has_no_guide: () => i18n.t('The shipment has no guide.'),
  operation_open: () => i18n.t('The shipment is still being created or cancelled.'),
  personal_data_erased: () => i18n.t('The personal data was erased and cannot be restored.'),
  legal_hold: () => i18n.t('A legal hold protects the personal data. Lift it first.'),
  evidence_too_large: () => i18n.t('The evidence is too large for one file. Choose less.'),
  papers_too_large: () => i18n.t('The labels are too large for one file. Choose fewer shipments.'),
  endpoint_disabled: () => i18n.t('The webhook endpoint is disabled.'),
  webhook_endpoint_deleted: () => i18n.t('The webhook endpoint was deleted.'),
  operation_not_settled: () => i18n.t('It is too early to decide this.'),
  invoice_comparing: () => i18n.t('The line has not been compared yet. Try again in a moment.'),
  invoice_not_ready: () => i18n.t('The courier does not have an invoice for this month yet.'),
  invoice_withdrawn: () => i18n.t('The invoice was withdrawn. Import it again.'),
  operation_already_resolved: () => i18n.t('It was already resolved with another decision.'),
  invoice_line_changed: () => i18n.t('The line has changed. Look at it again first.'),
  operation_full: () => i18n.t('The operation has reached its limit for these.'),
  guide_unconfirmed: () => i18n.t('The courier could not be asked about this guide.'),
  guide_not_found: () => i18n.t('The courier has no such guide under our reference.'),
  connection_lost: () =>
    i18n.t('The service did not answer. It may have been done: look before repeating.'),
  unreadable_answer: () => i18n.t('The service’s answer could not be read.'),
}
