import { i18n } from '@lingui/core'
import type { Operation } from '../../client/methods.ts'
import type { Column } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { AgencyName, WorkspaceName } from '../parts/names.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Far, Took, Waiting } from '../parts/times.tsx'
import { formatMoney } from '../shipments/money.ts'
import { guidesAgainst, marksOf, shortWhy } from './why.ts'

/** The columns of all lists of operations. Each list shows those that differ between its rows. */
export function operationColumns() {
  return { ...shipmentColumns(), ...stateColumns(), ...decisionColumns() }
}

const shipmentColumns = () =>
  ({
    reference: {
      name: i18n.t('Reference'),
      width: 'minmax(8rem, 1.4fr)',
      cell: (row) => row.external_reference,
    },
    workspace: {
      name: i18n.t('Workspace'),
      width: 'minmax(7rem, 1fr)',
      cell: (row) => <WorkspaceName id={row.workspace_id} />,
    },
    courier: {
      name: i18n.t('Courier'),
      width: 'minmax(5rem, 0.5fr)',
      cell: (row) => row.provider_code,
    },
    destination: {
      name: i18n.t('Destination'),
      width: 'minmax(8rem, 1fr)',
      isLong: true,
      cell: (row) => <AgencyName id={row.destination.agency_id} />,
    },
    amount: {
      name: i18n.t('Amount'),
      width: 'minmax(5.5rem, 0.5fr)',
      cell: ({ amount }) => (amount === null ? '–' : formatMoney(amount)),
    },
    type: {
      name: i18n.t('Type'),
      width: '6rem',
      cell: ({ type }) =>
        typeWord()[type] ?? <ServiceText>{type.replaceAll('_', ' ')}</ServiceText>,
    },
  }) satisfies Record<string, Column<Operation>>

const stateColumns = () =>
  ({
    state: {
      name: i18n.t('State'),
      // Room for two badges.
      width: 'minmax(18.5rem, 1.2fr)',
      isLong: true,
      cell: (row) => badgesOf(row).map((value) => <Badge key={value} value={value} />),
    },
    /** The badge comes first, so that truncation does not cut it. */
    why: {
      name: i18n.t('Why'),
      width: 'minmax(15.5rem, 2fr)',
      isLong: true,
      cell: (row) => (
        <>
          {row.escalated && row.status !== 'resolved' && <Badge value="escalated" />}{' '}
          {shortWhy(row)}
        </>
      ),
    },
    /** For lists in which all are escalated, or the state column says so. */
    plainWhy: {
      name: i18n.t('Why'),
      width: 'minmax(10rem, 2fr)',
      isLong: true,
      cell: (row) => shortWhy(row),
    },
    backAt: {
      name: i18n.t('Back at'),
      width: 'minmax(7rem, 0.7fr)',
      isLong: true,
      cell: (row) => farOf(row, row.snoozed_until),
    },
    age: {
      name: i18n.t('Age'),
      width: 'minmax(8.8rem, 0.6fr)',
      isLong: true,
      cell: (row) => <AgeOf operation={row} />,
    },
    assignee: {
      name: i18n.t('Assignee'),
      width: 'minmax(6rem, 0.8fr)',
      cell: ({ assignee }) => (assignee === null ? '–' : (assignee.name ?? assignee.operator_id)),
    },
    looks: { name: i18n.t('Asked'), width: '3.5rem', cell: (row) => row.looks.length },
    nextLook: {
      name: i18n.t('Asked next'),
      width: 'minmax(7rem, 0.7fr)',
      isLong: true,
      cell: (row) => farOf(row, row.next_look_at),
    },
  }) satisfies Record<string, Column<Operation>>

const decisionColumns = () =>
  ({
    guide: {
      name: i18n.t('Guide'),
      width: 'minmax(9rem, 1fr)',
      cell: (row) => row.resolution?.guide_number ?? row.resolutions.at(-1)?.guide_number ?? '–',
    },
    decision: {
      name: i18n.t('Decision'),
      width: 'minmax(9.5rem, 1fr)',
      isLong: true,
      cell: (row) => {
        const last = row.resolutions.at(-1)
        return last === undefined ? '–' : <Badge value={last.decision} />
      },
    },
    /** The evidence against the decision. */
    shown: {
      name: i18n.t('Courier shows'),
      width: 'minmax(12.5rem, 1.4fr)',
      isLong: true,
      cell: (row) => firstOf(guidesAgainst(row)),
    },
    surplus: {
      name: i18n.t('To cancel'),
      width: 'minmax(12.5rem, 1.4fr)',
      isLong: true,
      cell: (row) => firstOf(row.surplus_guide_numbers),
    },
    decidedAt: {
      name: i18n.t('Decided'),
      width: 'minmax(7rem, 0.7fr)',
      cell: (row) => farOf(row, row.resolutions.at(-1)?.at ?? null),
    },
    decidedBy: {
      name: i18n.t('Decided by'),
      width: 'minmax(8rem, 1fr)',
      cell: (row) => {
        const last = row.resolutions.at(-1)
        return last === undefined
          ? '–'
          : (last.decided_by ?? last.operator_id ?? deciderOf(last.by))
      },
    },
  }) satisfies Record<string, Column<Operation>>

function farOf({ workspace_id: workspaceId }: Operation, at: string | null) {
  return at === null ? '–' : <Far at={at} workspaceId={workspaceId} />
}

function firstOf([first, ...rest]: readonly string[]): string {
  if (first === undefined) return '–'
  if (rest.length === 0) return first
  return i18n.t('{first} and {count, plural, one {# more} other {# more}}', {
    first,
    count: rest.length,
  })
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

function deciderOf(by: string) {
  return deciders()[by] ?? <ServiceText>{by}</ServiceText>
}

const deciders = (): Readonly<Record<string, string>> => ({
  reconciliation: i18n.t('reconciliation'),
  operator: i18n.t('operator'),
})

const typeWord = (): Readonly<Record<string, string>> => ({
  shipment_creation: i18n.t('creation'),
  shipment_cancellation: i18n.t('cancellation'),
})

/** The columns of a view, without what all its rows have in common. */
export function columnsOfView(id: string): readonly Column<Operation>[] {
  const of = operationColumns()
  const at = [of.workspace, of.courier, of.destination, of.amount]
  const decided = [of.decidedBy, of.decidedAt]
  const views: Readonly<Record<string, readonly Column<Operation>[]>> = {
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
  return views[id] ?? []
}
