import { useLayoutEffect, useRef } from 'react'
import type { Answered, Operation } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { DialogActions } from '../parts/dialog.tsx'
import { Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { AlreadyResolved } from './already-resolved.tsx'
import { type CompleteDraft, doubtAbout, meanings, spareGuides } from './decision.ts'

/** Another operator or a look has already decided. */
export function isTaken(error: unknown): boolean {
  return error instanceof ShippingLedgerError && error.reason === 'operation_already_resolved'
}

/** The courier could not be asked about the guide. */
function isUnconfirmed(error: unknown): boolean {
  return error instanceof ShippingLedgerError && error.reason === 'guide_unconfirmed'
}

type ConfirmProps = {
  readonly operation: Operation
  readonly draft: CompleteDraft
  readonly isPending: boolean
  readonly error: unknown
  readonly onConfirm: (isAccepted: boolean) => void
  readonly onBack: () => void
  readonly onResolved: (operation: Answered<Operation>) => void
}

/** The second step: what is about to be recorded, and everything that speaks against it. */
export function ConfirmDecision(props: ConfirmProps) {
  const { operation, draft, error, onResolved } = props
  if (isTaken(error)) {
    return <AlreadyResolved operationId={operation.id} error={error} onResolved={onResolved} />
  }
  const doubt = doubtAbout(operation, draft.decision)
  const spare = spareGuides(operation, draft)
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
      {spare !== null && <p role="status">{spare}</p>}
      <p>
        Note: {draft.note}
        <br />
        Decided by {draft.decidedBy || 'you'}. The decision becomes an event and is never rewritten.
      </p>
      {doubt !== null && <p className="refusal">{doubt.why}</p>}
      {isUnconfirmed(error) ? <Unconfirmed /> : <Refused error={error} />}
      <Answers {...props} />
    </>
  )
}

/**
 * Enter records what the evidence supports. If the step warns, the focus is on *Back*, so that
 * pressing Enter twice records nothing.
 */
function Answers({ operation, draft, isPending, error, onConfirm, onBack }: ConfirmProps) {
  const record = useRef<HTMLButtonElement>(null)
  const back = useRef<HTMLButtonElement>(null)
  const doubt = doubtAbout(operation, draft.decision)
  const isDoubtful = doubt !== null
  useLayoutEffect(() => (isDoubtful ? back : record).current?.focus(), [isDoubtful])
  const word = isUnconfirmed(error) ? 'Ask again' : (doubt?.does ?? 'Record the decision')
  return (
    <DialogActions>
      <SteadyButton
        ref={record}
        isPrimary
        isOff={isPending}
        color={isDoubtful ? 'red.8' : undefined}
        onPress={() => onConfirm(false)}
      >
        {isPending ? 'Recording…' : word}
      </SteadyButton>
      {isUnconfirmed(error) && (
        <SteadyButton isPrimary color="red.8" isOff={isPending} onPress={() => onConfirm(true)}>
          Record it unconfirmed
        </SteadyButton>
      )}
      <SteadyButton ref={back} isOff={isPending} onPress={onBack}>
        Back
      </SteadyButton>
    </DialogActions>
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
