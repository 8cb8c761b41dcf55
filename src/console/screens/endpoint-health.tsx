import type { Answered, Schemas } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { usePolled } from '../parts/polled.ts'
import { Moment } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { countedByState, type Delivery } from './delivery-columns.tsx'

/** For one endpoint: as often as the endpoint itself. */
const everyMs = 6_000
/** In a list, every row makes its own request. */
const inListEveryMs = 15_000
/** This many recent deliveries show the current health. */
const recentMax = 20
/** The most that one page counts. */
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

/** The number of recent deliveries in each state. */
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
  return countedByState(recent.data.data) || 'nothing sent yet'
}

type Endpoint = Schemas['WebhookEndpoint']

/** Whether it is failing, since when, and when its breaker allows the next attempt. */
export function Health({ endpoint }: { readonly endpoint: Endpoint }) {
  const { health, workspace_id: workspaceId } = endpoint
  return (
    <>
      <Badge value={health.state} />
      {health.failing_since !== null && (
        <>
          {' '}
          since <Moment at={health.failing_since} workspaceId={workspaceId} />
        </>
      )}
      {health.next_probe_at !== null && (
        <>
          , paused until <Moment at={health.next_probe_at} workspaceId={workspaceId} />
        </>
      )}
    </>
  )
}

/** When its receiver last accepted a delivery. */
export function LastSuccess({ endpoint }: { readonly endpoint: Endpoint }) {
  const { last_success_at: at } = endpoint.health
  return at === null ? 'none' : <Moment at={at} workspaceId={endpoint.workspace_id} />
}

/** How many deliveries are pending, and since when the oldest. */
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
