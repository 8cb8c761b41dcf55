import { i18n } from '@lingui/core'
import { Progress } from '@mantine/core'
import type { Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
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
      <ScreenHead title={i18n.t('Usage')} />
      <Panel title={i18n.t('This month')} name={i18n.t('Usage')}>
        <UsageNow />
      </Panel>
      <Panel title={i18n.t('This key')}>
        <ThisKey />
      </Panel>
    </>
  )
}

function UsageNow() {
  const { client } = useSession()
  const usage = usePolled(['usage'], client.keys.getUsage, {}, { everyMs: () => usageEveryMs })
  if (usage.data === undefined) {
    if (usage.isPending) return <Loading />
    return <Failed error={usage.error} again={() => void usage.refetch()} />
  }
  const { plan, month, resets_at, requests_per_minute: requests } = usage.data
  return (
    <Facts
      facts={[
        [i18n.t('Plan'), plan],
        [i18n.t('Month (UTC)'), month],
        [i18n.t('Resets'), <Time key="resets" at={resets_at} />],
        [i18n.t('Requests per minute and key'), limitOf(requests)],
        [
          i18n.t('Shipments this month'),
          <Meter key="s" name={i18n.t('Shipments used')} of={usage.data.shipments} />,
        ],
        [
          i18n.t('Workspaces'),
          <Meter key="w" name={i18n.t('Workspaces used')} of={usage.data.workspaces} />,
        ],
        [
          i18n.t('Courier connections'),
          <Meter
            key="c"
            name={i18n.t('Courier connections used')}
            of={usage.data.courier_connections}
          />,
        ],
        [
          i18n.t('Webhook endpoints'),
          <Meter
            key="e"
            name={i18n.t('Webhook endpoints used')}
            of={usage.data.webhook_endpoints}
          />,
        ],
      ]}
    />
  )
}

function limitOf({ limit }: { readonly limit: number | null }): string {
  return limit === null ? i18n.t('unlimited') : formatNumber(limit)
}

type MeterProps = { readonly name: string; readonly of: Usage['shipments'] }

/**
 * A key of one workspace sees the limit and whether it is reached, but not the usage of other
 * workspaces.
 */
function Meter({ name, of: { used, limit, reached } }: MeterProps) {
  return (
    <>
      {usedText(used, limit)} {reached && <Badge value="limit_reached" />}
      {used !== null && limit !== null && limit > 0 && (
        <Progress
          aria-label={name}
          value={(100 * used) / limit}
          color={used >= limit * 0.8 ? 'red.7' : 'indigo'}
          maw={220}
          mt={4}
        />
      )}
    </>
  )
}

function usedText(used: number | null, limit: number | null): string {
  if (used === null) return i18n.t('not shown to this key')
  if (limit === null) return i18n.t('{used} of unlimited', { used: formatNumber(used) })
  return i18n.t('{used} of {limit}', { used: formatNumber(used), limit: formatNumber(limit) })
}

function ThisKey() {
  const { key } = useSession()
  const time = (at: string | null) => (at === null ? null : <Time at={at} />)
  const facts: readonly Fact[] = [
    [i18n.t('Key'), <Copyable key="id" text={key.id} />],
    [i18n.t('Ends with'), `…${key.last4}`],
    [i18n.t('Mode'), key.livemode ? i18n.t('live') : i18n.t('test')],
    [i18n.t('Organization'), <Copyable key="organization" text={key.organization_id} />],
    [i18n.t('Access'), key.workspace_id ?? i18n.t('every workspace of the organization')],
    [i18n.t('Scopes'), key.scopes.join(', ')],
    [i18n.t('Created'), time(key.created_at)],
    [i18n.t('Expires'), time(key.expires_at) ?? i18n.t('never')],
  ]
  return <Facts facts={facts} />
}
