import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import type { Answered, Operation } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { CloseButton, DialogActions } from '../parts/dialog.tsx'
import { stateWord } from '../parts/state-words.ts'
import { ErrorMessage, Failed, Loading, Refused } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { Time } from '../parts/times.tsx'
import { useShown } from '../reading/use-recovery.ts'
import { useSession } from '../session.tsx'
import { type CompleteDraft, decidedBy, doubtAbout, meanings, spareGuides } from './decision.ts'

/** The operation is already resolved by another operator or by the courier's answer. */
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

/** The second step: what will be recorded, and all evidence against it. */
export function ConfirmDecision(props: ConfirmProps) {
  const { operation, draft, error, onResolved } = props
  if (isTaken(error)) {
    return <AlreadyResolved operationId={operation.id} error={error} onResolved={onResolved} />
  }
  const doubt = doubtAbout(operation, draft.decision)
  const spare = spareGuides(operation, draft)
  const reference = <strong>{operation.external_reference}</strong>
  return (
    <>
      <p>
        {draft.decision === 'guide_exists' ? (
          <Trans
            id="{reference}: guide exists, guide {guide}."
            values={{ reference, guide: <code>{draft.guideNumber}</code> }}
          />
        ) : (
          <Trans
            id="{reference}: {decision}."
            values={{ reference, decision: stateWord(draft.decision) }}
          />
        )}
      </p>
      <p>{meanings[draft.decision]()}</p>
      {spare !== null && <p role="status">{spare}</p>}
      <p>
        {i18n.t('Note: {note}', { note: draft.note })}
        <br />
        {draft.decidedBy === ''
          ? i18n.t('Decided by you. The decision becomes an event and is never rewritten.')
          : i18n.t('Decided by {who}. The decision becomes an event and is never rewritten.', {
              who: draft.decidedBy,
            })}
      </p>
      {doubt !== null && <p className="refusal">{doubt.why}</p>}
      {isUnconfirmed(error) ? <Unconfirmed /> : <Refused error={error} />}
      <Answers {...props} />
    </>
  )
}

/**
 * Pressing Enter records a decision that the evidence supports. With a warning, *Back* has the
 * focus, so that pressing Enter twice records nothing.
 */
function Answers({ operation, draft, isPending, error, onConfirm, onBack }: ConfirmProps) {
  const record = useRef<HTMLButtonElement>(null)
  const back = useRef<HTMLButtonElement>(null)
  const doubt = doubtAbout(operation, draft.decision)
  const isDoubtful = doubt !== null
  useLayoutEffect(() => (isDoubtful ? back : record).current?.focus(), [isDoubtful])
  const word = isUnconfirmed(error)
    ? i18n.t('Ask the courier again')
    : (doubt?.does ?? i18n.t('Record the decision'))
  return (
    <DialogActions>
      <SteadyButton
        ref={record}
        isPrimary
        isOff={isPending}
        color={isDoubtful ? 'red.8' : undefined}
        onPress={() => onConfirm(false)}
      >
        {isPending ? i18n.t('Recording…') : word}
      </SteadyButton>
      {isUnconfirmed(error) && (
        <SteadyButton isPrimary color="red.8" isOff={isPending} onPress={() => onConfirm(true)}>
          {i18n.t('Record it unconfirmed')}
        </SteadyButton>
      )}
      <SteadyButton ref={back} isOff={isPending} onPress={onBack}>
        {i18n.t('Back')}
      </SteadyButton>
    </DialogActions>
  )
}

/** Asks the operator before recording a guide that the courier has not confirmed. */
function Unconfirmed() {
  return (
    <div className="refusal" role="alert">
      <p>{i18n.t('The courier could not be asked about this guide, so it is not confirmed.')}</p>
      <p>
        {i18n.t(
          'Record the decision unconfirmed? The shipment gets this guide, and the service keeps asking the courier. Finding this guide confirms the decision; finding another guide contradicts it.',
        )}
      </p>
    </div>
  )
}

type AlreadyResolvedProps = {
  readonly operationId: string
  readonly error: unknown
  readonly onResolved: (operation: Answered<Operation>) => void
}

/**
 * Shown when another operator or the courier's answer was faster: the existing decision instead of
 * the attempted one.
 */
function AlreadyResolved({ operationId, error, onResolved }: AlreadyResolvedProps) {
  const { client } = useSession()
  const query = useQuery({
    queryKey: ['operation', operationId, 'decided'],
    queryFn: ({ signal }) => client.operations.get({ id: operationId }, { signal }),
    gcTime: 0,
    structuralSharing: false,
  })
  const operation = useShown(query)
  if (operation.data === undefined) {
    if (operation.isPending) return <Loading />
    return <Failed error={operation.error} again={() => void operation.refetch()} />
  }
  const { data } = operation
  const { resolution } = data
  return (
    <>
      <div role="alert">
        <ErrorMessage error={error} />
      </div>
      {resolution !== null && <Decided resolution={resolution} />}
      <DialogActions>
        <CloseButton onClose={() => onResolved(data)} />
      </DialogActions>
    </>
  )
}

/** The existing decision, who made it and why. */
function Decided({ resolution }: { readonly resolution: NonNullable<Operation['resolution']> }) {
  const { guide_number: guideNumber, confirmed, note } = resolution
  const values = {
    decision: <strong>{stateWord(resolution.decision)}</strong>,
    guide: <code>{guideNumber}</code>,
    who: decidedBy(resolution),
    time: <Time at={resolution.at} />,
  }
  return (
    <>
      <p>
        {guideNumber === null ? (
          <Trans id="{decision}, by {who}, {time}" values={values} />
        ) : confirmed === false ? (
          <Trans id="{decision}, guide {guide} (unconfirmed), by {who}, {time}" values={values} />
        ) : (
          <Trans id="{decision}, guide {guide}, by {who}, {time}" values={values} />
        )}
      </p>
      {note !== null && <p>{i18n.t('Note: {note}', { note })}</p>}
    </>
  )
}
