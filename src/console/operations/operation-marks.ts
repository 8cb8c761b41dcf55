import type { Operation } from '../../client/methods.ts'

/** What marks an operation beside its state, the most urgent first. */
export function marksOf(operation: Operation): readonly string[] {
  const { contradicted, escalated, status, resolution } = operation
  if (status !== 'resolved') {
    return [...(contradicted ? ['contradicted'] : []), ...(escalated ? ['escalated'] : [])]
  }
  return [
    ...(operation.surplus_guide_numbers.length > 0 ? ['surplus'] : []),
    ...(resolution?.confirmed === false ? ['unconfirmed'] : []),
    // The API keeps saying so for good. Once it is corrected, it is history.
    ...(contradicted ? ['was_contradicted'] : []),
  ]
}
