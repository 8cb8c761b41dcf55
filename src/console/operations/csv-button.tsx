import { Button } from '@mantine/core'
import IconDownload from '@tabler/icons-react/icons/IconDownload'
import type { Operation } from '../../client/methods.ts'
import { csvOf } from '../lists/csv.ts'
import { saveFile } from '../parts/save-file.ts'
import { shortWhy } from './why.ts'

const columns: readonly (readonly [string, (row: Operation) => string | number])[] = [
  ['operation', (row) => row.id],
  ['shipment', (row) => row.shipment_id],
  ['external_reference', (row) => row.external_reference],
  ['workspace', (row) => row.workspace_id],
  ['type', (row) => row.type],
  ['courier', (row) => row.provider_code],
  ['destination_agency', (row) => row.destination.agency_id],
  ['amount_minor_units', (row) => row.amount?.amount ?? ''],
  ['currency', (row) => row.amount?.currency ?? ''],
  ['assignee', (row) => row.assignee?.operator_id ?? ''],
  ['status', (row) => row.status],
  ['result', (row) => row.result ?? ''],
  ['cause', (row) => row.cause ?? ''],
  ['why', shortWhy],
  ['escalated', (row) => String(row.escalated)],
  ['contradicted', (row) => String(row.contradicted)],
  ['decision', (row) => row.resolution?.decision ?? ''],
  ['guide_number', (row) => row.resolution?.guide_number ?? ''],
  ['surplus_guide_numbers', (row) => row.surplus_guide_numbers.join(' ')],
  ['decided_by', (row) => row.resolution?.decided_by ?? row.resolution?.by ?? ''],
  ['decided_at', (row) => row.resolution?.at ?? ''],
  ['looks', (row) => row.looks.length],
  ['next_look_at', (row) => row.next_look_at ?? ''],
  ['created_at', (row) => row.created_at],
]

/** Saves the rows already loaded. */
export function CsvButton({ rows }: { readonly rows: readonly Operation[] }) {
  const save = () => {
    const text = csvOf(
      columns.map(([name]) => name),
      rows.map((row) => columns.map(([, cell]) => String(cell(row)))),
    )
    saveFile('operations.csv', 'text/csv', text)
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
