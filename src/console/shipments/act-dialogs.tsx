import { i18n } from '@lingui/core'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Shipment } from '../../client/methods.ts'
import { ShippingLedgerError } from '../../client/shipping-ledger-error.ts'
import { CloseButton, DialogActions, DialogWindow } from '../parts/dialog.tsx'
import { useMay } from '../parts/scopes.tsx'
import { ErrorMessage } from '../parts/states.tsx'
import { type ActRefusal, needsWriteScope, refusalOf } from './act-refusals.ts'

type ImpossibleProps = {
  readonly title: string
  readonly refusal: ActRefusal
  /** The operation to wait for. */
  readonly operationId?: string | null
  readonly onClose: () => void
}

/** Explains why an action is impossible, and what to do instead. */
export function ImpossibleAct(props: ImpossibleProps) {
  const { title, refusal, operationId = null, onClose } = props
  return (
    <DialogWindow title={title} open isQuestion onOpenChange={(open) => open || onClose()}>
      <p>
        <strong>{refusal.why}</strong>
      </p>
      <p>{refusal.next}</p>
      <FollowOperation operationId={operationId} onClose={onClose} />
    </DialogWindow>
  )
}

type FollowProps = { readonly operationId: string | null; readonly onClose: () => void }

/** The buttons of a dialog that only informs: to the operation, if there is one, and out. */
export function FollowOperation({ operationId, onClose }: FollowProps) {
  return (
    <DialogActions>
      {operationId !== null && (
        <Button component={Link} href={`/operations/${operationId}`}>
          {i18n.t('Follow the operation')}
        </Button>
      )}
      <CloseButton isPrimary={operationId === null} onClose={onClose} />
    </DialogActions>
  )
}

/** The refusal when the dialog opened: later changes of the shipment do not replace the form. */
export function useFirstRefusal(
  shipment: Shipment,
  whyNot: (shipment: Shipment) => ActRefusal | null,
): ActRefusal | null {
  const mayWrite = useMay('shipments:write')
  const [refusal] = useState(() => (mayWrite ? whyNot(shipment) : needsWriteScope()))
  return refusal
}

type RefusedActProps = {
  readonly error: Error
  /** What the shipment itself shows as the reason. */
  readonly whyNot: ActRefusal | null
}

/** A refusal by the service, in words for support if there are any. */
export function RefusedAct({ error, whyNot }: RefusedActProps): ReactNode {
  const reason = error instanceof ShippingLedgerError ? error.reason : ''
  const isOfShipment = reason === 'shipment_not_cancellable'
  const words = isOfShipment ? whyNot : refusalOf(reason)
  return (
    <div className="refusal" role="alert">
      {words === null ? (
        <ErrorMessage error={error} />
      ) : (
        <>
          <p>
            <strong>{words.why}</strong>
          </p>
          <p>{words.next}</p>
        </>
      )}
    </div>
  )
}
