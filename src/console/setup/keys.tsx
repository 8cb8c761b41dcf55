import { i18n } from '@lingui/core'
import type { Input, Schemas } from '../../client/methods.ts'
import { FilterBar, FilterSelect } from '../lists/filters.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import type { Column } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { keyState, ThisKey } from './key.tsx'
import { roleName } from './role-words.ts'

type ApiKey = Schemas['ApiKey']

const columns = (): readonly Column<ApiKey>[] => [
  { name: i18n.t('Key'), width: 'minmax(16rem, 1.8fr)', cell: (row) => <KeyName of={row} /> },
  {
    name: i18n.t('State'),
    width: 'minmax(6.5rem, 0.5fr)',
    cell: (row) => <Badge value={keyState(row)} />,
  },
  {
    name: i18n.t('Role'),
    width: 'minmax(8rem, 1fr)',
    cell: ({ role, scopes }) => <span title={scopes.join(', ')}>{roleName(role)}</span>,
  },
  {
    name: i18n.t('Access'),
    width: 'minmax(8rem, 0.9fr)',
    isLong: true,
    cell: (row) =>
      row.workspace_id === null ? (
        i18n.t('every workspace')
      ) : (
        <WorkspaceName id={row.workspace_id} />
      ),
  },
  {
    name: i18n.t('Last used'),
    width: 'minmax(10rem, 0.7fr)',
    isLong: true,
    cell: (row) => (row.last_used_at === null ? i18n.t('never') : <Time at={row.last_used_at} />),
  },
  {
    name: i18n.t('Expires'),
    width: 'minmax(10rem, 0.7fr)',
    isLong: true,
    cell: (row) => (row.expires_at === null ? i18n.t('never') : <Time at={row.expires_at} />),
  },
  {
    name: i18n.t('Created'),
    width: 'minmax(10rem, 0.7fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

function KeyName({ of }: { readonly of: ApiKey }) {
  return (
    <>
      {of.name ?? i18n.t('Without a name')} <code>…{of.last4}</code> <ThisKey of={of} />
    </>
  )
}

const filterNames = ['sign_ins'] as const

/** The query for each choice. Every sign-in creates a key, so that they would hide the others. */
const signInQueries: Readonly<Record<string, Query>> = {
  shown: {},
  only: { from_sign_in: 'true' },
}
const withoutSignIns: Query = { from_sign_in: 'false' }

type Query = Pick<Input<'listKeys'>, 'from_sign_in'>

/** The organization's keys in this mode, by default without those of sign-ins. */
export function Keys() {
  const { client } = useSession()
  const { filters, field, clear } = useUrlFilters(filterNames)
  const { sign_ins: signIns = '' } = filters
  const query = signInQueries[signIns] ?? withoutSignIns
  return (
    <ListScreen<ApiKey>
      title={i18n.t('API keys')}
      what="keys"
      queryKey={['keys', query]}
      read={(page, options) => client.keys.list({ ...query, ...page }, options)}
      filters={
        <FilterBar count={signIns === '' ? 0 : 1} onClear={clear}>
          <FilterSelect
            label={i18n.t('Keys of sign-ins')}
            {...field('sign_ins')}
            options={[
              ['', i18n.t('Hidden')],
              ['shown', i18n.t('Shown')],
              ['only', i18n.t('Only these')],
            ]}
          />
        </FilterBar>
      }
      columns={columns()}
      href={(row) => `/keys/${row.id}`}
      whenEmpty={i18n.t('No keys in this mode.')}
      create={{
        word: i18n.t('Create a key…'),
        scope: 'keys:write',
        dialog: (onClose) => <CreateKeyDialog onClose={onClose} />,
      }}
    />
  )
}
