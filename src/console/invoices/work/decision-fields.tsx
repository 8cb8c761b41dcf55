import { i18n } from '@lingui/core'
import { Radio, Textarea, TextInput } from '@mantine/core'
import { useId } from 'react'
import type { Input } from '../../../client/methods.ts'
import { wordsIn } from '../../decisions/guide-number.tsx'
import { useDraft } from '../../forms/use-draft.ts'
import { useSession } from '../../session.tsx'
import type { InvoiceLine } from '../invoice-findings.ts'

type Body = Input<'decideCourierInvoiceLine'>

type LineDecision = {
  readonly decision: Body['decision'] | null
  readonly note: string
  /** Used if the key has no operator. */
  readonly decidedBy: string
}

/** The API's own limits. */
const noteMax = 2_000
const decidedByMax = 64

const choices = () =>
  [
    ['accepted', i18n.t('Accept'), i18n.t('The line is paid as billed.')],
    ['disputed', i18n.t('Dispute'), i18n.t('The courier is asked to correct it.')],
  ] as const

/** A decision in progress. The name of the decider is kept for the next line. */
export function useLineDecision(name: string) {
  const [typed, setTyped, forget] = useDraft(name, { decision: null, note: '' } as Omit<
    LineDecision,
    'decidedBy'
  >)
  const [decidedBy, setDecidedBy] = useDraft('who decides about lines', '')
  const draft: LineDecision = { ...typed, decidedBy }
  const change = ({ decidedBy: named, ...rest }: LineDecision) => {
    setTyped(rest)
    setDecidedBy(named)
  }
  return { draft, change, forget }
}

/** The body of the request; null until everything is filled in. */
export function bodyOf(
  { decision, note, decidedBy }: LineDecision,
  isOperators: boolean,
): Pick<Body, 'decision' | 'note' | 'decided_by'> | null {
  if (decision === null || note.trim() === '') return null
  if (isOperators) return { decision, note: note.trim() }
  if (decidedBy.trim() === '') return null
  return { decision, note: note.trim(), decided_by: decidedBy.trim() }
}

/** The line as shown on the screen. The API refuses the decision if the line has changed. */
export function seenOf(version: number, { finding, decision }: InvoiceLine): Pick<Body, 'seen'> {
  if (finding === null) return {}
  type Seen = NonNullable<Body['seen']>
  return {
    seen: { version, finding: finding as Seen['finding'], decided_at: decision?.at ?? null },
  }
}

type FieldsProps = {
  readonly draft: LineDecision
  readonly isOff?: boolean
  readonly onChange: (draft: LineDecision) => void
}

export function DecisionFields({ draft, isOff = false, onChange }: FieldsProps) {
  const id = useId()
  const { key } = useSession()
  return (
    <>
      <fieldset disabled={isOff}>
        <legend>{i18n.t('Decision')}</legend>
        {choices().map(([decision, label, meaning]) => (
          <Radio
            key={decision}
            name={id}
            required
            label={label}
            description={meaning}
            checked={draft.decision === decision}
            onChange={() => onChange({ ...draft, decision })}
          />
        ))}
      </fieldset>
      <Textarea
        label={i18n.t('Note: why')}
        description={i18n.t('Stored encrypted. Visible to everyone who can read the invoice.')}
        required
        withAsterisk={false}
        rows={3}
        maxLength={noteMax}
        disabled={isOff}
        value={draft.note}
        onChange={(event) => onChange({ ...draft, note: wordsIn(event.target) })}
      />
      {key.operator_id === null && (
        <TextInput
          label={i18n.t('Decided by (your handle)')}
          required
          withAsterisk={false}
          maxLength={decidedByMax}
          autoComplete="off"
          disabled={isOff}
          value={draft.decidedBy}
          onChange={(event) => onChange({ ...draft, decidedBy: wordsIn(event.target) })}
        />
      )}
    </>
  )
}
