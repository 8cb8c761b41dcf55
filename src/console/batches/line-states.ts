import type { Schemas } from '../../client/methods.ts'

type Batch = Schemas['Batch']

/** States of lines that certainly have no guide and will not get one unless they are sent again. */
export const failedStates = [
  'invalid',
  'failed',
  'rejected',
  'not_created',
  'not_executed',
] as const

/** The order in which the console shows states. */
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

/** The number of lines in each state; states unknown to this console come last. */
export function countsInOrder({ counts }: Pick<Batch, 'counts'>): readonly [string, number][] {
  const rank = (state: string) =>
    (inOrder.indexOf(state) + inOrder.length + 1) % (inOrder.length + 1)
  return Object.entries(counts).toSorted(([a], [b]) => rank(a) - rank(b))
}

export function failedCount({ counts }: Pick<Batch, 'counts'>): number {
  return failedStates.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

/** Whether any line is still in progress, including after a cancellation. */
export function isMoving({ ended_at, counts }: Batch): boolean {
  const open = ['waiting', 'creating', 'unknown_outcome', 'cancelling']
  return ended_at === null || open.some((state) => (counts[state] ?? 0) > 0)
}

/** The state of a batch: once it is completed, whether its lines got guides. */
export function stateOf({ status, result }: Batch): string {
  return status === 'completed' && result !== null ? `${result}_created` : status
}
