import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answered, Schemas } from '../../client/methods.ts'
import { Panel } from '../parts/panel.tsx'
import { PdfOnRequest } from '../parts/pdf-on-request.tsx'
import { useSession } from '../session.tsx'

/** The labels and the manifest of a batch, or of a range of its lines. */
export function BatchDocuments({ batch }: { readonly batch: Answered<Schemas['Batch']> }) {
  const { client } = useSession()
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const lines = {
    ...(first === '' ? {} : { first_line: Number(first) }),
    ...(last === '' ? {} : { last_line: Number(last) }),
  }
  const { id } = batch
  const range = first === '' && last === '' ? '' : `-${first || '1'}-${last || 'end'}`
  const labels = (word: string, layout: 'a6' | 'four_on_a4') => ({
    word,
    fileName: `${id}-labels${range}.pdf`,
    read: () => client.batches.getLabels({ id, layout, ...lines }),
  })
  return (
    <Panel title="Labels and manifest" name="Documents">
      <p className="reason">
        The first page names the lines without a label. Print a large batch one range of lines at a
        time.
      </p>
      <div className="actions">
        <TextInput
          label="From line"
          inputMode="numeric"
          value={first}
          onChange={(event) => setFirst(digits(event.currentTarget.value))}
        />
        <TextInput
          label="To line"
          inputMode="numeric"
          value={last}
          onChange={(event) => setLast(digits(event.currentTarget.value))}
        />
      </div>
      <PdfOnRequest
        refused={batch.counts.created === undefined ? 'No line has a guide yet.' : null}
        choices={[
          labels('Print labels, A6', 'a6'),
          labels('Print labels, four on A4', 'four_on_a4'),
          {
            word: 'Print manifest',
            fileName: `${id}-manifest${range}.pdf`,
            read: () => client.batches.getManifest({ id, ...lines }),
          },
        ]}
      />
    </Panel>
  )
}

function digits(text: string): string {
  return text.replace(/\D/g, '').replace(/^0+/, '').slice(0, 6)
}
