import { Link } from 'wouter'
import { Badge } from '../parts/badge.tsx'
import { WideTable } from '../parts/wide-table.tsx'
import { formatMoney } from '../shipments/money.ts'
import { findingNames, type Invoice, sumsOf } from './invoice-findings.ts'

const whole = new Intl.NumberFormat('en')
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** A share that is not zero is not shown as zero, and one that is not all not as all. */
function shareOf(part: number, all: number): string {
  if (all === 0) return '–'
  const share = part / all
  if (share > 0 && share < 0.001) return '< 0.1%'
  return share < 1 && share > 0.999 ? '> 99.9%' : percent.format(share)
}

/** The lines by finding and currency, with counts, sums and shares. */
export function InvoiceTotals({ invoice }: { readonly invoice: Invoice }) {
  const { id, totals, total } = invoice
  const sums = new Map(sumsOf(invoice).map(({ currency, amount }) => [currency, amount]))
  const rows = totals.toSorted(
    (one, other) =>
      placeOf(one.finding) - placeOf(other.finding) || (one.currency < other.currency ? -1 : 1),
  )
  const lines = totals.reduce((sum, each) => sum + each.lines, 0)
  return (
    <div className="invoice-totals">
      <WideTable
        name="Lines by finding"
        columns={['Finding', 'Lines', 'Amount', 'Share of lines', 'Share of amount']}
      >
        {rows.map(({ finding, currency, lines: count, amount }) => (
          <tr key={`${finding} ${currency}`}>
            <td>
              <Link href={`/courier-invoices/${id}/lines?finding=${finding}`}>
                <Badge value={finding} />
              </Link>
            </td>
            <td>{whole.format(count)}</td>
            <td>{formatMoney({ amount, currency })}</td>
            <td>{shareOf(count, total)}</td>
            <td>{shareOf(amount, sums.get(currency) ?? 0)}</td>
          </tr>
        ))}
        {[...sums].map(([currency, amount], index) => (
          <tr key={currency} className="sum">
            <td>{index === 0 ? 'All lines' : ''}</td>
            <td>{index === 0 ? whole.format(lines) : ''}</td>
            <td>{formatMoney({ amount, currency })}</td>
            <td />
            <td />
          </tr>
        ))}
      </WideTable>
    </div>
  )
}

function placeOf(finding: string): number {
  const place = findingNames.indexOf(finding as (typeof findingNames)[number])
  return place === -1 ? findingNames.length : place
}
