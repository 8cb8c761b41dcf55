import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { useQueryClient } from '@tanstack/react-query'
import type { Answered, Shipment } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { DialogWindow } from '../parts/dialog.tsx'
import { useDamageReason } from '../reading/use-health.ts'
import { useSession } from '../session.tsx'
import { FollowOperation, ImpossibleAct, useFirstRefusal } from './act-dialogs.tsx'
import { ActForm } from './act-form.tsx'
import { whyNotCancellable } from './act-refusals.ts'
import { useShipmentAct } from './use-shipment-act.ts'

type CancelProps = {
  /** The current shipment, which may change while the dialog is open. */
  readonly shipment: Answered<Shipment>
  readonly onClose: () => void
}

/** Asks the courier to cancel the guide, and shows what came of it. */
export function CancelGuide({ shipment, onClose }: CancelProps) {
  const damage = useDamageReason()
  const refusal = useFirstRefusal(shipment, whyNotCancellable)
  if (refusal !== null) {
    return (
      <ImpossibleAct
        title={i18n.t('This guide cannot be cancelled')}
        refusal={refusal}
        operationId={shipment.operation_id}
        onClose={onClose}
      />
    )
  }
  if (damage !== null) {
    const next = i18n.t('Try again when the service is repaired.')
    return (
      <ImpossibleAct
        title={i18n.t('Cancel the guide?')}
        refusal={{ why: damage, next }}
        onClose={onClose}
      />
    )
  }
  return <CancelForm shipment={shipment} onClose={onClose} />
}

function CancelForm({ shipment, onClose }: CancelProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const { id } = shipment
  const act = useShipmentAct(shipment, {
    name: `cancellation of ${id}`,
    asked: i18n.t('Asked to cancel the guide.'),
    send: (idempotencyKey) => client.shipments.cancel({ id }, { idempotencyKey }),
    done: i18n.t('The guide is cancelled.'),
    forget: () => void queries.invalidateQueries({ queryKey: ['tracking', id] }),
    onClose,
  })
  const { error } = act.sending
  if (error !== null && (isUnknown(error) || isBegun(shipment))) {
    return <Outcome shipment={shipment} error={error} onClose={onClose} />
  }
  return (
    <ActForm
      shipment={shipment}
      act={act}
      title={i18n.t('Cancel the guide?')}
      does={i18n.t('Cancel the guide')}
      leaves={i18n.t('Keep the guide')}
      whyNot={whyNotCancellable(shipment)}
      onClose={onClose}
    >
      <p>
        <Trans
          id="The courier is asked to cancel the guide {guide}. After that its label is no longer valid, and the courier does not carry the parcel. A cancelled guide cannot be restored: to send the order after all, create a new shipment."
          values={{ guide: <code>{shipment.guide_number}</code> }}
        />
      </p>
    </ActForm>
  )
}

/** The service cannot say yet whether the guide is cancelled. */
function isUnknown(error: Error): boolean {
  return (
    error instanceof ShippingLedgerError &&
    (error.reason === 'unknown_outcome' || error.reason === 'idempotency_in_flight')
  )
}

/** A request whose answer did not reach the browser was executed. */
function isBegun({ status }: Shipment): boolean {
  return status === 'cancelling' || status === 'cancelled'
}

type OutcomeProps = CancelProps & { readonly error: Error }

/** The outcome is being cleared up. Once it is known, the dialog shows it. */
function Outcome({ shipment, error, onClose }: OutcomeProps) {
  const answer = error instanceof ShippingLedgerError ? error : null
  const operationId = answer?.operationId ?? shipment.operation_id
  const isNewer = shipment.version >= (answer?.shipmentVersion ?? 0)
  const outcome = isNewer ? outcomes[shipment.status]?.() : undefined
  return (
    <DialogWindow
      title={
        outcome === undefined
          ? i18n.t('The outcome is not known yet')
          : i18n.t('The outcome is known')
      }
      open
      isQuestion
      onOpenChange={(open) => open || onClose()}
    >
      <div role="status" className="outcome">
        {outcome === undefined ? (
          <>
            <p>
              <strong>{i18n.t('It is not known yet whether the guide is cancelled.')}</strong>
            </p>
            <p>
              {i18n.t(
                'The courier was asked to cancel it, and its answer was lost. The service is clearing this up with the courier. Until then, do not tell the customer that it is cancelled. There is no need to cancel again.',
              )}
            </p>
          </>
        ) : (
          <p>
            <strong>{outcome}</strong>
          </p>
        )}
      </div>
      <FollowOperation operationId={operationId} onClose={onClose} />
    </DialogWindow>
  )
}

const outcomes: Readonly<Partial<Record<string, () => string>>> = {
  cancelled: () => i18n.t('The courier has confirmed it: the guide is cancelled.'),
  created: () => i18n.t('The guide was not cancelled. It is still valid.'),
}
