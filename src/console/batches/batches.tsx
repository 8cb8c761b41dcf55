import { i18n } from '@lingui/core'
import { Link, useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { FilterBar, FilterText, WorkspaceFilter } from '../lists/filters.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import type { Column } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { failedCount, stateOf } from './line-states.ts'
import { resultWord } from './line-words.tsx'

type Batch = Schemas['Batch']

const filterNames = ['workspace_id', 'reference'] as const

const columns = (): readonly Column<Batch>[] => [
  { name: i18n.t('Reference'), width: 'minmax(10rem, 2fr)', cell: (row) => row.external_reference },
  {
    name: i18n.t('State'),
    width: 'minmax(8rem, 0.8fr)',
    cell: (row) => <Badge value={stateOf(row)} />,
  },
  {
    name: i18n.t('Progress'),
    width: 'minmax(9rem, 1fr)',
    isLong: true,
    cell: (row) => <BatchProgress batch={row} />,
  },
  { name: i18n.t('Lines'), width: '4rem', cell: (row) => formatNumber(row.total) },
  {
    name: i18n.t('With a guide'),
    width: '6rem',
    cell: (row) => (row.result === null ? '' : resultWord(row.result)),
  },
  {
    name: i18n.t({ id: 'Failed (lines)', message: 'Failed' }),
    width: '4rem',
    cell: (row) => formatNumber(failedCount(row)),
  },
  {
    name: i18n.t('Workspace'),
    width: 'minmax(8rem, 1fr)',
    cell: (row) => <WorkspaceName id={row.workspace_id} />,
  },
  {
    name: i18n.t('Created'),
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

/** Every batch in the key's tenant scope, newest first. */
export function Batches() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  const { filters, field, clear } = useUrlFilters(filterNames)
  const { reference, ...workspace } = filters
  const query = {
    ...workspace,
    ...(reference === undefined ? {} : { external_reference: reference }),
  }
  const count = Object.keys(filters).length
  return (
    <ListScreen<Batch>
      title={i18n.t('Batches')}
      what="batches"
      queryKey={['batches', query]}
      read={(page, options) => client.batches.list({ ...query, ...page }, options)}
      acts={
        <ActButton
          word={i18n.t('New batch')}
          scope="shipments:write"
          isPrimary
          onAct={() => goTo('/batches/new')}
        />
      }
      filters={
        <FilterBar count={count} onClear={clear}>
          <WorkspaceFilter {...field('workspace_id')} />
          <FilterText label={i18n.t('Exact reference')} {...field('reference')} />
        </FilterBar>
      }
      columns={columns()}
      href={(row) => `/batches/${row.id}`}
      whenEmpty={
        count > 0 ? (
          i18n.t('No matching batches.')
        ) : (
          <>
            {i18n.t('A batch creates many shipments from one spreadsheet file.')}{' '}
            <Link href="/batches/new">{i18n.t('Create the first one')}</Link>.
          </>
        )
      }
    />
  )
}
