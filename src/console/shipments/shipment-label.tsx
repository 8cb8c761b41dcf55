import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Shipment } from '../../client/methods.ts'
import { Panel } from '../parts/panel.tsx'
import { Failed } from '../parts/states.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { useSession } from '../session.tsx'

type Size = 'a6' | 'a4'
type Label = { readonly url: string; readonly bytes: number; readonly size: Size }

/**
 * The label names a person, so it is read only on a click. It is shown from memory: in the
 * browser's own viewer if there is one, else opened or saved.
 */
export function ShipmentLabel({ shipment }: { readonly shipment: Shipment }) {
  const { client } = useSession()
  const [label, setLabel] = useState<Label | null>(null)
  useEffect(() => {
    return () => {
      if (label !== null) URL.revokeObjectURL(label.url)
    }
  }, [label])
  const ask = useMutation({
    mutationFn: async (size: Size) => {
      const bytes = await client.documents.getLabel({ id: shipment.id, size })
      const pdf = new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })
      return { url: URL.createObjectURL(pdf), bytes: pdf.size, size }
    },
    onSuccess: setLabel,
  })
  const refused = refusalOf(shipment)
  return (
    <Panel title="Label">
      <p className="reason">
        {refused ?? 'It names the recipient, so it is read only when you ask for it.'}
      </p>
      <div className="actions">
        {(['a6', 'a4'] as const).map((size) => (
          <SteadyButton
            key={size}
            isOff={refused !== null || ask.isPending}
            onPress={() => ask.mutate(size)}
          >
            Show the label, {size.toUpperCase()}
          </SteadyButton>
        ))}
      </div>
      {ask.isError && <Failed error={ask.error} />}
      {label !== null && <Preview label={label} name={`${shipment.id}.pdf`} />}
    </Panel>
  )
}

function refusalOf({ status, guide_number, label }: Shipment): string | null {
  if (label.status === 'erased') return 'It was erased with the personal data.'
  if (status === 'creating') return 'The guide is still being created.'
  if (guide_number === null) return 'There is no guide, so there is no label.'
  return null
}

function Preview({ label, name }: { readonly label: Label; readonly name: string }) {
  const kilobytes = Math.ceil(label.bytes / 1_024)
  return (
    <>
      <p>
        <a href={label.url} target="_blank" rel="noopener">
          Open the label
        </a>{' '}
        ·{' '}
        <a href={label.url} download={name}>
          Save it
        </a>{' '}
        · {label.size.toUpperCase()}, {kilobytes} KB
      </p>
      {navigator.pdfViewerEnabled && (
        <object className="label-preview" data={label.url} type="application/pdf" title="Label">
          This browser shows no PDF here: open it instead.
        </object>
      )}
    </>
  )
}
