import { Button, TextInput } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { useState } from 'react'
import { csvOf } from '../lists/csv.ts'
import { saveFile } from '../parts/save-file.ts'
import { WideTable } from '../parts/wide-table.tsx'
import { mendedFile } from './mended-file.ts'
import { labelAt, type SheetFields } from './sheet-fields.ts'
import type { SheetFile } from './sheet-file.ts'
import { errorSentence, lineErrors, type SheetCheck, type SheetError } from './use-sheet-check.ts'

/** More would not be read on screen. The CSV has all that the service lists. */
const shownMax = 100

/** These name the candidates too, which are offered as choices. */
const sentences: Readonly<Record<string, string>> = {
  agency_not_found: 'The courier has no agency of this name.',
  agency_ambiguous: 'Several agencies have this name.',
  product_not_found: 'The courier has no kind of parcel of this name.',
  product_ambiguous: 'Several kinds of parcel have this name.',
}

/** Whether the user can choose what this name of an agency or product means. */
export function isName({ reason, value }: SheetError): boolean {
  return reason in sentences && value !== null
}

export function nameSentence({ reason }: SheetError): string {
  return sentences[reason] ?? ''
}

function wordsOf(error: SheetError): string {
  const said = sentences[error.reason]
  if (said === undefined) {
    const meant = error.suggestions.map(({ label }) => label).join(' or ')
    return meant === '' ? errorSentence(error) : `${errorSentence(error)} Did you mean ${meant}?`
  }
  return `${said} ${isName(error) ? 'Choose one above, or correct it here.' : 'Correct it here or in the file.'}`
}

type ErrorsProps = {
  readonly check: SheetCheck
  readonly fields: SheetFields
  /** What a person finds a line by, beside its number. */
  readonly by: 'Order' | 'Guide'
  /** Takes the file with a corrected cell. */
  readonly file: SheetFile | null
  readonly onMended: (file: SheetFile) => void
}

function nameOfLine(error: SheetError): string | null {
  return error.external_reference ?? error.guide_number
}

/** The errors by line and column, before anything is created. */
export function SheetErrors({ check, fields, by, file, onMended }: ErrorsProps) {
  const errors = lineErrors(check)
  if (errors.length === 0) return null
  const left = errors.length - Math.min(shownMax, errors.length) + check.more_errors
  return (
    <>
      <WideTable name="Errors" columns={['Line', by, 'Column', 'In the file', 'What is wrong']}>
        {errors.slice(0, shownMax).map((error) => (
          <tr key={`${error.line} ${error.pointer} ${error.reason} ${error.detail}`}>
            <td>{error.line}</td>
            <td>
              <bdi>{nameOfLine(error) ?? '–'}</bdi>
            </td>
            <td>
              <bdi>{error.column ?? labelAt(fields, error.pointer)}</bdi>
            </td>
            <td>
              <CellText
                error={error}
                onMend={
                  check.file === null || file === null
                    ? null
                    : async (text) => {
                        const mended = await mendedFile(file, check, { error, text })
                        if (mended !== null) onMended(mended)
                      }
                }
              />
            </td>
            <td>{wordsOf(error)}</td>
          </tr>
        ))}
      </WideTable>
      <div className="actions">
        {left > 0 && <span>And {left} more.</span>}
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() =>
            saveFile('wrong-lines.csv', 'text/csv', `\ufeff${errorsCsv(errors, fields, by)}`)
          }
        >
          Save this list as CSV
        </Button>
      </div>
    </>
  )
}

type CellProps = {
  readonly error: SheetError
  /** Null if the file cannot be corrected here. */
  readonly onMend: ((text: string) => Promise<void>) | null
}

/** The text of the cell, to be corrected in place. */
function CellText({ error, onMend }: CellProps) {
  const { line, column, value } = error
  const [typed, setTyped] = useState(value ?? '')
  if (onMend === null || column === null) return <bdi>{value ?? '–'}</bdi>
  const mend = () => {
    if (typed !== (value ?? '')) void onMend(typed)
  }
  return (
    <TextInput
      size="xs"
      className="cell-text"
      aria-label={`Line ${line}, ${column}`}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={mend}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leaveCell(event.currentTarget)
      }}
    />
  )
}

/** To the next cell: the row of a corrected one disappears, and the focus would be lost with it. */
function leaveCell(cell: HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>('.cell-text input')]
  const next = all[all.indexOf(cell) + 1]
  if (next === undefined) cell.blur()
  else next.focus()
}

function errorsCsv(errors: readonly SheetError[], fields: SheetFields, by: string): string {
  const rows = errors.map((error) => [
    String(error.line),
    nameOfLine(error) ?? '',
    error.column ?? labelAt(fields, error.pointer),
    error.value ?? '',
    error.detail,
  ])
  return csvOf(['line', by.toLowerCase(), 'column', 'value', 'error'], rows)
}
