import { ActOnChosen } from '../../lists/act-on-chosen.tsx'
import { counted } from '../../lists/counted.ts'
import { useSession } from '../../session.tsx'
import { formatMoney } from '../../shipments/money.ts'
import { findingNames, findings, type Invoice } from '../invoice-findings.ts'
import { bodyOf, DecisionFields, seenOf, useLineDecision } from './decision-fields.tsx'
import type { Row } from './line-columns.tsx'

type ChosenProps = {
  readonly invoice: Invoice
  readonly lines: readonly Row[]
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}

/** Records the same decision and note for several lines, one after the other. */
export function DecideChosen({ invoice, lines, onDone, onClose }: ChosenProps) {
  const { client, key } = useSession()
  const { id, version } = invoice
  const { draft, change, forget } = useLineDecision(`decision of ${id}`)
  const body = bodyOf(draft, key.operator_id !== null)
  const decide = async (row: Row) => {
    if (body === null) throw new Error('bug: a decision without a decision or note')
    const at = { id, line: String(row.line) }
    const now = await client.courierInvoices.decideLine({ ...at, ...body, ...seenOf(version, row) })
    return { now: { ...row, ...now }, word: body.decision }
  }
  const again = lines.filter(({ decision }) => decision !== null).length
  return (
    <ActOnChosen
      chosen={lines}
      noun="line"
      nameOf={({ line, guide_number: guide }) => `${line} · ${guide}`}
      title={`Decide ${counted(lines.length, 'line')} at once?`}
      does={
        body === null
          ? 'Decide'
          : `${body.decision === 'accepted' ? 'Accept' : 'Dispute'} ${lines.length}`
      }
      done="decided"
      isIncomplete={body === null}
      act={decide}
      onDone={async () => {
        forget()
        await onDone()
      }}
      onClose={onClose}
    >
      <p>
        {counted(lines.length, 'line')}: {sumsOf(lines)}. {foundIn(lines)}Lines that have changed
        since you chose them are skipped.
      </p>
      {again > 0 && (
        <p role="status">
          {again === 1 ? 'One of them is' : `${again} of them are`} already decided. This replaces
          the decision; the audit keeps both.
        </p>
      )}
      <DecisionFields draft={draft} onChange={change} />
    </ActOnChosen>
  )
}

function sumsOf(lines: readonly Row[]): string {
  const sums = new Map<string, number>()
  for (const { currency, amount } of lines) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return [...sums].map(([currency, amount]) => formatMoney({ currency, amount })).join(' and ')
}

/** Lists the findings if there are several, because they seldom deserve the same decision. */
function foundIn(lines: readonly Row[]): string {
  const found = findingNames.flatMap((name) => {
    const count = lines.filter(({ finding }) => finding === name).length
    return count === 0 ? [] : [`${count} × ${findings[name].word.toLowerCase()}`]
  })
  return found.length < 2 ? '' : `Findings: ${found.join(', ')}. `
}
