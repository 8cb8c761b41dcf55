import { Progress } from '@mantine/core'
import type { Schemas } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { Time } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

type Usage = Schemas['Usage']

const usageEveryMs = 15_000

/** The plan's limits, how much of them is used, and what this key may do. */
export function UsageScreen() {
  return (
    <>
      <ScreenHead title="Usage" />
      <Panel title="This month" name="Usage">
        <UsageNow />
      </Panel>
      <Panel title="This key">
        <ThisKey />
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
        ['Requests per minute and key', limitOf(requests)],
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

/**
 * A key of one workspace sees the limit and whether it is reached, but not the usage of other
 * workspaces.
 */
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
    ['Access', key.workspace_id ?? 'every workspace of the organization'],
    ['Scopes', key.scopes.join(', ')],
    ['Created', time(key.created_at)],
    ['Expires', time(key.expires_at) ?? 'never'],
  ]
  return <Facts facts={facts} />
}
