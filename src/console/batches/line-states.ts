import type { Schemas } from '../../client/methods.ts'

type Batch = Schemas['Batch']

/** Certainly without a guide, and nothing will change that except for sending them again. */
export const failedStates = ['failed', 'rejected', 'not_created', 'not_executed'] as const

/** In the order in which a person asks for them. */
const inOrder: readonly string[] = [
  'waiting',
  'creating',
  'created',
  ...failedStates,
  'unknown_outcome',
  'cancelling',
  'cancelled',
  'not_begun',
]

/** The states of a batch's lines with their numbers, those that this console does not know last. */
export function countsInOrder({ counts }: Pick<Batch, 'counts'>): readonly [string, number][] {
  const rank = (state: string) =>
    (inOrder.indexOf(state) + inOrder.length + 1) % (inOrder.length + 1)
  return Object.entries(counts).toSorted(([a], [b]) => rank(a) - rank(b))
}

export function failedCount({ counts }: Pick<Batch, 'counts'>): number {
  return failedStates.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

/** Lines that are still being answered, also after a cancellation. */
export function isMoving({ ended_at, counts }: Batch): boolean {
  const open = ['waiting', 'creating', 'unknown_outcome', 'cancelling']
  return ended_at === null || open.some((state) => (counts[state] ?? 0) > 0)
}
