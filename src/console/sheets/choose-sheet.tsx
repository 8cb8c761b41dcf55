import { Button, FileButton, Textarea } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import IconFileUpload from '@tabler/icons-react/icons/IconFileUpload'
import { useState } from 'react'
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
  const take = (name: string | null, content: SheetFile['content']) => {
    setRefusal(null)
    onChange(content.length === 0 ? null : { id: crypto.randomUUID(), version: 1, name, content })
  }
  const open = async (chosen: File) => {
    if (chosen.size > megabytesMax * 1024 * 1024) {
      setRefusal(`The file is larger than ${megabytesMax} MB. Split it and send the parts.`)
      return
    }
    try {
      take(chosen.name, new Uint8Array(await chosen.arrayBuffer()))
    } catch {
      setRefusal('The file cannot be read.')
    }
  }
  return (
    <>
      <div className="actions">
        <FileButton
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(chosen) => {
            if (chosen !== null) void open(chosen)
          }}
        >
          {(props) => (
            <Button
              {...props}
              variant={file === null ? 'filled' : 'default'}
              leftSection={<IconFileUpload size={15} />}
            >
              {file === null ? 'Choose a CSV file…' : 'Choose another file…'}
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => saveFile(template.name, 'text/csv', template.text)}
        >
          Template
        </Button>
      </div>
      {(file === null || file.name === null) && (
        <Textarea
          label="Or paste from a spreadsheet"
          description="Select the cells with their header, copy them, and paste them here."
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
          {file.version > 1 && ' Corrected here: your own file is unchanged.'}
        </p>
      )}
    </>
  )
}

function sizeOf(bytes: number): string {
  return bytes < 10_240
    ? `${bytes.toLocaleString('en')} bytes`
    : `${Math.round(bytes / 1_024).toLocaleString('en')} KB`
}
