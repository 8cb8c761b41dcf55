import { i18n } from '@lingui/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatNumber } from '../languages/language.ts'
import { saveFile } from './save-file.ts'
import { Failed } from './states.tsx'
import { SteadyButton } from './steady-button.tsx'

const pdfType = 'application/pdf'

type Choice = {
  readonly word: string
  readonly read: () => Promise<Document>
}

/** Another type than PDF is saved at once, because the browser cannot show it. */
type Document = {
  readonly fileName: string
  readonly type: string
  readonly content: Uint8Array
}

type Shown = { readonly url: string; readonly bytes: number; readonly fileName: string }

/**
 * Documents contain personal data, so each is loaded only on a click. It is shown from memory in
 * the browser's viewer if there is one, and can be opened or saved.
 */
export function PdfOnRequest({
  choices,
  refused,
}: {
  readonly choices: readonly Choice[]
  /** Why the document is not available. */
  readonly refused: string | null
}) {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    return () => {
      if (shown !== null) URL.revokeObjectURL(shown.url)
    }
  }, [shown])
  const ask = useMutation({
    mutationFn: async (choice: Choice) => {
      const { type, fileName, ...read } = await choice.read()
      const content = new Uint8Array(read.content)
      if (type !== pdfType) {
        saveFile(fileName, type, content)
        return null
      }
      const pdf = new Blob([content], { type })
      return { url: URL.createObjectURL(pdf), bytes: pdf.size, fileName }
    },
    onSuccess: setShown,
  })
  return (
    <>
      <div className="actions">
        {choices.map((choice) => (
          <SteadyButton
            key={choice.word}
            isOff={refused !== null || ask.isPending}
            onPress={() => ask.mutate(choice)}
          >
            {choice.word}
          </SteadyButton>
        ))}
      </div>
      {ask.isError && <Failed error={ask.error} />}
      {shown !== null && <Preview shown={shown} />}
    </>
  )
}

function Preview({ shown: { url, bytes, fileName } }: { readonly shown: Shown }) {
  return (
    <>
      <p className="reason">
        {fileName}, {formatNumber(Math.ceil(bytes / 1_024))} KB
      </p>
      <div className="actions">
        <a href={url} target="_blank" rel="noopener">
          {i18n.t('Open')}
        </a>
        <a href={url} download={fileName}>
          {i18n.t('Save')}
        </a>
      </div>
      {navigator.pdfViewerEnabled && (
        <object className="label-preview" data={url} type="application/pdf" title={fileName}>
          {i18n.t('This browser cannot show the PDF here. Open it instead.')}
        </object>
      )}
    </>
  )
}
