import { i18n } from '@lingui/core'
import { Button, Checkbox, Radio, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Answered, Operation } from '../../client/methods.ts'
import { useDraft } from '../forms/use-draft.ts'
import { guidesOf } from '../operations/why.ts'
import { DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { stateWord } from '../parts/state-words.ts'
import { useSession } from '../session.tsx'
import { ConfirmDecision, isTaken } from './confirm-decision.tsx'
import {
  type CompleteDraft,
  type Decision,
  type DecisionDraft,
  decisionsOf,
  doubtAbout,
  emptyDraft,
  meanings,
} from './decision.ts'
import { GuideNumber, wordsIn } from './guide-number.tsx'

/** The API's own limits. */
const noteMax = 2_000
const decidedByMax = 64

type ResolveProps = {
  readonly operation: Operation
  /** What the operator has already chosen. */
  readonly chosen: Partial<DecisionDraft>
  readonly onClose: () => void
  readonly onResolved: (operation: Answered<Operation>) => void
  /** Called after this operator's own decision. */
  readonly onDecided: (resolved: Operation) => Promise<void>
}

/**
 * Decides an operation in two steps: enter the decision and the reason, then review and confirm.
 */
export function ResolveDialog(props: ResolveProps) {
  const { operation, chosen, onClose, onResolved, onDecided } = props
  const { client, key } = useSession()
  const isOperators = key.operator_id !== null
  const [kept, setDraft, forgetDraft] = useDraft(`decision of ${operation.id}`, emptyDraft)
  const [isChanged, setChanged] = useState(false)
  const draft = isChanged ? kept : { ...kept, ...chosen }
  const change = (now: DecisionDraft) => {
    setChanged(true)
    setDraft(now)
  }
  const [isConfirming, setConfirming] = useState(false)
  const resolve = useMutation({
    mutationFn: ({ draft: decided, isAccepted }: Confirmed) =>
      client.operations.resolve({
        id: operation.id,
        decision: decided.decision,
        note: decided.note,
        ...(isOperators ? {} : { decided_by: decided.decidedBy }),
        ...(decided.decision === 'guide_exists' ? { guide_number: decided.guideNumber } : {}),
        ...(isAccepted ? { accept_unconfirmed: true } : {}),
      }),
    onSuccess: (resolved) => {
      forgetDraft()
      onResolved(resolved)
      onClose()
      void onDecided(resolved)
    },
  })
  const { decision } = draft
  const goBack = () => {
    resolve.reset()
    setConfirming(false)
  }
  const leave = isConfirming && !isTaken(resolve.error) ? goBack : onClose
  return (
    <DialogWindow
      title={
        isConfirming
          ? i18n.t('Confirm the decision')
          : i18n.t('Decide {reference}', { reference: operation.external_reference })
      }
      open
      onOpenChange={(open) => open || resolve.isPending || leave()}
    >
      {isConfirming && decision !== null ? (
        <ConfirmDecision
          operation={operation}
          draft={{ ...draft, decision }}
          isPending={resolve.isPending}
          error={resolve.error}
          onConfirm={(isAccepted) => resolve.mutate({ draft: { ...draft, decision }, isAccepted })}
          onBack={goBack}
          onResolved={(resolved) => {
            forgetDraft()
            onResolved(resolved)
            onClose()
          }}
        />
      ) : (
        <DecisionForm
          operation={operation}
          draft={draft}
          asksWho={!isOperators}
          onChange={change}
          onDone={() => setConfirming(true)}
          onCancel={onClose}
        />
      )}
    </DialogWindow>
  )
}

type Confirmed = {
  readonly draft: CompleteDraft
  /** Record the decision even if the courier cannot confirm the guide. */
  readonly isAccepted: boolean
}

type FormProps = {
  readonly operation: Operation
  readonly draft: DecisionDraft
  /** The key has no operator, so the form asks for a handle. */
  readonly asksWho: boolean
  readonly onChange: (draft: DecisionDraft) => void
  readonly onDone: () => void
  readonly onCancel: () => void
}

function DecisionForm({ operation, draft, asksWho, onChange, onDone, onCancel }: FormProps) {
  const change = (part: Partial<DecisionDraft>) => onChange({ ...draft, ...part })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change({
      guideNumber: draft.guideNumber.trim(),
      note: draft.note.trim(),
      decidedBy: draft.decidedBy.trim(),
    })
    onDone()
  }
  return (
    <form onSubmit={submit}>
      <Decisions
        of={decisionsOf[operation.type] ?? []}
        chosen={draft.decision}
        onChoose={(decision) => change({ decision })}
      />
      {draft.decision === 'guide_exists' && (
        <GuideNumber
          operation={operation}
          value={draft.guideNumber}
          onChange={(guideNumber) => change({ guideNumber })}
        />
      )}
      <DoubtOf operation={operation} draft={draft} />
      <Textarea
        label={i18n.t('Note: what the decision is based on')}
        required
        withAsterisk={false}
        rows={3}
        maxLength={noteMax}
        value={draft.note}
        onChange={(event) => change({ note: wordsIn(event.target) })}
      />
      {asksWho && (
        <TextInput
          label={i18n.t('Decided by (your handle)')}
          withAsterisk={false}
          required
          maxLength={decidedByMax}
          autoComplete="off"
          value={draft.decidedBy}
          onChange={(event) => change({ decidedBy: wordsIn(event.target) })}
        />
      )}
      <DialogActions>
        <Button type="submit">{i18n.t('Review')}</Button>
        <Button variant="default" onClick={onCancel}>
          {i18n.t('Cancel')}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Warns about guides that the courier has listed. */
function DoubtOf({ operation, draft }: Pick<FormProps, 'operation' | 'draft'>) {
  const doubt = doubtAbout(operation, draft.decision)
  if (doubt === null) return null
  if (doubt.kind === 'no_evidence') return <p role="status">{doubt.why}</p>
  const count = guidesOf(operation).length
  return (
    <div className="refusal" role="alert">
      <p>{doubt.why}</p>
      <Checkbox
        required
        label={i18n.t(
          '{count, plural, one {The courier has confirmed that it is void} other {The courier has confirmed that they are void}}',
          { count },
        )}
      />
    </div>
  )
}

type DecisionsProps = {
  readonly of: readonly Decision[]
  readonly chosen: Decision | null
  readonly onChoose: (decision: Decision) => void
}

function Decisions({ of, chosen, onChoose }: DecisionsProps) {
  const id = useId()
  return (
    <fieldset>
      <legend>{i18n.t('Decision')}</legend>
      {of.map((decision) => (
        <Radio
          key={decision}
          name={id}
          required
          label={stateWord(decision)}
          description={meanings[decision]()}
          checked={chosen === decision}
          onChange={() => onChoose(decision)}
        />
      ))}
    </fieldset>
  )
}
