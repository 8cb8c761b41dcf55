import { i18n } from '@lingui/core'
import type { QueryClient } from '@tanstack/react-query'
import type { Input } from '../../../client/methods.ts'
import { stateWord } from '../../parts/state-words.ts'
import {
  type Finding,
  findingNames,
  findingWord,
  type Invoice,
  isFinding,
  kindIn,
  type LineKind,
  linesWith,
  questioned,
} from '../invoice-findings.ts'

/** The filters of an invoice's lines in the page's address. */
export const lineFilterNames = ['finding', 'kind', 'show', 'version', 'line'] as const
type LineFilters = Partial<Record<(typeof lineFilterNames)[number], string>>

export const shownLines = () =>
  [
    ['', i18n.t('Undecided')],
    ['decided', i18n.t('Decided')],
    ['accepted', i18n.t('Accepted')],
    ['disputed', i18n.t('Disputed')],
    ['outdated', i18n.t('Outdated')],
    ['all', i18n.t('All')],
  ] as const

export const shownKinds = () =>
  [
    ['', i18n.t('All lines')],
    ['charge', i18n.t('Charges')],
    ['cash_on_delivery', i18n.t('Cash on delivery')],
  ] as const

export type LineView = {
  readonly finding: Finding | 'differs' | 'all'
  /** Null for lines of every kind. */
  readonly kind: LineKind | null
  /** Empty for lines without a decision. */
  readonly show: string
  readonly version: number
  /** Earlier versions are read-only. */
  readonly isNewest: boolean
  /** The line open next to the list. */
  readonly line: number | null
}

type LineQuery = Omit<Input<'listCourierInvoiceLines'>, 'limit' | 'cursor' | 'id'>

/** All that differ, then the findings that have lines, most urgent first, then "all". */
export function tabsOf(invoice: Invoice): readonly LineView['finding'][] {
  const found = findingNames.filter((one) => linesWith(invoice, one) > 0)
  return [...(isDiffering(invoice) ? (['differs'] as const) : []), ...found, 'all']
}

function isDiffering(invoice: Invoice): boolean {
  return questioned.some((one) => linesWith(invoice, one) > 0)
}

/** The word for the lines with this finding. */
export function tabWord(finding: LineView['finding']): string {
  if (finding === 'differs') return i18n.t('Differences')
  return finding === 'all' ? i18n.t('All') : findingWord(finding)
}

/** The number of lines of a view of the newest version; null if it is not known. */
export function countOf(invoice: Invoice, { finding, kind, show }: LineView): number | null {
  if (finding === 'all' && kind === null) {
    const { accepted, disputed, outdated } = invoice.decisions
    return counts({ lines: invoice.total, accepted, disputed, outdated }, show)
  }
  const totals = invoice.totals.filter(
    (each) =>
      (kind === null || each.kind === kind) &&
      (finding === 'all' ||
        (finding === 'differs'
          ? questioned.some((one) => one === each.finding)
          : each.finding === finding)),
  )
  const sum = (part: 'accepted' | 'disputed') =>
    totals.reduce((all, each) => all + each[part].lines, 0)
  const lines = totals.reduce((all, each) => all + each.lines, 0)
  return counts({ lines, accepted: sum('accepted'), disputed: sum('disputed') }, show)
}

type Counts = {
  readonly lines: number
  readonly accepted: number
  readonly disputed: number
  readonly outdated?: number
}

function counts({ lines, accepted, disputed, outdated }: Counts, show: string): number | null {
  if (show === 'all') return lines
  if (show === 'accepted') return accepted
  if (show === 'disputed') return disputed
  if (show === 'outdated') return outdated ?? null
  return show === 'decided' ? accepted + disputed : Math.max(0, lines - accepted - disputed)
}

export function viewOf(invoice: Invoice, filters: LineFilters): LineView {
  const { finding = '', kind = '', show = '', line = '' } = filters
  const version = Number(filters.version ?? invoice.version)
  const isNewest = version === invoice.version
  const isKnown = finding === 'all' || finding === 'differs' || isFinding(finding)
  return {
    finding: isKnown ? finding : isNewest && isDiffering(invoice) ? 'differs' : 'all',
    kind: kindIn(kind),
    show,
    version,
    isNewest,
    line: /^[1-9]\d*$/.test(line) ? Number(line) : null,
  }
}

/** The API query of the view. */
export function queryOf({ finding, kind, show, version, isNewest }: LineView): LineQuery {
  return {
    ...(kind === null ? {} : { kind }),
    ...(finding === 'all' ? {} : finding === 'differs' ? { differs: 'true' } : { finding }),
    ...decidedAs(show),
    ...(isNewest ? {} : { version: String(version) }),
  }
}

function decidedAs(show: string): Pick<LineQuery, 'decided' | 'decision'> {
  if (show === 'all') return {}
  if (show === 'accepted' || show === 'disputed') return { decision: show }
  if (show === 'outdated') return { decided: 'outdated' }
  return { decided: show === 'decided' ? 'true' : 'false' }
}

/** A description of the listed lines. */
export function viewText({ finding: name, show }: LineView): string {
  const finding =
    name === 'all'
      ? i18n.t('every finding')
      : name === 'differs'
        ? i18n.t('differences')
        : stateWord(name)
  if (show === 'all') return finding
  if (show === 'decided') return i18n.t('{finding}, decided', { finding })
  if (show === 'accepted') return i18n.t('{finding}, accepted', { finding })
  if (show === 'disputed') return i18n.t('{finding}, disputed', { finding })
  if (show === 'outdated') return i18n.t('{finding}, outdated', { finding })
  return i18n.t('{finding}, undecided', { finding })
}

/** The address of the same view with another line open. */
export function hrefOfLine(invoiceId: string, view: LineView, line: number): string {
  const { finding, kind, show, version, isNewest } = view
  const query = new URLSearchParams({ finding })
  if (kind !== null) query.set('kind', kind)
  if (show !== '') query.set('show', show)
  if (!isNewest) query.set('version', String(version))
  query.set('line', String(line))
  return `/courier-invoices/${invoiceId}/lines?${query}`
}

/** The address of a line of any invoice and version. */
export function hrefOfBilled(of: {
  readonly courier_invoice_id: string
  readonly version: number
  readonly line: number
}): string {
  const query = `finding=all&show=all&version=${of.version}&line=${of.line}`
  return `/courier-invoices/${of.courier_invoice_id}/lines?${query}`
}

/**
 * Refreshes the visible rows, the counts, the open line and the invoice after a decision. The rest
 * of a list of 100,000 lines is not read again.
 */
export async function decidedLines(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({
      queryKey: ['invoice-lines'],
      predicate: ({ queryKey }) => queryKey.at(-1) !== 'pages',
    }),
    queries.invalidateQueries({ queryKey: ['invoice-line'] }),
    queries.invalidateQueries({ queryKey: ['invoice'] }),
    queries.invalidateQueries({ queryKey: ['invoices'] }),
  ])
}
