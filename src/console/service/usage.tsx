import { Progress } from '@mantine/core'
import type { Schemas } from '../../client/methods.ts'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { Needs, useMay } from '../parts/scopes.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

type ApiKey = Schemas['ApiKey']
type Usage = Schemas['Usage']

const usageEveryMs = 15_000

/** What the plan allows, how much of it is used, and the existing keys. */
export function UsageScreen() {
  return (
    <>
      <ScreenHead title="Usage and keys" />
      <Panel title="This month" name="Usage">
        <UsageNow />
      </Panel>
      <Panel title="This key">
        <ThisKey />
      </Panel>
      <Panel title="Keys of this organization and mode" name="Keys" className="listed">
        <Needs scope="workspaces:read">
          <Keys />
        </Needs>
      </Panel>
    </>
  )
}

function UsageNow() {
  const { client } = useSession()
  const usage = usePolled(['usage'], client.keys.getUsage, {}, { everyMs: () => usageEveryMs })
  if (usage.data === undefined) {
    if (usage.isPending) return <Loading what="the usage" />
    return <Failed error={usage.error} again={() => void usage.refetch()} />
  }
  const { plan, month, resets_at, requests_per_minute: requests } = usage.data
  return (
    <Facts
      facts={[
        ['Plan', plan],
        ['Month (UTC)', month],
        ['Resets', <Time key="resets" at={resets_at} />],
        ['Requests a minute, each key', limitOf(requests)],
        ['Shipments this month', <Meter key="s" name="Shipments" of={usage.data.shipments} />],
        ['Workspaces', <Meter key="w" name="Workspaces" of={usage.data.workspaces} />],
        [
          'Courier connections',
          <Meter key="c" name="Courier connections" of={usage.data.courier_connections} />,
        ],
        [
          'Webhook endpoints',
          <Meter key="e" name="Webhook endpoints" of={usage.data.webhook_endpoints} />,
        ],
      ]}
    />
  )
}

const count = new Intl.NumberFormat('en')

function limitOf({ limit }: { readonly limit: number | null }): string {
  return limit === null ? 'unlimited' : count.format(limit)
}

type MeterProps = { readonly name: string; readonly of: Usage['shipments'] }

/** A key of one workspace sees the limit and whether it is reached, not the use of the others. */
function Meter({ name, of: { used, limit, reached } }: MeterProps) {
  return (
    <>
      {used === null ? 'not shown to this key' : `${count.format(used)} of ${limitOf({ limit })}`}{' '}
      {reached && <Badge value="limit_reached" />}
      {used !== null && limit !== null && limit > 0 && (
        <Progress
          aria-label={`${name} used`}
          value={(100 * used) / limit}
          color={used >= limit * 0.8 ? 'red.7' : 'indigo'}
          maw={220}
          mt={4}
        />
      )}
    </>
  )
}

function ThisKey() {
  const { key } = useSession()
  const time = (at: string | null) => (at === null ? null : <Time at={at} />)
  const facts: readonly Fact[] = [
    ['Key', <Copyable key="id" text={key.id} />],
    ['Ends with', `…${key.last4}`],
    ['Mode', key.livemode ? 'live' : 'test'],
    ['Organization', <Copyable key="organization" text={key.organization_id} />],
    ['Reaches', key.workspace_id ?? 'every workspace of the organization'],
    ['Scopes', key.scopes.join(', ')],
    ['Made', time(key.created_at)],
    ['Expires', time(key.expires_at) ?? 'never'],
  ]
  return <Facts facts={facts} />
}

const columns: readonly Column<ApiKey>[] = [
  { name: 'Key', width: 'minmax(20rem, 1fr)', cell: (row) => <KeyName of={row} /> },
  { name: 'Ends with', width: '6rem', cell: (row) => `…${row.last4}` },
  { name: 'State', width: '6rem', cell: (row) => <Badge value={stateOf(row)} /> },
  {
    name: 'Last used',
    width: '15rem',
    isLong: true,
    cell: (row) => (row.last_used_at === null ? 'never' : <Time at={row.last_used_at} />),
  },
  {
    name: 'Expires',
    width: '15rem',
    isLong: true,
    cell: (row) => (row.expires_at === null ? 'never' : <Time at={row.expires_at} />),
  },
  {
    name: 'Made',
    width: '15rem',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
  {
    name: 'Reaches',
    width: '17rem',
    isLong: true,
    cell: (row) => row.workspace_id ?? 'every workspace',
  },
  {
    name: 'Scopes',
    width: 'minmax(20rem, 2fr)',
    isLong: true,
    cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
  },
]

function KeyName({ of }: { readonly of: ApiKey }) {
  const { key } = useSession()
  return (
    <>
      <code>{of.id}</code> {of.id === key.id && <Badge value="this key" />}
    </>
  )
}

function stateOf({ revoked_at, expires_at }: ApiKey): string {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired'
  return 'active'
}

function Keys() {
  const { client } = useSession()
  const list = usePagedList<ApiKey>({
    queryKey: ['keys'],
    order: 'newest',
    isEnabled: useMay('workspaces:read'),
    read: (page, options) => client.keys.list(page, options),
  })
  return (
    <Table what="keys" list={list} columns={columns} whenEmpty="There is no key of this mode." />
  )
}
