import { i18n } from '@lingui/core'
import { formatNumber } from '../../languages/language.ts'
import { ActOnChosen } from '../../lists/act-on-chosen.tsx'
import { stateWord } from '../../parts/state-words.ts'
import { useSession } from '../../session.tsx'
import { findingNames, type Invoice } from '../invoice-findings.ts'
import { addedText } from '../invoice-money.ts'
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
  const count = lines.length
  const found = foundIn(lines)
  const again = lines.filter(({ decision }) => decision !== null).length
  return (
    <ActOnChosen
      chosen={lines}
      rowName={i18n.t('Line')}
      nameOf={({ line, guide_number: guide }) => `${line} · ${guide}`}
      title={i18n.t(
        '{count, plural, one {Decide # line at once?} other {Decide # lines at once?}}',
        { count },
      )}
      does={
        body === null
          ? i18n.t('Decide')
          : body.decision === 'accepted'
            ? i18n.t('Accept {count}', { count })
            : i18n.t('Dispute {count}', { count })
      }
      done={(succeeded, total) =>
        i18n.t(
          '{count, plural, one {# line of {total} decided.} other {# lines of {total} decided.}}',
          {
            count: succeeded,
            total,
          },
        )
      }
      isIncomplete={body === null}
      act={decide}
      onDone={async () => {
        forget()
        await onDone()
      }}
      onClose={onClose}
    >
      <p>
        {i18n.t('{count, plural, one {# line: {sums}.} other {# lines: {sums}.}}', {
          count,
          sums: addedText(lines),
        })}{' '}
        {found !== null && `${found} `}
        {i18n.t('Lines that have changed since you chose them are skipped.')}
      </p>
      {again > 0 && (
        <p role="status">
          {i18n.t(
            '{count, plural, one {One of them is already decided. This replaces the decision; the audit keeps both.} other {# of them are already decided. This replaces the decision; the audit keeps both.}}',
            { count: again },
          )}
        </p>
      )}
      <DecisionFields draft={draft} onChange={change} />
    </ActOnChosen>
  )
}

/** Lists the findings if there are several, because they seldom deserve the same decision. */
function foundIn(lines: readonly Row[]): string | null {
  const found = findingNames.flatMap((name) => {
    const count = lines.filter(({ finding }) => finding === name).length
    return count === 0 ? [] : [`${formatNumber(count)} × ${stateWord(name)}`]
  })
  return found.length < 2 ? null : i18n.t('Findings: {found}.', { found: found.join(', ') })
}
