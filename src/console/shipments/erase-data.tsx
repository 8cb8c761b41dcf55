import { useQueryClient } from '@tanstack/react-query'
import type { Answered, Shipment } from '../../client/methods.ts'
import { useSession } from '../session.tsx'
import { ImpossibleAct, useFirstRefusal } from './act-dialogs.tsx'
import { ActForm } from './act-form.tsx'
import { whyNotErasable } from './act-refusals.ts'
import { isOnItsWay } from './parcel-words.ts'
import { useShipmentAct } from './use-shipment-act.ts'

type EraseProps = {
  readonly shipment: Answered<Shipment>
  readonly onClose: () => void
}

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
  const { id } = shipment
  const act = useShipmentAct(shipment, {
    name: `erasure of ${id}`,
    asked: 'Asked to erase the personal data.',
    send: (idempotencyKey) => client.shipments.erasePersonalData({ id }, { idempotencyKey }),
    done: 'The personal data is erased.',
    // Earlier versions have lost their personal data too.
    forget: () => queries.removeQueries({ queryKey: ['shipment', id, 'as-of'] }),
    onClose,
  })
  return (
    <ActForm
      shipment={shipment}
      act={act}
      title="Erase the personal data for good?"
      does="Erase the personal data"
      leaves="Keep the data"
      whyNot={null}
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
    </ActForm>
  )
}
