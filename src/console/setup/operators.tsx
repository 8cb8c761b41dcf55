import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { FilterBar, FilterSelect } from '../lists/filters.tsx'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateOperatorDialog, useOperatorsRefusal } from './operator-dialogs.tsx'

type Operator = Schemas['Operator']

const filterNames = ['status'] as const
const statuses = ['active', 'disabled'] as const

const columns: readonly Column<Operator>[] = [
  { name: 'Name', width: 'minmax(12rem, 1.4fr)', cell: (row) => <OperatorName operator={row} /> },
  { name: 'State', width: 'minmax(7rem, 0.6fr)', cell: (row) => <Badge value={row.status} /> },
  {
    name: 'E-mail',
    width: 'minmax(14rem, 1.6fr)',
    isLong: true,
    cell: (row) => row.email ?? 'not shown to this key',
  },
  {
    name: 'Created',
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

function OperatorName({ operator }: { readonly operator: Operator }) {
  const { key } = useSession()
  return (
    <>
      {operator.name} {operator.id === key.operator_id && <Badge value="you" />}
    </>
  )
}

/** The people who decide. */
export function Operators() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  const [isCreating, setCreating] = useState(false)
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
  const { status } = filters
  const query = status === undefined ? {} : { status: status as (typeof statuses)[number] }
  const list = usePagedList<Operator>({
    queryKey: ['operators', query],
    order: 'newest',
    isEnabled: true,
    read: (page, options) => client.operators.list({ ...query, ...page }, options),
  })
  return (
    <>
      <ScreenHead
        title="Operators"
        acts={
          <ActButton
            word="Create an operator…"
            scope="operators:write"
            isPrimary
            refused={useOperatorsRefusal()}
            onAct={() => setCreating(true)}
          />
        }
      />
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
        <FilterSelect
          label="State"
          value={status ?? ''}
          onChange={(value) => setFilter('status', value)}
          options={[['', 'Any'], ...statuses.map((one) => [one, one] as const)]}
        />
      </FilterBar>
      <Table
        what="operators"
        list={list}
        columns={columns}
        href={(row) => `/operators/${row.id}`}
        whenEmpty="An operator is a person who decides operations. Create one, then a key for that person."
      />
      {isCreating && (
        <CreateOperatorDialog
          onClose={() => setCreating(false)}
          onCreated={({ id }) => goTo(`/operators/${id}`)}
        />
      )}
    </>
  )
}
