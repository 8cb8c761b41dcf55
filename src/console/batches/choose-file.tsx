import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { CsvFileButtons } from '../forms/csv-file-buttons.tsx'
import { counted } from '../lists/counted.ts'
import type { BatchDraft } from './batch-draft.ts'
import { templateCsv } from './file/batch-csv.ts'
import { decodedText, UnreadableFile } from './file/csv-file.ts'

type ChooseProps = { readonly of: BatchDraft }

/** Takes a file of a spreadsheet, or cells that are pasted from one. It is read here only. */
export function ChooseFile({ of }: ChooseProps) {
  const { draft, change, file } = of
  const [refusal, setRefusal] = useState<string | null>(null)
  const take = (text: string, fileName: string | null, isGuessed: boolean) => {
    setRefusal(null)
    change({ text, fileName, isGuessed })
  }
  const open = async (chosen: File) => {
    try {
      const { text, isGuessed } = decodedText(new Uint8Array(await chosen.arrayBuffer()))
      take(text, chosen.name, isGuessed)
    } catch (error) {
      setRefusal(error instanceof UnreadableFile ? error.message : 'The file cannot be read.')
    }
  }
  const why = refusal ?? of.why
  return (
    <>
      <p>
        One line for each shipment, and a first line that names the columns. The file stays in this
        tab until you send it.
      </p>
      <CsvFileButtons
        isChosen={file !== null}
        isPrimary
        onChoose={(chosen) => void open(chosen)}
        template={{ name: 'batch-template.csv', text: templateCsv() }}
      />
      {draft.fileName === null && (
        <Textarea
          label="Or paste from a spreadsheet"
          description="Select the cells with their header, copy them, and paste them here."
          rows={4}
          spellCheck={false}
          value={draft.text}
          onChange={(event) => take(event.currentTarget.value, null, false)}
        />
      )}
      {why !== null && (
        <p className="refusal" role="alert">
          {why}
        </p>
      )}
      {file !== null && (
        <p role="status">
          <bdi>{draft.fileName ?? 'Pasted'}</bdi>: {counted(file.lines.length, 'line')},{' '}
          {counted(file.header.cells.length, 'column')}.
        </p>
      )}
      {draft.isGuessed && (
        <p className="reason">
          The file is not saved as UTF-8, so letters such as ñ and á were guessed. Check the names,
          or save the sheet as “CSV UTF-8”.
        </p>
      )}
    </>
  )
}
