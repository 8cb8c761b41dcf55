import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateWorkspaceDialog, retentionWords } from './workspace-dialogs.tsx'

type Workspace = Schemas['Workspace']

const columns: readonly Column<Workspace>[] = [
  { name: 'Name', width: 'minmax(12rem, 2fr)', cell: (row) => row.name },
  {
    name: 'Reference',
    width: 'minmax(10rem, 1.4fr)',
    isLong: true,
    cell: (row) => <code>{row.external_reference}</code>,
  },
  {
    name: 'Personal data',
    width: 'minmax(12rem, 1fr)',
    isLong: true,
    cell: (row) => retentionWords(row),
  },
  {
    name: 'Created',
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

/** The shops of the organization. */
export function Workspaces() {
  const { client, key } = useSession()
  const [, goTo] = useLocation()
  const [isCreating, setCreating] = useState(false)
  const list = usePagedList<Workspace>({
    queryKey: ['workspaces'],
    order: 'newest',
    isEnabled: true,
    read: (page, options) => client.workspaces.list(page, options),
  })
  return (
    <>
      <ScreenHead
        title="Workspaces"
        acts={
          <ActButton
            word="Create a workspace…"
            scope="workspaces:write"
            isPrimary
            refused={key.workspace_id === null ? null : 'This key reaches one workspace only.'}
            onAct={() => setCreating(true)}
          />
        }
      />
      <Table
        what="workspaces"
        list={list}
        columns={columns}
        href={(row) => `/workspaces/${row.id}`}
        whenEmpty="A workspace is one shop: its connections, shipments and webhooks. Create the first one."
      />
      {isCreating && (
        <CreateWorkspaceDialog
          onClose={() => setCreating(false)}
          onCreated={({ id }) => goTo(`/workspaces/${id}`)}
        />
      )}
    </>
  )
}
