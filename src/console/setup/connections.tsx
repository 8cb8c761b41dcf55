import { i18n } from '@lingui/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { anyOf, FilterBar, FilterSelect, WorkspaceFilter } from '../lists/filters.tsx'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateConnectionDialog } from './create-connection-dialog.tsx'

type Connection = Schemas['CourierConnection']

const filterNames = ['status', 'workspace_id'] as const
const statuses = ['active', 'needs_reauth', 'disabled'] as const

const columns = (isOfWorkspace: boolean): readonly Column<Connection>[] => [
  { name: i18n.t('Name'), width: 'minmax(11rem, 1.6fr)', cell: (row) => row.display_name },
  {
    name: i18n.t('State'),
    width: 'minmax(12rem, 1fr)',
    isLong: true,
    cell: (row) => <Badge value={row.status} />,
  },
  {
    name: i18n.t('Courier'),
    width: 'minmax(6rem, 0.7fr)',
    cell: (row) => <code>{row.provider_code}</code>,
  },
  ...(isOfWorkspace ? [] : [workspaceColumn()]),
  {
    name: i18n.t('Verified'),
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) =>
      row.verified_at === null ? i18n.t('not verified') : <Time at={row.verified_at} />,
  },
  {
    name: i18n.t('Created'),
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

const workspaceColumn = (): Column<Connection> => ({
  name: i18n.t('Workspace'),
  width: 'minmax(9rem, 1fr)',
  isLong: true,
  cell: (row) => <WorkspaceName id={row.workspace_id} />,
})

/** The list of courier connections. */
export function Connections() {
  const [, goTo] = useLocation()
  const [isCreating, setCreating] = useState(false)
  const { filters, field, clear } = useUrlFilters(filterNames)
  const { status, workspace_id } = filters
  return (
    <>
      <ScreenHead
        title={i18n.t('Courier connections')}
        acts={
          <ActButton
            word={i18n.t('Connect a courier…')}
            scope="connections:write"
            isPrimary
            onAct={() => setCreating(true)}
          />
        }
      />
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
        <FilterSelect label={i18n.t('State')} {...field('status')} options={anyOf(statuses)} />
        <WorkspaceFilter {...field('workspace_id')} />
      </FilterBar>
      <ConnectionsTable
        query={{
          ...(status === undefined ? {} : { status: status as Status }),
          ...(workspace_id === undefined ? {} : { workspace_id }),
        }}
      />
      {isCreating && (
        <CreateConnectionDialog
          workspaceId={workspace_id ?? null}
          onClose={() => setCreating(false)}
          onCreated={({ id }) => goTo(`/connections/${id}`)}
        />
      )}
    </>
  )
}

type Status = (typeof statuses)[number]
type TableProps = {
  readonly query: { readonly status?: Status; readonly workspace_id?: string }
  /** The table is on the screen of one workspace. */
  readonly isOfWorkspace?: boolean
}

export function ConnectionsTable({ query, isOfWorkspace = false }: TableProps) {
  const { client } = useSession()
  const list = usePagedList<Connection>({
    queryKey: ['connections', query],
    read: (page, options) => client.courierConnections.list({ ...query, ...page }, options),
  })
  const isFiltered = Object.keys(query).length > 0
  return (
    <Table
      what="connections"
      list={list}
      columns={columns(isOfWorkspace)}
      href={(row) => `/connections/${row.id}`}
      whenEmpty={
        isFiltered
          ? i18n.t('No matching connections. Connect a courier to ship with it.')
          : i18n.t(
              'A connection is your account with a courier. Connect the first one to create shipments.',
            )
      }
    />
  )
}
