import { i18n } from '@lingui/core'
import { formatDifference, formatMoney } from '../../shipments/money.ts'
import { type InvoiceLine, isCash } from '../invoice-findings.ts'
import { differenceOf, expectedOf, formatKg, weightDifferenceOf } from './line-columns.tsx'

/** Compares what is billed with what the ledger expects. */
export function LineAmounts({ line }: { readonly line: InvoiceLine }) {
  const { expected, weight_kg: weight } = line
  const difference = isOwedNothing(line) ? line : differenceOf(line)
  const price = expectedOf(line)
  return (
    <table className="evidence amounts">
      <thead>
        <tr>
          <td />
          <th scope="col">{isCash(line) ? i18n.t('Paid out') : i18n.t('Billed')}</th>
          <th scope="col">{i18n.t('Expected')}</th>
          <th scope="col">{i18n.t('Difference')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{i18n.t('Amount')}</th>
          <td>{formatMoney(line)}</td>
          <td>{price === null ? noPrice(line) : formatMoney(price)}</td>
          <td>
            {difference !== null ? (
              <strong>{formatDifference(difference)}</strong>
            ) : price === null ? (
              '–'
            ) : (
              i18n.t('other currency')
            )}
          </td>
        </tr>
        <tr>
          <th scope="row">{i18n.t('Weight')}</th>
          <td>{weight === null ? '–' : formatKg(weight)}</td>
          <td>{expected === null ? '–' : formatKg(expected.weight_kg)}</td>
          <td>{weightDifferenceOf(line) ?? '–'}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** Whether nothing should be billed for the line, so the whole amount is the difference. */
function isOwedNothing({ expected, finding }: InvoiceLine): boolean {
  return expected === null && finding !== null && finding !== 'unresolved'
}

function noPrice(line: InvoiceLine): string {
  if (isOwedNothing(line)) return i18n.t('nothing')
  return line.expected === null ? i18n.t('not certain yet') : i18n.t('no price known')
}
