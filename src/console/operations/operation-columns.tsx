import type { Operation } from '../../client/methods.ts'
import type { Column } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { formatMoney } from '../parts/money.ts'
import { AgencyName, WorkspaceName } from '../parts/names.tsx'
import { Age, Far } from '../parts/times.tsx'
import { shortWhy } from './why.ts'

/** The columns for lists of operations. Each list shows what differs between its rows. */
export const operationColumns = {
  reference: {
    name: 'Reference',
    width: 'minmax(9rem, 1.4fr)',
    cell: (row) => row.external_reference,
  },
  state: {
    name: 'State',
    width: 'minmax(14.5rem, 1.2fr)',
    isLong: true,
    cell: (row) => (
      <>
        <Badge value={row.result ?? row.status} />
        {row.contradicted && <Badge value="contradicted" />}
        {row.escalated && row.status !== 'resolved' && <Badge value="escalated" />}
        {row.resolution?.confirmed === false && <Badge value="unconfirmed" />}
      </>
    ),
  },
  why: {
    name: 'Why',
    width: 'minmax(17rem, 2fr)',
    isLong: true,
    cell: (row) => (
      <>
        {shortWhy(row)} {row.escalated && row.status !== 'resolved' && <Badge value="escalated" />}
      </>
    ),
  },
  /** Beside the state, which says that it is escalated. */
  plainWhy: {
    name: 'Why',
    width: 'minmax(12rem, 2fr)',
    isLong: true,
    cell: (row) => shortWhy(row),
  },
  backAt: {
    name: 'Back',
    width: 'minmax(8rem, 0.7fr)',
    isLong: true,
    cell: (row) => farOf(row, row.snoozed_until),
  },
  workspace: {
    name: 'Workspace',
    width: 'minmax(7rem, 1fr)',
    cell: (row) => <WorkspaceName id={row.workspace_id} />,
  },
  courier: { name: 'Courier', width: 'minmax(5rem, 0.5fr)', cell: (row) => row.provider_code },
  destination: {
    name: 'Destination',
    width: 'minmax(9rem, 1fr)',
    isLong: true,
    cell: (row) => <AgencyName id={row.destination.agency_id} />,
  },
  amount: {
    name: 'Amount',
    width: 'minmax(5.5rem, 0.5fr)',
    cell: ({ amount }) => (amount === null ? '–' : formatMoney(amount)),
  },
  type: {
    name: 'Type',
    width: '6.5rem',
    cell: (row) => row.type.replace('shipment_', ''),
  },
  age: {
    name: 'Age',
    width: 'minmax(6rem, 0.6fr)',
    cell: (row) => <Age at={row.created_at} workspaceId={row.workspace_id} />,
  },
  assignee: {
    name: 'Assignee',
    width: 'minmax(6rem, 0.8fr)',
    cell: ({ assignee }) => (assignee === null ? '–' : (assignee.name ?? assignee.operator_id)),
  },
  looks: { name: 'Looks', width: '3.5rem', cell: (row) => row.looks.length },
  nextLook: {
    name: 'Next look',
    width: 'minmax(8rem, 0.7fr)',
    isLong: true,
    cell: (row) => farOf(row, row.next_look_at),
  },
  guide: {
    name: 'Guide',
    width: 'minmax(9rem, 1fr)',
    cell: (row) => row.resolution?.guide_number ?? row.resolutions.at(-1)?.guide_number ?? '–',
  },
  decidedBy: {
    name: 'Decided by',
    width: 'minmax(8rem, 1fr)',
    cell: (row) => {
      const last = row.resolutions.at(-1)
      return last === undefined ? '–' : (last.decided_by ?? last.operator_id ?? last.by)
    },
  },
} satisfies Record<string, Column<Operation>>

function farOf({ workspace_id: workspaceId }: Operation, at: string | null) {
  return at === null ? '–' : <Far at={at} workspaceId={workspaceId} />
}

const of = operationColumns
const at = [of.workspace, of.courier, of.destination, of.amount]

/** The columns of each view: what all its rows have in common is left out. */
export const columnsOfView: Readonly<Record<string, readonly Column<Operation>[]>> = {
  review: [of.reference, of.why, ...at, of.assignee, of.age],
  contradicted: [of.reference, of.state, of.guide, of.decidedBy, of.workspace, of.age, of.nextLook],
  unconfirmed: [of.reference, of.guide, of.decidedBy, of.workspace, of.age, of.looks, of.nextLook],
  reconciling: [of.reference, of.why, ...at, of.age, of.nextLook],
  mine: [of.reference, of.state, of.plainWhy, of.workspace, of.destination, of.amount, of.age],
  snoozed: [of.reference, of.why, of.workspace, of.assignee, of.age, of.backAt],
  all: [of.reference, of.state, of.plainWhy, of.workspace, of.type, of.age, of.nextLook],
}
