import { Button } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { csvOf } from '../lists/csv.ts'
import { saveFile } from '../parts/save-file.ts'
import { WideTable } from '../parts/wide-table.tsx'
import type { CheckedLines, Fault } from './file/check-lines.ts'

/** As many as a person reads; the file has them all. */
const shownMax = 100

type CheckedProps = { readonly checked: CheckedLines }

/** What is wrong in which line and column, before anything is created. */
export function CheckedFile({ checked }: CheckedProps) {
  const { good, faults } = checked
  const wrong = new Set(faults.map(({ line }) => line)).size
  if (wrong === 0) {
    return (
      <p className="verified" role="status">
        Nothing is wrong in {good.length === 1 ? 'the line' : `the ${good.length} lines`}, as far as
        it can be seen here. What only the courier knows is checked when the batch runs.
      </p>
    )
  }
  return (
    <>
      <p className="refusal" role="status">
        {wrong === 1 ? 'One line is' : `${wrong} lines are`} wrong, and{' '}
        {good.length === 1 ? 'one is' : `${good.length} are`} good. Correct the file and choose it
        again, or go on with the good lines only.
      </p>
      <WideTable name="What is wrong" columns={['Line', 'Column', 'What is wrong']}>
        {faults.slice(0, shownMax).map(({ line, column, detail }) => (
          <tr key={`${line} ${column} ${detail}`}>
            <td>{line}</td>
            <td>{column ?? 'the whole line'}</td>
            <td>{detail}</td>
          </tr>
        ))}
      </WideTable>
      <div className="actions">
        {faults.length > shownMax && <span>And {faults.length - shownMax} more.</span>}
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => saveFile('wrong-lines.csv', 'text/csv', `\ufeff${faultsCsv(checked)}`)}
        >
          Save this list as CSV
        </Button>
      </div>
    </>
  )
}

function faultsCsv({ faults, references }: CheckedLines): string {
  const row = ({ line, column, detail }: Fault) => [
    String(line),
    references.get(line) ?? '',
    column ?? '',
    detail,
  ]
  return csvOf(['line', 'reference', 'column', 'what is wrong'], faults.map(row))
}
