import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import type { Answered, Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
import { stateStyles } from '../parts/badge.tsx'
import { Far, Moment } from '../parts/times.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { countedByState, type Delivery, shownState } from './delivery-columns.tsx'

/** For a single endpoint. */
const everyMs = 6_000
/** In a list, where every row makes its own request. */
const inListEveryMs = 15_000
/** This many recent deliveries indicate the current health. */
const recentMax = 20
/** Counts stop at one page. */
const countMax = 100

type Page = Answered<{ data: Delivery[]; has_more: boolean }>

function useStanding(endpointId: string, state: 'pending' | 'dead' | 'discarded', limit: number) {
  const { client } = useSession()
  const input = { endpoint_id: endpointId, state, limit }
  return usePolled(['deliveries', 'standing', input], client.webhookDeliveries.list, input, {
    everyMs: () => everyMs,
  }).data
}

type HealthProps = { readonly endpointId: string }

/** The recent deliveries as marks, the newest on the right. */
export function RecentDeliveries({ endpointId }: HealthProps) {
  const { client } = useSession()
  const input = { endpoint_id: endpointId, limit: recentMax }
  const recent = usePolled(
    ['deliveries', 'recent', endpointId],
    client.webhookDeliveries.list,
    input,
    { everyMs: () => inListEveryMs },
  )
  if (recent.data === undefined) return recent.isPending ? '…' : i18n.t('not known')
  const { data } = recent.data
  if (data.length === 0) return i18n.t('nothing sent yet')
  const words = countedByState(data)
  return (
    <span className="ticks" role="img" aria-label={words} title={words}>
      {data.toReversed().map((delivery) => (
        <span key={delivery.id} data-tone={stateStyles[shownState(delivery)]?.tone ?? 'plain'} />
      ))}
    </span>
  )
}

type Endpoint = Schemas['WebhookEndpoint']

/**
 * When and why an endpoint started failing, and when it is tried next. Renders nothing for a
 * healthy endpoint.
 */
export function FailingNotice({ endpoint }: { readonly endpoint: Endpoint }) {
  const { health, workspace_id: workspaceId, status, id } = endpoint
  const last = useLastFailure(id)
  const since = health.failing_since
  if (status !== 'enabled' || health.state === 'ok') return null
  return (
    <section className="what-to-do" data-tone="bad" aria-label={i18n.t('Endpoint health')}>
      <IconAlertTriangle size={22} className="what-icon" aria-hidden />
      <div>
        <p className="what">
          {since === null ? (
            i18n.t('Failing')
          ) : (
            <Trans
              id="Failing since {since}"
              values={{ since: <Moment at={since} workspaceId={workspaceId} /> }}
            />
          )}
          {last !== null && <>: {last}</>}
        </p>
        <p className="what-next">
          {health.next_probe_at === null ? (
            i18n.t('Deliveries are still attempted one at a time.')
          ) : (
            <Trans
              id="Deliveries are paused. The next try is {when}."
              values={{ when: <Far at={health.next_probe_at} workspaceId={workspaceId} /> }}
            />
          )}{' '}
          {i18n.t('Nothing is lost: undelivered events can be recovered.')}
        </p>
      </div>
    </section>
  )
}

/** The receiver's last response to a failed delivery. */
function useLastFailure(endpointId: string): string | null {
  const { client } = useSession()
  const input = { endpoint_id: endpointId, limit: recentMax }
  const recent = usePolled(
    ['deliveries', 'recent', endpointId],
    client.webhookDeliveries.list,
    input,
    { everyMs: () => inListEveryMs },
  )
  const attempts = (recent.data?.data ?? []).flatMap((delivery) => delivery.attempts)
  const [last] = attempts.toSorted((a, b) => (a.at < b.at ? 1 : -1))
  if (last === undefined) return null
  if (last.status_code !== null) return i18n.t('it answers {status}', { status: last.status_code })
  return last.error === null ? null : (failureText()[last.error] ?? last.error)
}

const failureText = (): Readonly<Record<string, string>> => ({
  dns: i18n.t('its name cannot be resolved'),
  blocked: i18n.t('its address is private'),
  connect: i18n.t('no connection can be made'),
  tls: i18n.t('the TLS handshake fails'),
  timeout: i18n.t('it does not answer in time'),
  reset: i18n.t('it closes the connection'),
  protocol: i18n.t('its answer is not HTTP'),
})

/** When the receiver last accepted a delivery. */
export function LastSuccess({ endpoint }: { readonly endpoint: Endpoint }) {
  const { last_success_at: at } = endpoint.health
  return at === null ? i18n.t('never') : <Moment at={at} workspaceId={endpoint.workspace_id} />
}

/** The number of pending deliveries, and the age of the oldest. */
export function Pending({ endpointId }: HealthProps) {
  const page = useStanding(endpointId, 'pending', countMax)
  const oldest = page?.data.at(-1)
  if (page === undefined || oldest === undefined) return counted(page)
  const values = {
    count: counted(page),
    at: <Moment at={oldest.created_at} workspaceId={oldest.workspace_id} />,
  }
  return page.has_more ? (
    <Trans id="{count}, some since before {at}" values={values} />
  ) : (
    <Trans id="{count}, the oldest since {at}" values={values} />
  )
}

export function Ended({
  endpointId,
  state,
}: HealthProps & { readonly state: 'dead' | 'discarded' }) {
  return counted(useStanding(endpointId, state, countMax))
}

function counted(page: Page | undefined): string {
  if (page === undefined) return '…'
  const count = formatNumber(page.data.length)
  return page.has_more ? i18n.t('more than {count}', { count }) : count
}
