import { i18n } from '@lingui/core'
import { Button, TextInput } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { useState } from 'react'
import { csvOf } from '../lists/csv.ts'
import { saveFile } from '../parts/save-file.ts'
import { WideTable } from '../parts/wide-table.tsx'
import { ErrorWords, errorText } from './error-words.tsx'
import { fileLine } from './field-titles.ts'
import { mendedFile, rowsWith } from './mended-file.ts'
import { labelAt } from './sheet-fields.ts'
import type { SheetFile } from './sheet-file.ts'
import { lineErrors, type SheetCheck, type SheetError } from './use-sheet-check.ts'

/** More would not be read on screen. The CSV has all that the service lists. */
const shownMax = 100

type ErrorsProps = {
  readonly check: SheetCheck
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
export function SheetErrors({ check, by, file, onMended }: ErrorsProps) {
  const errors = lineErrors(check)
  if (errors.length === 0) return null
  const names = [
    fileLine(),
    by === 'Order' ? i18n.t('Order') : i18n.t('Guide'),
    i18n.t('Column'),
    i18n.t('In the file'),
    i18n.t('What is wrong'),
  ]
  const left = errors.length - Math.min(shownMax, errors.length) + check.more_errors
  return (
    <>
      <WideTable name={i18n.t('Errors')} columns={names} isStacked>
        {errors.slice(0, shownMax).map((error) => (
          <tr key={`${error.line} ${error.pointer} ${error.reason} ${error.detail}`}>
            <td data-name={names[0]}>{error.line}</td>
            <td data-name={names[1]}>
              <bdi>{nameOfLine(error) ?? '–'}</bdi>
            </td>
            <td data-name={names[2]}>
              <bdi>{error.column ?? labelAt(error.pointer)}</bdi>
            </td>
            <td data-name={names[3]}>
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
            <td data-name={names[4]}>
              <ErrorWords error={error} />
            </td>
          </tr>
        ))}
      </WideTable>
      <div className="actions">
        {left > 0 && <span>{i18n.t('{count, plural, other {And # more.}}', { count: left })}</span>}
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() =>
            saveFile(i18n.t('wrong-lines.csv'), 'text/csv', `\ufeff${errorsCsv(errors, by)}`)
          }
        >
          {i18n.t('Save this list as CSV')}
        </Button>
        {file !== null && check.file !== null && (
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={() => void saveRows(file, check, errors)}
          >
            {i18n.t('Save these rows of the file')}
          </Button>
        )}
      </div>
    </>
  )
}

type CellProps = {
  readonly error: SheetError
  /** Null if the file cannot be corrected here. */
  readonly onMend: ((text: string) => Promise<void>) | null
}

/** The text of the cell, to be corrected in place. Another number for an order with a guide would ship it twice. */
function CellText({ error, onMend }: CellProps) {
  const { line, column, value } = error
  const [typed, setTyped] = useState(value ?? '')
  if (onMend === null || column === null || error.reason === 'order_has_guide')
    return <bdi>{value ?? '–'}</bdi>
  const mend = () => {
    if (typed !== (value ?? '')) void onMend(typed)
  }
  return (
    <TextInput
      size="xs"
      className="cell-text"
      aria-label={i18n.t('Line {line}, {column}', { line, column })}
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

/** The whole rows, to be corrected in a spreadsheet and sent, with what is wrong in a last column. */
async function saveRows(
  file: SheetFile,
  check: SheetCheck,
  errors: readonly SheetError[],
): Promise<void> {
  const wrong = new Map<number, string>()
  for (const error of errors) {
    const before = wrong.get(error.line)
    wrong.set(error.line, [...(before === undefined ? [] : [before]), errorText(error)].join(' '))
  }
  const rows = await rowsWith(file, check, { name: i18n.t('What is wrong'), texts: wrong })
  if (rows !== null) saveFile(i18n.t('rows-with-errors.csv'), 'text/csv', `\ufeff${rows}`)
}

function errorsCsv(errors: readonly SheetError[], by: ErrorsProps['by']): string {
  const rows = errors.map((error) => [
    String(error.line),
    nameOfLine(error) ?? '',
    error.column ?? labelAt(error.pointer),
    error.value ?? '',
    errorText(error),
  ])
  const header = [
    i18n.t({ id: 'line (of a file)', message: 'line' }),
    by === 'Order' ? i18n.t('order') : i18n.t('guide'),
    i18n.t('column'),
    i18n.t('value'),
    i18n.t('error'),
  ]
  return csvOf(header, rows)
}
