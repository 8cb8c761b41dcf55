import { useQueryClient } from '@tanstack/react-query'
import type { Answered, Shipment } from '../../client/methods.ts'
import { ConfirmByTyping } from '../forms/confirm-by-typing.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useSendOnce } from '../forms/use-send-once.ts'
import { notify } from '../parts/notify.ts'
import { useSession } from '../session.tsx'
import { ImpossibleAct, RefusedAct, useFirstRefusal, useReadAgain } from './act-dialogs.tsx'
import { ReasonField, useActReason } from './act-reason.tsx'
import { whyNotErasable } from './act-refusals.ts'
import { isOnItsWay } from './parcel-words.ts'

type EraseProps = {
  readonly shipment: Answered<Shipment>
  readonly onClose: () => void
}

const fields = ['/text'] as const

/** Erases the personal data of a shipment. */
export function EraseData({ shipment, onClose }: EraseProps) {
  const refusal = useFirstRefusal(shipment, whyNotErasable)
  if (refusal === null) return <EraseForm shipment={shipment} onClose={onClose} />
  return (
    <ImpossibleAct
      title="This personal data cannot be erased"
      refusal={refusal}
      operationId={shipment.operation_id}
      onClose={onClose}
    />
  )
}

function EraseForm({ shipment, onClose }: EraseProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const { id, external_reference: reference } = shipment
  const reason = useActReason(shipment)
  const sending = useSendOnce({
    attemptName: `erasure of ${id}`,
    send: async (idempotencyKey) => {
      await reason.record('Asked to erase the personal data.')
      return await client.shipments.erasePersonalData({ id }, { idempotencyKey })
    },
    onSent: (erased) => {
      // Earlier versions have lost their personal data too.
      queries.removeQueries({ queryKey: ['shipment', id, 'as-of'] })
      queries.setQueryData(['shipment', id], erased)
      notify(reference, 'The personal data is erased.')
      onClose()
    },
  })
  const { error } = sending
  useReadAgain(
    error,
    () => void queries.refetchQueries({ queryKey: ['shipment', id], exact: true }),
  )
  return (
    <FormDialog
      title="Erase the personal data for good?"
      does="Erase the personal data"
      leaves="Keep the data"
      isDangerous
      sending={sending}
      fields={fields}
      refusal={error !== null && <RefusedAct error={error} whyNot={null} />}
      onClose={onClose}
    >
      <p>
        The recipient, the document, the declared content, the metadata, the pickup code, the label
        and the courier’s messages are destroyed, in every earlier version too. Nobody can restore
        them.
      </p>
      <p>
        The history, the guide number and the tracking stay. The courier keeps its own records:
        erasing does not stop the parcel.
      </p>
      {isOnItsWay(shipment.tracking.status) && (
        <p className="held-up">
          The parcel has not arrived yet. Afterwards the label cannot be printed again, and nobody
          can look up the pickup code.
        </p>
      )}
      <ReasonField reason={reason} error={error} />
      <ConfirmByTyping
        label="To confirm, type the order reference"
        text={reference}
        otherwise="This is not the reference of this order."
      />
    </FormDialog>
  )
}
