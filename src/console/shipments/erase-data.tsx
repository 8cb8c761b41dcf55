import { i18n } from '@lingui/core'
import { Box } from '@mantine/core'
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
      title={i18n.t('This personal data cannot be erased')}
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
    asked: i18n.t('Asked to erase the personal data.'),
    send: (idempotencyKey) => client.shipments.erasePersonalData({ id }, { idempotencyKey }),
    done: i18n.t('The personal data is erased.'),
    // Earlier versions have lost their personal data too.
    forget: () => queries.removeQueries({ queryKey: ['shipment', id, 'as-of'] }),
    onClose,
  })
  return (
    <ActForm
      shipment={shipment}
      act={act}
      title={i18n.t('Erase the personal data for good?')}
      does={i18n.t('Erase the personal data')}
      leaves={i18n.t('Keep the data')}
      whyNot={null}
      onClose={onClose}
    >
      <p>
        {i18n.t(
          'The recipient, the document, the declared content, the metadata, the pickup code, the label and the courier’s messages are destroyed, in every earlier version too. Nobody can restore them.',
        )}
      </p>
      <p>
        {i18n.t(
          'The history, the guide number and the tracking stay. The courier keeps its own records: erasing does not stop the parcel.',
        )}
      </p>
      <p>
        {i18n.t(
          'Only this order is erased. For all data of a person, erase each of the person’s orders: names cannot be searched, so ask for the order numbers.',
        )}
      </p>
      {isOnItsWay(shipment.tracking.status) && (
        <Box component="p" px="xs" py="2xs" c="var(--warn)" className="warned">
          {i18n.t(
            'The parcel has not arrived yet. Afterwards the label cannot be printed again, and nobody can look up the pickup code.',
          )}
        </Box>
      )}
    </ActForm>
  )
}
