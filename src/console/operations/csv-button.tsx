import { Button } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import type { Operation } from '../../client/methods.ts'
import { csvOf } from '../lists/csv.ts'
import { shortWhy } from './why.ts'

const columns: readonly (readonly [string, (row: Operation) => string | number])[] = [
  ['operation', (row) => row.id],
  ['shipment', (row) => row.shipment_id],
  ['external_reference', (row) => row.external_reference],
  ['workspace', (row) => row.workspace_id],
  ['type', (row) => row.type],
  ['status', (row) => row.status],
  ['result', (row) => row.result ?? ''],
  ['cause', (row) => row.cause ?? ''],
  ['why', shortWhy],
  ['escalated', (row) => String(row.escalated)],
  ['contradicted', (row) => String(row.contradicted)],
  ['looks', (row) => row.looks.length],
  ['next_look_at', (row) => row.next_look_at ?? ''],
  ['created_at', (row) => row.created_at],
]

/** Saves the rows that are shown. Nothing is read for it. */
export function CsvButton({ rows }: { readonly rows: readonly Operation[] }) {
  const save = () => {
    const text = csvOf(
      columns.map(([name]) => name),
      rows.map((row) => columns.map(([, cell]) => String(cell(row)))),
    )
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'operations.csv'
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={14} />}
      disabled={rows.length === 0}
      onClick={save}
    >
      CSV
    </Button>
  )
}
