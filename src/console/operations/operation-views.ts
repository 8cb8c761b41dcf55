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
    id: 'unconfirmed',
    title: 'Unconfirmed',
    query: { unconfirmed: 'true' },
    order: 'oldest',
    whenEmpty: 'The courier has confirmed every guide that a person decided for.',
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
    query: { assignee: 'me' },
    order: 'oldest',
    whenEmpty: 'No operation is assigned to you.',
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
  unconfirmed: 'unconfirmed',
  reconciling: 'reconciling',
  snoozed: 'snoozed',
} as const

export function viewOf(id: string | undefined): OperationView {
  return operationViews.find((view) => view.id === id) ?? operationViews[0]
}
