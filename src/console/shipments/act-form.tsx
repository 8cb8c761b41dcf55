import { i18n } from '@lingui/core'
import type { ReactNode } from 'react'
import type { Shipment } from '../../client/methods.ts'
import { ConfirmByTyping } from '../forms/confirm-by-typing.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { RefusedAct } from './act-dialogs.tsx'
import { ReasonField } from './act-reason.tsx'
import type { ActRefusal } from './act-refusals.ts'
import type { useShipmentAct } from './use-shipment-act.ts'

type FormProps = {
  readonly shipment: Shipment
  readonly act: ReturnType<typeof useShipmentAct>
  readonly title: string
  readonly does: string
  readonly leaves: string
  /** What the shipment itself shows as the reason of a refusal. */
  readonly whyNot: ActRefusal | null
  readonly onClose: () => void
  /** What the action means. */
  readonly children: ReactNode
}

const fields = ['/text'] as const

/** Asks for the reason of an action that cannot be undone, and for the order, typed to confirm. */
export function ActForm(props: FormProps) {
  const { shipment, act, title, does, leaves, whyNot, onClose, children } = props
  const { reason, sending } = act
  const { error } = sending
  return (
    <FormDialog
      title={title}
      does={does}
      leaves={leaves}
      isDangerous
      sending={sending}
      fields={fields}
      refusal={error !== null && <RefusedAct error={error} whyNot={whyNot} />}
      onClose={onClose}
    >
      {children}
      <ReasonField reason={reason} error={error} />
      <ConfirmByTyping
        label={i18n.t('To confirm, type the order reference')}
        text={shipment.external_reference}
        otherwise={i18n.t('This is not the reference of this order.')}
      />
    </FormDialog>
  )
}
