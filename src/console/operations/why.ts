import { i18n } from '@lingui/core'
import type { Operation } from '../../client/methods.ts'

type Words = Readonly<Record<string, string>>

/** The reason for an operation's status, in a few words for lists. */
export function shortWhy(operation: Operation): string {
  const { reason_for_review: reason, status, resolution, cause } = operation
  if (status === 'needs_review') {
    return reviewText()[reason?.code ?? ''] ?? i18n.t('A person must decide')
  }
  if (status === 'reconciling') return whyUnknown(cause)
  if (resolution?.confirmed === false) return i18n.t('The courier has not confirmed the guide')
  return resolution?.by === 'operator' ? i18n.t('A person decided') : i18n.t('The courier answered')
}

const reviewText = (): Words => ({
  ambiguous: i18n.t('Two guides or more'),
  courier_cannot_be_asked: i18n.t('The courier cannot be asked'),
  deadline_passed: i18n.t('No clear answer in 8 hours'),
  contradicted: i18n.t('Evidence against the decision'),
})

/** Why the outcome of the call is not known, without a full stop. */
export function whyUnknown(cause: string | null): string {
  return causeText()[cause ?? ''] ?? i18n.t('The outcome is not known')
}

export const causeText = (): Words => ({
  response_lost: i18n.t('The answer was lost'),
  response_unreadable: i18n.t('The answer was unreadable'),
  courier_error: i18n.t('The courier reported an error'),
  deadline_passed: i18n.t('The courier took too long'),
  process_died: i18n.t('The process died during the call'),
})

/** Why a person must decide, as a sentence. */
export const reviewSentence = (): Words => ({
  ambiguous: i18n.t('The courier lists more than one guide under our reference.'),
  courier_cannot_be_asked: i18n.t('The courier cannot be asked about the outcome of the call.'),
  deadline_passed: i18n.t('The courier gave no clear answer before the deadline.'),
  contradicted: i18n.t('Evidence contradicted the decision.'),
})

/** The courier's answer as a sentence. */
export const lookText = (): Words => ({
  found: i18n.t('The courier lists one guide.'),
  ambiguous: i18n.t('The courier lists several guides.'),
  absent: i18n.t('The courier lists no guide.'),
  inconclusive: i18n.t('The courier gave no clear answer.'),
  cancelled: i18n.t('The courier says that the guide is cancelled.'),
  standing: i18n.t('The courier says that the guide is still valid.'),
})

export const typeText = (): Words => ({
  shipment_creation: i18n.t('shipment creation'),
  shipment_cancellation: i18n.t('shipment cancellation'),
})

/** Whether the courier ever gave a clear answer. */
export function hasClearLook({ looks }: Operation): boolean {
  return looks.some(({ answer }) => answer !== 'inconclusive')
}

/** The guides that the courier has listed and the last decision does not name. */
export function guidesAgainst(operation: Operation): readonly string[] {
  const decided = operation.resolutions.at(-1)?.guide_number
  return guidesOf(operation).filter((guide) => guide !== decided)
}

/** Every guide that the courier has listed. */
export function guidesOf({ looks }: Operation): readonly string[] {
  return [...new Set(looks.flatMap((look) => look.guide_numbers))]
}

/** The marks of an operation besides its state, most urgent first. */
export function marksOf(operation: Operation): readonly string[] {
  const { contradicted, escalated, status, resolution } = operation
  if (status !== 'resolved') {
    return [...(contradicted ? ['contradicted'] : []), ...(escalated ? ['escalated'] : [])]
  }
  return [
    ...(operation.surplus_guide_numbers.length > 0 ? ['surplus'] : []),
    ...(resolution?.confirmed === false ? ['unconfirmed'] : []),
    // The API's flag is permanent. On a resolved operation it is history.
    ...(contradicted ? ['was_contradicted'] : []),
  ]
}
