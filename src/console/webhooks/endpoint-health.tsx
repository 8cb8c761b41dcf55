import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import type { Answered, Schemas } from '../../client/methods.ts'
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
  if (recent.data === undefined) return recent.isPending ? '…' : 'not known'
  const { data } = recent.data
  if (data.length === 0) return 'nothing sent yet'
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
  if (status !== 'enabled' || health.state === 'ok') return null
  return (
    <section className="what-to-do" data-tone="bad" aria-label="Health">
      <IconAlertTriangle size={22} className="what-icon" aria-hidden />
      <div>
        <p className="what">
          Failing
          {health.failing_since !== null && (
            <>
              {' '}
              since <Moment at={health.failing_since} workspaceId={workspaceId} />
            </>
          )}
          {last !== null && `: ${last}`}
        </p>
        <p className="what-next">
          {health.next_probe_at === null ? (
            'Deliveries are still attempted one at a time. '
          ) : (
            <>
              Deliveries are paused. The next try is{' '}
              <Far at={health.next_probe_at} workspaceId={workspaceId} />.{' '}
            </>
          )}
          Nothing is lost: undelivered events can be recovered.
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
  if (last.status_code !== null) return `it answers ${last.status_code}`
  return last.error === null ? null : (failureText[last.error] ?? last.error)
}

const failureText: Readonly<Record<string, string>> = {
  dns: 'its name cannot be resolved',
  blocked: 'its address is private',
  connect: 'no connection can be made',
  tls: 'the TLS handshake fails',
  timeout: 'it does not answer in time',
  reset: 'it closes the connection',
  protocol: 'its answer is not HTTP',
}

/** When the receiver last accepted a delivery. */
export function LastSuccess({ endpoint }: { readonly endpoint: Endpoint }) {
  const { last_success_at: at } = endpoint.health
  return at === null ? 'none' : <Moment at={at} workspaceId={endpoint.workspace_id} />
}

/** The number of pending deliveries, and the age of the oldest. */
export function Pending({ endpointId }: HealthProps) {
  const page = useStanding(endpointId, 'pending', countMax)
  const oldest = page?.data.at(-1)
  return (
    <>
      {counted(page)}
      {page !== undefined && oldest !== undefined && (
        <>
          , {page.has_more ? 'some since before' : 'the oldest since'}{' '}
          <Moment at={oldest.created_at} workspaceId={oldest.workspace_id} />
        </>
      )}
    </>
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
  return page.has_more ? `more than ${page.data.length}` : String(page.data.length)
}
