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
const format = new Intl.NumberFormat('en')

const columns: readonly Column<Invoice>[] = [
  { name: 'Reference', width: 'minmax(6.5rem, 1fr)', cell: (row) => row.reference },
  {
    name: 'Connection',
    width: 'minmax(7.5rem, 1.2fr)',
    isLong: true,
    cell: (row) => <ConnectionName id={row.courier_connection_id} />,
  },
  {
    name: 'Period',
    width: 'minmax(5.5rem, 0.8fr)',
    isLong: true,
    cell: (row) => <span title={periodOf(row)}>{periodOf(row)}</span>,
  },
  { name: 'State', width: '7.2rem', cell: (row) => <Badge value={row.status} /> },
  { name: 'Lines', width: '3.6rem', cell: (row) => format.format(row.total) },
  money('Amount', billedText),
  { name: 'To check', width: '4.4rem', cell: (row) => <ToCheck invoice={row} /> },
  money('At stake', (row) => atStakeBy(row, 'to_check')),
  money('Disputed', (row) => billedBy(row, 'disputed')),
  money('Accepted', (row) => billedBy(row, 'accepted')),
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
  return lines === 0 ? <span className="far">none</span> : <strong>{format.format(lines)}</strong>
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
        title="Courier invoices"
        acts={
          <ActButton
            word="Import an invoice"
            scope="operations:review"
            isPrimary
            onAct={() => goTo('/courier-invoices/new')}
          />
        }
      >
        <p className="reason">
          Couriers’ invoices, compared line by line with what was shipped. Nothing is booked.
        </p>
      </ScreenHead>
      {list.rows.length > 0 && <Chart query={query} />}
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
        <ConnectionFilter {...field('connection')} />
        <FilterText label="Exact reference" {...field('reference')} />
        <FilterSelect
          label="To decide"
          {...field('undecided')}
          options={[
            ['', 'Any'],
            ['true', 'Yes'],
            ['false', 'No'],
          ]}
        />
      </FilterBar>
      <Table
        what="invoices"
        list={list}
        columns={columns}
        href={(row) => `/courier-invoices/${row.id}`}
        whenEmpty={
          isFiltered ? (
            'No matching invoices.'
          ) : (
            <>
              A courier bills by guide number.{' '}
              <Link href="/courier-invoices/new">Import the first invoice</Link> to compare each
              line with the ledger.
            </>
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
  if (code.isMissing) return <CodeMissing what="The chart" />
  if (code.data === undefined) return <Loading what="the chart" />
  const { FindingsChart } = code.data
  return <FindingsChart query={query} />
}
