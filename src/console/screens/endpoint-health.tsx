import type { Answered } from '../../client/methods.ts'
import { usePolled } from '../parts/polled.ts'
import { Moment } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { countedByState, type Delivery } from './delivery-columns.tsx'

/** Of one endpoint: as often as the endpoint itself. */
const everyMs = 6_000
/** In a list every row asks. */
const inListEveryMs = 15_000
/** So many of its deliveries tell how it is now. */
const recentMax = 20
/** The most that one page counts. */
const countMax = 100

type Page = Answered<{ data: Delivery[]; has_more: boolean }>

function useStanding(endpointId: string, state: 'delivered' | 'pending' | 'dead', limit: number) {
  const { client } = useSession()
  const input = { endpoint_id: endpointId, state, limit }
  return usePolled(['deliveries', 'standing', input], client.webhookDeliveries.list, input, {
    everyMs: () => everyMs,
  }).data
}

type HealthProps = { readonly endpointId: string }

/** How its last deliveries stand, counted by their states. */
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

/** The last delivery that its receiver took. */
export function NewestSuccess({ endpointId }: HealthProps) {
  const page = useStanding(endpointId, 'delivered', 1)
  if (page === undefined) return '…'
  const [newest] = page.data
  if (newest === undefined) return 'none'
  const at = newest.attempts.at(-1)?.at ?? newest.updated_at
  return <Moment at={at} workspaceId={newest.workspace_id} />
}

/** How many wait for it, and since when the oldest of them does. */
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

export function Dead({ endpointId }: HealthProps) {
  return counted(useStanding(endpointId, 'dead', countMax))
}

function counted(page: Page | undefined): string {
  if (page === undefined) return '…'
  return page.has_more ? `more than ${page.data.length}` : String(page.data.length)
}
