import { i18n } from '@lingui/core'
import { useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { anyOf, FilterBar, FilterSelect } from '../lists/filters.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import type { Column } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Badge } from '../parts/badge.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateOperatorDialog, useOperatorsRefusal } from './operator-dialogs.tsx'

type Operator = Schemas['Operator']

const filterNames = ['status'] as const
const statuses = ['active', 'disabled'] as const

const columns = (): readonly Column<Operator>[] => [
  {
    name: i18n.t('Name'),
    width: 'minmax(12rem, 1.4fr)',
    cell: (row) => <OperatorName operator={row} />,
  },
  {
    name: i18n.t('State'),
    width: 'minmax(7rem, 0.6fr)',
    cell: (row) => <Badge value={row.status} />,
  },
  {
    name: i18n.t('E-mail'),
    width: 'minmax(14rem, 1.6fr)',
    isLong: true,
    cell: (row) => row.email ?? i18n.t('not shown to this key'),
  },
  {
    name: i18n.t('Created'),
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

function OperatorName({ operator }: { readonly operator: Operator }) {
  const { key } = useSession()
  return (
    <>
      {operator.name} {operator.id === key.operator_id && <Badge value={i18n.t('you')} />}
    </>
  )
}

/** The list of operators. */
export function Operators() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  const { filters, field, clear } = useUrlFilters(filterNames)
  const query = filters as { status?: (typeof statuses)[number] }
  return (
    <ListScreen<Operator>
      title={i18n.t('Operators')}
      what="operators"
      queryKey={['operators', query]}
      read={(page, options) => client.operators.list({ ...query, ...page }, options)}
      filters={
        <FilterBar count={Object.keys(filters).length} onClear={clear}>
          <FilterSelect label={i18n.t('State')} {...field('status')} options={anyOf(statuses)} />
        </FilterBar>
      }
      columns={columns()}
      href={(row) => `/operators/${row.id}`}
      whenEmpty={i18n.t(
        'An operator is a person who decides operations. Create one, then a key for that person.',
      )}
      create={{
        word: i18n.t('Create an operator…'),
        scope: 'operators:write',
        refused: useOperatorsRefusal(),
        dialog: (onClose) => (
          <CreateOperatorDialog
            onClose={onClose}
            onCreated={({ id }) => goTo(`/operators/${id}`)}
          />
        ),
      }}
    />
  )
}
