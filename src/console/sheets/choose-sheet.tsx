import { i18n } from '@lingui/core'
import { Button, FileButton, Textarea } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import IconFileUpload from '@tabler/icons-react/icons/IconFileUpload'
import { useRef, useState } from 'react'
import { formatNumber } from '../languages/language.ts'
import { saveFile } from '../parts/save-file.ts'
import type { SheetFile } from './sheet-file.ts'

type ChooseProps = {
  readonly file: SheetFile | null
  /** The API's own limit. */
  readonly megabytesMax: number
  readonly template: { readonly name: string; readonly text: string }
  readonly onChange: (file: SheetFile | null) => void
}

/** Opens a CSV file, takes pasted cells, or saves a template. */
export function ChooseSheet({ file, megabytesMax, template, onChange }: ChooseProps) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const reset = useRef<() => void>(null)
  const take = (name: string | null, content: SheetFile['content']) => {
    setRefusal(null)
    onChange(content.length === 0 ? null : { id: crypto.randomUUID(), version: 1, name, content })
  }
  const open = async (chosen: File) => {
    if (chosen.size > megabytesMax * 1024 * 1024) {
      setRefusal(
        i18n.t('The file is larger than {megabytes} MB. Split it and send the parts.', {
          megabytes: megabytesMax,
        }),
      )
      return
    }
    try {
      take(chosen.name, new Uint8Array(await chosen.arrayBuffer()))
    } catch {
      setRefusal(i18n.t('The file cannot be read.'))
    }
  }
  return (
    <>
      <div className="actions">
        <FileButton
          accept=".csv,.tsv,.txt,text/csv"
          resetRef={reset}
          onChange={(chosen) => {
            if (chosen !== null) void open(chosen)
            // A corrected file has the same name, and browsers do not report the same choice again.
            reset.current?.()
          }}
        >
          {(props) => (
            <Button
              {...props}
              variant={file === null ? 'filled' : 'default'}
              leftSection={<IconFileUpload size={15} />}
            >
              {file === null ? i18n.t('Choose a CSV file…') : i18n.t('Choose another file…')}
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => saveFile(template.name, 'text/csv', template.text)}
        >
          {i18n.t('Template')}
        </Button>
      </div>
      {(file === null || file.name === null) && (
        <Textarea
          label={i18n.t('Or paste from a spreadsheet')}
          description={i18n.t(
            'Select the cells with their header, copy them, and paste them here.',
          )}
          rows={4}
          spellCheck={false}
          value={typeof file?.content === 'string' ? file.content : ''}
          onChange={(event) => take(null, event.currentTarget.value)}
        />
      )}
      {refusal !== null && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
      {file !== null && file.name !== null && (
        <p role="status">
          <bdi>{file.name}</bdi>, {sizeOf(file.content.length)}.
          {file.version > 1 && ` ${i18n.t('Corrected here: your own file is unchanged.')}`}
        </p>
      )}
    </>
  )
}

function sizeOf(bytes: number): string {
  return bytes < 10_240
    ? i18n.t('{bytes, plural, one {# byte} other {# bytes}}', { bytes })
    : `${formatNumber(Math.round(bytes / 1_024))} KB`
}
