import { formatDifference, formatMoney } from '../../shipments/money.ts'
import type { InvoiceLine } from '../invoice-findings.ts'
import { differenceOf, expectedOf, formatKg, weightDifferenceOf } from './line-columns.tsx'

/** What is billed beside what the ledger expects, with the difference. */
export function LineAmounts({ line }: { readonly line: InvoiceLine }) {
  const { expected, weight_kg: weight } = line
  const difference = differenceOf(line)
  const price = expectedOf(line)
  return (
    <table className="evidence amounts">
      <thead>
        <tr>
          <td />
          <th scope="col">Billed</th>
          <th scope="col">Expected</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Amount</th>
          <td>{formatMoney(line)}</td>
          <td>{price === null ? noPrice(line) : formatMoney(price)}</td>
          <td>
            {difference === null ? (
              price === null ? (
                '–'
              ) : (
                'other currency'
              )
            ) : (
              <strong>{formatDifference(difference)}</strong>
            )}
          </td>
        </tr>
        <tr>
          <th scope="row">Weight</th>
          <td>{weight === null ? '–' : formatKg(weight)}</td>
          <td>{expected === null ? '–' : formatKg(expected.weight_kg)}</td>
          <td>{weightDifferenceOf(line) ?? '–'}</td>
        </tr>
      </tbody>
    </table>
  )
}

function noPrice({ expected }: InvoiceLine): string {
  return expected === null ? 'nothing' : 'no price known'
}
