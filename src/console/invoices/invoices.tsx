import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { formatNumber } from '../languages/language.ts'
import '../styles/invoices.css'
import { Link, useLocation } from 'wouter'
import { FilterBar, FilterSelect, FilterText } from '../lists/filters.tsx'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { ConnectionName } from '../parts/names.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Loading } from '../parts/states.tsx'
import { CodeMissing, useCode } from '../reading/use-code.tsx'
import { useSession } from '../session.tsx'
import { ConnectionFilter } from './connection-choice.tsx'
import { type Invoice, periodOf, toCheck } from './invoice-findings.ts'
import { atStakeBy, billedBy, billedText } from './invoice-money.ts'

const filterNames = ['connection', 'reference', 'undecided'] as const

const columns = (): readonly Column<Invoice>[] => [
  { name: i18n.t('Reference'), width: 'minmax(6.5rem, 1fr)', cell: (row) => row.reference },
  {
    name: i18n.t('Connection'),
    width: 'minmax(7.5rem, 1.2fr)',
    isLong: true,
    cell: (row) => <ConnectionName id={row.courier_connection_id} />,
  },
  {
    name: i18n.t('Period'),
    width: 'minmax(5.5rem, 0.8fr)',
    isLong: true,
    cell: (row) => <span title={periodOf(row)}>{periodOf(row)}</span>,
  },
  { name: i18n.t('State'), width: '7.2rem', cell: (row) => <Badge value={row.status} /> },
  { name: i18n.t('Lines'), width: '3.6rem', cell: (row) => formatNumber(row.total) },
  money(i18n.t('Amount'), billedText),
  { name: i18n.t('To check'), width: '4.4rem', cell: (row) => <ToCheck invoice={row} /> },
  money(i18n.t('At stake'), (row) => atStakeBy(row, 'to_check')),
  money(i18n.t('Disputed'), (row) => billedBy(row, 'disputed')),
  money(i18n.t('Accepted'), (row) => billedBy(row, 'accepted')),
]

function money(name: string, textOf: (row: Invoice) => string | null): Column<Invoice> {
  return {
    name,
    width: 'minmax(6.2rem, 0.8fr)',
    isLong: true,
    cell: (row) => {
      const text = textOf(row)
      return text === null ? <span className="far">–</span> : <span title={text}>{text}</span>
    },
  }
}

function ToCheck({ invoice }: { readonly invoice: Invoice }) {
  const lines = toCheck(invoice)
  if (lines === null) return '…'
  return lines === 0 ? (
    <span className="far">{formatNumber(0)}</span>
  ) : (
    <strong>{formatNumber(lines)}</strong>
  )
}

/** The couriers' invoices, newest first, and their findings by month. */
export function Invoices() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  const { filters, field, clear } = useUrlFilters(filterNames)
  const { connection, reference, undecided } = filters
  const query = {
    ...(connection === undefined ? {} : { courier_connection_id: connection }),
    ...(reference === undefined ? {} : { reference }),
    ...(undecided === undefined ? {} : { undecided: undecided as 'true' | 'false' }),
  }
  const list = usePagedList<Invoice>({
    queryKey: ['invoices', 'list', query],
    read: (page, options) => client.courierInvoices.list({ ...query, ...page }, options),
  })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <ScreenHead
        title={i18n.t('Courier invoices')}
        acts={
          <ActButton
            word={i18n.t('Import an invoice')}
            scope="operations:review"
            isPrimary
            onAct={() => goTo('/courier-invoices/new')}
          />
        }
      >
        <p className="reason">
          {i18n.t(
            'Couriers’ invoices, compared line by line with what was shipped. Nothing is booked.',
          )}
        </p>
      </ScreenHead>
      {list.rows.length > 0 && <Chart query={query} />}
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
        <ConnectionFilter {...field('connection')} />
        <FilterText label={i18n.t('Exact reference')} {...field('reference')} />
        <FilterSelect
          label={i18n.t('To decide')}
          {...field('undecided')}
          options={[
            ['', i18n.t('Any')],
            ['true', i18n.t('Yes')],
            ['false', i18n.t('No')],
          ]}
        />
      </FilterBar>
      <Table
        what="invoices"
        list={list}
        columns={columns()}
        href={(row) => `/courier-invoices/${row.id}`}
        whenEmpty={
          isFiltered ? (
            i18n.t('No matching invoices.')
          ) : (
            <Trans
              id="A courier bills by guide number. <first>Import the first invoice</first> to compare each line with the ledger."
              components={{ first: <Link href="/courier-invoices/new" /> }}
            />
          )
        }
      />
    </>
  )
}

type ChartProps = { readonly query: { readonly courier_connection_id?: string } }

/** The chart is most of this screen's code, so the list does not wait for it. */
function Chart({ query }: ChartProps) {
  const code = useCode('findings-chart', () => import('./findings-chart.tsx'))
  if (code.isMissing) return <CodeMissing>{i18n.t('The chart could not be loaded.')}</CodeMissing>
  if (code.data === undefined) return <Loading />
  const { FindingsChart } = code.data
  return <FindingsChart query={query} />
}
