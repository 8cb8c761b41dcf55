import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { Button, Tabs, Text } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { useQuery } from '@tanstack/react-query'
import type { Answered, Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { csvOf } from '../lists/csv.ts'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Badge } from '../parts/badge.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { type Invoice, kindIn, type LineKind, periodOf } from './invoice-findings.ts'
import { InvoiceFrame } from './invoice-frame.tsx'
import { addedText } from './invoice-money.ts'
import { formatKg } from './work/line-columns.tsx'

type Guide = Schemas['UnbilledGuide']
type Row = Guide & { readonly id: string }
type Page = Answered<{ data: Row[]; has_more: boolean; next_cursor: string | null }>

const columns = (): readonly Column<Row>[] => [
  { name: i18n.t('Guide'), width: 'minmax(9.5rem, 1.2fr)', cell: (row) => row.guide_number },
  {
    name: i18n.t('Shipment'),
    width: 'minmax(10rem, 0.9fr)',
    isLong: true,
    cell: (row) => <Badge value={row.status} />,
  },
  {
    name: i18n.t('Expected'),
    width: 'minmax(7rem, 0.8fr)',
    cell: ({ expected }) => priceOf(expected),
  },
  {
    name: i18n.t('Weight'),
    width: 'minmax(5rem, 0.5fr)',
    cell: ({ expected }) => formatKg(expected.weight_kg),
  },
  {
    name: i18n.t('Requested'),
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

function priceOf({ amount, currency }: Guide['expected']): string {
  return amount === null || currency === null
    ? i18n.t('no price known')
    : formatMoney({ amount, currency })
}

/** Lists the guides of the period that no invoice of the connection bills. */
export function NotBilledScreen({ id }: { readonly id: string }) {
  return (
    <InvoiceFrame id={id} part="/not-billed">
      {(invoice) => <NotBilled invoice={invoice} />}
    </InvoiceFrame>
  )
}

function NotBilled({ invoice }: { readonly invoice: Invoice }) {
  const { client } = useSession()
  const { id } = invoice
  const { filters, setFilters } = useUrlFilters(['kind'])
  const kind = kindIn(filters.kind ?? '') ?? 'charge'
  const list = usePagedList<Row>({
    queryKey: ['not-billed', id, kind],
    order: 'oldest',
    read: async (page, options) =>
      asRows(
        await client.courierInvoices.listGuidesNotBilled({ id, kind, ...page }, options as object),
      ),
  })
  return (
    <>
      <Tabs
        value={kind}
        onChange={(to) => setFilters({ kind: to === 'charge' ? '' : (to ?? '') })}
        className="view-tabs"
      >
        <Tabs.List aria-label={i18n.t('Kind')}>
          <Tabs.Tab value="charge">{i18n.t('Charges')}</Tabs.Tab>
          <Tabs.Tab value="cash_on_delivery">{i18n.t('Cash on delivery')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <p className="reason">{aboutText(kind, invoice)}</p>
      <Sum invoiceId={id} kind={kind} />
      <Table
        what="guides"
        list={list}
        columns={columns()}
        href={(row) => `/shipments/${row.id}`}
        whenEmpty={
          kind === 'charge'
            ? i18n.t('Every guide of the period is billed.')
            : i18n.t('All cash on delivery of the period is paid out.')
        }
        aside={
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            disabled={list.rows.length === 0}
            onClick={() => saveFile(`not-billed-${kind}-${id}.csv`, 'text/csv', csvText(list.rows))}
          >
            {i18n.t('CSV of the rows shown')}
          </Button>
        }
      />
    </>
  )
}

function aboutText(kind: LineKind, invoice: Invoice): string {
  if (kind === 'cash_on_delivery') {
    return i18n.t(
      'Parcels of the same period that were handed over, with cash on delivery that none of the invoices pays out.',
    )
  }
  return invoice.period === null
    ? i18n.t(
        'Guides of this connection that were requested before the import and are on none of its invoices. Couriers bill some guides late: expect them on the next invoice.',
      )
    : i18n.t(
        'Guides of this connection that were requested in {period} and are on none of its invoices. Couriers bill some guides late: expect them on the next invoice.',
        { period: periodOf(invoice) },
      )
}

/** Rows link to the shipment of the guide. */
function asRows(page: object): Page {
  const { data } = page as { readonly data: Guide[] }
  for (const guide of data) Object.assign(guide, { id: guide.shipment_id })
  return page as Page
}

/** Ten of the API's largest pages. Larger lists are summed in a spreadsheet. */
const pageGuides = 100
const summedMax = 1_000
const freshMs = 30_000

type SumProps = { readonly invoiceId: string; readonly kind: LineKind }

/** The total still to be billed or paid out, without cancelled guides. */
function Sum({ invoiceId: id, kind }: SumProps) {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['not-billed', id, kind, 'sum'],
    queryFn: async ({ signal }) => {
      const guides: Guide[] = []
      const input = { id, kind, limit: pageGuides }
      for await (const guide of client.courierInvoices.listGuidesNotBilled(input, { signal })) {
        if (guides.push(guide) > summedMax) break
      }
      return guides
    },
    staleTime: freshMs,
  })
  if (data === undefined || data.length === 0) return null
  const isAll = data.length <= summedMax
  const summed = data.slice(0, summedMax)
  const due = summed.filter(({ status }) => status !== 'cancelled')
  const unpriced = due.filter(({ expected }) => expected.amount === null).length
  const cancelled = summed.length - due.length
  return (
    <Text inherit m={0} className="not-billed-sum" role="status">
      {due.length > 0 && <Expected guides={due} isAll={isAll} />}
      {unpriced > 0 &&
        ` ${i18n.t('{count, plural, one {# guide without a known price.} other {# guides without a known price.}}', { count: unpriced })}`}
      {cancelled > 0 &&
        ` ${i18n.t('{count, plural, one {# cancelled guide not included.} other {# cancelled guides not included.}}', { count: cancelled })}`}
    </Text>
  )
}

type ExpectedProps = { readonly guides: readonly Guide[]; readonly isAll: boolean }

function Expected({ guides, isAll }: ExpectedProps) {
  const count = guides.length
  const sums = addedText(
    guides.flatMap(({ expected: { amount, currency } }) =>
      amount === null || currency === null ? [] : [{ amount, currency }],
    ),
  )
  const components = { strong: <strong /> }
  if (sums === '') {
    return (
      <Trans
        id="<strong>No price is known</strong> for {count, plural, one {# guide} other {# guides}}."
        values={{ count }}
        components={components}
      />
    )
  }
  return isAll ? (
    <Trans
      id="<strong>{sums}</strong> expected for {count, plural, one {# guide} other {# guides}}."
      values={{ count, sums }}
      components={components}
    />
  ) : (
    <Trans
      id="<strong>{sums}</strong> at least expected for {count, plural, one {# guide} other {# guides}}, of the first {max}."
      values={{ count, sums, max: formatNumber(summedMax) }}
      components={components}
    />
  )
}

function csvText(rows: readonly Row[]): string {
  return csvOf(
    [
      i18n.t('guide_number'),
      i18n.t('shipment_id'),
      i18n.t('status'),
      i18n.t('expected_amount'),
      i18n.t('currency'),
      i18n.t('weight_kg'),
      i18n.t('created_at'),
    ],
    rows.map(
      ({ guide_number: guide, shipment_id: shipmentId, status, expected, created_at: at }) => [
        guide,
        shipmentId,
        status,
        String(expected.amount ?? ''),
        expected.currency ?? '',
        String(expected.weight_kg),
        at,
      ],
    ),
  )
}
