import type { Schemas } from '../../client/methods.ts'
import { ListScreen } from '../lists/list-screen.tsx'
import type { Column } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { keyState, ThisKey } from './key.tsx'

type ApiKey = Schemas['ApiKey']

const columns: readonly Column<ApiKey>[] = [
  { name: 'Key', width: 'minmax(16rem, 1.8fr)', cell: (row) => <KeyName of={row} /> },
  { name: 'State', width: 'minmax(6.5rem, 0.5fr)', cell: (row) => <Badge value={keyState(row)} /> },
  {
    name: 'Role',
    width: 'minmax(8rem, 1fr)',
    cell: ({ role, scopes }) => <span title={scopes.join(', ')}>{role}</span>,
  },
  {
    name: 'Access',
    width: 'minmax(8rem, 0.9fr)',
    isLong: true,
    cell: (row) =>
      row.workspace_id === null ? 'every workspace' : <WorkspaceName id={row.workspace_id} />,
  },
  {
    name: 'Last used',
    width: 'minmax(10rem, 0.7fr)',
    isLong: true,
    cell: (row) => (row.last_used_at === null ? 'never' : <Time at={row.last_used_at} />),
  },
  {
    name: 'Expires',
    width: 'minmax(10rem, 0.7fr)',
    isLong: true,
    cell: (row) => (row.expires_at === null ? 'never' : <Time at={row.expires_at} />),
  },
  {
    name: 'Created',
    width: 'minmax(10rem, 0.7fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

function KeyName({ of }: { readonly of: ApiKey }) {
  return (
    <>
      {of.name ?? 'Without a name'} <code>…{of.last4}</code> <ThisKey of={of} />
    </>
  )
}

/** The organization's keys in this mode. */
export function Keys() {
  const { client } = useSession()
  return (
    <ListScreen<ApiKey>
      title="API keys"
      what="keys"
      queryKey={['keys']}
      read={(page, options) => client.keys.list(page, options)}
      columns={columns}
      href={(row) => `/keys/${row.id}`}
      whenEmpty="No keys in this mode."
      create={{
        word: 'Create a key…',
        scope: 'keys:write',
        dialog: (onClose) => <CreateKeyDialog onClose={onClose} />,
      }}
    />
  )
}
