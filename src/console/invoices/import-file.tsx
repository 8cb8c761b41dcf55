import { useState } from 'react'
import { CsvFileButtons } from '../forms/csv-file-buttons.tsx'
import { csvOf } from '../lists/csv.ts'
import type { useImportDraft } from './import-draft.ts'

type ChosenFile = ReturnType<typeof useImportDraft>['draft']['file']
type FileProps = {
  readonly file: ChosenFile
  readonly onChange: (file: ChosenFile) => void
}

/** The API's own limit. */
const bytesMax = 16 * 1024 * 1024

const template = csvOf(
  ['guide_number', 'amount', 'currency', 'weight_kg', 'date', 'client_reference'],
  [['100000000001', '1450', 'PEN', '0.8', '2026-02-27', '']],
)

/** Takes the file as it is: the service reads it, whatever spreadsheet wrote it. */
export function ImportFile({ file, onChange }: FileProps) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const open = async (chosen: File) => {
    setRefusal(null)
    if (chosen.size > bytesMax) {
      setRefusal('The file is larger than 16 MB. An invoice has at most 100,000 lines.')
      return
    }
    try {
      onChange({ name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) })
    } catch {
      setRefusal('The file cannot be read.')
    }
  }
  return (
    <>
      <p>
        A CSV with a first line that names the columns: <code>guide_number</code>,{' '}
        <code>amount</code>, <code>currency</code>, and if you have them <code>weight_kg</code>,{' '}
        <code>date</code>, <code>client_reference</code>. Amounts are in minor units: 14.50 is{' '}
        <code>1450</code>. Delete rows with sums, taxes and credits.
      </p>
      <CsvFileButtons
        isChosen={file !== null}
        isPrimary={file === null}
        onChoose={(chosen) => void open(chosen)}
        template={{ name: 'invoice-template.csv', text: `\ufeff${template}` }}
      />
      {refusal !== null && (
        <p className="refusal" role="alert">
          {refusal}
        </p>
      )}
      {file !== null && (
        <p role="status">
          <bdi>{file.name}</bdi>, {sizeOf(file.bytes.length)}.
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
