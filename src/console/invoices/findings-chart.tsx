import { i18n } from '@lingui/core'
import { formatNumber } from '../languages/language.ts'
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { Box, ColorSwatch, Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Client } from '../../client/create-client.ts'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { findingsByMonth, type Month } from './findings-by-month.ts'
import {
  type Finding,
  findingWord,
  type Invoice,
  monthName,
  questioned,
} from './invoice-findings.ts'

const everyMs = 30_000
const heightPx = 200
const barPx = 44
/** Three of the API's largest pages: a year of monthly invoices from 25 couriers. */
const pageInvoices = 100
const invoicesMax = 300

type Query = { readonly courier_connection_id?: string }
type ChartProps = { readonly query: Query }

/** The lines that did not match in the invoices of the last twelve months. */
export function FindingsChart({ query }: ChartProps) {
  const { client } = useSession()
  const read = useQuery({
    queryKey: ['invoices', 'chart', query],
    queryFn: ({ signal }) => newest(client, query, signal),
    refetchInterval: polledEvery(everyMs),
    placeholderData: keepPreviousData,
  })
  const { data, error, isPending } = useShown(read, JSON.stringify(query))
  const months = data === undefined ? [] : findingsByMonth(data.invoices)
  return (
    <Panel
      title={i18n.t('Findings by month')}
      aside={data !== undefined && <span className="reason">{spanOf(months, data.isAll)}</span>}
    >
      {data !== undefined ? (
        <Months months={months} />
      ) : isPending ? (
        <Loading />
      ) : (
        <Failed error={error} />
      )}
    </Panel>
  )
}

async function newest(client: Client, query: Query, signal: AbortSignal) {
  const invoices: Invoice[] = []
  const listed = client.courierInvoices.list({ ...query, limit: pageInvoices }, { signal })
  for await (const invoice of listed) {
    if (invoices.push(invoice) > invoicesMax) break
  }
  return { invoices: invoices.slice(0, invoicesMax), isAll: invoices.length <= invoicesMax }
}

function spanOf(months: readonly Month[], isAll: boolean): string {
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return ''
  const span =
    first === last
      ? monthName(first.month)
      : i18n.t('{from} to {to}', { from: monthName(first.month), to: monthName(last.month) })
  return isAll
    ? span
    : i18n.t('{months}, of the newest {count} invoices', { months: span, count: invoicesMax })
}

function Months({ months }: { readonly months: readonly Month[] }) {
  const shown = questioned.filter((finding) => sumOf(months, finding) > 0)
  if (shown.length === 0) {
    return (
      <Empty title={i18n.t('No differences')}>
        {i18n.t('Every line of these invoices matches the ledger.')}
      </Empty>
    )
  }
  return (
    <>
      <div role="img" aria-label={months.map((month) => inWords(month, shown)).join('; ')}>
        <BarChart
          h={heightPx}
          data={months.map(({ month, found }) => ({ month: monthName(month), ...found }))}
          dataKey="month"
          type="stacked"
          tickLine="none"
          maxBarWidth={barPx}
          yAxisProps={{ allowDecimals: false }}
          valueFormatter={(value) => formatNumber(value)}
          series={shown.map((finding) => ({
            name: finding,
            label: findingWord(finding),
            color: colorOf(finding),
          }))}
          barProps={{
            isAnimationActive: false,
            stroke: 'var(--mantine-color-body)',
            strokeWidth: 1,
          }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <Group gap="2xs" mt="xs" fz="sm" aria-hidden>
        {shown.map((finding) => (
          <Group key={finding} gap="2xs" mr="xs">
            <ColorSwatch color={colorOf(finding)} size={12} radius="sm" withShadow={false} />
            {findingWord(finding)}
          </Group>
        ))}
      </Group>
      <Box component="details" className="more" mt="xs" fz="sm">
        <summary>{i18n.t('Show as a table')}</summary>
        <MonthsTable months={months} shown={shown} />
      </Box>
    </>
  )
}

function colorOf(finding: Finding): string {
  return `var(--finding-${finding.replaceAll('_', '-')})`
}

function sumOf(months: readonly Month[], finding: Finding): number {
  return months.reduce((sum, { found }) => sum + (found[finding] ?? 0), 0)
}

function inWords({ month, invoices, found }: Month, shown: readonly Finding[]): string {
  const named = monthName(month)
  if (invoices === 0) return i18n.t('{month}: no invoice', { month: named })
  const words = shown.flatMap((finding) => {
    const count = found[finding] ?? 0
    return count === 0
      ? []
      : [i18n.t('{count} {finding}', { count, finding: findingWord(finding) })]
  })
  return words.length === 0
    ? i18n.t('{month}: no differences', { month: named })
    : i18n.t('{month}: {findings}', { month: named, findings: words.join(', ') })
}

function MonthsTable({ months, shown }: Parts) {
  return (
    <WideTable
      name={i18n.t('Findings by month')}
      columns={[
        i18n.t('Month'),
        i18n.t('Invoices'),
        i18n.t('Lines'),
        ...shown.map((finding) => findingWord(finding)),
      ]}
    >
      {months.map(({ month, invoices, lines, found }) => (
        <tr key={month}>
          <td className="steady">{monthName(month)}</td>
          {invoices === 0 ? (
            <td colSpan={2 + shown.length}>{i18n.t('no invoice')}</td>
          ) : (
            <>
              <td>
                {i18n.t('{count, plural, one {# invoice} other {# invoices}}', { count: invoices })}
              </td>
              <td>{formatNumber(lines)}</td>
              {shown.map((finding) => (
                <td key={finding}>{formatNumber(found[finding] ?? 0)}</td>
              ))}
            </>
          )}
        </tr>
      ))}
    </WideTable>
  )
}

type Parts = { readonly months: readonly Month[]; readonly shown: readonly Finding[] }
