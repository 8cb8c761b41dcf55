import { i18n } from '@lingui/core'
import { useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { ListScreen } from '../lists/list-screen.tsx'
import type { Column } from '../lists/table.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateWorkspaceDialog, retentionText } from './workspace-dialogs.tsx'

type Workspace = Schemas['Workspace']

const columns = (): readonly Column<Workspace>[] => [
  { name: i18n.t('Name'), width: 'minmax(12rem, 2fr)', cell: (row) => row.name },
  {
    name: i18n.t('Reference'),
    width: 'minmax(10rem, 1.4fr)',
    isLong: true,
    cell: (row) => <code>{row.external_reference}</code>,
  },
  {
    name: i18n.t('Personal data'),
    width: 'minmax(12rem, 1fr)',
    isLong: true,
    cell: (row) => retentionText(row),
  },
  {
    name: i18n.t('Created'),
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

/** The list of workspaces. */
export function Workspaces() {
  const { client, key } = useSession()
  const [, goTo] = useLocation()
  return (
    <ListScreen<Workspace>
      title={i18n.t('Workspaces')}
      what="workspaces"
      queryKey={['workspaces']}
      read={(page, options) => client.workspaces.list(page, options)}
      columns={columns()}
      href={(row) => `/workspaces/${row.id}`}
      whenEmpty={i18n.t(
        'A workspace is one shop: its connections, shipments and webhooks. Create the first one.',
      )}
      create={{
        word: i18n.t('Create a workspace…'),
        scope: 'workspaces:write',
        refused: key.workspace_id === null ? null : i18n.t('This key is limited to one workspace.'),
        dialog: (onClose) => (
          <CreateWorkspaceDialog
            onClose={onClose}
            onCreated={({ id }) => goTo(`/workspaces/${id}`)}
          />
        ),
      }}
    />
  )
}
