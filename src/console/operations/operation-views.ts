import type { Input } from '../../client/methods.ts'

export type OperationQuery = Omit<Input<'listOperations'>, 'limit' | 'cursor'>

/** A tab of the work list. */
export type OperationView = {
  readonly id: string
  readonly title: string
  readonly query: OperationQuery
  /** Those that wait longest come first, except where nothing waits. */
  readonly order: 'oldest' | 'newest'
  readonly whenEmpty: string
}

export const operationViews = [
  {
    id: 'review',
    title: 'Needs review',
    query: { status: 'needs_review', snoozed: 'false' },
    order: 'oldest',
    whenEmpty: 'No operation needs a decision.',
  },
  {
    id: 'contradicted',
    title: 'Contradicted',
    query: { contradicted: 'true', status: 'needs_review' },
    order: 'oldest',
    whenEmpty: 'No evidence speaks against a conclusion.',
  },
  {
    id: 'overdue',
    title: 'Past the promise',
    query: { open: 'true', older_than_seconds: 28_800 },
    order: 'oldest',
    whenEmpty: 'No operation has been open for over 8 hours.',
  },
  {
    id: 'unconfirmed',
    title: 'Unconfirmed guides',
    query: { unconfirmed: 'true' },
    order: 'oldest',
    whenEmpty: 'No decided guide waits for the courier to confirm it.',
  },
  {
    id: 'surplus',
    title: 'Guides to cancel',
    query: { surplus: 'true' },
    order: 'oldest',
    whenEmpty: 'The courier lists no guide that a decision does not use.',
  },
  {
    id: 'reconciling',
    title: 'Reconciling',
    query: { status: 'reconciling' },
    order: 'oldest',
    whenEmpty: 'No outcome is being looked for.',
  },
  {
    id: 'mine',
    title: 'Mine',
    query: { assignee: 'me', open: 'true' },
    order: 'oldest',
    whenEmpty: 'No open operation is assigned to you.',
  },
  {
    id: 'snoozed',
    title: 'Put off',
    query: { snoozed: 'true' },
    order: 'oldest',
    whenEmpty: 'No operation is put off.',
  },
  {
    id: 'all',
    title: 'All',
    query: {},
    order: 'newest',
    whenEmpty: 'The outcome of every call was known at once.',
  },
] as const satisfies readonly OperationView[]

/** What each view counts, where the service counts it. */
export const countOfView = {
  review: 'to_review',
  contradicted: 'contradicted',
  overdue: 'past_deadline',
  unconfirmed: 'unconfirmed',
  surplus: 'surplus',
  reconciling: 'reconciling',
  snoozed: 'snoozed',
} as const

export function viewOf(id: string | undefined): OperationView {
  return operationViews.find((view) => view.id === id) ?? operationViews[0]
}
