import type { Operation } from '../../client/methods.ts'
import type { Column } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { AgencyName, WorkspaceName } from '../parts/names.tsx'
import { Far, Took, Waiting } from '../parts/times.tsx'
import { formatMoney } from '../shipments/money.ts'
import { guidesAgainst, marksOf, shortWhy } from './why.ts'

/** The columns of all lists of operations. Each list shows those that differ between its rows. */
export const operationColumns = {
  reference: {
    name: 'Reference',
    width: 'minmax(8rem, 1.4fr)',
    cell: (row) => row.external_reference,
  },
  state: {
    name: 'State',
    // Room for two badges.
    width: 'minmax(18.5rem, 1.2fr)',
    isLong: true,
    cell: (row) => badgesOf(row).map((value) => <Badge key={value} value={value} />),
  },
  /** The badge comes first, so that truncation does not cut it. */
  why: {
    name: 'Why',
    width: 'minmax(15.5rem, 2fr)',
    isLong: true,
    cell: (row) => (
      <>
        {row.escalated && row.status !== 'resolved' && <Badge value="escalated" />} {shortWhy(row)}
      </>
    ),
  },
  /** For lists in which all are escalated, or the state column says so. */
  plainWhy: {
    name: 'Why',
    width: 'minmax(10rem, 2fr)',
    isLong: true,
    cell: (row) => shortWhy(row),
  },
  backAt: {
    name: 'Back',
    width: 'minmax(7rem, 0.7fr)',
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
    width: 'minmax(8rem, 1fr)',
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
    width: '6rem',
    cell: (row) => row.type.replace('shipment_', ''),
  },
  age: {
    name: 'Age',
    width: 'minmax(8.8rem, 0.6fr)',
    isLong: true,
    cell: (row) => <AgeOf operation={row} />,
  },
  assignee: {
    name: 'Assignee',
    width: 'minmax(6rem, 0.8fr)',
    cell: ({ assignee }) => (assignee === null ? '–' : (assignee.name ?? assignee.operator_id)),
  },
  looks: { name: 'Asked', width: '3.5rem', cell: (row) => row.looks.length },
  nextLook: {
    name: 'Asked again',
    width: 'minmax(7rem, 0.7fr)',
    isLong: true,
    cell: (row) => farOf(row, row.next_look_at),
  },
  guide: {
    name: 'Guide',
    width: 'minmax(9rem, 1fr)',
    cell: (row) => row.resolution?.guide_number ?? row.resolutions.at(-1)?.guide_number ?? '–',
  },
  decision: {
    name: 'Decision',
    width: 'minmax(9.5rem, 1fr)',
    isLong: true,
    cell: (row) => {
      const last = row.resolutions.at(-1)
      return last === undefined ? '–' : <Badge value={last.decision} />
    },
  },
  /** The evidence against the decision. */
  shown: {
    name: 'Courier shows',
    width: 'minmax(12.5rem, 1.4fr)',
    isLong: true,
    cell: (row) => firstOf(guidesAgainst(row)),
  },
  surplus: {
    name: 'To cancel',
    width: 'minmax(12.5rem, 1.4fr)',
    isLong: true,
    cell: (row) => firstOf(row.surplus_guide_numbers),
  },
  decidedAt: {
    name: 'Decided',
    width: 'minmax(7rem, 0.7fr)',
    cell: (row) => farOf(row, row.resolutions.at(-1)?.at ?? null),
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

function firstOf([first, ...rest]: readonly string[]): string {
  if (first === undefined) return '–'
  return rest.length === 0 ? first : `${first} and ${rest.length} more`
}

/** The state and the most urgent mark. "Contradicted" implies "needs review". */
function badgesOf(row: Operation): readonly string[] {
  const [mark] = marksOf(row)
  if (row.status !== 'resolved' && mark === 'contradicted') return marksOf(row)
  return [row.result ?? row.status, ...(mark === undefined ? [] : [mark])]
}

/** How long the operation has been or was open. */
function AgeOf({ operation }: { readonly operation: Operation }) {
  const { created_at: createdAt, workspace_id: workspaceId, resolution } = operation
  if (resolution === null) return <Waiting at={createdAt} workspaceId={workspaceId} />
  return <Took from={createdAt} to={resolution.at} />
}

const of = operationColumns
const at = [of.workspace, of.courier, of.destination, of.amount]
const decided = [of.decidedBy, of.decidedAt]

/** The columns of each view, without what all its rows have in common. */
export const columnsOfView: Readonly<Record<string, readonly Column<Operation>[]>> = {
  review: [of.reference, of.plainWhy, ...at, of.assignee, of.age],
  contradicted: [of.reference, of.decision, of.guide, of.shown, ...decided, of.workspace],
  overdue: [of.reference, of.why, of.workspace, of.courier, of.amount, of.assignee, of.age],
  unconfirmed: [of.reference, of.guide, ...decided, of.workspace, of.looks, of.nextLook],
  surplus: [of.reference, of.surplus, of.guide, ...decided, of.workspace, of.courier],
  reconciling: [of.reference, of.why, ...at, of.age, of.nextLook],
  mine: [of.reference, of.state, of.plainWhy, of.workspace, of.destination, of.amount, of.age],
  snoozed: [of.reference, of.plainWhy, of.workspace, of.assignee, of.age, of.backAt],
  all: [of.reference, of.state, of.plainWhy, of.workspace, of.type, of.age, of.nextLook],
}
