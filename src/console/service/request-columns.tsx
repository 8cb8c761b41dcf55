import type { Schemas } from '../../client/methods.ts'
import type { Column } from '../lists/table.tsx'
import { Time } from '../parts/times.tsx'
import { StatusCode } from './status-code.tsx'

export type LoggedRequest = Schemas['Request']

export const requestColumns: readonly Column<LoggedRequest>[] = [
  {
    name: 'Request',
    width: 'minmax(12rem, 2fr)',
    cell: (row) => (
      <>
        {row.method} {row.route}
      </>
    ),
  },
  {
    name: 'Answer',
    width: 'minmax(14rem, 1.6fr)',
    isLong: true,
    cell: (row) => (
      <>
        <StatusCode value={row.status} /> {row.reason ?? ''}
      </>
    ),
  },
  { name: 'Took', width: 'minmax(5rem, 0.5fr)', cell: (row) => `${row.duration_ms} ms` },
  {
    name: 'Stands for',
    width: '6rem',
    cell: (row) => (row.represents === 1 ? '1' : row.represents.toFixed(1)),
  },
  {
    name: 'Key',
    width: 'minmax(9rem, 1fr)',
    cell: (row) => <code title={row.key_id}>{row.key_id}</code>,
  },
  {
    name: 'At',
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]
