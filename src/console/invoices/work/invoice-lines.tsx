import { i18n } from '@lingui/core'
import { Button, Stack, Tabs } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Answered } from '../../../client/methods.ts'
import { formatNumber } from '../../languages/language.ts'
import { FilterBar, FilterSelect } from '../../lists/filters.tsx'
import { asLineRows } from '../../lists/line-rows.ts'
import { type PagedList, usePagedList } from '../../lists/paged-list.ts'
import { Table } from '../../lists/table.tsx'
import { useUrlFilters } from '../../lists/url-filters.ts'
import { useChosen } from '../../lists/use-chosen.tsx'
import { ActButton } from '../../parts/act-button.tsx'
import { usePolled } from '../../reading/polled.ts'
import { useSession } from '../../session.tsx'
import { type Invoice, isCash, isFinding, isWithdrawn } from '../invoice-findings.ts'
import { InvoiceFrame } from '../invoice-frame.tsx'
import { LinesCsv } from '../lines-csv.tsx'
import { DecideChosen } from './decide-chosen.tsx'
import { columnsOf, type Row } from './line-columns.tsx'
import {
  countOf,
  decidedLines,
  hrefOfBilled,
  hrefOfLine,
  type LineView,
  lineFilterNames,
  queryOf,
  shownKinds,
  shownLines,
  tabsOf,
  tabWord,
  viewOf,
} from './line-view.ts'
import { LinesEvidence } from './lines-evidence.tsx'
import { OpenLine } from './open-line.tsx'
import { RestToCheck } from './rest-to-check.tsx'

/** A decision about several lines at once must stay reviewable. */
const chosenMax = 50

/** The lines of an invoice as a work list. */
export function InvoiceLinesScreen({ id }: { readonly id: string }) {
  return (
    <InvoiceFrame id={id} part="/lines">
      {(invoice) => <Lines invoice={invoice} />}
    </InvoiceFrame>
  )
}

type InvoiceProps = { readonly invoice: Answered<Invoice> }
type ViewProps = InvoiceProps & { readonly view: LineView }

function Lines({ invoice }: InvoiceProps) {
  const { filters, setFilters } = useUrlFilters(lineFilterNames)
  const view = viewOf(invoice, filters)
  const { finding, kind, show, version } = view
  return (
    <>
      <FindingTabs
        invoice={invoice}
        view={view}
        onChange={(id) => setFilters({ finding: id, line: '' })}
      />
      {!view.isNewest && (
        <p className="what-next" role="status">
          {i18n.t('Version {version} of {newest}, as it was when the next version was imported.', {
            version,
            newest: invoice.version,
          })}{' '}
          <Link href={`/courier-invoices/${invoice.id}/lines`}>{i18n.t('Show the newest')}</Link>
        </p>
      )}
      <FilterBar
        count={(show === '' ? 0 : 1) + (kind === null ? 0 : 1)}
        onClear={() => setFilters({ show: '', kind: '', line: '' })}
      >
        <FilterSelect
          label={i18n.t('Show')}
          value={show}
          onChange={(value) => setFilters({ show: value, line: '' })}
          options={shownLines()}
        />
        {(kind !== null || invoice.amounts.some(isCash)) && (
          <FilterSelect
            label={i18n.t('Kind')}
            value={kind ?? ''}
            onChange={(value) => setFilters({ kind: value, line: '' })}
            options={shownKinds()}
          />
        )}
      </FilterBar>
      <WorkList key={`${finding} ${kind} ${show} ${version}`} invoice={invoice} view={view} />
    </>
  )
}

type TabsProps = ViewProps & { readonly onChange: (finding: string) => void }

function FindingTabs({ invoice, view, onChange }: TabsProps) {
  const found = view.isNewest ? tabsOf(invoice) : (['all'] as const)
  const tabs = found.some((one) => one === view.finding) ? found : [...found, view.finding]
  return (
    <Tabs value={view.finding} onChange={(id) => id !== null && onChange(id)} className="view-tabs">
      <Tabs.List aria-label={i18n.t('Findings')}>
        {tabs.map((each) => (
          <Tabs.Tab
            key={each}
            value={each}
            rightSection={
              view.isNewest && <TabCount invoice={invoice} view={{ ...view, finding: each }} />
            }
          >
            {tabWord(each)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

/** Counts stop at one page. */
const countMax = 100
const countEveryMs = 10_000

/** The number of lines of a tab: from the invoice if it has it, otherwise counted up to one page. */
function TabCount({ invoice, view }: ViewProps) {
  const { client } = useSession()
  const known = countOf(invoice, view)
  const input = { id: invoice.id, ...queryOf(view), limit: countMax }
  const page = usePolled(
    ['invoice-lines', 'count', input],
    client.courierInvoices.listLines,
    input,
    {
      everyMs: () => countEveryMs,
      isEnabled: known === null,
    },
  ).data
  if (known === null && page === undefined) return null
  return (
    <span className="tab-count">
      {known !== null ? formatNumber(known) : page?.has_more ? `${countMax}+` : page?.data.length}
    </span>
  )
}

function WorkList({ invoice, view }: ViewProps) {
  const list = useLines(invoice, view)
  const area = useRef<HTMLDivElement>(null)
  const { setFilter } = useUrlFilters(lineFilterNames)
  const goTo = useNextInFocus(area, view.line)
  const [last, setLast] = useState<Decided | null>(null)
  return (
    <div className="invoice-work" data-open={view.line !== null}>
      <Stack className="invoice-list" gap="xs" miw={0} mih={0} ref={area}>
        {last !== null && <LastDecided invoice={invoice} view={view} last={last} />}
        <List invoice={invoice} view={view} list={list} />
      </Stack>
      {view.line !== null && (
        <OpenLine
          key={view.line}
          invoice={invoice}
          view={view}
          line={view.line}
          listed={list.rows.find(({ line }) => line === view.line) ?? null}
          onDecided={({ line, decision }, next) => {
            setLast({ line, decision: decision?.decision ?? null, isLast: next === null })
            if (next !== null) goTo(() => setFilter('line', String(next)))
          }}
          onClose={() => goTo(() => setFilter('line', ''))}
        />
      )}
    </div>
  )
}

type Decided = { readonly line: number; readonly decision: string | null; readonly isLast: boolean }

/** The last decision, with a link back to its line. A dialog would cover the next line. */
function LastDecided({ invoice, view, last }: ViewProps & { readonly last: Decided }) {
  const { line, isLast } = last
  const href = hrefOfBilled({ courier_invoice_id: invoice.id, version: view.version, line })
  return (
    <p className="what-next" role="status">
      {decidedText(last)}{' '}
      {isLast &&
        (isFinding(view.finding)
          ? `${i18n.t('It was the last line with this finding.')} `
          : `${i18n.t('It was the last line.')} `)}
      <Link href={href}>{i18n.t('Back to the line')}</Link>
      {isLast && <RestToCheck invoice={invoice} />}
    </p>
  )
}

function decidedText({ line, decision }: Decided): string {
  if (decision === 'accepted') return i18n.t('Line {line} is accepted.', { line })
  if (decision === 'disputed') return i18n.t('Line {line} is disputed.', { line })
  return i18n.t('Line {line} is decided.', { line })
}

/**
 * Moves the focus to the row of the next line after a decision, so that keyboard navigation
 * continues there.
 */
function useNextInFocus(area: React.RefObject<HTMLDivElement | null>, line: number | null) {
  const isAsked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line is another row
  useEffect(() => {
    if (!isAsked.current) return
    isAsked.current = false
    requestAnimationFrame(() => {
      const row = area.current?.querySelector<HTMLElement>('a[aria-current="true"]')
      row?.focus({ preventScroll: true })
    })
  }, [line])
  return (act: () => void) => {
    isAsked.current = true
    act()
  }
}

type ListProps = ViewProps & { readonly list: PagedList<Row> }

function List({ invoice, view, list }: ListProps) {
  const queries = useQueryClient()
  const { chosen, isFull, choice, clear, chooseFirst } = useChosen(
    list.rows,
    chosenMax,
    ({ line }) => i18n.t('line {line}', { line }),
  )
  const [deciding, setDeciding] = useState<readonly Row[] | null>(null)
  const columns = columnsOf(view)
  const canDecide = view.isNewest && !isWithdrawn(invoice)
  return (
    <>
      <Table
        what="lines"
        list={list}
        columns={canDecide ? [choice, ...columns] : columns}
        href={({ line }) => hrefOfLine(invoice.id, view, line)}
        openedId={list.rows.find(({ line }) => line === view.line)?.id ?? null}
        whenEmpty={emptyText(view)}
        aside={
          <div className="actions">
            {canDecide && (
              <>
                <Button variant="default" onClick={chosen.length === 0 ? chooseFirst : clear}>
                  {chosen.length === 0
                    ? i18n.t('Select the first {count}', {
                        count: Math.min(chosenMax, list.rows.length),
                      })
                    : i18n.t('Clear the selection')}
                </Button>
                <ActButton
                  word={
                    chosen.length === 0
                      ? i18n.t('Decide…')
                      : i18n.t('Decide {count}…', { count: chosen.length })
                  }
                  scope="operations:review"
                  refused={
                    chosen.length === 0
                      ? i18n.t('Select lines first, with x or the checkbox.')
                      : null
                  }
                  isReasonHidden
                  onAct={() => setDeciding(chosen)}
                />
                {isFull && (
                  <span className="reason" role="status">
                    {i18n.t('At most {count} lines can be decided at once.', { count: chosenMax })}
                  </span>
                )}
              </>
            )}
            <LinesEvidence invoiceId={invoice.id} view={view} />
            <LinesCsv invoiceId={invoice.id} query={queryOf(view)} word="CSV" />
          </div>
        }
      />
      {deciding !== null && (
        <DecideChosen
          invoice={invoice}
          lines={deciding}
          onDone={() => decidedLines(queries)}
          onClose={() => {
            setDeciding(null)
            clear()
          }}
        />
      )}
    </>
  )
}

function emptyText({ finding, show }: LineView): string {
  if (finding === 'matched' || show === 'all') return i18n.t('No matching lines.')
  if (show === 'outdated') return i18n.t('Every decision is about the current finding.')
  if (show === 'accepted') return i18n.t('No accepted lines.')
  if (show === 'disputed') return i18n.t('No disputed lines.')
  if (show === 'decided') return i18n.t('No decisions yet.')
  if (finding === 'differs') return i18n.t('Every line that differs is decided.')
  return finding === 'all'
    ? i18n.t('Every line is decided.')
    : i18n.t('Every line with this finding is decided.')
}

function useLines(invoice: Invoice, view: LineView): PagedList<Row> {
  const { client } = useSession()
  const { id } = invoice
  const query = queryOf(view)
  return usePagedList<Row>({
    queryKey: ['invoice-lines', 'list', id, query],
    order: 'oldest',
    read: async (page, options) =>
      asLineRows(
        await client.courierInvoices.listLines({ id, ...query, ...page }, options as object),
      ),
  })
}
