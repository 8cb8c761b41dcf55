import { i18n } from '@lingui/core'
import type { Input, Operation } from '../../client/methods.ts'
import { guidesOf, hasClearLook } from '../operations/why.ts'

type Resolution = Operation['resolutions'][number]
export type Decision = Input<'resolveOperation'>['decision']

/** What an operator has entered so far. */
export type DecisionDraft = {
  readonly decision: Decision | null
  readonly guideNumber: string
  readonly note: string
  readonly decidedBy: string
}
export type CompleteDraft = DecisionDraft & { readonly decision: Decision }

export const emptyDraft: DecisionDraft = {
  decision: null,
  guideNumber: '',
  note: '',
  decidedBy: '',
}

/** What each decision means, as shown to the operator. */
export const meanings: Readonly<Record<Decision, () => string>> = {
  guide_exists: () =>
    i18n.t('The courier created the guide. The shipment gets its number and continues.'),
  nothing_created: () =>
    i18n.t(
      'The courier created nothing. The order may be shipped again, with a new idempotency key.',
    ),
  cancelled: () => i18n.t('The courier cancelled the guide.'),
  not_cancelled: () => i18n.t('The courier did not cancel the guide. The shipment continues.'),
}

/** Who decided: a person by name, otherwise their kind. */
export function decidedBy({ decided_by: name, operator_id: id, by }: Resolution): string {
  return name ?? id ?? deciders[by]?.() ?? by
}

const deciders: Readonly<Record<string, () => string>> = {
  operator: () => i18n.t('operator'),
  reconciliation: () => i18n.t('reconciliation'),
}

export const decisionsOf: Readonly<Record<string, readonly Decision[]>> = {
  shipment_creation: ['guide_exists', 'nothing_created'],
  shipment_cancellation: ['cancelled', 'not_cancelled'],
}

/** Why a decision may be wrong, and the label of the button that records it anyway. */
type Doubt = {
  readonly kind: 'no_evidence' | 'against_evidence'
  readonly why: string
  readonly does: string
}

/**
 * The doubt about deciding that nothing was created: evidence against it, or no evidence for it.
 */
export function doubtAbout(operation: Operation, decision: Decision | null): Doubt | null {
  if (decision !== 'nothing_created') return null
  const guides = guidesOf(operation)
  if (guides.length > 0) {
    return {
      kind: 'against_evidence',
      why: i18n.t(
        'The courier has listed {guides} for this order. If you record that nothing was created, the order may be shipped and paid twice.',
        { guides: guides.join(', ') },
      ),
      does: i18n.t('Record against the evidence'),
    }
  }
  if (hasClearLook(operation)) return null
  return {
    kind: 'no_evidence',
    why: i18n.t(
      'The courier never gave a clear answer, so this rests on your note alone. If the courier created a guide, the order may be shipped and paid twice.',
    ),
    does: i18n.t('Record without evidence'),
  }
}

/** A warning about guides that the courier lists besides the chosen one. */
export function spareGuides({ looks }: Operation, draft: DecisionDraft): string | null {
  if (draft.decision !== 'guide_exists') return null
  const last = looks.findLast(({ answer }) => answer !== 'inconclusive')
  const spare = (last?.guide_numbers ?? []).filter((guide) => guide !== draft.guideNumber)
  if (spare.length === 0) return null
  return i18n.t(
    '{count, plural, one {The courier also lists {guides}. Ask the courier to cancel it, or you may pay for both. Until then the operation is listed under “Guides to cancel”.} other {The courier also lists {guides}. Ask the courier to cancel them, or you may pay for all. Until then the operation is listed under “Guides to cancel”.}}',
    { count: spare.length, guides: spare.join(', ') },
  )
}
