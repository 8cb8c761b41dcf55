import type { Shipment } from '../../client/methods.ts'
import { Panel } from '../parts/panel.tsx'
import { PdfOnRequest } from '../parts/pdf-on-request.tsx'
import { useSession } from '../session.tsx'

/** The label, which names a person. */
export function ShipmentLabel({ shipment }: { readonly shipment: Shipment }) {
  const { client } = useSession()
  const refused = refusalOf(shipment)
  return (
    <Panel title="Label">
      <p className="reason">
        {refused ?? 'It names the recipient, so it is read only when you ask for it.'}
      </p>
      <PdfOnRequest
        refused={refused}
        choices={(['a6', 'a4'] as const).map((size) => ({
          word: `Show the label, ${size.toUpperCase()}`,
          fileName: `${shipment.id}-${size}.pdf`,
          read: () => client.documents.getLabel({ id: shipment.id, size }),
        }))}
      />
    </Panel>
  )
}

function refusalOf({ status, guide_number, label }: Shipment): string | null {
  if (label.status === 'erased') return 'It was erased with the personal data.'
  if (status === 'creating') return 'The guide is still being created.'
  if (guide_number === null) return 'There is no guide, so there is no label.'
  return null
}
