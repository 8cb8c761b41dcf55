import type { Operation } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import type { Column } from '../parts/table.tsx'
import { Age, Far } from '../parts/times.tsx'

/** The columns for lists of operations. */
export const operationColumns = {
  reference: {
    name: 'Reference',
    width: 'minmax(9rem, 2fr)',
    cell: (row) => row.external_reference,
  },
  state: {
    name: 'State',
    width: 'minmax(14.5rem, 1.5fr)',
    isLong: true,
    cell: (row) => (
      <>
        <Badge value={row.status} /> {row.contradicted && <Badge value="contradicted" />}
        {row.escalated && <Badge value="escalated" />}
        {row.resolution?.confirmed === false && <Badge value="unconfirmed" />}
      </>
    ),
  },
  result: {
    name: 'Result',
    width: 'minmax(8rem, 1fr)',
    isLong: true,
    cell: (row) => (row.result === null ? '–' : row.result.replaceAll('_', ' ')),
  },
  cause: {
    name: 'Cause',
    width: 'minmax(10rem, 1fr)',
    isLong: true,
    cell: (row) => row.cause?.replaceAll('_', ' ') ?? '–',
  },
  type: {
    name: 'Type',
    width: '7rem',
    cell: (row) => row.type.replace('shipment_', ''),
  },
  age: {
    name: 'Age',
    width: 'minmax(7rem, 0.8fr)',
    cell: (row) => <Age at={row.created_at} workspaceId={row.workspace_id} />,
  },
  looks: { name: 'Looks', width: '4rem', cell: (row) => row.looks.length },
  nextLook: {
    name: 'Next look',
    width: 'minmax(9rem, 1fr)',
    isLong: true,
    cell: (row) =>
      row.next_look_at === null ? (
        '–'
      ) : (
        <Far at={row.next_look_at} workspaceId={row.workspace_id} />
      ),
  },
} satisfies Record<string, Column<Operation>>
