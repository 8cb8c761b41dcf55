import { Button, Checkbox, Radio, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Answered, Input, Operation } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { AlreadyResolved } from './already-resolved.tsx'
import { GuideNumber, wordsIn } from './guide-number.tsx'
import { guidesOf, hasClearLook } from './why.ts'

type Decision = Input<'resolveOperation'>['decision']
type DecisionDraft = {
  readonly decision: Decision | null
  readonly guideNumber: string
  readonly note: string
  readonly decidedBy: string
}

/** What a decision means, in the words that the operator confirms. */
const meanings: Readonly<Record<Decision, string>> = {
  guide_exists: 'The courier made the guide. The shipment gets its number and goes on.',
  nothing_created:
    'The courier made nothing. The order may be shipped again, with a new idempotency key.',
  cancelled: 'The courier cancelled the guide.',
  not_cancelled: 'The courier did not cancel the guide. The shipment goes on.',
}

const decisionsOf: Readonly<Record<string, readonly Decision[]>> = {
  shipment_creation: ['guide_exists', 'nothing_created'],
  shipment_cancellation: ['cancelled', 'not_cancelled'],
}

/** The API's own limits. */
const noteMax = 2_000
const decidedByMax = 64

type ResolveProps = {
  readonly operation: Operation
  readonly onClose: () => void
  readonly onResolved: (operation: Answered<Operation>) => void
  /** After this operator's own decision. */
  readonly onDecided: () => Promise<void>
}

/**
 * Decides an operation in two steps: enter the decision and the reason, then review and confirm.
 */
export function ResolveDialog(props: ResolveProps) {
  const { operation, onClose, onResolved, onDecided } = props
  const { client, key } = useSession()
  const isOperators = key.operator_id !== null
  const [draft, setDraft] = useState<DecisionDraft>({
    decision: null,
    guideNumber: '',
    note: '',
    decidedBy: '',
  })
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
      onResolved(resolved)
      onClose()
      void onDecided()
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
      title={isConfirming ? 'Confirm the decision' : `Decide ${operation.external_reference}`}
      open
      onOpenChange={(open) => open || resolve.isPending || leave()}
    >
      {isConfirming && decision !== null ? (
        <Confirmation
          operation={operation}
          draft={{ ...draft, decision }}
          isPending={resolve.isPending}
          error={resolve.error}
          onConfirm={(isAccepted) => resolve.mutate({ draft: { ...draft, decision }, isAccepted })}
          onBack={goBack}
          onResolved={(resolved) => {
            onResolved(resolved)
            onClose()
          }}
        />
      ) : (
        <DecisionForm
          operation={operation}
          draft={draft}
          asksWho={!isOperators}
          onChange={setDraft}
          onDone={() => setConfirming(true)}
          onCancel={onClose}
        />
      )}
    </DialogWindow>
  )
}

type Confirmed = {
  readonly draft: DecisionDraft & { readonly decision: Decision }
  /** Decide even if the courier cannot confirm the guide. */
  readonly isAccepted: boolean
}

/** Another operator or a look has already decided. */
function isTaken(error: unknown): boolean {
  return error instanceof ShippingLedgerError && error.reason === 'operation_already_resolved'
}

/** The courier could not be asked about the guide. */
function isUnconfirmed(error: unknown): boolean {
  return error instanceof ShippingLedgerError && error.reason === 'guide_unconfirmed'
}

type FormProps = {
  readonly operation: Operation
  readonly draft: DecisionDraft
  /** The key belongs to no operator, so the person who decides gives a handle. */
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
      {draft.decision === 'nothing_created' && <NothingCreated operation={operation} />}
      <Textarea
        label="Note: what the decision is based on"
        required
        withAsterisk={false}
        rows={3}
        maxLength={noteMax}
        value={draft.note}
        onChange={(event) => change({ note: wordsIn(event.target) })}
      />
      {asksWho && (
        <TextInput
          label="Decided by (your handle)"
          withAsterisk={false}
          required
          maxLength={decidedByMax}
          autoComplete="off"
          value={draft.decidedBy}
          onChange={(event) => change({ decidedBy: wordsIn(event.target) })}
        />
      )}
      <DialogActions>
        <Button type="submit">Review</Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </DialogActions>
    </form>
  )
}

/** What speaks against the decision that nothing was created, or that nothing speaks for it. */
function NothingCreated({ operation }: { readonly operation: Operation }) {
  const guides = guidesOf(operation)
  if (guides.length > 0) {
    return (
      <div className="refusal" role="alert">
        <p>
          The courier has listed {guides.join(', ')} for this order. If nothing was created, the
          order may be shipped and paid again.
        </p>
        <Checkbox
          required
          label={`The courier has confirmed that ${guides.length === 1 ? 'it is' : 'they are'} void`}
        />
      </div>
    )
  }
  if (hasClearLook(operation)) return null
  return <p role="status">No look has had a clear answer: this rests on your note alone.</p>
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
      <legend>Decision</legend>
      {of.map((decision) => (
        <Radio
          key={decision}
          name={id}
          required
          label={decision.replaceAll('_', ' ')}
          description={meanings[decision]}
          checked={chosen === decision}
          onChange={() => onChoose(decision)}
        />
      ))}
    </fieldset>
  )
}

type ConfirmationProps = {
  readonly operation: Operation
  readonly draft: DecisionDraft & { readonly decision: Decision }
  readonly isPending: boolean
  readonly error: unknown
  readonly onConfirm: (isAccepted: boolean) => void
  readonly onBack: () => void
  readonly onResolved: ResolveProps['onResolved']
}

function Confirmation(props: ConfirmationProps) {
  const { operation, draft, isPending, error, onConfirm, onBack, onResolved } = props
  if (isTaken(error)) {
    return <AlreadyResolved operationId={operation.id} error={error} onResolved={onResolved} />
  }
  return (
    <>
      <p>
        <strong>{operation.external_reference}</strong>: {draft.decision.replaceAll('_', ' ')}
        {draft.decision === 'guide_exists' && (
          <>
            , guide <code>{draft.guideNumber}</code>
          </>
        )}
        .
      </p>
      <p>{meanings[draft.decision]}</p>
      <p>
        Note: {draft.note}
        <br />
        Decided by {draft.decidedBy || 'you'}. The decision becomes an event and is never rewritten.
      </p>
      {isUnconfirmed(error) ? <Unconfirmed /> : <Refused error={error} />}
      <DialogActions>
        <Button disabled={isPending} onClick={() => onConfirm(false)}>
          {isPending ? 'Recording…' : isUnconfirmed(error) ? 'Ask again' : 'Record the decision'}
        </Button>
        {isUnconfirmed(error) && (
          <Button variant="default" disabled={isPending} onClick={() => onConfirm(true)}>
            Record it unconfirmed
          </Button>
        )}
        <Button variant="default" disabled={isPending} onClick={onBack}>
          Back
        </Button>
      </DialogActions>
    </>
  )
}

/** Asks the operator before deciding for a guide that the courier has not confirmed. */
function Unconfirmed() {
  return (
    <div className="refusal" role="alert">
      <p>The courier could not be asked about this guide, so it is not confirmed.</p>
      <p>
        Record the decision unconfirmed? The shipment then gets this guide and looks go on. The
        first that finds this guide confirms it; one that finds another guide contradicts the
        decision.
      </p>
    </div>
  )
}
