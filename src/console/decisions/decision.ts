import type { Input, Operation } from '../../client/methods.ts'
import { guidesOf, hasClearLook } from '../operations/why.ts'

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
export const meanings: Readonly<Record<Decision, string>> = {
  guide_exists: 'The courier created the guide. The shipment gets its number and continues.',
  nothing_created:
    'The courier created nothing. The order may be shipped again, with a new idempotency key.',
  cancelled: 'The courier cancelled the guide.',
  not_cancelled: 'The courier did not cancel the guide. The shipment continues.',
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
      why: `The courier has listed ${guides.join(', ')} for this order. If you record that nothing was created, the order may be shipped and paid twice.`,
      does: 'Record against the evidence',
    }
  }
  if (hasClearLook(operation)) return null
  return {
    kind: 'no_evidence',
    why: 'The courier never gave a clear answer, so this rests on your note alone. If the courier created a guide, the order may be shipped and paid twice.',
    does: 'Record without evidence',
  }
}

/** A warning about guides that the courier lists besides the chosen one. */
export function spareGuides({ looks }: Operation, draft: DecisionDraft): string | null {
  if (draft.decision !== 'guide_exists') return null
  const last = looks.findLast(({ answer }) => answer !== 'inconclusive')
  const spare = (last?.guide_numbers ?? []).filter((guide) => guide !== draft.guideNumber)
  if (spare.length === 0) return null
  const [it, all] = spare.length === 1 ? ['it', 'both'] : ['them', 'all']
  return `The courier also lists ${spare.join(', ')}. Ask the courier to cancel ${it}, or you may pay for ${all}. Until then the operation is listed under “Guides to cancel”.`
}
