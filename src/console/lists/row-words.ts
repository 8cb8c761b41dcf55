import { i18n } from '@lingui/core'

/** What the rows of a list are. */
export type RowKind = keyof typeof rowWords

type RowWords = {
  readonly name: () => string
  readonly none: () => string
  readonly count: (count: number) => string
}

/** The words for each kind of row: the name of the list, an empty list, and a number of rows. */
export const rowWords = {
  batches: {
    name: () => i18n.t('batches'),
    none: () => i18n.t('No batches'),
    count: (count) => i18n.t('{count, plural, one {# batch} other {# batches}}', { count }),
  },
  connections: {
    name: () => i18n.t('connections'),
    none: () => i18n.t('No connections'),
    count: (count) =>
      i18n.t('{count, plural, one {# connection} other {# connections}}', { count }),
  },
  deliveries: {
    name: () => i18n.t('deliveries'),
    none: () => i18n.t('No deliveries'),
    count: (count) => i18n.t('{count, plural, one {# delivery} other {# deliveries}}', { count }),
  },
  endpoints: {
    name: () => i18n.t('endpoints'),
    none: () => i18n.t('No endpoints'),
    count: (count) => i18n.t('{count, plural, one {# endpoint} other {# endpoints}}', { count }),
  },
  guides: {
    name: () => i18n.t('guides'),
    none: () => i18n.t('No guides'),
    count: (count) => i18n.t('{count, plural, one {# guide} other {# guides}}', { count }),
  },
  invoices: {
    name: () => i18n.t('invoices'),
    none: () => i18n.t('No invoices'),
    count: (count) => i18n.t('{count, plural, one {# invoice} other {# invoices}}', { count }),
  },
  keys: {
    name: () => i18n.t('keys'),
    none: () => i18n.t('No keys'),
    count: (count) => i18n.t('{count, plural, one {# key} other {# keys}}', { count }),
  },
  lines: {
    name: () => i18n.t('lines'),
    none: () => i18n.t('No lines'),
    count: (count) => i18n.t('{count, plural, one {# line} other {# lines}}', { count }),
  },
  operations: {
    name: () => i18n.t('operations'),
    none: () => i18n.t('No operations'),
    count: (count) => i18n.t('{count, plural, one {# operation} other {# operations}}', { count }),
  },
  operators: {
    name: () => i18n.t('operators'),
    none: () => i18n.t('No operators'),
    count: (count) => i18n.t('{count, plural, one {# operator} other {# operators}}', { count }),
  },
  requests: {
    name: () => i18n.t('requests'),
    none: () => i18n.t('No requests'),
    count: (count) => i18n.t('{count, plural, one {# request} other {# requests}}', { count }),
  },
  shipments: {
    name: () => i18n.t('shipments'),
    none: () => i18n.t('No shipments'),
    count: (count) => i18n.t('{count, plural, one {# shipment} other {# shipments}}', { count }),
  },
  webhooks: {
    name: () => i18n.t('webhooks'),
    none: () => i18n.t('No webhooks'),
    count: (count) => i18n.t('{count, plural, one {# webhook} other {# webhooks}}', { count }),
  },
  workspaces: {
    name: () => i18n.t('workspaces'),
    none: () => i18n.t('No workspaces'),
    count: (count) => i18n.t('{count, plural, one {# workspace} other {# workspaces}}', { count }),
  },
} satisfies Readonly<Record<string, RowWords>>
