import { type Decided, event, guidesNamedMax } from '../shipment/shipment-events.ts'
import type { FoundFirst } from './kind.ts'
import { foundGuideData, withExchanges } from './operation-decisions.ts'

/** Events that conclude a creation whose courier was asked before the call and already has guides for it. */
export function guidesFoundFirst(
  { operationId, number }: { readonly operationId: string; readonly number: number },
  { guides, record }: FoundFirst,
): readonly Decided[] {
  const [guide] = guides
  if (guide === undefined) return []
  const operation = { operation_id: operationId }
  const only = event('GuideFound', {
    ...operation,
    evidence: 'recovery',
    ...foundGuideData({ operationId }, guide),
  })
  if (guides.length === 1) return withExchanges([only], record)
  const unknown = event('GuideOutcomeUnknown', {
    ...operation,
    attempt: number,
    cause: 'response_lost',
    courier_can_be_asked: true,
  })
  const guide_numbers = guides.map(({ guideNumber }) => guideNumber).slice(0, guidesNamedMax)
  return [
    ...withExchanges([unknown], record),
    event('OperationReviewRequired', { ...operation, because: 'ambiguous', guide_numbers }),
    event('OperationEscalated', operation),
  ]
}

/** Events that conclude a cancellation whose courier was asked before the call and has cancelled the guide. */
export function cancelledFoundFirst(
  operationId: string,
  { record }: FoundFirst,
): readonly Decided[] {
  const found = event('CancellationFound', { operation_id: operationId, evidence: 'recovery' })
  return withExchanges([found], record)
}
