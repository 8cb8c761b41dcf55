import { i18n } from '@lingui/core'
import type { Schemas } from '../../client/methods.ts'
import { WideTable } from '../parts/wide-table.tsx'
import { formatDifference, formatMoney } from '../shipments/money.ts'

type Check = Schemas['CourierInvoiceCheck']
type Row = Check['set_aside'][number]

/** Rows of totals, which are neither lines nor errors, so that nobody has to delete them. */
export function SetAside({ check }: { readonly check: Check }) {
  const { set_aside: rows, more_set_aside: more } = check
  const count = rows.length + more
  if (count === 0) return null
  return (
    <>
      <p role="status">
        {i18n.t(
          '{count, plural, one {One row is set aside as a total, tax or note. It is not imported.} other {# rows are set aside as totals, taxes or notes. They are not imported.}}',
          { count },
        )}
      </p>
      <WideTable
        name={i18n.t('Rows set aside')}
        columns={[i18n.t('Row'), i18n.t('Text'), i18n.t('Amount'), i18n.t('Lines above')]}
      >
        {rows.map((row) => (
          <tr key={row.line}>
            <td>{row.line}</td>
            <td>{row.text}</td>
            <td>{amountOf(row)}</td>
            <td>{comparedText(row, check)}</td>
          </tr>
        ))}
      </WideTable>
      {more > 0 && (
        <p className="reason">{i18n.t('The first {count} are shown.', { count: rows.length })}</p>
      )}
    </>
  )
}

function amountOf({ amount, currency }: Row): string {
  return amount === null || currency === null ? '–' : formatMoney({ amount, currency })
}

/** Only a total says something about the lines, and it is compared with the good ones. */
function comparedText({ text, amount, currency }: Row, { totals }: Check): string {
  const sum = totals.amounts.find((each) => each.kind === 'charge' && each.currency === currency)
  if (sum === undefined || amount === null || currency === null) return ''
  if (sum.amount === amount) return i18n.t('This is the sum of the good lines.')
  if (!/total/i.test(text)) return ''
  return i18n.t('It differs from the sum of the good lines by {difference}.', {
    difference: formatDifference({ amount: amount - sum.amount, currency }),
  })
}
