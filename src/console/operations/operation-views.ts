import { i18n } from '@lingui/core'
import type { Input } from '../../client/methods.ts'

export type OperationQuery = Omit<Input<'listOperations'>, 'limit' | 'cursor'>

/** A tab of the work list. */
export type OperationView = {
  readonly id: string
  readonly title: () => string
  readonly query: OperationQuery
  /** Oldest first, except in views where nothing is waiting. */
  readonly order: 'oldest' | 'newest'
  readonly whenEmpty: () => string
}

export const operationViews = [
  {
    id: 'review',
    title: () => i18n.t('Needs review'),
    query: { status: 'needs_review', snoozed: 'false' },
    order: 'oldest',
    whenEmpty: () => i18n.t('No operations need a decision.'),
  },
  {
    id: 'contradicted',
    title: () => i18n.t('Contradicted'),
    query: { contradicted: 'true', status: 'needs_review' },
    order: 'oldest',
    whenEmpty: () => i18n.t('No decisions are contradicted.'),
  },
  {
    id: 'overdue',
    title: () => i18n.t('Overdue'),
    query: { open: 'true', older_than_seconds: 28_800 },
    order: 'oldest',
    whenEmpty: () => i18n.t('No operations have been open for over 8 hours.'),
  },
  {
    id: 'unconfirmed',
    title: () => i18n.t('Unconfirmed guides'),
    query: { unconfirmed: 'true' },
    order: 'oldest',
    whenEmpty: () => i18n.t('No decided guides are waiting for the courier’s confirmation.'),
  },
  {
    id: 'surplus',
    title: () => i18n.t('Guides to cancel'),
    query: { surplus: 'true' },
    order: 'oldest',
    whenEmpty: () => i18n.t('No operations have an extra guide.'),
  },
  {
    id: 'reconciling',
    title: () => i18n.t('Reconciling'),
    query: { status: 'reconciling' },
    order: 'oldest',
    whenEmpty: () => i18n.t('No operations are being reconciled.'),
  },
  {
    id: 'mine',
    title: () => i18n.t('Mine'),
    query: { assignee: 'me', open: 'true' },
    order: 'oldest',
    whenEmpty: () => i18n.t('No open operations are assigned to you.'),
  },
  {
    id: 'snoozed',
    title: () => i18n.t('Snoozed'),
    query: { snoozed: 'true' },
    order: 'oldest',
    whenEmpty: () => i18n.t('No operations are snoozed.'),
  },
  {
    id: 'all',
    title: () => i18n.t('All'),
    query: {},
    order: 'newest',
    whenEmpty: () => i18n.t('The outcome of every call was known immediately.'),
  },
] as const satisfies readonly OperationView[]

/** The service's count for each view that has one. */
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
