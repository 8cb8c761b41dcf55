import { i18n } from '@lingui/core'
import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answered, Schemas } from '../../client/methods.ts'
import { currentLanguage } from '../languages/language.ts'
import { type LabelFormat, labelFileOf, labelFormats } from '../parts/label-format.ts'
import { Panel } from '../parts/panel.tsx'
import { PdfOnRequest } from '../parts/pdf-on-request.tsx'
import { useSession } from '../session.tsx'
import { printedLabels } from './print-labels.tsx'

type DocumentsProps = {
  readonly batch: Answered<Schemas['Batch']>
  readonly format: LabelFormat
  readonly onFormat: (format: string) => void
}

/** The labels and the manifest of a batch, or of a range of its lines. */
export function BatchDocuments({ batch, format, onFormat }: DocumentsProps) {
  const { client } = useSession()
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const lines = {
    ...(first === '' ? {} : { first_line: Number(first) }),
    ...(last === '' ? {} : { last_line: Number(last) }),
  }
  const { id } = batch
  const range = first === '' && last === '' ? '' : `-${first || '1'}-${last || i18n.t('end')}`
  return (
    <Panel title={i18n.t('Labels and manifest')} name={i18n.t('Documents')}>
      <p className="reason">
        {i18n.t(
          'Each label has its order and the shop’s name on it, unless the shop has saved otherwise. The first page names the lines without a label. Print a large batch one range of lines at a time.',
        )}
      </p>
      <div className="actions">
        <NativeSelect
          label={i18n.t('Format of labels')}
          description={i18n.t('Kept in this browser.')}
          value={format}
          data={labelFormats()}
          onChange={(event) => onFormat(event.currentTarget.value)}
        />
        <TextInput
          label={i18n.t('From line')}
          inputMode="numeric"
          value={first}
          onChange={(event) => setFirst(digits(event.currentTarget.value))}
        />
        <TextInput
          label={i18n.t('To line')}
          inputMode="numeric"
          value={last}
          onChange={(event) => setLast(digits(event.currentTarget.value))}
        />
      </div>
      <PdfOnRequest
        refused={batch.counts.created === undefined ? i18n.t('No line has a guide yet.') : null}
        choices={[
          {
            word: i18n.t('Print these labels'),
            read: async () => {
              const content = await printedLabels(client, { batch, format, lines })
              return { ...labelFileOf(content), content }
            },
          },
          {
            word: i18n.t('Print manifest'),
            read: async () => ({
              type: 'application/pdf',
              fileName: `${id}-${i18n.t('manifest')}${range}.pdf`,
              content: await client.batches.getManifest({ id, lang: currentLanguage(), ...lines }),
            }),
          },
        ]}
      />
    </Panel>
  )
}

function digits(text: string): string {
  return text.replace(/\D/g, '').replace(/^0+/, '').slice(0, 6)
}
